import { groupOf } from '../../base/elements.ts'
import { daysInMonth } from '../../credit/calendar.ts'

const MISSING = new Set(['', '-', '--', '.', 'n/a', 'na', 'nan', 'null', 'none', '#n/a'])

/** Whether a source marks a figure as missing. */
export const isMissing = (cell: string | undefined): boolean =>
  cell === undefined || MISSING.has(cell.trim().toLowerCase())

/** Trimmed text; null if blank. `NA` and `NAN` stay: they are tickers too. */
export const textIn = (cell: string | undefined): string | null => {
  const text = cell?.trim() ?? ''
  return /^(-*|n\/a)$/i.test(text) ? null : text
}

/**
 * The number in a cell such as `1,234.50`, `(12.5)`, `5.25%` or `1E-3`: null if missing, NaN if it is not a number.
 * `0,045` is none: its comma is a decimal mark, and groups would make 45 of it.
 */
export function numberIn(cell: string | undefined): number | null {
  if (cell === undefined || isMissing(cell)) return null
  const text = cell.trim()
  const match =
    /^(\()?([+-]?)\$?((?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?\s*%?(\))?$/.exec(
      text,
    )
  if (!match || (match[1] === undefined) !== (match[5] === undefined)) return Number.NaN
  const value = Number(`${groupOf(match, 3).replaceAll(',', '')}e${match[4] ?? 0}`)
  return match[1] !== undefined || match[2] === '-' ? -value : value
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** As `YYYY-MM-DD`, or null if the day does not exist. */
function civilText(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/**
 * The day in `2025-12-17` (with or without a time of day), `12/17/2025`, `Dec 17, 2025`, `December 17, 2025`,
 * `17-Dec-2025`, `17/Dec/2025` or `20251217`, as `YYYY-MM-DD`; null when the text is no such day. Slashes are month first, as US
 * sources write them.
 */
export function dateIn(cell: string | undefined): string | null {
  const text = cell?.trim() ?? ''
  let match = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (match) return civilText(Number(match[1]), Number(match[2]), Number(match[3]))
  match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (match) return civilText(Number(match[3]), Number(match[1]), Number(match[2]))
  match = /^([A-Za-z]{3,9})\.? (\d{1,2}), ?(\d{4})$/.exec(text)
  if (match) return civilText(Number(match[3]), monthNamed(groupOf(match, 1)), Number(match[2]))
  match = /^(\d{1,2})[-/ ]([A-Za-z]{3,9})[-/ ](\d{4})$/.exec(text)
  return match ? civilText(Number(match[3]), monthNamed(groupOf(match, 2)), Number(match[1])) : null
}

const monthNamed = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
