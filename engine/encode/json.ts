import type { EncodableRows, EncodeOptions } from './row-stream.ts'
import { objectWriter, pieces } from './row-text.ts'

/** The envelope `{"data":[...],"meta":{...}}`; without `meta` if the rows have none. */
export async function* json(
  { columns, chunks, meta }: EncodableRows,
  { envelope = 'data' }: EncodeOptions = {},
) {
  const row = objectWriter(columns)
  let first = true
  const line = (values: readonly (readonly unknown[])[], i: number) => {
    const text = first ? row(values, i) : `,${row(values, i)}`
    first = false
    return text
  }
  yield* pieces(chunks, line, `{${JSON.stringify(envelope)}:[`)
  yield meta ? `],"meta":${JSON.stringify(await meta())}}` : ']}'
}
