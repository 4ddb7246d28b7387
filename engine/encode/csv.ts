import type { Column } from '../column.ts'
import type { EncodeOptions, Rows } from './encode.ts'
import { jsonWriter, pieces, type Write } from './row-text.ts'

// Blanks at the ends are quoted too: some readers trim what is bare.
const needsQuotes = /[",\r\n\0]|^[\s\ufeff]|\s$/
const formula = /^[=+\-@\t\r]/

/** A cell as RFC 4180 has it. Empty text is `""`, so that it is not taken for a missing value. */
const cell = (text: string): string =>
  text === '' ? '""' : needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Text that a spreadsheet would run is marked as text. */
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

/** RFC 4180: a header always, lines end in CRLF, null is the empty cell, lists and JSON are JSON text. */
export async function* csv({ columns, chunks }: Rows, { safe = false }: EncodeOptions = {}) {
  const width = columns.length
  const writers = columns.map(({ column }) => writer(column, safe))
  yield `${columns.map(({ name }) => cell(safe ? harmless(name) : name)).join(',')}\r\n`
  // A line with nothing on it is skipped by readers: the row of a lone column keeps a cell.
  const missing = width === 1 ? '""' : ''
  yield* pieces(chunks, (values, i) => {
    let line = ''
    for (let j = 0; j < width; j++) {
      const value = values[j]![i]
      if (j > 0) line += ','
      line += value == null ? missing : writers[j]!(value)
    }
    return `${line}\r\n`
  })
}
