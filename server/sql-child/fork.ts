import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { givesWay } from '../give-way.ts'

const kept = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'TZ', 'LANG']

/** Starts a script of this folder with nothing of this process: no output, no environment, no key or secret in it. */
export function forkScript(name: string, heap?: number): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const child = fork(fileURLToPath(new URL(`./${name}.${extension}`, import.meta.url)), [], {
    // Sources are run by whatever runs this file.
    execArgv: [
      ...(extension === 'ts' ? process.execArgv : []),
      ...(heap ? [`--max-old-space-size=${heap}`] : []),
    ],
    env: Object.fromEntries(kept.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : []))),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  if (child.pid !== undefined) givesWay(child.pid)
  return child
}
