import { accruedInterest } from './bond.ts'
import { addMonths, type Day } from './calendar.ts'
import type { Bond } from './terms.ts'

/**
 * The eighth that a file rounded half up to two decimals: 3.88 is 3.875 and 4.13 is 4.125, while 4.12 cannot come
 * from an eighth and stays. Percent.
 */
export function snapToEighth(coupon: number): number {
  const eighth = Math.round(coupon * 8) / 8
  return Math.abs(Math.round(eighth * 100) / 100 - coupon) < 1e-9 ? eighth : coupon
}

/** Largest error of accrued interest computed from rounded prices, per 100 par. */
const ACCRUED_ROUNDING = 0.012
/** Below this accrual, in years, rounding hides the coupon. */
const LEAST_YEARS = 0.1

/**
 * The coupon (percent) that a bond currently pays according to its accrued interest (per 100 par): the stated one if
 * they agree, else the eighth within two points that does, as after a rating step-up. Young bonds are skipped,
 * because an odd first period also explains their accrued interest.
 */
export function couponThatAccrues(bond: Bond, accrued: number, settle: Day): number {
  const years = accruedInterest({ ...bond, coupon: 1 }, settle)
  const isYoung = bond.accrualStart === null || settle - bond.accrualStart < 366
  const agrees = (coupon: number) => Math.abs(coupon * years - accrued) <= ACCRUED_ROUNDING
  if (isYoung || years < LEAST_YEARS || agrees(bond.coupon)) return bond.coupon
  const eighth = Math.round((accrued / years) * 8) / 8
  return agrees(eighth) && Math.abs(eighth - bond.coupon) <= 2 ? eighth : bond.coupon
}

/**
 * The first coupon date of a young bond according to its accrued interest (per 100 par): a short first period is paid
 * alone or merged into the next, and accrual restarts only on coupon dates. Null where the schedule's rule already
 * agrees, or neither reading does.
 */
export function firstCouponThatAccrues(bond: Bond, accrued: number, settle: Day): Day | null {
  const { accrualStart } = bond
  if (accrualStart === null || settle <= accrualStart || settle - accrualStart >= 366) return null
  const disagrees = (terms: Bond) => Math.abs(accruedInterest(terms, settle) - accrued) > ACCRUED_ROUNDING
  if (!disagrees(bond)) return null
  const first = datesAfter(bond, accrualStart).find(day => !disagrees({ ...bond, firstCoupon: day }))
  return first ?? null
}

/** The next two regular coupon dates after a day. */
function datesAfter({ maturity, frequency, endOfMonth }: Bond, day: Day): Day[] {
  const dates: Day[] = []
  for (let at = maturity, k = 0; at > day; at = addMonths(maturity, (-++k * 12) / frequency, endOfMonth))
    dates.push(at)
  return dates.slice(-2).reverse()
}
