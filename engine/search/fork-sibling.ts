import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Starts a script of this folder: compiled code by Node alone, a source by whatever runs this one. */
export function forkSibling(name: string): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts')
  return fork(fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, import.meta.url)), [], {
    execArgv: isSource ? process.execArgv : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
}
