/** `note` tells what cannot be answered and how to change that; `problem` is a figure that cannot be. */
export type Severity = 'note' | 'problem'

/** What was found of one check; several where its SQL tells kinds apart. */
export interface QualityFinding {
  readonly check: string
  readonly severity: Severity
  /** What kind of it, where there are several: a reason, an age. */
  readonly kind: string | null
  readonly count: number
  /** Of how many; null where that says nothing. */
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

/** What a build says of its data, in the manifest. */
export interface QualityReport {
  readonly tables: readonly DatasetQuality[]
  readonly findings: readonly QualityFinding[]
}
