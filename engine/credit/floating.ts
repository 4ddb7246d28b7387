// Indices below are within bounds by construction: checks would cost in the loops.

import { addMonths, type Day } from './calendar.ts'
import { couponPeriods } from './schedule.ts'
import { MAX_STEPS } from './solve-yield.ts'
import type { Frequency } from './terms.ts'

/** A floating-rate note that pays its index plus a margin on ACT/360. */
export type Floater = {
  maturity: Day
  frequency: Frequency
  /** Basis points over the index. */
  quotedMarginBps: number
  /** Floor of the index rate, in basis points. */
  floorBps: number | null
}

export type FloatingMarket = {
  settle: Day
  /** Clean, per 100 par. */
  cleanPrice: number
  /** Percent; held flat. */
  indexPct: number
  /** The current coupon in percent, if it was set at another index rate. */
  currentCouponPct?: number
}

export type DiscountMargin =
  | { bps: number; reason: null }
  | { bps: null; reason: 'no_price' | 'matured' | 'no_convergence' }

/**
 * The discount margin over the index, in basis points, at which the flows, discounted period by period (simple
 * interest, ACT/360), are worth the price, with the index held flat.
 */
export function discountMargin(note: Floater, market: FloatingMarket): DiscountMargin {
  const { settle, cleanPrice, indexPct } = market
  if (settle >= note.maturity) return { bps: null, reason: 'matured' }
  if (!(cleanPrice > 0) || !Number.isFinite(cleanPrice)) return { bps: null, reason: 'no_price' }
  const floored = Math.max(indexPct, (note.floorBps ?? Number.NEGATIVE_INFINITY) / 100)
  const projected = floored + note.quotedMarginBps / 100
  const running = market.currentCouponPct ?? projected
  const periods = couponPeriods(
    {
      maturity: note.maturity,
      frequency: note.frequency,
      accrualStart: null,
      firstCoupon: null,
      lastRegularCoupon: null,
      endOfMonth: addMonths(note.maturity, 0, true) === note.maturity,
    },
    settle,
  )
  const dirty = cleanPrice + (running * (settle - periods[0]!.start)) / 360
  const years = periods.map((period, i) => (period.end - (i === 0 ? settle : period.start)) / 360)
  const amounts = periods.map(({ start, end }, i) => ((i === 0 ? running : projected) * (end - start)) / 360)
  amounts[amounts.length - 1]! += 100

  // Below this rate a growth factor would not be positive.
  let low = -1 / Math.max(...years)
  let high = Number.POSITIVE_INFINITY
  let rate = floored / 100
  for (let step = 0; step < MAX_STEPS; step++) {
    let [price, slope, discount, decay] = [0, 0, 1, 0]
    for (let i = 0; i < years.length; i++) {
      const t = years[i]!
      discount /= 1 + rate * t
      decay += t / (1 + rate * t)
      price += amounts[i]! * discount
      slope += amounts[i]! * discount * decay
    }
    const miss = Math.log(price / dirty)
    if (miss > 0) low = rate
    else high = rate
    const newton = rate + (miss * price) / slope
    if (Math.abs(newton - rate) <= 1e-12 * (1 + Math.abs(rate)))
      return { bps: newton * 10_000 - floored * 100, reason: null }
    if (newton > low && newton < high) rate = newton
    else rate = high === Number.POSITIVE_INFINITY ? (rate + 1) * 2 : (low + high) / 2
  }
  return { bps: null, reason: 'no_convergence' }
}
