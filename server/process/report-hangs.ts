import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RunningRequests } from '../log/running-requests.ts'

/** Interval at which the answering thread signals that it is alive. */
const BEAT_MS = 500

/** Starts the thread that logs what this process is doing when its event loop is blocked. */
export function reportHangs(requests: RunningRequests): void {
  setInterval(requests.beat, BEAT_MS).unref()
  const script = new URL(`./hang-reporter${extname(import.meta.url)}`, import.meta.url)
  const thread = new Worker(script, {
    workerData: requests.memory,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  })
  // It only observes: without it the server continues, and the supervisor still replaces a hung process.
  thread.on('error', () => {})
  thread.unref()
}
