import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainProcess } from '../plain-process.ts'

/** The program as it stands beside this file: compiled with compiled tests, else the source. */
const program = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))

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
