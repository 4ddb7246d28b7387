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

/** A file of rows: its bytes must be read or dropped; with the number of rows. */
export interface CopiedFile {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly rowCount: number
}

/** Rows to encode: plain values by column; `json` columns contain JSON text or parsed values. */
export interface EncodableRows {
  readonly columns: readonly Output[]
  readonly chunks: AsyncIterable<Chunk>
  /** Called after the last row, by formats with a place for it. */
  readonly meta?: () => Promise<Readonly<Record<string, unknown>>>
  /** Set if the database with the rows can write them itself, in place of `chunks`; null where chunks are faster. */
  readonly copy?: (form: CopyForm) => Promise<CopiedFile | null>
}

export interface EncodeOptions {
  /** CSV: prefix `'` to text that a spreadsheet would run as a formula. Default off. */
  readonly safe?: boolean | undefined
  /** JSON: the member with the rows; default `data`. */
  readonly envelope?: string
  /** Arrow and Parquet: facts about the whole table, such as snapshot and as-of date, for its metadata. */
  readonly about?: Readonly<Record<string, string>>
}
