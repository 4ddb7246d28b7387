import { elementAt } from '../base/elements.ts'

/** The days that a text names: one, or those of a month, quarter or year. */
export interface WrittenDays {
  readonly first: string
  readonly last: string
  /** The day if the text is read with the day before the month, where both are possible. */
  readonly other?: string
}

/** True for an existing day written YYYY-MM-DD, from year 1 to 9999. */
export function isCivilDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text)
  if (!match || match[1] === '0000') return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return elementAt([31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], month - 1)
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NAMED_MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/

const COMPACT = /^([0-9]{4})([0-9]{2})([0-9]{2})$/
const INSTANT = /^([0-9]{4}-[0-9]{2}-[0-9]{2})t[0-9]{2}:/
const QUARTER =
  /^(?:([0-9]{4})[ -]?q([1-4])|q([1-4])[ -]?([0-9]{4}|[0-9]{2})|([1-4])q[ -]?([0-9]{4}|[0-9]{2}))$/

/** The days that a text names which is not written YYYY-MM-DD; null if it names none. */
export function writtenDays(written: string): WrittenDays | null {
  const text = written.trim().toLowerCase()
  const compact = COMPACT.exec(text)
  if (compact) return oneDay(Number(compact[1]), Number(compact[2]), Number(compact[3]))
  const instant = INSTANT.exec(text)?.[1]
  if (instant !== undefined) return isCivilDate(instant) ? { first: instant, last: instant } : null
  const quarter = QUARTER.exec(text)
  if (quarter) {
    const year = fullYear(quarter[1] ?? quarter[4] ?? quarter[6] ?? '')
    const end = Number(quarter[2] ?? quarter[3] ?? quarter[5]) * 3
    return months(year, end - 2, end)
  }
  return ofParts(text.split(/[\s,./-]+/).filter(part => part !== ''))
}

const NUMBER = /^[0-9]{1,4}$/
const ORDINAL = /^([0-9]{1,2})(?:st|nd|rd|th)$/

/** Days named by a year, by a year and a month, or by all three parts in any usual order. */
function ofParts(parts: readonly string[]): WrittenDays | null {
  if (parts.length > 3) return null
  const named = parts.findIndex(part => NAMED_MONTH.test(part))
  const numbers = parts.filter((_, i) => i !== named).map(part => ORDINAL.exec(part)?.[1] ?? part)
  if (!numbers.every(part => NUMBER.test(part))) return null
  const [a = '', b = '', c = ''] = numbers
  if (named >= 0) {
    const month = MONTHS.indexOf(elementAt(parts, named).slice(0, 3)) + 1
    if (numbers.length === 1) return a.length === 4 ? months(Number(a), month, month) : null
    if (numbers.length !== 2) return null
    return a.length === 4 ? oneDay(Number(a), month, Number(b)) : oneDay(fullYear(b), month, Number(a))
  }
  if (numbers.length === 1) return a.length === 4 ? months(Number(a), 1, 12) : null
  if (numbers.length === 2) {
    if (a.length === 4) return months(Number(a), Number(b), Number(b))
    return b.length === 4 ? months(Number(b), Number(a), Number(a)) : null
  }
  if (numbers.length !== 3) return null
  if (a.length === 4) return oneDay(Number(a), Number(b), Number(c))
  if (c.length !== 4 && c.length !== 2) return null
  const american = oneDay(fullYear(c), Number(a), Number(b))
  const european = oneDay(fullYear(c), Number(b), Number(a))
  if (american === null || european === null || american.first === european.first) return american ?? european
  return { ...american, other: european.first }
}

/** `24` as 2024: bonds and filings of a lake are of this century. */
const fullYear = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits))

const civil = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

function oneDay(year: number, month: number, day: number): WrittenDays | null {
  const text = civil(year, month, day)
  return isCivilDate(text) ? { first: text, last: text } : null
}

function months(year: number, from: number, to: number): WrittenDays | null {
  const first = civil(year, from, 1)
  if (to > 12 || !isCivilDate(first)) return null
  return { first, last: civil(year, to, daysIn(year, to)) }
}
