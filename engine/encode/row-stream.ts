import type { Chunk } from '../database/results.ts'
import type { Column } from '../schema/column.ts'

export interface Output {
  /** Dots nest: `pricing.ytm`. */
  readonly name: string
  readonly column: Column
}

/** What a database can make of its rows: a Parquet file with this metadata, or lines of text. */
export type CopyForm =
  | { readonly format: 'parquet'; readonly metadata: Readonly<Record<string, string>> }
  | { readonly format: 'csv'; readonly safe: boolean }
  | { readonly format: 'ndjson' }

/** A file of rows: the bytes must be read or left, and how many rows it has. */
export interface CopiedFile {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly rowCount: number
}

/** Rows on their way out: plain values, column by column; `json` columns hold JSON text or parsed values. */
export interface EncodableRows {
  readonly columns: readonly Output[]
  readonly chunks: AsyncIterable<Chunk>
  /** Asked after the last row, by formats that have a place for it. */
  readonly meta?: () => Promise<Readonly<Record<string, unknown>>>
  /** Where the database that has the rows can write them itself. Stands for `chunks`; null where those are sooner said. */
  readonly copy?: (form: CopyForm) => Promise<CopiedFile | null>
}

export interface EncodeOptions {
  /** CSV: put `'` before text that a spreadsheet would run as a formula. Off unless said: values go out as they are. */
  readonly safe?: boolean | undefined
  /** JSON: the name the rows stand under; `data` if not said. */
  readonly envelope?: string
  /** Arrow and Parquet: facts about the whole table, such as snapshot and as-of date, kept in its metadata. */
  readonly about?: Readonly<Record<string, string>>
}
