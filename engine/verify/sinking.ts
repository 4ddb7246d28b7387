import { lastOf } from '../base/elements.ts'
import { cashFlows } from '../credit/bond.ts'
import { type Day, dayIn } from '../credit/calendar.ts'
import type { Bond, CashFlows, Redemption } from '../credit/terms.ts'

/** The flows of a sinking bond per 100 owed at settlement, and its average life. */
export interface SinkingFlows extends CashFlows {
  readonly life: number
}

/**
 * A sinking bond is a portfolio of bonds with its coupon: one redeemed at par on each repayment, and the rest at the
 * redemption. Null where a repayment is on no coupon day or leaves nothing, or the schedule cannot be read.
 */
export function sinkingPortfolio(
  own: Bond,
  settle: Day,
  schedule: string,
  redemption: Redemption = { day: own.maturity, price: 100 },
): SinkingFlows | null {
  const repayments = readSchedule(schedule)
  if (repayments === null) return null
  const toMaturity = cashFlows(own, settle)
  const owed = 100 - sumOf(repayments.filter(({ day }) => day <= settle))
  const ahead = repayments.filter(({ day }) => day > settle && day < own.maturity)
  const atMaturity = owed - sumOf(ahead)
  if (owed <= 1e-6 || atMaturity <= 1e-6 * owed || ahead.some(({ day }) => !toMaturity.days.includes(day)))
    return null
  const flows = cashFlows(own, settle, redemption)
  const shares = ahead
    .filter(({ day }) => day < redemption.day)
    .map(({ day, percent }) => ({ day, share: percent / owed }))
  const rest = 1 - shares.reduce((sum, { share }) => sum + share, 0)
  const amounts = flows.amounts.map(amount => rest * amount)
  for (const { day, share } of shares)
    for (const [i, amount] of cashFlows(own, settle, { day, price: 100 }).amounts.entries())
      amounts[i] = (amounts[i] ?? 0) + share * amount
  const years = (day: Day) => (day - settle) / 365.25
  const life = shares.reduce(
    (sum, { day, share }) => sum + share * years(day),
    rest * years(lastOf(flows.days)),
  )
  return { ...flows, amounts, life }
}

interface Repayment {
  readonly day: Day
  readonly percent: number
}

const sumOf = (repayments: readonly Repayment[]): number =>
  repayments.reduce((sum, { percent }) => sum + percent, 0)

/** Repayments before maturity; null for a schedule that cannot be read. */
export function readSchedule(schedule: string): readonly Repayment[] | null {
  const parsed: unknown = JSON.parse(schedule)
  if (!Array.isArray(parsed)) return null
  const read = parsed.flatMap((entry): Repayment[] => {
    const { date, percent } = (entry ?? {}) as { date?: unknown; percent?: unknown }
    const day = dayIn(String(date))
    return day !== null && typeof percent === 'number' && percent > 0 ? [{ day, percent }] : []
  })
  return read.length === parsed.length && sumOf(read) <= 100.0001 ? read : null
}
