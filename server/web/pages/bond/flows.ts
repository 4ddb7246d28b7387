import { bond } from '../../../../engine/credit/bond.ts'
import { addBusinessDays, formatDay, parseDay } from '../../../../engine/credit/calendar.ts'
import type { DayCount } from '../../../../engine/credit/day-count.ts'
import { principalAt, promisedFlows } from '../../../../engine/credit/options/promised.ts'
import { repaymentsIn, sinkingFlows } from '../../../../engine/credit/options/sinking.ts'
import { isFrequency } from '../../../../engine/credit/schedule.ts'
import type { Bond } from '../../../../engine/schema/resources/bonds.ts'

export interface Flow {
  readonly day: string
  /** Per 100 of par. */
  readonly coupon: number
  readonly principal: number
}

/**
 * What a buyer on a day receives until maturity per 100 outstanding, by the engine's own schedule; null if the terms are
 * unknown or a sinking schedule does not fit them.
 */
export function flowsOf(terms: Bond, asOf: string): readonly Flow[] | null {
  const { coupon_rate, maturity_date, coupon_frequency, day_count, rate_structure } = terms
  if (coupon_rate === null || maturity_date === null || maturity_date <= asOf) return null
  if (rate_structure !== 'fixed' && rate_structure !== 'zero') return null
  const frequency = coupon_frequency ?? 2
  if (!isFrequency(frequency)) return null
  const schedule = terms.sinking_schedule ?? null
  const day = (text: string | null | undefined) => (text ? parseDay(text) : null)
  const paying = bond({
    coupon: coupon_rate,
    maturity: parseDay(maturity_date),
    frequency,
    dayCount: (day_count ?? '30/360') as DayCount,
    accrualStart: day(terms.accrual_date ?? terms.issue_date),
    firstCoupon: day(terms.first_coupon_date),
  })
  const settle = addBusinessDays(parseDay(asOf), 1)
  const repayments = schedule === null ? [] : repaymentsIn(JSON.stringify(schedule))
  const flows =
    repayments?.length === 0
      ? promisedFlows(paying, settle)
      : repayments && sinkingFlows(paying, settle, repayments)
  if (flows === null) return null
  return flows.days.map((at, i) => {
    const principal = principalAt(flows, i)
    return { day: formatDay(at), coupon: flows.amounts[i]! - principal, principal }
  })
}
