import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Starts a script beside a module: compiled code by Node alone, a source by whatever runs this one. */
export function forkScript(
  beside: string,
  name: string,
  { execArgv = [], ...options }: ForkOptions = {},
): ChildProcess {
  const isSource = beside.endsWith('.ts')
  return fork(fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, beside)), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    ...options,
    execArgv: [...(isSource ? process.execArgv : []), ...execArgv],
  })
}
