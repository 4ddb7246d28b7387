// Indices below are within bounds by construction: checks would cost in the loops.

import type { CashFlows, Yield } from './terms.ts'

/** Amounts per 100 par at times counted in coupon periods. */
export type PeriodFlows = Pick<CashFlows, 'frequency' | 'periods' | 'amounts'>

/** Maximum number of iterations; a regular bond needs three or four. */
export const MAX_STEPS = 100

/** Lowest growth per period to search: below it, one plus the yield has too few digits to determine the price. */
export const LEAST_GROWTH = 1e-4
export const LEAST_LOG_GROWTH = Math.log(LEAST_GROWTH)
export const MOST_LOG_GROWTH = 600

export type Valuation = {
  /** Dirty, per 100 par. */
  price: number
  /** Years. */
  modDuration: number
  /** Years squared. */
  convexity: number
  /** One plus the yield per period: converts modified into Macaulay duration. */
  growth: number
}

/** True where the market uses simple interest: one payment left, at most a period away. */
export const isMoneyMarket = (flows: Pick<CashFlows, 'periods'>): boolean =>
  flows.periods.length === 1 && flows.periods[0]! <= 1

/** Dirty price per 100 par, modified duration (years) and convexity of cash flows at a yield in percent. */
export function dirtyFromFlows(flows: PeriodFlows, yieldPct: number): Valuation {
  const { frequency, periods, amounts } = flows
  const rate = yieldPct / 100 / frequency
  if (isMoneyMarket(flows)) {
    const w = periods[0]!
    const growth = 1 + rate * w
    const years = w / frequency
    const modDuration = years / growth
    return { price: amounts[0]! / growth, modDuration, convexity: 2 * modDuration * modDuration, growth }
  }
  const growth = 1 + rate
  const u = Math.log1p(rate)
  let [price, first, second] = [0, 0, 0]
  for (let i = 0; i < periods.length; i++) {
    const t = periods[i]!
    const value = amounts[i]! * Math.exp(-u * t)
    price += value
    first += value * t
    second += value * t * (t + 1)
  }
  return {
    price,
    modDuration: first / price / growth / frequency,
    convexity: second / price / (growth * growth) / (frequency * frequency),
    growth,
  }
}

/**
 * The yield in percent at which cash flows are worth a dirty price. Newton's method on the log price against the log
 * growth per period, a convex, decreasing and nearly straight curve, with bisection whenever a step would leave the
 * bracket.
 */
export function solveYield(flows: PeriodFlows, dirty: number): Yield {
  const { frequency, periods, amounts } = flows
  if (!(dirty > 0)) return { ytm: null, reason: 'no_price' }
  const last = periods.at(-1) ?? 0
  if (!(last > 0)) return { ytm: null, reason: 'no_time_left' }
  if (isMoneyMarket(flows)) {
    const ytm = ((amounts[0]! / dirty - 1) / last) * frequency * 100
    return Number.isFinite(ytm) ? { ytm, reason: null } : { ytm: null, reason: 'no_convergence' }
  }

  const target = Math.log(dirty)
  let [low, high] = [LEAST_LOG_GROWTH, MOST_LOG_GROWTH]
  let u = 0.03
  for (let step = 0; step < MAX_STEPS; step++) {
    let [price, slope] = [0, 0]
    for (let i = 0; i < periods.length; i++) {
      const t = periods[i]!
      const value = amounts[i]! * Math.exp(-u * t)
      price += value
      slope += value * t
    }
    const miss = Math.log(price) - target
    if (miss > 0) low = u
    else high = u
    const newton = u + (miss * price) / slope
    const next = newton >= low && newton <= high ? newton : (low + high) / 2
    // Newton doubles the digits per step: the next one would only add noise.
    if (Math.abs(newton - u) <= 1e-9 * (1 + Math.abs(u)))
      return { ytm: Math.expm1(newton) * frequency * 100, reason: null }
    u = next
  }
  return { ytm: null, reason: 'no_convergence' }
}
