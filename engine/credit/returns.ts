import { accruedInterest } from './bond.ts'
import type { Day } from './calendar.ts'
import { discountFactor, type SpotCurve, spotRate } from './curve.ts'
import { couponPeriods, yearsLong } from './schedule.ts'
import type { Bond } from './terms.ts'

/** Coupons per 100 par that a holder from one settlement day to another receives: those after `from`, up to `to`. */
export function couponsPaid(bond: Bond, from: Day, to: Day): number {
  let paid = 0
  if (from >= bond.maturity) return paid
  for (const period of couponPeriods(bond, from)) {
    if (period.end > to) break
    paid += bond.coupon * yearsLong(bond, period)
  }
  return paid
}

/** What a holder receives before the end of a period, per 100 par outstanding at its start. */
export interface Received {
  readonly coupons: number
  /** Principal, by a sinking schedule. */
  readonly repaid: number
}

/** What is held at one end of a period, per 100 par. */
export interface Holding {
  /** Settlement day. */
  readonly settle: Day
  readonly clean: number
  readonly accrued: number
}

/**
 * The total return in percent: end value of what is still outstanding, coupons and repayments over start value. What was
 * received is not reinvested before the end.
 */
export const totalReturn = (start: Holding, end: Holding, { coupons, repaid }: Received): number =>
  100 *
  (((end.clean + end.accrued) * (1 - repaid / 100) + coupons + repaid) / (start.clean + start.accrued) - 1)

/** What a redemption at a clean price on a day pays; interest is accrued to that day. */
export const redeemed = (bond: Bond, day: Day, clean: number): Holding => ({
  settle: day,
  clean,
  accrued: accruedInterest(bond, day),
})

/** Rounds of the fixed point below; each shrinks the miss by a factor of ten or more. */
const ROUNDS = 8

/** The years of the zero-coupon Treasury whose modified duration (yield compounded twice a year) is the given one. */
export function zeroOfDuration(curve: SpotCurve, modDuration: number): number {
  let years = modDuration
  for (let round = 0; round < ROUNDS; round++) years = modDuration * Math.exp(spotRate(curve, years) / 200)
  return years
}

/** The return in percent of a zero-coupon Treasury of so many years, held for `held` of them. */
export const zeroReturn = (start: SpotCurve, end: SpotCurve, years: number, held: number): number =>
  100 * (discountFactor(end, Math.max(0, years - held)) / discountFactor(start, years) - 1)

/**
 * The return in percent of Treasury zeros that pay what a bond promises after the start, with what it paid by the end; a
 * bond redeemed at the end is redeemed by them at their value.
 */
export function matchedFlowsReturn(
  { days, amounts }: { readonly days: readonly Day[]; readonly amounts: readonly number[] },
  start: { readonly settle: Day; readonly curve: SpotCurve },
  end: { readonly settle: Day; readonly curve: SpotCurve },
): number {
  let [before, after] = [0, 0]
  for (const [i, day] of days.entries()) {
    const amount = amounts[i] ?? 0
    before += amount * discountFactor(start.curve, (day - start.settle) / 365)
    after += amount * (day <= end.settle ? 1 : discountFactor(end.curve, (day - end.settle) / 365))
  }
  return 100 * (after / before - 1)
}
