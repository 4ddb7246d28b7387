import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { State } from '../../../server/state/state.ts'
import { plainProcess } from '../../plain-process.ts'

type Method = Exclude<keyof State, 'kind'>
type Result<M extends Method> = Awaited<ReturnType<State[M]>>

export interface Child {
  /** Calls a method of the state in the other process, several times at once. */
  readonly call: <M extends Method>(
    method: M,
    args: Parameters<State[M]>,
    times?: number,
  ) => Promise<Result<M>[]>
  readonly kill: () => Promise<void>
}

/** Another process with the store open. */
export async function startChild(location: string): Promise<Child> {
  const here = import.meta.url
  const script = fileURLToPath(new URL(`./serve-state${here.endsWith('.ts') ? '.ts' : '.js'}`, here))
  const child = spawn(...plainProcess(here, script, [location]), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]()
  const ended = once(child, 'close')
  await lines.next()
  return {
    async call(method, args, times = 1) {
      child.stdin!.write(`${JSON.stringify([method, args, times])}\n`)
      const { value } = await lines.next()
      return JSON.parse(value)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
