// Indices below are within bounds by construction: checks would cost in the loops.

import { cashFlows } from '../bond.ts'
import type { Day } from '../calendar.ts'
import { type SpotCurve, spotRate } from '../curve.ts'
import type { Floater } from '../floating.ts'
import { couponPeriods } from '../schedule.ts'
import type { Bond, Frequency, Redemption } from '../terms.ts'

/** A change of spot rates at a time in years, in decimals, compounded twice a year. */
export type RateMove = (years: number) => number

/** What a buyer at settlement receives unless an option is exercised, per 100 par outstanding. */
export interface PromisedFlows {
  readonly settle: Day
  readonly days: readonly Day[]
  readonly amounts: readonly number[]
  /** Par outstanding before each payment, per 100 at settlement. */
  readonly balances: readonly number[]
  readonly accrued: number
}

/** The flows of fixed coupons, with what a yield counts them by. */
export interface FixedFlows extends PromisedFlows {
  readonly amounts: number[]
  readonly frequency: Frequency
  /** Times of the payments in coupon periods. */
  readonly periods: number[]
}

/** A repayment of principal on a coupon day, per 100 par outstanding at settlement. */
export interface SinkPayment {
  readonly day: Day
  readonly amount: number
}

/**
 * The flows of a bond that repays at maturity, or earlier by a sinking or amortisation schedule. A redemption before
 * maturity pays its price for what is then outstanding.
 */
export function promisedFlows(
  bond: Bond,
  settle: Day,
  sinks: readonly SinkPayment[] = [],
  redemption: Redemption = { day: bond.maturity, price: 100 },
): FixedFlows {
  const { days, amounts, accrued, periods, frequency } = cashFlows(bond, settle, redemption)
  const repaid = new Map<Day, number>()
  for (const { day, amount } of sinks) {
    if (day <= settle || (day >= redemption.day && redemption.day < bond.maturity)) continue
    if (!days.includes(day)) throw new RangeError('a sinking payment must be on a coupon day')
    repaid.set(day, (repaid.get(day) ?? 0) + amount)
  }
  let balance = 100
  const balances = days.map(day => {
    const before = balance
    balance = Math.max(0, balance - (repaid.get(day) ?? 0))
    return before
  })
  const paid = amounts.map((amount, i) => {
    const isLast = i === days.length - 1
    const before = balances[i]!
    const coupon = (amount - (isLast ? redemption.price : 0)) * (before / 100)
    return coupon + (isLast ? (before * redemption.price) / 100 : before - balances[i + 1]!)
  })
  return { settle, days, amounts: paid, balances, accrued, periods, frequency }
}

/** The principal that a payment repays. */
export const principalAt = ({ balances }: PromisedFlows, i: number): number =>
  balances[i]! - (balances[i + 1] ?? 0)

/** Index rates that a floating-rate note is paid by: forward rates of a curve, after a move of it. */
export interface FloatingIndex {
  readonly settle: Day
  readonly curve: SpotCurve
  /**
   * Percent: the coupon that runs at settlement; null if it is the forward rate to the next coupon, plus the margin. It
   * was set before, so a move of the curve leaves it.
   */
  readonly currentCouponPct: number | null
}

/** The flows of a floating-rate note whose index follows the forward rates of a curve; ACT/360. */
export function floatingFlows(
  { maturity, frequency, quotedMarginBps, floorBps }: Floater,
  { settle, curve, currentCouponPct }: FloatingIndex,
  isMonthEnd: boolean,
  move: RateMove = unmoved,
): PromisedFlows {
  const terms = { maturity, frequency, accrualStart: null, firstCoupon: null, lastRegularCoupon: null }
  const periods = couponPeriods({ ...terms, endOfMonth: isMonthEnd }, settle)
  const discount = (day: Day, by: RateMove) => movedDiscount(curve, (day - settle) / 365, 0, by)
  const rates = periods.map(({ start, end }, i) => {
    if (i === 0 && currentCouponPct !== null) return currentCouponPct
    const [from, by] = [Math.max(start, settle), i === 0 ? unmoved : move]
    const forward = ((discount(from, by) / discount(end, by) - 1) * 36_000) / (end - from)
    return Math.max(forward, (floorBps ?? Number.NEGATIVE_INFINITY) / 100) + quotedMarginBps / 100
  })
  return {
    settle,
    days: periods.map(({ end }) => end),
    amounts: periods.map(
      ({ start, end }, i) => (rates[i]! * (end - start)) / 360 + (end === maturity ? 100 : 0),
    ),
    balances: periods.map(() => 100),
    accrued: (rates[0]! * (settle - periods[0]!.start)) / 360,
  }
}

/** Growth below which a rate has no meaning: a half year cannot lose more. */
const LEAST_GROWTH = 1e-4

/**
 * The discount factor after a shift of the spot rate, all compounded twice a year: the spread of a bond and moves of
 * the curve are added to rates in the same way, as in a Z-spread.
 */
export function movedDiscount(curve: SpotCurve, years: number, spread: number, move: RateMove): number {
  if (years <= 0) return 1
  const growth = Math.exp(spotRate(curve, years) / 200) + (spread + move(years)) / 2
  return Math.max(growth, LEAST_GROWTH) ** (-2 * years)
}

export const unmoved: RateMove = () => 0
