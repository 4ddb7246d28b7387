import type { FiledSection } from './filed-section.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { proseOf } from './issue-lists.ts'
import { dayNamed, fullDate, spelledMaturity } from './maturities.ts'

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const DATE = `(?:${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?)?20\\d\\d`
const NOTES =
  '(?:(?:senior|subordinated|secured|unsecured|convertible|junior|exchangeable|lien|first|second)\\s{1,3}){1,4}(?:notes|debentures|bonds)'
const NAME = `(?<name>${NOTES}|(?<=\\bthe\\s{1,3})notes|term\\s{1,3}loan(?:\\s{1,3}[ab])?(?:\\s{1,3}facility)?)`
/** `The Senior Notes bear interest at 5.75%`. */
const interest = new RegExp(
  `\\bthe\\s{1,3}${NAME}\\b(?:[^.;%$(]|\\.(?=\\d)){0,120}?\\b(?:bears?|accrues?|pays?)\\s{1,3}(?:cash\\s{1,3})?interest\\s{1,3}at\\s{1,3}(?:an?\\s{1,3}|the\\s{1,3})?(?:(?:fixed|annual|stated|coupon|interest)\\s{1,3}){0,4}(?:rate\\s{1,3})?(?:of\\s{1,3})?(?<rate>\\d{1,2}(?:\\.\\d{1,5})?)\\s?%`,
  'gi',
)
/** `The Senior Notes bear interest at 5.75% and mature on May 1, 2030`, `Term Loan A is due in March 2027`. */
const maturing = new RegExp(
  `\\b(?:the\\s{1,3})?${NAME}\\b(?:[^.;$(]|\\.(?=\\d)){0,140}?\\b(?:will\\s{1,3})?(?:matures?|(?:is|are)\\s{1,3}due|has\\s{1,3}a\\s{1,3}(?:stated\\s{1,3}|scheduled\\s{1,3})?maturity\\s{1,3}date\\s{1,3}of)\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})\\b`,
  'gi',
)
const isPlain = new RegExp(`^${NAME}$`, 'i')

const keyOf = (name: string): string => name.toLowerCase().replace(/\s+/g, ' ')

/** What sentences say of each name; null where they say two things. */
function toldBy<T>(text: string, every: RegExp, read: (groups: Record<string, string>) => T | null) {
  const told = new Map<string, T | null>()
  for (const { groups = {} } of text.matchAll(every)) {
    const name = keyOf(groups['name'] ?? '')
    const value = read(groups)
    told.set(name, told.has(name) && told.get(name) !== value ? null : value)
  }
  return told
}

const areNotes = /\b(?:notes?|debentures?|bonds?)\b/i

/**
 * Lines called by a plain name, `Senior Notes`, that no other line has, with the coupon and maturity that the text states of the
 * notes or the loan of this name.
 */
export function withToldTerms(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const isBare = (line: InstrumentLine) =>
    line.rule === 'debt_schedule' &&
    line.coupon_rate == null &&
    line.maturity == null &&
    isPlain.test(line.name ?? '')
  if (!lines.some(isBare)) return [...lines]
  const prose = proseOf(section.text)
  const rates = toldBy(prose, interest, ({ rate }) => Number(rate))
  const days = toldBy(prose, maturing, ({ date = '' }) => dayNamed(date.replace(/\s+/g, ' ')))
  const notes = lines.filter(({ name }) => areNotes.test(name ?? ''))
  return lines.map(line => {
    if (!isBare(line)) return line
    const name = line.name ?? ''
    const isOnly = lines.filter(other => keyOf(other.name ?? '').includes(keyOf(name))).length === 1
    // `The Notes` are those of the one line that is notes.
    const isOnlyNotes = notes.length === 1 && notes[0] === line
    const key = [keyOf(name), isOnlyNotes ? 'notes' : ''].find(each => days.get(each) != null) ?? ''
    const maturity = days.get(key) ?? null
    if (!isOnly || maturity === null || maturity <= (section.period_end ?? '')) return line
    const due = { maturity, maturity_date: fullDate(maturity) }
    const coupon = /\bloan\b/i.test(name) ? null : (rates.get(key) ?? null)
    if (coupon === null) return { ...line, ...due }
    return {
      ...line,
      ...due,
      name: `${coupon}% ${name} due ${spelledMaturity(maturity)}`,
      rate_type: 'fixed',
      coupon_rate: coupon,
      rule: 'debt_table',
    }
  })
}
