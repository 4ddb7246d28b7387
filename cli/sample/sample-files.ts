export interface SampleFile {
  readonly path: string
  /** The dataset whose columns the file has; absent for the Treasury's own files. */
  readonly dataset?: string
  readonly rows?: number
}

export interface SampleFiles {
  readonly directory: string
  readonly files: readonly SampleFile[]
  /** Rows by dataset. */
  readonly rows: Readonly<Record<string, number>>
}

export interface SampleOptions {
  /** Size as a multiple of the first set; further sets repeat its structure. */
  readonly scale?: number
  readonly seed?: number
  /** Trades of a bond of the further sets on each day on which it trades; default 1. */
  readonly tradesADay?: number
}
