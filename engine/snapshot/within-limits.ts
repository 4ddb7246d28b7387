import { QueryError } from '../base/errors.ts'
import type { RunOptions } from '../database/run-limits.ts'

/** Limits of a query, and what it does between days that it derives. */
export interface QueryLimits extends RunOptions {
  readonly betweenDays?: (() => Promise<void>) | undefined
}

/** The limits of a call. A class, because an object literal with a getter takes longer to create. */
export class CallLimits implements QueryLimits {
  readonly timeout: number
  readonly deadline: number | undefined
  readonly betweenDays: QueryLimits['betweenDays']
  readonly #options: Pick<RunOptions, 'signal'>

  constructor(
    options: Pick<RunOptions, 'signal'>,
    { deadline, betweenDays }: Pick<QueryLimits, 'deadline' | 'betweenDays'>,
    timeout: number,
  ) {
    this.timeout = timeout
    this.deadline = deadline
    this.betweenDays = betweenDays
    this.#options = options
  }

  /** Only read where a statement runs: a server creates it on first use. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal
  }
}

/**
 * Awaits shared work within one query's limits: throws QUERY_TIMEOUT at its deadline, or the signal's reason when
 * aborted.
 */
export function withinLimits<T>(
  work: Promise<T>,
  { timeout = 0, deadline, signal }: RunOptions,
  day: string,
): Promise<T> {
  // It may fail after its caller has left: an abandoned derivation is interrupted.
  work.catch(() => {})
  const left = deadline === undefined ? timeout : Math.max(1, deadline - performance.now())
  if (left === 0 && !signal) return work
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal!.reason)
    const timer = left > 0 ? setTimeout(() => reject(notDerived(day, timeout)), left) : undefined
    signal?.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    })
  })
}

const notDerived = (day: string, timeout: number) =>
  new QueryError(
    'QUERY_TIMEOUT',
    `the tables as of ${day} were not derived within ${timeout} ms: retry, finished parts are kept`,
    { timeout_ms: timeout, as_of: day },
  )
