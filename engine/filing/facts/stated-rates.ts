const coupons = /\b(?:coupon|stated|nominal|contractual)\b/gi
/** As a head of a column: no day follows, as in `Effective August 31, 2018, we terminated`. */
const effective =
  /\beffective\s{1,9}(?:[a-z|]{1,12}\s{1,9}){0,3}?(?:interest|rates?|yields?|coupons?|stated|nominal|contractual)\b/gi

const lastAt = (text: string, words: RegExp): number => [...text.matchAll(words)].at(-1)?.index ?? -1

/**
 * Which of the rates of a row is its coupon: the second where the heads of the table, the last words before it, name an effective rate
 * and then a coupon, `Effective Rate | Coupon Rate`; else the first.
 */
export function couponAmong(rates: readonly number[], head: string): number | undefined {
  const other = lastAt(head, effective)
  return rates.length === 2 && other >= 0 && lastAt(head, coupons) > other ? rates[1] : rates[0]
}
