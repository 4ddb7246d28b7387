import { elementAt } from '../../base/elements.ts'
import { cellsOf } from './flat-text.ts'
import { datesIn } from './spelled-dates.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?'
const DAY = `${MONTH} ?\\d{1,2},? ?(?:19|20)\\d\\d|\\d{1,2}/\\d{1,2}/(?:19|20)\\d\\d|${MONTH},? ?(?:19|20)\\d\\d|(?:19|20)\\d\\d`
const due = new RegExp(
  `\\b(?:due|matur(?:es?|ing|ity)|expir(?:es?|ing)|anticipated repayment dates?|(?<!notes )payable(?= ?(?:on )?[A-Z]))(?: in| on)? ?\\|? ?(?<day>${DAY})(?!\\d)`,
  'i',
)
const wholeCell = new RegExp(`^(?<day>${DAY})(?: ?\\(\\w{1,2}\\))?$`, 'i')
/** The day that is all of a cell. */
export const wholeDay = (cell: string): string | null => wholeCell.exec(cell)?.groups?.['day'] ?? null
const atEnd = new RegExp(`, ?(?<day>${MONTH} ?(?:19|20)\\d\\d)$`, 'i')

/** A stated maturity if it is a day; null of a month, `2032-03`, and a year. */
export const fullDate = (stated: string | null | undefined): string | null =>
  stated?.length === 10 ? stated : null

/** `March 15, 2032` as `2032-03-15`, `March 2032` as `2032-03`, `2032`. */
export function dayNamed(text: string): string | null {
  const day = datesIn(text)[0]?.date
  if (day !== undefined) return day
  const match = /^(?:(?<month>[a-z]{3})[a-z]{0,6}\.?,? ?)?(?<year>(?:19|20)\d\d)$/i.exec(text.trim())
  if (!match?.groups) return null
  const { month, year } = match.groups as { month?: string; year: string }
  if (month === undefined) return year
  const at = MONTHS.indexOf(month.toLowerCase())
  return at < 0 ? null : `${year}-${String(at + 1).padStart(2, '0')}`
}

const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `2032-03-15` as `March 15, 2032`, `2032-03` as `March 2032`. */
export function spelledMaturity(maturity: string): string {
  const [year, month, day] = maturity.split('-')
  const name = NAMES[Number(month) - 1]
  if (name === undefined) return maturity
  return day === undefined ? `${name} ${year}` : `${name} ${Number(day)}, ${year}`
}

/** The maturity that a row states: after `due`, at the end of its label, or in a cell of its own, the last if two. */
export function maturityIn(cells: readonly string[], label: string): string | null {
  const stated = due.exec(cells.join(' | ').replaceAll(' | ', ' ')) ?? atEnd.exec(label)
  const said = stated?.groups?.['day']
  if (said !== undefined) return exactDay(dayNamed(said), cells)
  const days = cells.flatMap(cell => wholeCell.exec(cell)?.groups?.['day'] ?? [])
  if (days.length === 0 || days.length > 2) return null
  const all = days.map(dayNamed).filter(day => day !== null)
  if (all.length !== days.length) return null
  const last = elementAt(all, all.length - 1)
  return all.length === 1 || elementAt(all, 0) < last ? last : null
}

/** When notes of a year fall due, where one cell beside their name says it more exactly: `Senior notes due 2029 | December 2029`. */
function exactDay(named: string | null, cells: readonly string[]): string | null {
  if (named?.length !== 4) return named
  const days = cells.flatMap(cell => dayNamed(wholeDay(cell) ?? '') ?? [])
  const [exact, ...others] = new Set(days.filter(day => day.length > 4 && day.startsWith(named)))
  return exact === undefined || others.length > 0 ? named : exact
}

const everyDue = new RegExp(
  `\\b(?:due|matur(?:es?|ing)|expir(?:es?|ing))(?: in| on)? (?<day>${DAY})(?!\\d)`,
  'gi',
)

/** The one day that a name says anywhere in it, also in brackets: `2029 Notes (matures July 15, 2029)`. */
export function dueOnceIn(name: string): string | null {
  const [day, ...others] = new Set([...name.matchAll(everyDue)].flatMap(match => match.groups?.['day'] ?? []))
  return day === undefined || others.length > 0 ? null : dayNamed(day)
}

const REVOLVING = /\brevolv\w+|\babl\b|\blines? of credit\b|\bcredit facilit\w+|\brcf\b/i

/** The one day on which the rows of a text's tables let its revolving facility fall due, `ABL facility, matures on June 9, 2028 | -`. */
export function maturityInRows(text: string, kind: string): string | null {
  if (kind !== 'revolver') return null
  const days = text.split('\n').flatMap(line => {
    if (!line.includes('|')) return []
    const cells = cellsOf(line)
    const [label = ''] = cells
    if (!REVOLVING.test(label) || label.length > LONGEST_LABEL) return []
    const own =
      due.exec(label)?.groups?.['day'] ??
      cells.slice(1).flatMap(cell => wholeCell.exec(cell)?.groups?.['day'] ?? [])[0]
    return own === undefined ? [] : (dayNamed(own) ?? [])
  })
  const [day, ...others] = new Set(days)
  return day === undefined || others.length > 0 ? null : day
}

/** Longest name of a row with a maturity, characters. */
const LONGEST_LABEL = 200
