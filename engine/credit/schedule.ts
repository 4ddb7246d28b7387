import { addMonths, type Day } from './calendar.ts'
import { days30360, yearFraction } from './day-count.ts'
import type { Bond, Frequency } from './terms.ts'

export const isFrequency = (couponsAYear: number): couponsAYear is Frequency =>
  couponsAYear >= 1 && 12 % couponsAYear === 0

/** Interest accrues from `start` and is paid at `end`; `isRegular` if that is one full period of the grid. */
export type CouponPeriod = { start: Day; end: Day; isRegular: boolean }

type Terms = Pick<
  Bond,
  'maturity' | 'frequency' | 'accrualStart' | 'firstCoupon' | 'lastRegularCoupon' | 'endOfMonth'
>

/**
 * The shortest first period, as a share of a full one, that is paid alone when the first coupon date is unknown.
 * Issuers merge shorter ones into the next, making a long first period: among 88 young semiannual dollar bonds, all
 * but one of the 69 under 75 days were merged, and 15 of the 19 longer ones were paid alone.
 */
export const SHORTEST_FIRST_PERIOD = 75 / 180

/** Whether a first period of so many 30/360 days is merged into the next one. */
export const isMerged = (days: number, frequency: number): boolean =>
  days * frequency < SHORTEST_FIRST_PERIOD * 360

/** The regular date k periods before (k > 0) the anchor, from which the schedule is counted backwards. */
function gridDate(terms: Terms, k: number): Day {
  const anchor = terms.lastRegularCoupon ?? terms.maturity
  return k === 0 ? anchor : addMonths(anchor, (-k * 12) / terms.frequency, terms.endOfMonth)
}

/** The first k for which the grid date is at or before the day. */
function gridIndex(terms: Terms, day: Day): number {
  const anchor = terms.lastRegularCoupon ?? terms.maturity
  let k = Math.max(0, Math.floor(((anchor - day) * terms.frequency) / 366) - 1)
  while (gridDate(terms, k) > day) k++
  return k
}

/** The grid index of the first coupon date, given that accrual starts at `accrualStart`. */
function firstCouponIndex(terms: Terms, accrualStart: Day): number {
  if (terms.firstCoupon !== null) {
    const k = gridIndex(terms, terms.firstCoupon)
    return gridDate(terms, k) === terms.firstCoupon ? k : k - 1
  }
  const k = gridIndex(terms, accrualStart) - 1
  const days = k >= 1 ? days30360(accrualStart, gridDate(terms, k), terms.endOfMonth) : 360
  return isMerged(days, terms.frequency) ? k - 1 : k
}

/**
 * The coupon periods not yet paid at `after`, in order, starting with the one that accrues. Dates are counted
 * backwards from maturity (or from the date before an odd last period) and not adjusted for weekends.
 */
export function couponPeriods(terms: Terms, after: Day): CouponPeriod[] {
  const { accrualStart, lastRegularCoupon, maturity } = terms
  const periods: CouponPeriod[] = []
  const accruing = gridIndex(terms, after)
  const first = accrualStart === null ? Number.POSITIVE_INFINITY : firstCouponIndex(terms, accrualStart)
  if (accrualStart !== null && first < 0) return [{ start: accrualStart, end: maturity, isRegular: false }]
  const oldest = Math.min(accruing - 1, first)
  let before = gridDate(terms, oldest + 1)
  for (let k = oldest; k >= 0; k--) {
    const end = gridDate(terms, k)
    const start = accrualStart !== null && k === first ? accrualStart : before
    periods.push({ start, end, isRegular: start === before })
    before = end
  }
  if (lastRegularCoupon !== null) periods.push({ start: lastRegularCoupon, end: maturity, isRegular: false })
  return periods
}

type Accruing = Terms & Pick<Bond, 'dayCount'>

/** Years of interest from the start of a period to a day in it, by the bond's day count. */
export function yearsAccrued(terms: Accruing, period: CouponPeriod, to: Day): number {
  const { dayCount, endOfMonth, frequency } = terms
  const anchor = terms.lastRegularCoupon ?? terms.maturity
  const years = yearFraction(dayCount, period.start, to, { anchor, months: 12 / frequency, endOfMonth })
  return period.isRegular && dayCount === '30/360' ? Math.min(years, 1 / frequency) : years
}

/** Years of interest that a period pays: regular periods pay equal coupons under 30/360 and ACT/ACT. */
export function yearsLong(terms: Accruing, period: CouponPeriod): number {
  const isEqual = terms.dayCount === '30/360' || terms.dayCount === 'ACT/ACT'
  return period.isRegular && isEqual ? 1 / terms.frequency : yearsAccrued(terms, period, period.end)
}
