// Indices below are within bounds by construction: checks would cost in the loops.

import { yieldToEventLoop } from '../../base/event-loop.ts'
import { ResidualHistory } from '../../credit/relative-value.ts'
import { type CurveInputs, dayCurves } from './day-curves.ts'
import type { Prices } from './priced-bonds.ts'
import type { RatingDays } from './rating-days.ts'

/** Weeks before a day whose residuals its z-scores are measured by. */
export const HISTORY_WEEKS = 52

/**
 * The residuals of every bond in the weeks before a day: each week's curves are fitted to its last prices, with the
 * ratings of its last day.
 */
export async function residualHistory(
  inputs: CurveInputs,
  prices: Prices,
  ratings: RatingDays,
  day: number,
): Promise<ResidualHistory> {
  const history = new ResidualHistory(inputs.bonds.size)
  for (let week = HISTORY_WEEKS; week >= 1; week--) {
    const last = day - 7 * week
    const own = pricesWithin(prices, last - 6, last)
    if (own.size === 0) continue
    const buckets = ratings.on(last, inputs.bonds.companyIds)
    const { residual } = dayCurves(inputs, own, buckets, { day: last, maxStaleness: 6 })
    for (let i = 0; i < own.size; i++)
      if (!Number.isNaN(residual[i]!)) history.add(own.bond[i]!, residual[i]!)
    await yieldToEventLoop()
  }
  return history
}

/** The prices from one day to another, both included. */
function pricesWithin(prices: Prices, from: number, to: number): Prices {
  const within: number[] = []
  for (let i = 0; i < prices.size; i++) if (prices.day[i]! >= from && prices.day[i]! <= to) within.push(i)
  const taken = (column: Float64Array) => {
    const values = new Float64Array(within.length)
    for (let i = 0; i < within.length; i++) values[i] = column[within[i]!]!
    return values
  }
  return {
    size: within.length,
    bond: taken(prices.bond),
    day: taken(prices.day),
    ytm: taken(prices.ytm),
    years: taken(prices.years),
    price: taken(prices.price),
    duration: taken(prices.duration),
    isEstimated: taken(prices.isEstimated),
  }
}
