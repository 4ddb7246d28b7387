import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { plainProcess } from '../plain-process.ts'
import { until } from '../server/serving.ts'

/** The program beside this file: compiled with compiled tests, else the source. */
export const program = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(...plainProcess(import.meta.url, program, args), {
    env: { ...process.env, TRANCHE_LAKE: '', ...env },
    stdio: 'pipe',
  })
}

/** Waits until the program runs a statement: it has loaded DuckDB and computed for half a second since. */
export async function computing(child: ChildProcess): Promise<void> {
  // Only Linux reports what a process has loaded and computed.
  if (process.platform !== 'linux') return pause(5000)
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  await until(() => child.exitCode !== null || proc('maps').includes('duckdb'))
  /** In hundredths of a second. */
  const computed = () =>
    proc('stat')
      .split(') ')[1]!
      .split(' ')
      .slice(11, 13)
      .map(Number)
      .reduce((a, b) => a + b)
  const before = computed()
  await until(() => child.exitCode !== null || computed() > before + 50)
}

/** Runs `tranche ARGS` to its end. */
export async function tranche(
  args: readonly string[],
  input = '',
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = start(args, env)
  let [out, err] = ['', '']
  child.stdout!.on('data', chunk => {
    out += chunk
  })
  child.stderr!.on('data', chunk => {
    err += chunk
  })
  child.stdin!.on('error', () => {})
  child.stdin!.end(input)
  const [code] = await once(child, 'close')
  return { code, out, err }
}
