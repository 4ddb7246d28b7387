import { elementAt } from '../../base/elements.ts'
import { Refused, type Sink, type SourceFile } from './reader.ts'

/** The cell of the current row by the name of its column; empty for a column that the table lacks. */
export type Cell = (name: string) => string

interface Table {
  readonly file: SourceFile
  readonly sink: Sink
  /** What positions begin with: `row`, or `num.txt row`. */
  readonly at: string
  /** Columns without which the table cannot be read. */
  readonly needed: readonly string[]
  /** Refuses a table whose last line is cut: rows of other tables need those that are lost. */
  readonly isWhole?: boolean
}

/** `sub.txt` of `2009q3.zip!sub.txt`. */
export const memberName = (file: { readonly name: string }): string =>
  file.name.slice(Math.max(file.name.lastIndexOf('!'), file.name.lastIndexOf('/')) + 1)

/** The names of the columns of a tab-separated file. */
export const tabHeader = (file: SourceFile): string[] =>
  file.head
    .slice(file.head.startsWith('\uFEFF') ? 1 : 0, Math.max(0, file.head.indexOf('\n')))
    .trimEnd()
    .split('\t')

/**
 * The rows of a tab-separated table of the SEC, streamed; quotes have no meaning in these files. Lines are taken off each
 * chunk in a plain loop: a generator of lines costs as much again as all the rest, on tables of millions of rows.
 */
export async function eachTabRow(
  { file, sink, at: prefix, needed, isWhole = false }: Table,
  onRow: (cell: Cell, at: string, raw: string) => void | Promise<void>,
): Promise<void> {
  const columns = new Map<string, number>()
  let cells: string[] = []
  const cell: Cell = name => cells[columns.get(name) ?? -1] ?? ''
  let row = 0
  const onHeader = () => {
    for (const [i, name] of cells.entries()) columns.set(name.trim().replace(/^\uFEFF/, ''), i)
    const missing = needed.filter(name => !columns.has(name))
    if (missing.length)
      throw new Refused(
        `${memberName(file)} has no column ${missing.join(', ')}: it has ${[...columns.keys()].slice(0, 40).join(', ')}`,
      )
  }
  const onLine = (text: string, isLast: boolean): void | Promise<void> => {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text
    row++
    if (line === '') return
    cells = line.split('\t')
    if (row === 1) return onHeader()
    const at = `${prefix} ${row}`
    if (cells.length === columns.size) return onRow(cell, at, line)
    const counted = `${cells.length} cells where the header has ${columns.size}`
    if (isLast && isWhole)
      throw new Refused(
        `${memberName(file)} is cut off in row ${row}, which has ${counted}: download or unpack it again`,
      )
    return sink.refuse(at, line, counted)
  }
  const stream = await file.open()
  stream.setEncoding('utf8')
  let rest = ''
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    for (let i = 0; i < lines.length - 1; i++) {
      const done = onLine(elementAt(lines, i), false)
      if (done) await done
      if (row % 20_000 === 0) await sink.drain()
    }
    rest = elementAt(lines, lines.length - 1)
  }
  if (rest !== '') await onLine(rest, true)
  if (row === 0) throw new Refused(`${memberName(file)} is empty`)
}
