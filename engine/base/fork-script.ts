import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Forks a script that lies beside a module: compiled code with plain Node, sources with the current loader. */
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
