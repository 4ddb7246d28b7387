import { QueryError } from '../base/errors.ts'
import type { RunOptions } from '../database/run-limits.ts'

/** Work that many may wait for, as long as this question may take: QUERY_TIMEOUT past its deadline, the signal's reason past that. */
export function withinLimits<T>(
  work: Promise<T>,
  { timeout = 0, deadline, signal }: RunOptions,
  day: string,
): Promise<T> {
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
    `the tables as of ${day} were not derived within ${timeout} ms: ask again, what is done of them is kept`,
    { timeout_ms: timeout, as_of: day },
  )
