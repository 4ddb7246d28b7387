// Indices below are within bounds by construction: checks would cost in the loops.

import { cashFlows, yieldToMaturity } from './bond.ts'
import type { Day } from './calendar.ts'
import { LEAST_GROWTH, MAX_STEPS } from './solve-yield.ts'
import type { Bond, NoYieldReason } from './terms.ts'

/**
 * Par yields of a day: tenors in years, ascending, and rates in percent compounded twice a year (bond equivalent).
 */
export type ParCurve = { tenorYears: readonly number[]; ratePct: readonly number[] }

export type CurvePoint = {
  /** Percent. */
  ratePct: number
  /** True outside the curve's tenors, where the nearest rate is held flat. */
  isExtrapolated: boolean
}

/**
 * The par yield at a maturity in years; null for an empty curve. Linear between the day's available tenors, flat
 * outside them.
 */
export function interpolate(curve: ParCurve, years: number): CurvePoint | null {
  const { tenorYears, ratePct } = curve
  const last = tenorYears.length - 1
  if (last < 0 || !Number.isFinite(years)) return null
  return {
    ratePct: linear(tenorYears, ratePct, 0, last + 1, years),
    isExtrapolated: years < tenorYears[0]! || years > tenorYears[last]!,
  }
}

/** Minimum number of points of a curve. */
export const FEWEST_CURVE_POINTS = 2
/** A curve extends beyond its first and last point by this factor. */
const BEYOND = 1.5
/**
 * A curve that starts at or below this many years is held flat below; one that ends at or above `LONG` is held flat
 * above.
 */
const SHORT = 1
const LONG = 20
/** Adjacent points are joined if the longer is at most this many times the shorter, or this many years away. */
const WIDEST_RATIO = 5
const WIDEST_GAP_YEARS = 2

/**
 * Whether points `from` up to (not including) `to` cover a maturity in years: at least two, the maturity not too far
 * outside, and its two neighbours not too far apart.
 */
export function isWithinReach(
  tenorYears: ArrayLike<number>,
  from: number,
  to: number,
  years: number,
): boolean {
  if (to - from < FEWEST_CURVE_POINTS || !Number.isFinite(years)) return false
  const [first, last] = [tenorYears[from]!, tenorYears[to - 1]!]
  if (years < first) return first <= SHORT || years * BEYOND >= first
  if (years > last) return last >= LONG || years <= last * BEYOND
  let at = from
  while (tenorYears[at]! < years) at++
  if (tenorYears[at] === years) return true
  const [left, right] = [tenorYears[at - 1]!, tenorYears[at]!]
  return right <= left * WIDEST_RATIO || right - left <= WIDEST_GAP_YEARS
}

/** Linear between points `from` up to (not including) `to`, flat outside; abscissas ascending. */
export function linear(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  from: number,
  to: number,
  x: number,
): number {
  if (x <= xs[from]!) return ys[from]!
  for (let i = from + 1; i < to; i++) {
    const right = xs[i]!
    if (x > right) continue
    const left = xs[i - 1]!
    return ys[i - 1]! + ((ys[i]! - ys[i - 1]!) * (x - left)) / (right - left)
  }
  return ys[to - 1]!
}

/** As `interpolate`, null where the curve does not reach the maturity. */
export const parYieldAt = (curve: ParCurve, years: number): CurvePoint | null =>
  isWithinReach(curve.tenorYears, 0, curve.tenorYears.length, years) ? interpolate(curve, years) : null

/** Spread in basis points of a yield (percent) over the interpolated par yield at the remaining maturity in years. */
export function spreadToCurveBps(ytmPct: number, curve: ParCurve, years: number): number | null {
  const point = interpolate(curve, years)
  return point === null ? null : (ytmPct - point.ratePct) * 100
}

/** Continuously compounded spot rates in percent at times in years of 365 days. */
export type SpotCurve = { years: readonly number[]; zeroPct: readonly number[] }

/** The spot rate in percent, continuously compounded: linear between the points, flat outside. */
export const spotRate = (curve: SpotCurve, years: number): number =>
  linear(curve.years, curve.zeroPct, 0, curve.years.length, years)

/** The present value of one unit paid after the given number of years. */
export const discountFactor = (curve: SpotCurve, years: number): number =>
  Math.exp((-spotRate(curve, years) / 100) * years)

/**
 * Spot rates bootstrapped from par yields, half year by half year up to the last tenor: each prices at par the bond
 * that pays the linearly interpolated par yield, given the earlier rates. Continuously compounded spot rates are
 * linear between points. A Treasury of under half a year pays once, so tenors below the grid are zero coupons. Null
 * where the par yields admit no positive discount factor.
 */
export function bootstrapSpot(curve: ParCurve): SpotCurve | null {
  const last = curve.tenorYears.at(-1)
  if (last === undefined) return null
  const years: number[] = []
  const zeroPct: number[] = []
  const add = (t: number, factor: number) => {
    years.push(t)
    zeroPct.push((-Math.log(factor) / t) * 100)
  }
  for (const [i, t] of curve.tenorYears.entries())
    if (t > 0 && t < 0.5) add(t, (1 + curve.ratePct[i]! / 200) ** (-2 * t))
  let annuity = 0
  for (let half = 1; half <= Math.max(1, Math.round(last * 2)); half++) {
    const coupon = interpolate(curve, half / 2)!.ratePct / 200
    const factor = (1 - coupon * annuity) / (1 + coupon)
    if (!(factor > 0)) return null
    annuity += factor
    add(half / 2, factor)
  }
  return { years, zeroPct }
}

export type ZSpread = { bps: number; reason: null } | { bps: null; reason: NoYieldReason }

/**
 * Z-spread in basis points, compounded twice a year: the shift of all spot rates at which the cash flows are worth
 * the clean price (per 100 par). Time is actual days from `settle` over 365.
 */
export function zSpread(bond: Bond, cleanPrice: number, settle: Day, curve: SpotCurve): ZSpread {
  const { ytm, reason } = yieldToMaturity(bond, cleanPrice, settle)
  if (reason !== null) return { bps: null, reason }
  const flows = cashFlows(bond, settle)
  const times = flows.days.map(day => (day - settle) / 365)
  const growths = times.map(t => Math.exp(spotRate(curve, t) / 200))
  const dirty = cleanPrice + flows.accrued
  const lowest = LEAST_GROWTH - Math.min(...growths)

  let low = lowest
  let high = Number.POSITIVE_INFINITY
  let s = Math.max(ytm / 200 - growths.at(-1)! + 1, lowest / 2)
  for (let step = 0; step < MAX_STEPS; step++) {
    let [price, slope] = [0, 0]
    for (let i = 0; i < times.length; i++) {
      const t = times[i]!
      const growth = growths[i]! + s
      const value = flows.amounts[i]! * growth ** (-2 * t)
      price += value
      slope += (value * 2 * t) / growth
    }
    const miss = Math.log(price / dirty)
    if (miss > 0) low = s
    else high = s
    const newton = s + (miss * price) / slope
    if (Math.abs(newton - s) <= 1e-10 * (1 + Math.abs(s))) return { bps: newton * 20_000, reason: null }
    if (newton > low && newton < high) s = newton
    else s = high === Number.POSITIVE_INFINITY ? (s + 1) * 2 : (low + high) / 2
  }
  return { bps: null, reason: 'no_convergence' }
}
