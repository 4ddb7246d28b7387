import type { Log } from '../log/log.ts'
import type { Call, State } from '../state/state.ts'

/** Maximum delay before a call is written: it must be visible within a second. */
const EVERY_MS = 400
const BATCH = 4000
/** Calls kept while the store does not respond; the oldest are dropped first. */
const MOST = 100_000
/** Share dropped at a time: one by one, each call would move all the others. */
const DROPPED = 1 / 32
/** How often failing usage writes are logged. */
const LOG_MS = 60_000

export interface UsageLog {
  add(call: Call): void
  /** Resolves when everything added so far is in the store. */
  flush(): Promise<void>
  /** The same on shutdown: what cannot be written now is dropped. */
  close(): Promise<void>
}

export interface UsageOptions {
  readonly log?: Pick<Log, 'error'> | undefined
  /** Called with dropped calls. */
  readonly dropped?: ((calls: number) => void) | undefined
  /** Maximum number of kept calls. */
  readonly most?: number
}

/** Writes calls in batches, outside the requests' path. */
export function usageLog(state: Pick<State, 'record'>, options: UsageOptions = {}): UsageLog {
  const { log, dropped, most = MOST } = options
  let waiting: Call[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  /** Dropped calls not yet logged, and the time of the last log entry. */
  let unlogged = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  function drop(calls: number): void {
    if (calls === 0) return
    waiting.splice(0, calls)
    unlogged += calls
    dropped?.(calls)
  }
  function logLoss(error: unknown, message: string): void {
    log?.error({ err: error, dropped: unlogged, waiting: waiting.length }, message)
    unlogged = 0
    loggedAt = performance.now()
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
        if (performance.now() > loggedAt + LOG_MS)
          logLoss(
            error,
            'usage cannot be written yet: it is kept in memory, and beyond a limit the oldest is dropped',
          )
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
        logLoss(error, 'usage that could not be written is dropped')
        throw error
      }
    },
  }
}
