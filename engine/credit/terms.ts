import type { Day } from './calendar.ts'
import type { DayCount } from './day-count.ts'

/** Coupons per year: divisors of twelve. */
export type Frequency = 1 | 2 | 3 | 4 | 6 | 12

/** Terms that decide a bond's cash flows. A zero coupon bond has coupon 0 and compounds at its frequency. */
export type Bond = {
  /** Percent a year. */
  coupon: number
  maturity: Day
  frequency: Frequency
  dayCount: DayCount
  /** The day interest starts to accrue; null if every period is regular or the day is unknown. */
  accrualStart: Day | null
  /** Given where the schedule's rule would choose another first coupon date. */
  firstCoupon: Day | null
  /** The coupon date before an odd last period; regular dates are then counted from it. */
  lastRegularCoupon: Day | null
  /** Pays on the last day of its months. */
  endOfMonth: boolean
  isDefaulted: boolean
}

/** Why a bond has no yield. The index is the code in columns; 0 means there is a yield. */
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

/** A day and the clean price (per 100 par) at which the issuer may, or must, redeem. */
export type Redemption = { day: Day; price: number }

/** What a buyer at `settle` receives: amounts per 100 par at times in coupon periods. */
export type CashFlows = {
  frequency: Frequency
  days: Day[]
  periods: number[]
  amounts: number[]
  /** Per 100 par. */
  accrued: number
}

export type Yield = { ytm: number; reason: null } | { ytm: null; reason: NoYieldReason }
