import { DEFAULT_RATING_MAX_AGE } from '../../../engine/credit/max-age.ts'
import { fixed, memberOf } from './figures.ts'

/** A price older than this many days is no quote of the day. */
const OLDEST_PRICE = 7
/** Quarters are filed within 45 days of their end: older figures miss one. */
const OLDEST_FIGURES = 150

const ofPrice = /(^|\.)(last_price|vwap|ytm|ytw|ytc|spread|z_spread|discount_margin|residual|fitted_spread)$/
const ofFigures =
  /^(total_debt|net_debt|secured_debt|cash|ebitda_ttm|(\w+_)?leverage(_ratio)?|interest_coverage)$/

const ofRating = /^(sp|moodys|fitch)_rating$/

/** Why a figure of a row is stale; null if it is not, or the row does not say how old it is. */
export function staleness(name: string, row: object): string | null {
  if (ofPrice.test(name)) {
    const days = memberOf(row, 'pricing.staleness_days') ?? memberOf(row, 'staleness_days')
    return typeof days === 'number' && days > OLDEST_PRICE
      ? `stale: last traded ${fixed(days, 0)} days before`
      : null
  }
  if (ofRating.test(name)) {
    const days = memberOf(row, 'rating_age_days')
    return typeof days === 'number' && days > DEFAULT_RATING_MAX_AGE && memberOf(row, name) !== null
      ? `stale: no rating action for ${fixed(days, 0)} days before`
      : null
  }
  const days = ofFigures.test(name) ? memberOf(row, 'figures_age_days') : null
  return typeof days === 'number' && days > OLDEST_FIGURES
    ? `stale: the period ended ${fixed(days, 0)} days before`
    : null
}
