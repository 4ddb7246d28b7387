/** The newest day of a dataset, and a row that has it. */
export interface DatasetDay {
  readonly dataset: string
  /** The latest day on which a row of it became known. */
  readonly latest: string
  /** File and position of a row of that day. */
  readonly source: string
}

/** What is current on a day. */
export interface DayCoverage {
  readonly as_of: string
  /** The dataset whose newest rows became known on the day. */
  readonly because: string
  readonly bonds_priced: number
  readonly filers_with_figures: number
  readonly has_curve: boolean
}

/** The age of a snapshot's data, and what another as-of day would show. */
export interface FreshnessReport {
  /** What determined the as-of day; null if the user gave it. */
  readonly set_by: DatasetDay | null
  /** Rows that became known only after the as-of day, and are not in the snapshot. */
  readonly left_out: readonly { readonly dataset: string; readonly rows: number; readonly latest: string }[]
  /** What is too old to be shown as current. */
  readonly aged_out: {
    readonly companies_with_figures: number
    readonly stale_figures: number
    readonly priced_bonds: number
    readonly stale_prices: number
    readonly prices_over_a_year: number
    readonly rated_companies: number
    readonly stale_ratings: number
    readonly ratings_far_apart: number
  }
  /** The as-of day itself, then the newest days of other datasets. */
  readonly days: readonly DayCoverage[]
}
