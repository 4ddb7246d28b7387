import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { Accounts } from '../../server/state/accounts.ts'
import { openState } from '../../server/state/open.ts'
import type { State } from '../../server/state/state.ts'
import { plainProcess } from '../plain-process.ts'

/** The program beside this file: compiled with compiled tests, else the source. */
const program = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A server as an operator starts it. */
export interface Serving {
  readonly url: string
  readonly port: number
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly out: () => string
  readonly err: () => string
  /** Process ids of the workers that live. */
  readonly workers: () => number[]
  /** Process ids of the live workers. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Runs `tranche serve ARGS` on a free port, and waits until it reports that it listens. */
export async function serving(
  t: Test,
  args: readonly string[],
  {
    env = {},
    shell = '',
    node = [],
  }: { env?: NodeJS.ProcessEnv; shell?: string; node?: readonly string[] } = {},
): Promise<Serving> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const [command, words] = plainProcess(import.meta.url, program, ['serve', ...port, ...args], node)
  const how = {
    env: { ...process.env, TRANCHE_LAKE: '', TRANCHE_STATE: '', TRANCHE_SECRET: '', ...env },
    stdio: 'pipe',
  } as const
  const child = shell
    ? spawn('sh', ['-c', `${shell}; exec "$@"`, 'sh', command, ...words], how)
    : spawn(command, words, how)
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ended)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let code: number | null | undefined
  void ended.then(end => {
    code = end.code
  })
  const said = await until(() => (code === undefined ? /^listening on (\S+)\n/.exec(out) : 'ended'))
  if (typeof said === 'string') throw new Error(`serve ended with code ${code}: ${err}`)
  const url = said[1]!
  return {
    url,
    port: Number(new URL(url).port),
    child,
    ended,
    out: () => out,
    err: () => err,
    workers: () => childrenOf(child.pid!),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** The store beside a lake, opened from this process too. */
export async function stateOf(t: Test, lake: string): Promise<State & Accounts> {
  const state = await openState(join(lake, 'state.db'))
  t.teardown(() => state.close())
  return state
}

/** Options for servers whose time limits are not under test. */
export const patient = ['--timeout', '300000', '--sql-timeout', '300000'] as const

/** Long enough for anything that ever happens, however busy the machine is. */
const CEILING_MS = 300_000

/** Polls until the check finds something; fails with the last result if it never does. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const started = performance.now()
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() - started > CEILING_MS)
      throw new Error(`not within ${CEILING_MS / 1000} s: ${look.toString().slice(0, 300)}`)
    await setTimeout(20)
  }
}

/** The key that `serve --demo` prints, which may come after the line that it listens: that is another stream. */
export async function demoKeyOf({ err }: Pick<Serving, 'err'>): Promise<string> {
  return until(() => /demo key: (tr_[0-9a-f]{32})/.exec(err())?.[1])
}

export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
