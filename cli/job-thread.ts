import { parentPort, workerData } from 'node:worker_threads'
import { serializeError } from '../engine/base/serialized-error.ts'
import type { FromJob, JobData } from './in-worker.ts'
import { jobs } from './jobs.ts'

const { name, input } = workerData as JobData
const controller = new AbortController()
const send = (message: FromJob) => parentPort!.postMessage(message)

parentPort!.on('message', () => controller.abort(new Error('interrupted')))
try {
  const output = await jobs[name](
    input as never,
    progress => send({ kind: 'progress', progress }),
    controller.signal,
  )
  send({ kind: 'done', output })
} catch (error) {
  send({ kind: 'failed', error: serializeError(error) })
}
parentPort!.unref()
