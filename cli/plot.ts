import { elementAt } from '../engine/base/elements.ts'
import { invalid } from '../engine/base/errors.ts'
import { largest, smallest } from '../engine/base/lists.ts'
import { isNumeric, text, unitOf } from '../engine/schema/column.ts'
import { many, type Params } from '../engine/schema/params.ts'
import {
  columnCells,
  displayWidth,
  type PrintedTable,
  plainText,
  type TableColumn,
  unitInTable,
} from './print-table.ts'

export const plotParams = {
  plot: many(
    text('Plot instead of a table, in plain text: one column as bars, or over time; two as a scatter.', {
      example: 'pricing.duration,pricing.spread',
    }),
  ),
} satisfies Params

/** Plots the named columns, with the first text and the first day of the others. */
export const plotting =
  (names: readonly string[]): typeof plotRows =>
  (columns, rows, width) => {
    for (const name of names)
      if (!columns.some(column => column.name === name && isNumeric(column.column)))
        throw invalid('plot', name, `plot must name columns of numbers: ${name} is none`, {
          allowed: columns.filter(({ column }) => isNumeric(column)).map(column => column.name),
        })
    const order = [
      ...names.map(name => columns.findIndex(column => column.name === name)),
      ...columns.flatMap(({ column }, j) => (isNumeric(column) ? [] : [j])),
    ]
    return plotRows(
      order.map(j => elementAt(columns, j)),
      rows.map(row => order.map(j => row[j])),
      width,
    )
  }

const WIDTH = 80
const HEIGHT = 16
const WIDEST_LABEL = 32

type Rows = readonly (readonly unknown[])[]
interface Series extends TableColumn {
  readonly values: readonly (number | null)[]
  /** As a table writes them. */
  readonly cells: readonly string[]
}

/**
 * Rows as plain text: a scatter of the first two numbers, a line over days, or bars by the first text, whichever the
 * columns allow.
 */
export function plotRows(columns: readonly TableColumn[], rows: Rows, width: number | null): PrintedTable {
  const hidden: string[] = []
  if (rows.length === 0) return { text: '', hidden }
  const most = Math.max(width ?? WIDTH, 40)
  const numbers = columns.flatMap((column, j) =>
    isNumeric(column.column) ? [seriesOf(column, rows, j)] : [],
  )
  const [first, second] = numbers
  if (!first) return { text: 'nothing to plot: no column has numbers\n', hidden }
  const days = columns.findIndex(({ column }) => column.kind === 'date')
  if (days >= 0 && numbers.length === 1) return { text: lineOver(first, rows, days, most), hidden }
  if (second && first.values.length > 2) return { text: scatter(first, second, most), hidden }
  const label = columns.findIndex(({ column }) => !isNumeric(column))
  return {
    text: bars(
      first,
      rows.map(row => (label < 0 ? '' : plainText(row[label]))),
      most,
    ),
    hidden,
  }
}

function seriesOf(column: TableColumn, rows: Rows, j: number): Series {
  // SQL may give NaN and infinities: there is no place for them.
  const values = rows.map(row => (Number.isFinite(row[j]) ? (row[j] as number) : null))
  return {
    ...column,
    values,
    cells: columnCells(
      column.column,
      rows.map(row => row[j]),
    ),
  }
}

const titleOf = ({ name, column }: TableColumn): string => {
  const unit = unitInTable(column) || unitOf(column)
  return plainText(unit ? `${name} (${unit})` : name)
}

/** The least and the greatest value; a little apart if they are equal. */
function rangeOf(values: readonly (number | null)[]): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) if (value !== null) [low, high] = [Math.min(low, value), Math.max(high, value)]
  // Half of a number beyond 2^53 is lost in it.
  const beside = Math.max(0.5, Math.abs(low) / 1e6)
  return high > low ? { low, high } : { low: low - beside, high: low + beside }
}

/** Where a value lies between two others, from 0 to 1. Their difference may exceed the largest number, their halves' does not. */
const shareOf = (value: number, { low, high }: { low: number; high: number }): number =>
  high === low ? 0 : (value / 2 - low / 2) / (high / 2 - low / 2)

/** A bar a row, from zero; negative values to the left of it. */
function bars(series: Series, labels: readonly string[], width: number): string {
  const known = series.values.filter(value => value !== null)
  if (known.length === 0) return `${titleOf(series)}: no values\n`
  const shown = labels.map(label => clipped(label, WIDEST_LABEL))
  const labelWidth = largest(shown.map(displayWidth))
  const cellWidth = largest(series.cells.map(displayWidth))
  const room = Math.max(width - labelWidth - cellWidth - 4, 10)
  const low = smallest(known, 0)
  const high = largest(known, 0)
  const scale = (value: number) => Math.round((value / 2 / (high / 2 - low / 2 || 1)) * room)
  const zero = -scale(low)
  const lines = series.values.map((value, i) => {
    const size = value === null ? 0 : scale(value)
    const bar = size < 0 ? ' '.repeat(zero + size) + '▒'.repeat(-size) : ' '.repeat(zero) + '█'.repeat(size)
    const label = elementAt(shown, i)
    return `${label}${' '.repeat(labelWidth - displayWidth(label))}  ${elementAt(series.cells, i).padStart(cellWidth)}  ${bar}`.trimEnd()
  })
  return `${titleOf(series)}\n${lines.join('\n')}\n`
}

