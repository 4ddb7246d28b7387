/** Two heads of columns side by side, `Effective Rate | Coupon Rate`, of text whose bars are blanks. */
const effectiveThenCoupon =
  /\beffective(?: [a-z]{1,12}){0,3}\s{3,40}(?:annual )?(?:coupon|stated|nominal|contractual)\b/i

/**
 * Which of the rates of a row is its coupon: the second where the heads of the table name an effective rate and then, in the next column, a
 * coupon; else the first. Heads in several rows do not say in which order their columns are.
 */
export const couponAmong = (rates: readonly number[], head: string): number | undefined =>
  rates.length === 2 && effectiveThenCoupon.test(head) ? rates[1] : rates[0]
