export interface Effort {
  readonly rounds: number
  /** Calls of one contestant in one round: between these bounds, about as many as fit in the time. */
  readonly minCalls: number
  readonly maxCalls: number
  /** Milliseconds. */
  readonly roundTime: number
  /** Warm-up of each contestant before its first round, in milliseconds. */
  readonly warmUp: number
}

export interface Timing {
  readonly calls: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Rows scanned, or requests answered, per second. */
  readonly perSecond?: number
}

/** The engine's median as a multiple of a baseline's within each round: the median round, and the extremes. */
export interface Ratio {
  readonly median: number
  readonly low: number
  readonly high: number
}

export interface Measured {
  readonly name: string
  readonly question: string
  readonly rounds: number
  readonly contestants: Readonly<Record<string, Timing>>
  readonly ratios: Readonly<Record<string, Ratio>>
  /** Average rows per answer: a case that matches nothing measures nothing. */
  readonly meanRows: number
  /** Missing peers, because they are not installed. */
  readonly missing: readonly string[]
  /** Notes on the numbers. */
  readonly notes?: readonly string[]
}
