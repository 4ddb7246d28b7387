import { everyWords, flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed, fullDate, spelledMaturity } from './maturities.ts'

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
/** `our 7.25% senior notes due 2028`, `the 6.375% Senior Subordinated Notes due June 15, 2033`. */
const named = everyWords(
  String.raw`(?<![\d.])(?<rate>\d{1,2}(?:\.\d{1,5})?) ?% (?:[a-z-]{2,14} ){0,4}(?:notes|debentures|bonds),? due (?:in |on )?(?<due>(?:${MONTH} (?:\d{1,2}, )?)?20\d\d)\b`,
)

/** When the notes of each coupon fall due that a text names with both, as exactly as it says; null of coupons with two years. */
function daysNamed(text: string): ReadonlyMap<number, string | null> {
  const found = new Map<number, string | null>()
  for (const { groups: { rate, due = '' } = {} } of flatten(text).matchAll(named)) {
    const day = dayNamed(due.replace(/\s+/g, ' '))
    if (day === null) continue
    const coupon = Number(rate)
    const known = found.get(coupon)
    if (known === undefined) found.set(coupon, day)
    else if (known?.slice(0, 4) !== day.slice(0, 4)) found.set(coupon, null)
    else if (day.length > known.length) found.set(coupon, day)
  }
  return found
}

/** Lines of notes with a coupon that no other line has and no maturity, with that by which the text names notes of the coupon. */
export function withDaysNamed(
  text: string,
  lines: readonly InstrumentLine[],
  day: string | null,
): InstrumentLine[] {
  const isBare = ({ coupon_rate: coupon, maturity, name }: InstrumentLine) =>
    coupon != null && maturity == null && areNotes.test(name ?? '')
  if (day === null || !lines.some(isBare)) return [...lines]
  const days = daysNamed(text)
  return lines.map(line => {
    const due = isBare(line) ? days.get(line.coupon_rate ?? 0) : null
    const isOnly = lines.filter(other => other.coupon_rate === line.coupon_rate).length === 1
    if (due == null || !isOnly || due <= day.slice(0, due.length)) return line
    return {
      ...line,
      name: `${line.name} due ${spelledMaturity(due)}`,
      maturity: due,
      maturity_date: fullDate(due),
      rule: 'debt_table',
    }
  })
}

const areNotes = /\b(?:notes|debentures|bonds)$/i
