import { cellsOf } from './flat-text.ts'
import { dayNamed } from './maturities.ts'
import { AMOUNT, amountIn, type Money } from './money.ts'

/** Notes that a table of registration fees names, with the amount that is registered. */
interface RegisteredNote {
  /** Null where the rate floats. */
  readonly coupon: number | null
  readonly maturity: string
  /** `Senior Notes`, as written. */
  readonly kind: string
  readonly amount: Money
  readonly begin: number
  readonly end: number
}

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const isHead = /\bto be registered\b/i
const titled = new RegExp(
  `^(?:(?<coupon>\\d{1,2}(?:\\.\\d{1,5})?) ?%|floating[- ]rate)\\s{1,3}(?<kind>(?:[A-Za-z-]{2,20} ){0,6}?(?:notes|debentures|bonds)(?:,? series (?:no\\. ?)?\\w{1,4})?),?\\s{1,3}due\\s{1,3}(?<date>(?:${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?)?20\\d\\d)(?: ?\\(\\d\\))?$`,
  'i',
)
const whole = new RegExp(`^${AMOUNT}(?: ?\\(\\d\\))?$`, 'i')
/** Rows that a table of fees has below its head. */
const MOST = 12

/**
 * The series of a table of registration fees in a final supplement: `2.450% Notes due 2031 | $500,000,000 | 99.877%`. Its first
 * amount is what is sold. What is only guaranteed, and a series without a coupon, are none.
 */
export function registeredNotesIn(text: string): RegisteredNote[] {
  const found: RegisteredNote[] = []
  let begin = 0
  let below = MOST
  for (const line of text.split('\n')) {
    const end = begin + line.length
    const cells = line.includes('|') ? cellsOf(line).filter(cell => cell !== '') : []
    below = cells.length > 1 && isHead.test(line) ? 0 : below + 1
    const [title = '', next = ''] = cells
    const { coupon, kind, date } = below <= MOST ? (titled.exec(title)?.groups ?? {}) : {}
    const amount = amountIn(whole.exec(next)?.groups ?? {})
    const maturity = dayNamed((date ?? '').replace(/\s+/g, ' '))
    if (kind !== undefined && amount !== null && maturity !== null)
      found.push({
        coupon: coupon === undefined ? null : Number(coupon),
        maturity,
        kind,
        amount,
        begin,
        end,
      })
    begin = end + 1
  }
  return found
}
