import { civil, type Day, isEndOfMonth } from './calendar.ts'
import type { DayCount } from './day-count.ts'
import { type CouponPeriod, couponPeriods, isFrequency, yearsAccrued, yearsLong } from './schedule.ts'
import { dirtyFromFlows, solveYield } from './solve-yield.ts'
import type { Bond, CashFlows, NoYieldReason, Redemption, Yield } from './terms.ts'

/**
 * Whether a bond that matures on this day pays at month end, unless its terms say otherwise. A 30/360 bond that
 * matures at the end of February pays on August 28; 30/360 does not distinguish other short months.
 */
export const paysOnMonthEnds = (maturity: Day, dayCount: DayCount): boolean =>
  isEndOfMonth(maturity) && !(dayCount === '30/360' && civil(maturity).month === 2)

/** A bond from its known terms; defaults to semiannual and 30/360. */
export const bond = (
  terms: Pick<Bond, 'coupon' | 'maturity'> & Partial<Omit<Bond, 'coupon' | 'maturity'>>,
): Bond => ({
  frequency: 2,
  dayCount: '30/360',
  accrualStart: null,
  firstCoupon: null,
  lastRegularCoupon: null,
  endOfMonth: paysOnMonthEnds(terms.maturity, terms.dayCount ?? '30/360'),
  isDefaulted: false,
  ...terms,
})

/** The cash flows after `settle` up to the redemption, by default at par on maturity. */
export function cashFlows(
  bond: Bond,
  settle: Day,
  redemption: Redemption = { day: bond.maturity, price: 100 },
): CashFlows {
  const flows: CashFlows = { frequency: bond.frequency, days: [], periods: [], amounts: [], accrued: 0 }
  let at = 0
  for (const period of couponPeriods(bond, settle)) {
    const elapsed = at === 0 ? yearsAccrued(bond, period, settle) : 0
    if (at === 0) flows.accrued = Math.max(0, bond.coupon * elapsed)
    at++
    const isLast = period.end >= redemption.day
    const years =
      period.end > redemption.day ? yearsAccrued(bond, period, redemption.day) : yearsLong(bond, period)
    flows.days.push(isLast ? redemption.day : period.end)
    flows.periods.push((flows.periods.at(-1) ?? 0) + bond.frequency * (years - elapsed))
    flows.amounts.push(bond.coupon * years + (isLast ? redemption.price : 0))
    if (isLast) break
  }
  return flows
}

/** Interest accrued to `settle`, per 100 par. */
export function accruedInterest(bond: Bond, settle: Day): number {
  if (settle >= bond.maturity) return 0
  const [period] = couponPeriods(bond, settle)
  return Math.max(0, bond.coupon * yearsAccrued(bond, period as CouponPeriod, settle))
}

/**
 * Dirty price per 100 par from a yield in percent compounded at the coupon frequency; simple interest for a single
 * remaining payment at most one period away.
 */
export function cleanPrice(bond: Bond, yieldPct: number, settle: Day): number {
  const flows = cashFlows(bond, settle)
  return dirtyFromFlows(flows, yieldPct).price - flows.accrued
}

/** Yield in percent, street convention, from a clean price per 100 par; or null with the reason. */
export const yieldToMaturity = (bond: Bond, cleanPrice: number, settle: Day): Yield =>
  yieldToCall(bond, cleanPrice, settle, { day: bond.maturity, price: 100 })

/** Yield in percent to one redemption day and price. */
export function yieldToCall(bond: Bond, cleanPrice: number, settle: Day, call: Redemption): Yield {
  if (!Number.isFinite(bond.coupon) || !Number.isFinite(bond.maturity) || !Number.isFinite(settle))
    return { ytm: null, reason: 'no_terms' }
  if (!isFrequency(bond.frequency) || call.day > bond.maturity || !(call.price > 0))
    return { ytm: null, reason: 'no_terms' }
  if (bond.accrualStart !== null && bond.accrualStart >= bond.maturity)
    return { ytm: null, reason: 'no_terms' }
  if (bond.isDefaulted) return { ytm: null, reason: 'defaulted' }
  if (settle >= bond.maturity || settle >= call.day) return { ytm: null, reason: 'matured' }
  if (!(cleanPrice > 0) || cleanPrice === Infinity) return { ytm: null, reason: 'no_price' }
  const flows = cashFlows(bond, settle, call)
  return solveYield(flows, cleanPrice + flows.accrued)
}

/** Yield to worst in percent over maturity and the calls ahead, with the redemption that gives it. */
export function yieldToWorst(
  bond: Bond,
  cleanPrice: number,
  settle: Day,
  calls: readonly Redemption[],
):
  | { ytw: number; redemption: Redemption; reason: null }
  | { ytw: null; redemption: null; reason: NoYieldReason } {
  const maturity = { day: bond.maturity, price: 100 }
  const toMaturity = yieldToMaturity(bond, cleanPrice, settle)
  if (toMaturity.ytm === null) return { ytw: null, redemption: null, reason: toMaturity.reason }
  let worst = { ytw: toMaturity.ytm, redemption: maturity, reason: null }
  for (const call of calls) {
    const { ytm } = call.day < bond.maturity ? yieldToCall(bond, cleanPrice, settle, call) : toMaturity
    if (ytm !== null && ytm < worst.ytw) worst = { ytw: ytm, redemption: call, reason: null }
  }
  return worst
}

/** Years: the time-weighted present value of the cash flows at a yield in percent. */
export function macaulayDuration(bond: Bond, yieldPct: number, settle: Day): number {
  const flows = cashFlows(bond, settle)
  const { modDuration, growth } = dirtyFromFlows(flows, yieldPct)
  return modDuration * growth
}

/** Years: the relative fall in dirty price for a rise in yield, at a yield in percent. */
export const modifiedDuration = (bond: Bond, yieldPct: number, settle: Day): number =>
  dirtyFromFlows(cashFlows(bond, settle), yieldPct).modDuration

/** Years squared: the second derivative of the dirty price over the price, at a yield in percent. */
export const convexity = (bond: Bond, yieldPct: number, settle: Day): number =>
  dirtyFromFlows(cashFlows(bond, settle), yieldPct).convexity

/** DV01: cents per 100 par by which the price falls when the yield rises by a basis point. */
export function dv01(bond: Bond, yieldPct: number, settle: Day): number {
  const { price, modDuration } = dirtyFromFlows(cashFlows(bond, settle), yieldPct)
  return dv01FromDuration(modDuration, price)
}

/** DV01 in cents per 100 par, from modified duration in years and dirty price. */
export const dv01FromDuration = (modDuration: number, dirty: number): number => (modDuration * dirty) / 100
