import type { Log } from '../log/log.ts'
import type { Call, State } from '../state/state.ts'

/** How long a call may wait to be written: it must be seen within a second. */
const EVERY_MS = 400
const BATCH = 4000
/** Calls kept while the store does not answer; the oldest are dropped first. */
const MOST = 100_000
/** Of what is kept, the part that is dropped at a time: one by one, each call would move all the others. */
const DROPPED = 1 / 32
/** How often the log says that usage is not written. */
const LOG_MS = 60_000

export interface UsageLog {
  add(call: Call): void
  /** Everything added so far is in the store when this returns. */
  flush(): Promise<void>
  /** The same, for the last time: what cannot be written now is dropped. */
  close(): Promise<void>
}

export interface UsageOptions {
  readonly log?: Pick<Log, 'error'> | undefined
  /** Told of calls that were dropped. */
  readonly dropped?: ((calls: number) => void) | undefined
  /** Calls kept at most. */
  readonly most?: number
}

/** Writes calls in batches, off the path of the requests. */
export function usageLog(state: Pick<State, 'record'>, options: UsageOptions = {}): UsageLog {
  const { log, dropped, most = MOST } = options
  let waiting: Call[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  /** Dropped calls that the log has not told yet, and when it told something last. */
  let untold = 0
  let told = Number.NEGATIVE_INFINITY

  function drop(calls: number): void {
    if (calls === 0) return
    waiting.splice(0, calls)
    untold += calls
    dropped?.(calls)
  }
  function tell(error: unknown, message: string): void {
    log?.error({ err: error, dropped: untold, waiting: waiting.length }, message)
    untold = 0
    told = performance.now()
  }
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const calls = waiting.splice(0, BATCH)
      try {
        await state.record(calls)
      } catch (error) {
        waiting = calls.concat(waiting)
        throw error
      }
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
        if (performance.now() > told + LOG_MS)
          tell(error, 'usage cannot be written yet: it is kept, and beyond a limit the oldest is dropped')
        later()
      })
    }, EVERY_MS)
  }
  return {
    add(call) {
      waiting.push(call)
      if (waiting.length > most) drop(Math.max(waiting.length - most, Math.floor(most * DROPPED)))
      later()
    },
    flush,
    async close() {
      try {
        await flush()
      } catch (error) {
        drop(waiting.length)
        tell(error, 'usage that could not be written is dropped')
        throw error
      }
    },
  }
}
