import type { Day } from './calendar.ts'
import type { DayCount } from './day-count.ts'

/** Coupons a year: those that whole months make. */
export type Frequency = 1 | 2 | 3 | 4 | 6 | 12

/** Terms that decide a bond's cash flows. A zero coupon bond has coupon 0 and compounds at its frequency. */
export type Bond = {
  /** Percent a year. */
  coupon: number
  maturity: Day
  frequency: Frequency
  dayCount: DayCount
  /** The day interest starts to accrue; null where every period is regular or the day is not known. */
  accrualStart: Day | null
  /** Where the schedule's own rule would choose another first coupon date. */
  firstCoupon: Day | null
  /** The coupon date before an odd last period; the regular dates are then counted from it. */
  lastRegularCoupon: Day | null
  /** Pays on the last day of its months. */
  endOfMonth: boolean
  isDefaulted: boolean
}

/** Why a bond has no yield. The position is the code that columns carry; 0 stands for a yield. */
export const NO_YIELD_REASONS = [
  null,
  'no_price',
  'no_terms',
  'matured',
  'defaulted',
  'no_time_left',
  'no_convergence',
] as const

export type NoYieldReason = Exclude<(typeof NO_YIELD_REASONS)[number], null>

/** A day and the price (per 100 par, clean) at which the issuer may, or must, redeem. */
export type Redemption = { day: Day; price: number }

/** What a buyer at `settle` receives: amounts per 100 par at times counted in coupon periods. */
export type CashFlows = {
  frequency: Frequency
  days: Day[]
  periods: number[]
  amounts: number[]
  /** Per 100 par. */
  accrued: number
}

export type Yield = { ytm: number; reason: null } | { ytm: null; reason: NoYieldReason }
