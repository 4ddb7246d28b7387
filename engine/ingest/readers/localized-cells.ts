import { groupOf } from '../../base/elements.ts'
import { daysInMonth } from '../../credit/calendar.ts'
import { dateIn, isMissing, numberIn } from './source-cells.ts'

/** Months by the first letters of their names in English, German, French, Italian and Spanish. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'gen', 'ene'],
  ['feb', 'fev'],
  ['mar', 'mrz'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'mag'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott'],
  ['nov'],
  ['dec', 'dez', 'dic'],
]

const monthNamed = (name: string): number => {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return MONTHS.findIndex(names => names.some(each => plain.startsWith(each))) + 1
}

const civil = (year: number, month: number, day: number): string | null =>
  month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)
    ? null
    : `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The day in a cell, also as `19.Juni2026`, `03.Sept.2026`, `30.09.2026` or `29/nov./2024`. Dots are day first. */
export function localizedDate(cell: string | undefined): string | null {
  const text = cell?.trim() ?? ''
  const known = dateIn(text)
  if (known !== null) return known
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (dotted) return civil(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const named = /^(\d{1,2})[./ -]{0,2}(\p{L}{3,9})[./ -]{0,2}(\d{4})$/u.exec(text)
  return named ? civil(Number(named[3]), monthNamed(groupOf(named, 2)), Number(named[1])) : null
}

const DAY_IN_TEXT =
  /\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}\/\d{4}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}[./ -]{0,2}\p{L}{3,9}[./ -]{0,2}\d{4}|\p{L}{3,9}\.? \d{1,2}, ?\d{4}/u

/** The first day in a text of at most a few hundred characters: `Holdings: As of 25-Nov-2024`. */
export function dayInText(text: string): string | null {
  const found = DAY_IN_TEXT.exec(text.slice(0, 300))
  return found ? localizedDate(found[0]) : null
}

/** Numbers that can only have a comma, or only a point, as decimal mark; `1.250` and `1,250` may have either. */
export const CLEAR_DECIMALS = {
  comma: '-?(\\d{1,3}(\\.\\d{3})+,\\d+|\\d+,(\\d{1,2}|\\d{4,})|0,\\d+|\\d{1,3}(\\.\\d{3}){2,})',
  point: '-?(\\d{1,3}(,\\d{3})+\\.\\d+|\\d+\\.(\\d{1,2}|\\d{4,})|0\\.\\d+|\\d{1,3}(,\\d{3}){2,})',
} as const

const CLEAR_COMMA = new RegExp(`^${CLEAR_DECIMALS.comma}$`)
const CLEAR_POINT = new RegExp(`^${CLEAR_DECIMALS.point}$`)

/** Decides from all numbers of a file whether its decimals are written with a comma. */
export class DecimalMark {
  private comma = 0
  private point = 0

  add(cell: string | undefined): void {
    const text = bare(cell ?? '')
    if (CLEAR_COMMA.test(text)) this.comma++
    else if (CLEAR_POINT.test(text)) this.point++
  }

  get isComma(): boolean {
    return this.comma > this.point
  }
}

/** Without blanks and apostrophes that group digits, and without a currency: `1’234.50`, `1 234,50 €`. At most a cell. */
const bare = (cell: string): string =>
  cell
    .slice(0, LONGEST_NUMBER)
    .replace(/(?<=\d)[\s\u00a0\u202f'’](?=\d)/g, '')
    .replace(/^(-?)(?:[$€£]|[A-Z]{3} )/, '$1')
    .replace(/[\s\u00a0\u202f]?(?:[%€£]|[A-Z]{3})$/, '')
    .trim()

const LONGEST_NUMBER = 60

/** The number in a cell: null if missing, NaN if it is none. */
export function localizedNumber(cell: string | undefined, isCommaDecimal: boolean): number | null {
  if (cell === undefined || isMissing(cell)) return null
  const text = bare(cell)
  return numberIn(isCommaDecimal ? text.replaceAll('.', '').replace(',', '.') : text)
}
