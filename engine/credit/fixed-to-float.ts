import { type Bond, bond, modifiedDuration, yieldToMaturity } from './bond.ts'
import { addMonths, type Day } from './calendar.ts'

/** The bond as the market prices it: a bullet redeemed on `pricingMaturity`, the last day of its fixed coupon. */
export const asOfFixedToFloat = (terms: Bond, pricingMaturity: Day): Bond => ({
  ...terms,
  maturity: pricingMaturity,
  lastRegularCoupon: null,
})

export type PublishedRisk = {
  /** Percent. */
  coupon: number
  /** Clean, per 100 par. */
  price: number
  settle: Day
  maturity: Day
  /** Years. */
  publishedModifiedDuration: number
  /** Percent; the lowest yield the publisher gives. */
  publishedYieldToWorst?: number | null
}

/**
 * How far, as a share, the published duration must lie from that of the bullet to maturity. One percent and not two,
 * because a year is worth less than two percent of duration past 25 years.
 */
const UNLIKE_BULLET = 0.01
/** How near it must lie to that of the bullet a year shorter. */
const LIKE_SHORTER = 0.03
/** The same for the published yield, in percent. */
const YIELD_UNLIKE_BULLET = 0.03
const YIELD_LIKE_SHORTER = 0.01

/**
 * The last fixed day of a bond whose published modified duration, or else yield to worst, is that of a bullet one year
 * shorter, as bank debt that floats in its last year; null where they say nothing of the kind.
 */
export function looksFixedToFloat(published: PublishedRisk): Day | null {
  const lastFixed = addMonths(published.maturity, -12)
  const shorter = bullet(published, lastFixed)
  const held = bullet(published, published.maturity)
  if (shorter === null || held === null) return null
  const gap = (duration: number) => Math.abs(published.publishedModifiedDuration / duration - 1)
  const toHeld = gap(held.duration)
  const toShorter = gap(shorter.duration)
  if (toHeld > UNLIKE_BULLET && toShorter <= LIKE_SHORTER && toShorter < toHeld) return lastFixed
  const worst = published.publishedYieldToWorst
  if (worst === undefined || worst === null) return null
  const isPricedShorter =
    Math.abs(worst - held.ytm) > YIELD_UNLIKE_BULLET && Math.abs(worst - shorter.ytm) <= YIELD_LIKE_SHORTER
  return isPricedShorter ? lastFixed : null
}

function bullet({ coupon, price, settle }: PublishedRisk, maturity: Day) {
  const terms = bond({ coupon, maturity })
  const { ytm } = yieldToMaturity(terms, price, settle)
  return ytm === null ? null : { ytm, duration: modifiedDuration(terms, ytm, settle) }
}
