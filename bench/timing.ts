export interface Effort {
  readonly rounds: number
  /** Calls of one contestant in one round, between these, about as many as fit in the time. */
  readonly minCalls: number
  readonly maxCalls: number
  /** Milliseconds. */
  readonly roundTime: number
  /** Milliseconds of each contestant before its first round. */
  readonly warmUp: number
}

export interface Timing {
  readonly calls: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Rows passed over, or requests answered, in a second. */
  readonly perSecond?: number
}

/** The engine's median as a multiple of a baseline's, taken within each round: the middle round, and the extremes. */
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
  /** Rows of the answers, on average: a case that matches nothing measures nothing. */
  readonly meanRows: number
  /** Peers that are not installed, and so are missing here. */
  readonly missing: readonly string[]
  /** What is to be said beside the numbers. */
  readonly notes?: readonly string[]
}
