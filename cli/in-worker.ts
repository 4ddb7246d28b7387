import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { QueryError } from '../engine/base/errors.ts'
import { deserializeError, type SerializedError } from '../engine/base/serialized-error.ts'
import type { Jobs } from './jobs.ts'

type Input<Name extends keyof Jobs> = Parameters<Jobs[Name]>[0]
type Progress<Name extends keyof Jobs> = Parameters<Parameters<Jobs[Name]>[1]>[0]
type Output<Name extends keyof Jobs> = Awaited<ReturnType<Jobs[Name]>>

/** What the worker is started with. */
export interface JobData {
  readonly name: keyof Jobs
  readonly input: unknown
}

export type FromJob =
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly error: SerializedError }

/**
 * Runs a job of `jobs.ts` in a thread. However long the job computes, this thread can receive signals and end the
 * process.
 */
export async function inWorker<Name extends keyof Jobs>(
  name: Name,
  input: Input<Name>,
  progress: (progress: Progress<Name>) => void,
  signal: AbortSignal,
): Promise<Output<Name>> {
  const script = new URL(`./job-thread${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(script, { workerData: { name, input } satisfies JobData })
  const abort = () => worker.postMessage('abort')
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await new Promise<Output<Name>>((resolve, reject) => {
      worker.on('message', (message: FromJob) => {
        if (message.kind === 'progress') progress(message.progress as Progress<Name>)
        else if (message.kind === 'done') resolve(message.output as Output<Name>)
        else reject(deserializeError(message.error))
      })
      worker.once('error', error => reject(outOfMemory(error) ?? error))
      worker.once('exit', code => reject(new Error(`the thread of the command ended with code ${code}`)))
    })
  } finally {
    signal.removeEventListener('abort', abort)
    // Finished: a thread that still holds a resource open must not keep the program alive.
    await worker.terminate()
  }
}

const outOfMemory = (error: Error): Error | undefined =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new QueryError(
        'MEMORY_LIMIT',
        'Node ran out of memory: raise the limit (NODE_OPTIONS=--max-old-space-size=8000, in MB) and run it again; the lake is unchanged',
      )
    : undefined
