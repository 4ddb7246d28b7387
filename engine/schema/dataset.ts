import { type Column, type Columns, date, nullable, text, timestamp } from './column.ts'
import type { Visibility } from './visibility.ts'

/**
 * A dataset is what a lake takes in: append-only rows, each with its source and the day the market could know it. A
 * build derives resources (what users query) from datasets.
 */
export interface Dataset<C extends Columns = Columns> {
  readonly name: string
  readonly doc: string
  readonly columns: C
  /**
   * What one row is about. Several rows with one key are its history: the last one known on a day is current. Key
   * columns may be null (a bond without a CUSIP); `anyOfKey` names those of which one is required.
   */
  readonly key: readonly string[]
  readonly needsOneOf?: readonly string[]
  /**
   * The columns that say when the row became public; the first that is not null counts. `reference` rows (companies,
   * entities, links) need none: without a date they are always known.
   */
  readonly known: readonly string[]
  readonly reference?: boolean
  /**
   * For facts read out of filings, the column with the filing's date. Rows that name an `accession` take it, and the
   * filer, from the list of filings if their own file lacks them.
   */
  readonly filed?: string
  /** Which rows callers of standard coverage see where SQL shows the dataset as loaded; none if absent. */
  readonly visible?: Visibility
  /** Further SQL conditions on valid rows, each with its message to the user. */
  readonly checks?: readonly Check[]
}

export interface Check {
  readonly sql: string
  readonly says: string
}

interface Named<K extends string> {
  readonly key: readonly K[]
  readonly needsOneOf?: readonly K[]
  readonly known: readonly K[]
  readonly filed?: K
}

/** Declares a dataset; a misspelt column in its key or dates does not compile. */
export const dataset = <const C extends Columns>(
  declaration: Dataset<C> & Named<keyof NoInfer<C> & string>,
): Dataset<C> => declaration

/** Columns that ingest adds to every row. */
export const provenance = {
  source: text('File and position of the row in its source.'),
  known_from: nullable(date('Day the market could first know the row.')),
  ingested_at: timestamp('When the row was ingested.'),
} satisfies Record<string, Column>
