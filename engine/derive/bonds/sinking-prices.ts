import { elementAt } from '../../base/elements.ts'
import { bond, dv01FromDuration } from '../../credit/bond.ts'
import {
  averageLife,
  type Repayment,
  repaymentsIn,
  sinkingFlows,
  yieldOfFlows,
} from '../../credit/options/sinking.ts'
import { dirtyFromFlows } from '../../credit/solve-yield.ts'
import { type Bond, type Frequency, NO_YIELD_REASONS } from '../../credit/terms.ts'
import { type BondAnalytics, type BondColumns, DAY_COUNTS, NO_DAY } from '../../credit/yields.ts'
import type { Database } from '../../database/database.ts'

/** Why a price has no yield where the schedule of its bond cannot be read, or does not fit the bond. */
export const UNUSABLE_SCHEDULE = 'unusable_sinking_schedule'

/** The schedules of sinking bonds by `no`; null for one that cannot be read. */
export type Schedules = ReadonlyMap<number, readonly Repayment[] | null>

export async function sinkingSchedules(db: Database): Promise<Schedules> {
  const rows = await db.rows<{ no: number; schedule: string }>(
    'SELECT no, sinking_schedule AS schedule FROM bonds_base WHERE sinking_schedule IS NOT NULL ORDER BY no',
  )
  return new Map(rows.map(({ no, schedule }) => [no, repaymentsIn(schedule)]))
}

/** The prices of a part, by column. */
interface Prices {
  readonly bonds: Required<Omit<BondColumns, 'firstCoupon'>>
  readonly firstCoupon: Float64Array
  /** Whether interest floats. */
  readonly floats: Float64Array
  /** The number of the bond. */
  readonly bond: Float64Array
}

/**
 * Replaces the figures of sinking bonds, which `out` has as if of bullets, by those of their flows, and the remaining
 * years by their average life. `unusable` is the code of `UNUSABLE_SCHEDULE`.
 */
export function applySinking(
  { out, remaining }: { readonly out: BondAnalytics; readonly remaining: Float64Array },
  { bonds, firstCoupon, floats, bond: no }: Prices,
  schedules: Schedules,
  unusable: number,
): void {
  if (schedules.size === 0) return
  for (const [i, number] of no.entries()) {
    const schedule = schedules.get(number)
    if (schedule === undefined || floats[i] === 1 || out.reason[i] !== 0) continue
    const flows =
      schedule && sinkingFlows(termsAt(bonds, firstCoupon, i), elementAt(bonds.settle, i), schedule)
    const solved = flows && yieldOfFlows(flows, elementAt(bonds.price, i))
    if (!flows || !solved || solved.ytm === null) {
      out.reason[i] = solved ? NO_YIELD_REASONS.indexOf(solved.reason) : unusable
      if (solved) out.accrued[i] = Number.NaN
      for (const column of [out.ytm, out.modDuration, out.convexity, out.dv01]) column[i] = Number.NaN
      continue
    }
    const { price, modDuration, convexity } = dirtyFromFlows(flows, solved.ytm)
    out.ytm[i] = solved.ytm
    out.modDuration[i] = modDuration
    out.convexity[i] = convexity
    out.dv01[i] = dv01FromDuration(modDuration, price)
    remaining[i] = averageLife(flows)
  }
}

/** The terms of the bond of a price. */
function termsAt(bonds: Prices['bonds'], firstCoupons: Float64Array, i: number): Bond {
  const [start, firstCoupon] = [elementAt(bonds.accrualStart, i), elementAt(firstCoupons, i)]
  return bond({
    coupon: elementAt(bonds.coupon, i),
    maturity: elementAt(bonds.maturity, i),
    frequency: (bonds.frequency[i] || 2) as Frequency,
    dayCount: elementAt(DAY_COUNTS, elementAt(bonds.dayCount, i)),
    accrualStart: start === NO_DAY ? null : start,
    firstCoupon: elementAt(bonds.settle, i) < firstCoupon ? firstCoupon : null,
  })
}
