export interface Limits {
  /** Milliseconds from question to answer, whatever it waits for. */
  readonly timeout: number
  /** Megabytes of DuckDB in one process. */
  readonly memory: number
  readonly threads: number
  readonly rows: number
  readonly bytes: number
  /** Statements at the same time, and those of one key: all but one, so that another key finds a free process. */
  readonly running: number
  readonly runningPerKey?: number
  /** Statements of one key that may wait. */
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
