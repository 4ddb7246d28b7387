import type { Column } from '../schema/column.ts'
import type { Chunk } from '../database/database.ts'
import { csv } from './csv.ts'
import type { FormatName } from './formats.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'

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
export interface Copied {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly rowCount: number
}

/** Rows on their way out: plain values, column by column; `json` columns hold JSON text or parsed values. */
export interface Rows {
  readonly columns: readonly Output[]
  readonly chunks: AsyncIterable<Chunk>
  /** Asked after the last row, by formats that have a place for it. */
  readonly meta?: () => Promise<Readonly<Record<string, unknown>>>
  /** Where the database that has the rows can write them itself. Stands for `chunks`; null where those are sooner said. */
  readonly copy?: (form: CopyForm) => Promise<Copied | null>
}

export interface EncodeOptions {
  /** CSV: put `'` before text that a spreadsheet would run as a formula. Off unless said: values go out as they are. */
  readonly safe?: boolean
  /** JSON: the name the rows stand under; `data` if not said. */
  readonly envelope?: string
  /** Arrow and Parquet: facts about the whole table, such as snapshot and as-of date, kept in its metadata. */
  readonly about?: Readonly<Record<string, string>>
}

/**
 * Rows in a format, piece by piece: memory does not grow with their number. The first piece comes when the first rows have
 * been read, or all have been written to a file.
 */
export async function* encode(
  format: FormatName,
  rows: Rows,
  options: EncodeOptions = {},
): AsyncGenerator<string | Uint8Array> {
  // What is heavy to load is loaded by those who need it.
  if (format === 'arrow') yield* (await import('./arrow.ts')).arrow(rows, options)
  else if (format === 'parquet') yield* (await import('./parquet.ts')).parquet(rows, options)
  else if (format === 'csv') yield* csv(rows, options)
  else if (format === 'ndjson') yield* ndjson(rows)
  else yield* json(rows, options)
}
