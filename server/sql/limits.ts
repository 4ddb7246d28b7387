export interface Limits {
  /** Milliseconds from request to answer, waiting included. */
  readonly timeout: number
  /** Megabytes of DuckDB in one process. */
  readonly memory: number
  readonly threads: number
  readonly rows: number
  readonly bytes: number
  /** Concurrent statements, and those of one key: all but one, so that another key finds a free process. */
  readonly running: number
  readonly runningPerKey?: number
  /** Queued statements of one key. */
  readonly waiting: number
}

export const defaultLimits: Limits = {
  timeout: 5000,
  memory: 512,
  threads: 2,
  rows: 10_000,
  bytes: 16 * 2 ** 20,
  running: 2,
  waiting: 16,
}