const clipped = (text: string, width: number): string =>
  displayWidth(text) <= width ? text : `${[...text].slice(0, width - 1).join('')}…`

/** The mean of each column of the terminal, over time. */
function lineOver(series: Series, rows: Rows, days: number, width: number): string {
  const points = rows
    .map((row, i) => ({
      day: plainText(row[days]),
      value: series.values[i] ?? null,
      cell: series.cells[i] ?? '',
    }))
    // SQL has years beyond 9999 and days without an end.
    .filter(point => point.value !== null && Number.isFinite(Date.parse(point.day)))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return `${titleOf(series)}: no values\n`
  const at = (day: string) => Date.parse(day)
  const span = at(last.day) - at(first.day) || 1
  const range = rangeOf(points.map(point => point.value))
  const [top, bottom] = endCells(points, range.high, range.low)
  const margin = Math.max(top.length, bottom.length)
  const room = Math.max(width - margin - 2, 10)
  const means = Array.from({ length: room }, () => ({ mean: 0, n: 0 }))
  for (const { day, value } of points) {
    const cell = elementAt(means, Math.round(((at(day) - at(first.day)) / span) * (room - 1)))
    cell.n++
    cell.mean += (value ?? 0) / cell.n - cell.mean / cell.n
  }
  const grid = emptyGrid(room)
  for (const [x, { mean, n }] of means.entries()) if (n > 0) mark(grid, x, shareOf(mean, range))
  return `${titleOf(series)}\n${framed(grid, top, bottom, margin)}${axis(first.day, last.day, margin, room)}`
}

const endCells = (points: readonly { value: number | null; cell: string }[], high: number, low: number) =>
  [high, low].map(end => points.find(point => point.value === end)?.cell ?? String(end)) as [string, string]

/** Points by two numbers; where several fall together, how many. */
function scatter(x: Series, y: Series, width: number): string {
  const both = x.values.flatMap((a, i) => {
    const b = y.values[i] ?? null
    return a === null || b === null ? [] : [{ a, b, i }]
  })
  if (both.length === 0) return `${titleOf(y)} by ${titleOf(x)}: no row has both\n`
  const [across, up] = [rangeOf(both.map(p => p.a)), rangeOf(both.map(p => p.b))]
  const cellOf = (series: Series, end: number) => {
    const at = series.values.indexOf(end)
    return at < 0 ? String(end) : elementAt(series.cells, at)
  }
  const [top, bottom] = [cellOf(y, up.high), cellOf(y, up.low)]
  const margin = Math.max(top.length, bottom.length)
  const room = Math.max(width - margin - 2, 10)
  const grid = emptyGrid(room)
  for (const { a, b } of both) mark(grid, Math.round(shareOf(a, across) * (room - 1)), shareOf(b, up))
  const title = `${titleOf(y)} by ${titleOf(x)}, ${both.length} of ${x.values.length} rows\n`
  const ends = axis(cellOf(x, across.low), cellOf(x, across.high), margin, room)
  return `${title}${framed(grid, top, bottom, margin)}${ends}`
}

type Grid = number[][]
const emptyGrid = (room: number): Grid =>
  Array.from({ length: HEIGHT }, () => new Array<number>(room).fill(0))

/** One more point at a column, at a share of the height. */
function mark(grid: Grid, x: number, share: number): void {
  const line = elementAt(grid, HEIGHT - 1 - Math.round(share * (HEIGHT - 1)))
  line[x] = elementAt(line, x) + 1
}

const signOf = (n: number): string => (n === 0 ? ' ' : n === 1 ? '•' : n < 10 ? String(n) : '#')

const framed = (grid: Grid, top: string, bottom: string, margin: number): string =>
  grid
    .map((line, i) => {
      const cell = i === 0 ? top : i === HEIGHT - 1 ? bottom : ''
      return `${cell.padStart(margin)} │${line.map(signOf).join('')}`.trimEnd()
    })
    .join('\n')
    .concat('\n')

const axis = (low: string, high: string, margin: number, room: number): string =>
  `${' '.repeat(margin)} └${'─'.repeat(room)}\n${' '.repeat(margin + 2)}${low}${' '.repeat(Math.max(room - low.length - high.length, 1))}${high}\n`
