import { elementAt } from '../engine/base/elements.ts'
import { ExactDecimal, exactJson } from '../engine/base/exact-number.ts'
import { largest } from '../engine/base/lists.ts'
import { type Column, isNumeric, unitOf } from '../engine/schema/column.ts'
import { STALE_DAYS } from '../engine/schema/resources/bonds.ts'

export interface TableColumn {
  readonly name: string
  readonly column: Column
}

export interface PrintedTable {
  readonly text: string
  /** Columns for which there was no room. */
  readonly hidden: readonly string[]
  /** Meaning of the marks on cells. */
  readonly footnotes?: readonly string[]
}

/** Minimum width of a text before columns are dropped. */
const LEAST_TEXT = 12
const WIDEST_TEXT = 48
/** So much of the first column, which names the row, is worth more than another column; at most half the width. */
const LEAST_NAME = 24

/**
 * Rows under their names and units: numbers right-aligned with uniform decimals per column, amounts in millions, `-` for
 * null. Without a width nothing is cut.
 */
export function printTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  width: number | null,
): PrintedTable {
  const staleRows = (column: string) => flaggedRows(columns, rows, staleFlags[column])
  const all = columns.map((heading, j): Laid => {
    const cells = marked(
      columnCells(
        heading.column,
        rows.map(row => row[j]),
      ),
      staleRows(heading.name),
    )
    const heads = [plainText(heading.name), unitInTable(heading.column)] as const
    return {
      ...heading,
      cells,
      heads,
      natural: largest(cells.map(displayWidth), largest(heads.map(displayWidth))),
    }
  })
  const { widths, shown } = fit(all, width)
  const line = (texts: readonly string[]) =>
    texts
      .map((text, j) =>
        aligned(cut(text, elementAt(widths, j)), elementAt(widths, j), isNumeric(elementAt(shown, j).column)),
      )
      .join('  ')
      .trimEnd()
  const lines = [line(shown.map(c => c.heads[0]))]
  if (shown.some(c => c.heads[1])) lines.push(line(shown.map(c => c.heads[1])))
  lines.push(widths.map(w => '─'.repeat(w)).join('  '))
  for (let i = 0; i < rows.length; i++) lines.push(line(shown.map(c => elementAt(c.cells, i))))
  return {
    text: `${lines.join('\n')}\n`,
    hidden: all.filter(c => !shown.includes(c)).map(c => c.name),
    footnotes: shown.some(c => staleRows(c.name).size > 0)
      ? [`* a price more than ${STALE_DAYS} days old`]
      : [],
  }
}

/** The flag of a stale price, by the price's column. */
const staleFlags: Readonly<Record<string, string>> = {
  last_price: 'is_stale',
  'pricing.last_price': 'pricing.is_stale',
}

/** The rows for which a flag is set. */
function flaggedRows(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  flag: string | undefined,
): ReadonlySet<number> {
  const at = flag === undefined ? -1 : columns.findIndex(({ name }) => name === flag)
  return new Set(at < 0 ? [] : rows.flatMap((row, i) => (row[at] === true ? [i] : [])))
}

/** Cells with a mark on some rows; the others stay aligned. */
const marked = (cells: readonly string[], rows: ReadonlySet<number>): readonly string[] =>
  rows.size === 0 ? cells : cells.map((cell, i) => `${cell}${rows.has(i) ? '*' : ' '}`)

interface Laid extends TableColumn {
  readonly cells: readonly string[]
  /** Name and unit. */
  readonly heads: readonly [string, string]
  readonly natural: number
}

const isElastic = ({ column }: Laid): boolean =>
  !isNumeric(column) && column.kind !== 'date' && column.kind !== 'enum' && column.kind !== 'boolean'

const leastIn =
  (width: number) =>
  (c: Laid, j: number): number => {
    if (!isElastic(c)) return c.natural
    const least = j === 0 ? Math.max(LEAST_TEXT, Math.min(LEAST_NAME, Math.floor(width / 2))) : LEAST_TEXT
    return Math.min(c.natural, largest(c.heads.map(displayWidth), least))
  }

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, w) => sum + w, 0) + 2 * (widths.length - 1)

/**
 * Narrows texts, then drops columns until a line fits: empty ones, then duplicates of earlier ones, then from the
 * right. The first column always stays.
 */
