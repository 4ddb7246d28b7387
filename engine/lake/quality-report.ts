/** `note`: something cannot be answered, and how to change that; `problem`: an impossible figure. */
export type Severity = 'note' | 'problem'

/** One result of a check; a check may have several, by kind. */
export interface QualityFinding {
  readonly check: string
  readonly severity: Severity
  /** The kind, if there are several: a reason, an age. */
  readonly kind: string | null
  readonly count: number
  /** The population; null if meaningless. */
  readonly of: number | null
  readonly examples: readonly string[]
}

export interface DatasetQuality {
  readonly table: string
  readonly rows: number
  readonly companies: number | null
  readonly first: string | null
  readonly last: string | null
  readonly newest_known_from: string | null
}

/** A build's data quality report, kept in the manifest. */
export interface QualityReport {
  readonly tables: readonly DatasetQuality[]
  readonly findings: readonly QualityFinding[]
}
