import type { Rows } from './encode.ts'
import { objectWriter, pieces } from './row-text.ts'

/** One JSON object a line. */
export function ndjson({ columns, chunks }: Rows): AsyncGenerator<string> {
  const row = objectWriter(columns)
  return pieces(chunks, (values, i) => `${row(values, i)}\n`)
}
