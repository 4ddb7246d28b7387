import { type Info, parse } from 'csv-parse'
import { elementAt, firstOf } from '../../base/elements.ts'
import { Refused, type SourceFile } from './reader.ts'

export interface CsvRecord {
  /** Numbered from 1 as a spreadsheet shows it: the header and blank lines count. */
  readonly row: number
  /** `row 12`. */
  readonly at: string
  readonly cells: readonly string[]
  /** The record as in the file, without its line end. */
  readonly raw: string
}

// An unclosed quote swallows the rest of a file: a longer record is one.
const LONGEST_RECORD = 16 * 1024 * 1024

/** The records of a CSV file in order, with any number of cells; blank lines are skipped but counted. */
export async function* csvRecords(file: SourceFile, delimiter = ','): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_RECORD,
  })
  const source = await file.open()
  source.on('error', error => parser.destroy(error))
  source.pipe(parser)
  const order = new DateOrder()
  let row = 0
  try {
    for await (const { record, raw } of parser as AsyncIterable<Parsed>) {
      row++
      if (record.length === 1 && firstOf(record).trim() === '') continue
      const text = raw.replace(/(?<![\r\n])[\r\n]+$/, '')
      if (text.includes('\n') && isUnclosed(text)) throw unclosed(row)
      order.add(text, row)
      yield { row, at: `row ${row}`, cells: record, raw: text }
    }
    order.check()
  } catch (error) {
    const { code, records } = error as { code?: string; records?: number }
    if (code?.startsWith('CSV_')) throw unclosed((records ?? row) + 1)
    throw error
  } finally {
    source.destroy()
  }
}

/** Days of a file in the form `5/31/2024`, which readers take month first. */
class DateOrder {
  private dayFirst: { readonly row: number; readonly text: string } | null = null
  private isMonthFirst = false

  add(text: string, row: number): void {
    if (this.isMonthFirst || !text.includes('/')) return
    for (const [, date = '', first, second] of text.matchAll(
      /(?:^|[",;\t])((\d{1,2})\/(\d{1,2})\/\d{4})(?!\d)/g,
    )) {
      const [a, b] = [Number(first), Number(second)]
      if (a >= 1 && a <= 12 && b > 12 && b <= 31) this.isMonthFirst = true
      else if (a > 12 && a <= 31 && b >= 1 && b <= 12) this.dayFirst ??= { row, text: date }
    }
  }

  /** Refuses a file whose days are day first: those up to the twelfth would be read as days of other months. */
  check(): void {
    if (this.isMonthFirst || !this.dayFirst) return
    const { row, text } = this.dayFirst
    throw new Refused(
      `days are written day first (${text} in row ${row}), and 05/06/2024 would be read as May 6: write them as YYYY-MM-DD`,
    )
  }
}

const unclosed = (row: number) =>
  new Refused(`row ${row} is not valid CSV: a quote opened there is never closed`)

const isUnclosed = (text: string): boolean => (text.match(/"/g)?.length ?? 0) % 2 === 1

interface Parsed {
  readonly record: string[]
  readonly raw: string
  readonly info: Info
}

/** The cells of one line; quotes may hold delimiters, not line ends. */
export function cellsOf(line: string, delimiter = ','): string[] {
  const cells: string[] = []
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === '"') {
      let text = ''
      for (at++; at < line.length; at++) {
        if (line[at] !== '"') text += line[at]
        else if (line[at + 1] === '"') text += line[at++]
        else break
      }
      const comma = line.indexOf(delimiter, at)
      at = comma < 0 ? line.length : comma
      cells.push(text)
    } else {
      const comma = line.indexOf(delimiter, at)
      const end = comma < 0 ? line.length : comma
      cells.push(line.slice(at, end))
      at = end
    }
  }
  return cells
}

/** The cells of the first lines of a file's head, trimmed; a cheap way to recognise a kind by its header. */
export function headLines(file: SourceFile, count = 1): string[][] {
  const lines: string[][] = []
  let from = file.head.charCodeAt(0) === 0xfeff ? 1 : 0
  while (lines.length < count && from < file.head.length) {
    const end = file.head.indexOf('\n', from)
    const line = file.head.slice(from, end < 0 ? file.head.length : end)
    from = end < 0 ? file.head.length : end + 1
    if (line.trim() !== '') lines.push(cellsOf(line.replace(/\r$/, '')).map(cell => cell.trim()))
  }
  return lines
}

/** The first header of a file, trimmed; empty for an empty file. */
export const headerOf = (file: SourceFile): string[] => headLines(file)[0] ?? []

/** Looks up cells of a record by header name, ignoring case and surrounding blanks. */
export function columnsOf(header: readonly string[]): (name: string) => number | undefined {
  const at = new Map<string, number>()
  for (const [i, name] of header.entries()) {
    const key = name.trim().toLowerCase()
    if (!at.has(key)) at.set(key, i)
  }
  return name => at.get(name.toLowerCase())
}

/** Empty as SAS and databases write it; a lone dash is the sign of a yield. */
const isEmpty = (cell: string | undefined): boolean => /^(?:\.|null|n\/?a)?$/i.test(cell?.trim() ?? '')

/** Reads cells by meaning, each under its column names; of several columns for one thing the first that is not empty. */
export function cellsByName<N extends string>(
  names: Readonly<Record<N, readonly string[]>>,
  header: readonly string[],
): (cells: readonly string[]) => (name: N) => string | undefined {
  const column = columnsOf(header)
  const places = Object.fromEntries(
    Object.entries<readonly string[]>(names).map(([name, each]) => [
      name,
      each.map(column).filter(i => i !== undefined),
    ]),
  ) as Record<N, number[]>
  return cells => name => {
    for (const i of places[name]) if (!isEmpty(cells[i])) return elementAt(cells, i).trim()
    return undefined
  }
}

/** Whether a header has all the names, ignoring case. */
export const hasColumns = (header: readonly string[], ...names: string[]): boolean => {
  const column = columnsOf(header)
  return names.every(name => column(name) !== undefined)
}
