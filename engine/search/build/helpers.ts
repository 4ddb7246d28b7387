import type { ChildProcess } from 'node:child_process'
import { forkScript } from '../../base/fork-script.ts'
import type { Report } from '../../base/progress.ts'
import { deserializeError, type SerializedError } from '../../base/serialized-error.ts'
import { type Jobs, jobs } from './jobs.ts'

type Input<J extends keyof Jobs> = Parameters<Jobs[J]>[0]

type Output<J extends keyof Jobs> = Awaited<ReturnType<Jobs[J]>>

/** A message to a helper. */
export interface JobRequest {
  readonly id: number
  readonly job: keyof Jobs
  readonly input: unknown
}

interface JobReply {
  readonly id: number
  /** Progress of a running job. */
  readonly done?: number
  readonly output?: unknown
  readonly error?: SerializedError
}

/** Jobs queued per helper, so that it never idles. */
const AHEAD = 2

/** Helper processes of the building process. With none, that process does all the work. */
export class Helpers {
  /** Helper processes at the start. */
  readonly count: number
  /** Maximum number of jobs in flight. */
  readonly room: number
  private readonly busy = new Map<ChildProcess, number>()
  private readonly waiting = new Map<
    number,
    { helper: ChildProcess; report: Report; resolve(output: unknown): void; reject(error: Error): void }
  >()
  private next = 0

  constructor(count: number) {
    this.count = count
    this.room = Math.max(1, count * AHEAD)
    for (let i = 0; i < count; i++) this.start()
  }

  async run<J extends keyof Jobs>(job: J, input: Input<J>, report: Report = () => {}): Promise<Output<J>> {
    const [helper] = [...this.busy].sort(([, a], [, b]) => a - b)[0] ?? []
    if (!helper) return (await jobs[job](input as never, report)) as Output<J>
    const id = this.next++
    this.busy.set(helper, this.busy.get(helper)! + 1)
    return new Promise<Output<J>>((resolve, reject) => {
      this.waiting.set(id, { helper, report, resolve: resolve as (output: unknown) => void, reject })
      helper.send({ id, job, input } satisfies JobRequest)
    })
  }

  /** Maps items to results in order, with a bounded number in flight. */
  async *inOrder<T, Made>(
    items: Iterable<T> | AsyncIterable<T>,
    make: (item: T) => Promise<Made> | Made,
  ): AsyncGenerator<readonly [item: T, made: Awaited<Made>]> {
    const underWay: (readonly [item: T, made: Promise<Made>])[] = []
    const first = async () => {
      const [item, made] = underWay.shift()!
      return [item, await made] as const
    }
    for await (const item of items) {
      const made = Promise.resolve(make(item))
      // Handled when awaited; until then a rejection must not be reported as unhandled.
      made.catch(() => {})
      underWay.push([item, made])
      if (underWay.length >= this.room) yield await first()
    }
    while (underWay.length > 0) yield await first()
  }

  close(): void {
    for (const helper of this.busy.keys()) {
      helper.removeAllListeners('exit')
      helper.kill('SIGKILL')
    }
    this.busy.clear()
  }

  private start(): void {
    const helper = forkScript(import.meta.url, 'helper-process')
    this.busy.set(helper, 0)
    helper.on('message', ({ id, done, output, error }: JobReply) => {
      const { report, resolve, reject } = this.waiting.get(id)!
      if (done !== undefined) return report(done)
      this.waiting.delete(id)
      this.busy.set(helper, this.busy.get(helper)! - 1)
      if (error) reject(deserializeError(error))
      else resolve(output)
    })
    const lost = (how: string) => {
      this.busy.delete(helper)
      const error = new Error(`a process that helps to build the search index ended (${how})`)
      for (const [id, job] of this.waiting)
        if (job.helper === helper) {
          this.waiting.delete(id)
          job.reject(error)
        }
    }
    helper.once('error', error => lost(error.message))
    helper.once('exit', (code, signal) => lost(signal ?? `code ${code}`))
  }
}
