import type { ChildProcess } from 'node:child_process'
import { forkScript } from '../../engine/base/fork-script.ts'
import { lowerProcess } from '../limits/thread-priority.ts'

const INHERITED = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'TZ', 'LANG']

/** Starts a script of this folder that inherits nothing: no output, environment, key or secret. */
export function forkBare(name: string, heap?: number): ChildProcess {
  const child = forkScript(import.meta.url, name, {
    execArgv: heap ? [`--max-old-space-size=${heap}`] : [],
    env: Object.fromEntries(
      INHERITED.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])),
    ),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  if (child.pid !== undefined) lowerProcess(child.pid)
  return child
}
