import type { Call, State } from './state/state.ts'

/** How long a call may wait to be written: it must be seen within a second. */
const EVERY_MS = 400
const BATCH = 4000
/** Calls kept while the store does not answer; older ones go first. */
const MOST = 100_000

export interface UsageLog {
  add(call: Call): void
  /** Everything added so far is in the store when this returns. */
  flush(): Promise<void>
}

/** Writes calls in batches, off the path of the requests. */
export function usageLog(state: Pick<State, 'record'>, report: (error: unknown) => void): UsageLog {
  let waiting: Call[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const calls = waiting.slice(0, BATCH)
      await state.record(calls)
      waiting = waiting.slice(calls.length)
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const next = writing.then(write)
    writing = next.catch(() => {})
    return next
  }
  const later = () => {
    timer ??= setTimeout(() => {
      flush().catch(error => {
        report(error)
        later()
      })
    }, EVERY_MS)
  }
  return {
    add(call) {
      waiting.push(call)
      if (waiting.length > MOST) waiting = waiting.slice(-MOST)
      later()
    },
    flush,
  }
}
