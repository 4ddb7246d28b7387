// Indices below are within bounds by construction: checks would cost in the loops.

import type { Column } from '../schema/column.ts'
import type { EncodableRows, EncodeOptions } from './row-stream.ts'
import { jsonWriter, pieces, type Write } from './row-text.ts'

// Leading and trailing blanks are quoted too: some readers trim unquoted ones.
const needsQuotes = /[",\r\n\0]|^[\s\ufeff]|\s$/
const formula = /^[=+\-@\t\r]/

/** A cell in RFC 4180. Empty text is `""`, to distinguish it from a missing value. */
const cell = (text: string): string =>
  text === '' ? '""' : needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Escapes text that a spreadsheet would run as a formula. */
const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text)

function writer(column: Column, safe: boolean): Write {
  switch (column.kind) {
    case 'text':
    case 'enum': {
      let last: unknown
      let written = ''
      return value => {
        if (value === last) return written
        last = value
        written = cell(safe ? harmless(value as string) : (value as string))
        return written
      }
    }
    case 'list':
    case 'json': {
      const write = jsonWriter(column)
      return value => cell(write(value))
    }
    default:
      return String
  }
}

/** RFC 4180: always a header, lines end in CRLF, null is an empty cell, lists and JSON are JSON text. */
export async function* csv(
  { columns, chunks, copy }: EncodableRows,
  { safe = false }: EncodeOptions = {},
): AsyncGenerator<string | Uint8Array> {
  const width = columns.length
  const header = `${columns.map(({ name }) => cell(safe ? harmless(name) : name)).join(',')}\r\n`
  const copied = await copy?.({ format: 'csv', safe })
  if (copied) {
    yield header
    yield* copied.bytes
    return
  }
  const writers = columns.map(({ column }) => writer(column, safe))
  // Readers skip empty lines, so a row of a lone column keeps a cell.
  const missing = width === 1 ? '""' : ''
  const line = (values: readonly (readonly unknown[])[], i: number) => {
    let text = ''
    for (let j = 0; j < width; j++) {
      const value = values[j]![i]
      if (j > 0) text += ','
      text += value == null ? missing : writers[j]!(value)
    }
    return `${text}\r\n`
  }
  yield* pieces(chunks, line, header)
}
