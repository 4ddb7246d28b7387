import { bond, modifiedDuration, yieldToMaturity } from './bond.ts'
import { addMonths, type Day } from './calendar.ts'
import type { Bond } from './terms.ts'

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
  /** The day interest starts to accrue, and the first coupon date where the schedule's rule would choose another. */
  accrualStart?: Day | null
  firstCoupon?: Day | null
  /** Years. */
  publishedModifiedDuration: number
  /** Percent, to maturity: of a bond that floats later it holds a forecast of the floating coupons. */
  publishedYieldToMaturity?: number | null
  /** Percent; the lowest yield the publisher gives. */
  publishedYieldToWorst?: number | null
  /** Banks, insurers and brokers: whose debt has this form. */
  isFinancial?: boolean
}

/** Months before maturity at which fixed coupons end: nearly always a year (4NC3, 6NC5, 11NC10), else that of a reset. */
const SHAPES = [
  { months: 12, isCommon: true },
  { months: 60, isCommon: false },
  { months: 24, isCommon: false },
] as const

/** Durations are published with two decimals: half a unit of the last, and a hair, in years. */
const ROUNDING = 0.006
/** What else parts a published duration from ours for the same cash flows, as a share: rounded coupons and prices. */
const SAME_DURATION = 0.003
/** The same where the last fixed day is ours, and not the publisher's. */
const LIKE_DURATION = 0.01
/** How far, in percent, a published yield may lie from ours for the same cash flows, and from when on it is another. */
const SAME_YIELD = 0.01
const OTHER_YIELD = 0.03

type Bullet = { ytm: number; duration: number }

/**
 * The last fixed day of a bond that a publisher treats as fixed-to-float, or null where nothing says so. Either its
 * modified duration is that of the bullet to that day and not of the bullet to maturity; or its yield to worst is, while
 * its duration or its yield to maturity is not that of a bullet to maturity, so that no ordinary call explains it. A
 * yield alone may agree by chance: that is believed of financial issuers, and of others with a duration like no bullet's.
 * Rarer shapes than a year need both.
 */
export function looksFixedToFloat(published: PublishedRisk): Day | null {
  const held = bullet(published, published.maturity)
  if (held === null) return null
  for (const { months, isCommon } of SHAPES) {
    const lastFixed = addMonths(published.maturity, -months)
    const shorter = bullet(published, lastFixed)
    if (shorter === null) continue
    const byDuration = hasDurationOf(published, shorter, held)
    const byYield = hasYieldOf(published, shorter, held)
    if (isCommon ? byDuration || byYield : byDuration && byYield) return lastFixed
  }
  return null
}

const isDuration = (said: number, { duration }: Bullet, share: number): boolean =>
  Math.abs(said - duration) <= ROUNDING + share * duration

function hasDurationOf(
  { publishedModifiedDuration: said }: PublishedRisk,
  shorter: Bullet,
  held: Bullet,
): boolean {
  const isNearer = 2 * Math.abs(said - shorter.duration) < Math.abs(said - held.duration)
  return isNearer && isDuration(said, shorter, LIKE_DURATION) && !isDuration(said, held, SAME_DURATION)
}

function hasYieldOf(published: PublishedRisk, shorter: Bullet, held: Bullet): boolean {
  const { publishedYieldToWorst: worst, publishedYieldToMaturity: toMaturity, isFinancial } = published
  if (worst == null) return false
  const isShorter = Math.abs(worst - shorter.ytm) <= SAME_YIELD && Math.abs(worst - held.ytm) > OTHER_YIELD
  const isBulletInYield = toMaturity == null || Math.abs(toMaturity - held.ytm) <= OTHER_YIELD
  const isBulletInDuration = isDuration(published.publishedModifiedDuration, held, SAME_DURATION)
  return isShorter && (!isBulletInDuration || (isFinancial === true && !isBulletInYield))
}

function bullet(
  { coupon, price, settle, accrualStart, firstCoupon }: PublishedRisk,
  maturity: Day,
): Bullet | null {
  const terms = bond({
    coupon,
    maturity,
    accrualStart: accrualStart ?? null,
    firstCoupon: firstCoupon ?? null,
  })
  const { ytm } = yieldToMaturity(terms, price, settle)
  return ytm === null ? null : { ytm, duration: modifiedDuration(terms, ytm, settle) }
}
