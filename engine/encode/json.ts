import type { EncodeOptions, Rows } from './encode.ts'
import { objectWriter, pieces } from './row-text.ts'

/** The envelope `{"data":[...],"meta":{...}}`; `meta` is left out where the rows have none. */
export async function* json({ columns, chunks, meta }: Rows, { envelope = 'data' }: EncodeOptions = {}) {
  const row = objectWriter(columns)
  yield `{${JSON.stringify(envelope)}:[`
  let first = true
  yield* pieces(chunks, (values, i) => {
    const text = first ? row(values, i) : `,${row(values, i)}`
    first = false
    return text
  })
  yield meta ? `],"meta":${JSON.stringify(await meta())}}` : ']}'
}
