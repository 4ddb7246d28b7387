import { type Column, type Columns, date, nullable, text, timestamp } from './column.ts'
import type { Visibility } from './visibility.ts'

/**
 * A dataset is what a lake is given: rows from sources, append-only, each with where it came from and
 * when the market could know it. Resources (what users query) are derived from datasets by a build.
 */
export interface Dataset<C extends Columns = Columns> {
  readonly name: string
  readonly doc: string
  readonly columns: C
  /**
   * What one row is about. Several rows with one key are its history: the last one known on a day holds.
   * Columns of a key may be null (a bond without a CUSIP); `anyOfKey` names those of which one is needed.
   */
  readonly key: readonly string[]
  readonly needsOneOf?: readonly string[]
  /**
   * The row's own columns that say when it became public, first that is not null.
   * `reference` rows (companies, entities, links) need none: without a date they are always known.
   */
  readonly known: readonly string[]
  readonly reference?: boolean
  /**
   * Of what is read out of filings, the column that says when the filing was made. Rows that name an `accession` take it,
   * and the filer, from the list of filings where their own file does not say.
   */
  readonly filed?: string
  /** Which rows callers of standard coverage see where SQL shows the dataset as it was loaded; none if not said. */
  readonly visible?: Visibility
  /** Further SQL conditions that a good row meets, each with what to tell the user. */
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

/** What ingest adds to every row of every dataset. */
export const provenance = {
  source: text('File and position the row came from.'),
  known_from: nullable(date('Day the market could first know the row.')),
  ingested_at: timestamp('When the row was taken into the lake.'),
} satisfies Record<string, Column>
