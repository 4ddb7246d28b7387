import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RunningRequests } from '../log/running-requests.ts'

/** How often the thread that answers says that it does. */
const BEAT_MS = 500

/** Starts the thread that says in the log what this process is doing when its event loop stands still. */
export function reportHangs(requests: RunningRequests): void {
  setInterval(requests.beat, BEAT_MS).unref()
  const script = new URL(`./hang-reporter${extname(import.meta.url)}`, import.meta.url)
  const thread = new Worker(script, {
    workerData: requests.memory,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  })
  // It only observes: without it the server goes on, and the supervisor still replaces a process that hangs.
  thread.on('error', () => {})
  thread.unref()
}