function fit(all: readonly Laid[], width: number | null): { widths: number[]; shown: readonly Laid[] } {
  if (width === null) return { widths: all.map(c => c.natural), shown: all }
  const leastOf = leastIn(width)
  const hasRoom = (some: readonly Laid[]) => total(some.map(leastOf)) <= width
  let shown = all
  const leaveOut = (says: (c: Laid, j: number) => boolean) => {
    if (!hasRoom(shown)) shown = shown.filter((c, j) => j === 0 || !says(c, j))
  }
  const same = (a: Laid, b: Laid) => a.cells.every((text, i) => text === b.cells[i])
  leaveOut(c => c.cells.every(text => text === '-'))
  leaveOut((c, j) => c.cells.length > 0 && shown.slice(0, j).some(before => same(before, c)))
  while (shown.length > 1 && !hasRoom(shown)) shown = shown.slice(0, -1)
  const least = shown.map(leastOf)
  const widths = shown.map((c, j) =>
    isElastic(c) ? Math.max(leastOf(c, j), Math.min(c.natural, WIDEST_TEXT)) : c.natural,
  )
  for (let over = total(widths) - width; over > 0; over--) {
    const widest = widths.reduce(
      (best, w, j) => (w - elementAt(least, j) > elementAt(widths, best) - elementAt(least, best) ? j : best),
      0,
    )
    if (elementAt(widths, widest) <= elementAt(least, widest)) break
    widths[widest] = elementAt(widths, widest) - 1
  }
  // Remaining width goes to texts that were cut.
  for (let left = width - total(widths); left > 0; left--) {
    const j = shown.findIndex((c, k) => elementAt(widths, k) < c.natural)
    if (j < 0) break
    widths[j] = elementAt(widths, j) + 1
  }
  return { widths, shown }
}

/** Cells of a column, with the same decimals. */
export function columnCells(column: Column, values: readonly unknown[]): string[] {
  if (!isNumeric(column)) return values.map(v => plainText(v))
  if (column.kind === 'cents') return amountCells(values)
  const numbers = values.filter(v => typeof v === 'number')
  const most = largest(numbers.map(decimalsOf), 0)
  // Amounts above ratios, as in a company's changes, have two units: each keeps its own decimals.
  const mixed = most > 0 && numbers.some(v => Math.abs(v) >= 1e6)
  return values.map(v =>
    typeof v === 'number'
      ? numberText(v, mixed ? decimalsOf(v) : most, mixed && Number.isInteger(v))
      : plainText(v),
  )
}

/** Cents in a million. */
const MILLION = 1e8

export const unitInTable = (column: Column): string =>
  column.kind === 'cents' ? 'mm' : (unitOf(column) ?? '')

/** Amounts in millions: to a tenth from ten million on, finer below. */
function amountCells(values: readonly unknown[]): string[] {
  const millions = values.map(v => (typeof v === 'number' ? v / MILLION : v))
  const numbers = millions.filter(v => typeof v === 'number')
  const most = largest(numbers.map(Math.abs), 0)
  const finest = most >= 10 ? 1 : most >= 1 ? 2 : MOST_DECIMALS
  const decimals = Math.min(finest, largest(numbers.map(decimalsOf), 0))
  return millions.map(v => (typeof v === 'number' ? numberText(v, decimals, true) : plainText(v)))
}

const MOST_DECIMALS = 4

/** Decimals needed to write a number, up to four. */
function decimalsOf(value: number): number {
  for (let d = 0; d < MOST_DECIMALS; d++) if (Number(value.toFixed(d)) === value) return d
  return MOST_DECIMALS
}

function numberText(value: number, decimals: number, grouped: boolean): string {
  const size = Math.abs(value)
  if (value !== 0 && (size < 10 ** -MOST_DECIMALS || size >= 1e21)) return value.toExponential(3)
  const text = value.toFixed(decimals)
  if (!grouped) return text
  const [whole = '', fraction] = text.split('.')
  // at most 60 characters: below 1e21 with MOST_DECIMALS
  const parted = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? parted : `${parted}.${fraction}`
}

/** One line of text, without characters that would move the cursor. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  const text =
    Array.isArray(value) && value.every(v => typeof v !== 'object' || v === null)
      ? value.join(', ')
      : typeof value === 'object' && !(value instanceof ExactDecimal)
        ? exactJson(value)
        : String(value)
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

/**
 * Lines of text for a terminal, whatever the data in them: without characters that would move the cursor or change the
 * terminal, but for bold and its end.
 */
export const plainLines = (text: string): string =>
  text.replace(
    /\x1b(?!\[(?:1|22)m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    ' ',
  )

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** Terminal cells of a text. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e─…]*$/.test(text)) return text.length
  let width = 0
  for (const c of text) width += /[\p{Mn}\p{Me}\u200b-\u200f\ufeff]/u.test(c) ? 0 : wide.test(c) ? 2 : 1
  return width
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let shown = ''
  let used = 1
  for (const c of text) {
    used += displayWidth(c)
    if (used > width) break
    shown += c
  }
  return `${shown}…`
}

const aligned = (text: string, width: number, right: boolean): string => {
  const gap = ' '.repeat(Math.max(width - displayWidth(text), 0))
  return right ? gap + text : text + gap
}
