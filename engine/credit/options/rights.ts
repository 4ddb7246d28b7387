// Indices below are within bounds by construction: checks would cost in the loops.

import type { Day } from '../calendar.ts'
import { redemptionsAhead } from '../calls.ts'
import { couponPeriods, yearsAccrued } from '../schedule.ts'
import type { Bond, Redemption } from '../terms.ts'

/**
 * When a bond may be redeemed at the prices of a schedule. `american`: on any day from the first date on, at the price
 * of the last date begun. `bermudan`: on the dates only. `european`: on the first date only.
 */
export const exerciseStyles = ['american', 'bermudan', 'european'] as const
export type ExerciseStyle = (typeof exerciseStyles)[number]

/** The right of one side to redeem at clean prices per 100 par. */
export interface ExerciseRight {
  readonly style: ExerciseStyle
  /** By day, ascending. */
  readonly dates: readonly Redemption[]
}

/** The calls or puts ahead of a settlement day; an American one in force is exercised at the shortest notice. */
export function exercisesAhead({ style, dates }: ExerciseRight, settle: Day, maturity: Day): Redemption[] {
  if (style === 'american') return redemptionsAhead(dates, settle, maturity)
  const ahead = dates.filter(({ day }) => day > settle && day < maturity)
  return style === 'european' ? ahead.filter(({ day }) => day === dates[0]!.day) : ahead
}

/** Interest accrued on days in ascending order, per 100 par; nothing on a coupon day. */
export function accruedOn(bond: Bond, settle: Day, days: readonly Day[]): number[] {
  const periods = couponPeriods(bond, settle)
  let at = 0
  return days.map(day => {
    while (at < periods.length - 1 && periods[at]!.end <= day) at++
    return Math.max(0, bond.coupon * yearsAccrued(bond, periods[at]!, day))
  })
}
