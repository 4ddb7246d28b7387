import type { EncodableRows } from './row-stream.ts'
import { objectWriter, pieces } from './row-text.ts'

/** One JSON object per line. */
export async function* ndjson({ columns, chunks, copy }: EncodableRows): AsyncGenerator<string | Uint8Array> {
  const copied = await copy?.({ format: 'ndjson' })
  if (copied) {
    yield* copied.bytes
    return
  }
  const row = objectWriter(columns)
  yield* pieces(chunks, (values, i) => `${row(values, i)}\n`)
}
