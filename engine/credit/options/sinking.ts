import { cashFlows } from '../bond.ts'
import { type Day, dayIn } from '../calendar.ts'
import type { Received } from '../returns.ts'
import { solveYield } from '../solve-yield.ts'
import type { Bond, Redemption, Yield } from '../terms.ts'
import { type FixedFlows, principalAt, promisedFlows } from './promised.ts'

/** A repayment before maturity, in percent of the amount issued. */
export interface Repayment {
  readonly day: Day
  readonly percent: number
}

/** Percents that are written with a few decimals may add up to a little more than all. */
const MOST_PERCENT = 100.0001

/**
 * A schedule `[{"date": "2027-06-01", "percent": 10}]`, by day. Null for any other JSON, and for one that repays more
 * than was issued.
 */
export function repaymentsIn(json: string): Repayment[] | null {
  const parsed: unknown = JSON.parse(json)
  if (!Array.isArray(parsed)) return null
  const repayments: Repayment[] = []
  for (const entry of parsed as ({ date?: unknown; percent?: unknown } | null)[]) {
    const { date, percent } = entry ?? {}
    const day = typeof date === 'string' ? dayIn(date) : null
    if (day === null || typeof percent !== 'number' || !(percent > 0)) return null
    repayments.push({ day, percent })
  }
  if (repayments.reduce((sum, { percent }) => sum + percent, 0) > MOST_PERCENT) return null
  return repayments.sort((a, b) => a.day - b.day)
}

/**
 * What a buyer at settlement receives of a bond that repays by a schedule, per 100 par outstanding then, up to a
 * redemption of the rest, by default at par on maturity. Null if a repayment ahead is on no coupon day, or leaves nothing for
 * maturity.
 */
export function sinkingFlows(
  bond: Bond,
  settle: Day,
  schedule: readonly Repayment[],
  redemption?: Redemption,
): FixedFlows | null {
  const repaid = schedule.reduce((sum, { day, percent }) => (day <= settle ? sum + percent : sum), 0)
  const left = 100 - repaid
  if (!(left > 1e-6)) return null
  const ahead = schedule.filter(({ day }) => day > settle && day < bond.maturity)
  const couponDays = new Set(cashFlows(bond, settle).days)
  if (ahead.some(({ day }) => !couponDays.has(day))) return null
  const sinks = ahead.map(({ day, percent }) => ({ day, amount: (100 * percent) / left }))
  // Something must be left for maturity, else it is not the maturity.
  if (sinks.reduce((sum, { amount }) => sum + amount, 0) > 100 - 1e-6) return null
  return promisedFlows(bond, settle, sinks, redemption)
}

/** Years from settlement to the repayments, by their size. */
export const averageLife = (flows: FixedFlows): number =>
  flows.days.reduce((sum, day, i) => sum + (principalAt(flows, i) / 100) * ((day - flows.settle) / 365.25), 0)

/** Yield in percent at which the flows are worth a clean price per 100 par outstanding. */
export const yieldOfFlows = (flows: FixedFlows, clean: number): Yield =>
  solveYield(flows, clean + flows.accrued)

/**
 * Coupons, and repayments before maturity, that a holder from the settlement of the flows up to another one receives.
 * What the last payment repays is the end of the holding.
 */
export function receivedBy(flows: FixedFlows, to: Day): Received {
  const { days, amounts } = flows
  let [coupons, repaid] = [0, 0]
  for (const [i, day] of days.entries()) {
    if (day > to) break
    const principal = principalAt(flows, i)
    coupons += (amounts[i] ?? 0) - principal
    if (i < days.length - 1) repaid += principal
  }
  return { coupons, repaid }
}
