const COUPON = /\b(?:coupon|stated|nominal|contractual)\b/i
const EFFECTIVE = /\beffective\b/i

/**
 * Which of the rates of a row is its coupon: the second where the heads of the table name an effective rate and then a coupon,
 * `Effective Rate | Coupon Rate`; else the first.
 */
export function couponAmong(rates: readonly number[], head: string): number | undefined {
  const effective = head.search(EFFECTIVE)
  const coupon = head.slice(Math.max(0, effective)).search(COUPON)
  const isSecond = effective >= 0 && coupon > 0 && !COUPON.test(head.slice(0, effective))
  return rates.length === 2 && isSecond ? rates[1] : rates[0]
}
