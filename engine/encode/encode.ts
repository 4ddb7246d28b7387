import { csv } from './csv.ts'
import type { FormatName } from './formats.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'
import type { EncodableRows, EncodeOptions } from './row-stream.ts'

/**
 * Streams rows in a format: memory does not grow with their number. The first piece comes when the first rows have
 * been read, or all have been written to a file.
 */
export async function* encode(
  format: FormatName,
  rows: EncodableRows,
  options: EncodeOptions = {},
): AsyncGenerator<string | Uint8Array> {
  // Loaded on demand, because it is large.
  if (format === 'arrow') yield* (await import('./arrow.ts')).arrow(rows, options)
  else if (format === 'parquet') yield* (await import('./parquet.ts')).parquet(rows, options)
  else if (format === 'csv') yield* csv(rows, options)
  else if (format === 'ndjson') yield* ndjson(rows)
  else yield* json(rows, options)
}
