import type { Day } from './calendar.ts'

/** What one item added up to from `start` to `end`, both days counted, as a filing states it. */
export type Flow = { start: Day; end: Day; value: number }

/** Four quarters a fiscal year; the lengths, in days, leave room for 52 and 53 week years. */
const LENGTHS = [
  { quarters: 1, from: 80, to: 100 },
  { quarters: 2, from: 170, to: 195 },
  { quarters: 3, from: 260, to: 285 },
  { quarters: 4, from: 350, to: 380 },
] as const

/** Filers on 52 and 53 week years start a period up to a week off the month; two periods still meet. */
const SAME_DAY = 7

/** Quarters that an interval spans, 1 to 4, or null where its length is none of them. */
export function quartersOf({ start, end }: Pick<Flow, 'start' | 'end'>): 1 | 2 | 3 | 4 | null {
  const days = end - start + 1
  return LENGTHS.find(length => days >= length.from && days <= length.to)?.quarters ?? null
}

const isSame = (a: Day, b: Day) => Math.abs(a - b) <= SAME_DAY

/** The flow of so many quarters nearest to the given end and start; of equals the one stated last. */
function flowOf(
  flows: readonly Flow[],
  quarters: number,
  where: { start?: Day; end?: Day },
): Flow | undefined {
  let nearest: Flow | undefined
  let least = Number.POSITIVE_INFINITY
  for (const flow of flows) {
    if (quartersOf(flow) !== quarters || !Number.isFinite(flow.value)) continue
    if (where.end !== undefined && !isSame(flow.end, where.end)) continue
    if (where.start !== undefined && !isSame(flow.start, where.start)) continue
    const distance =
      (where.end === undefined ? 0 : Math.abs(flow.end - where.end)) +
      (where.start === undefined ? 0 : Math.abs(flow.start - where.start))
    if (distance <= least) {
      nearest = flow
      least = distance
    }
  }
  return nearest
}

export type Quarter =
  | {
      value: number
      method: 'direct' | 'ytd_difference' | 'annual_less_quarters'
      /** The quarter's own days. */
      start: Day
      end: Day
      used: Flow[]
      reason: null
    }
  | { value: null; reason: 'no_flow_at_period_end' | 'no_shorter_period' }

/**
 * The single quarter that ends on (or within a week of) a day: as stated, else the difference of two year-to-date
 * figures that start together, else the year less its first three quarters.
 */
export function quarterFromIntervals(flows: readonly Flow[], end: Day): Quarter {
  const direct = flowOf(flows, 1, { end })
  if (direct)
    return {
      value: direct.value,
      method: 'direct',
      start: direct.start,
      end: direct.end,
      used: [direct],
      reason: null,
    }
  let hasFlow = false
  for (const quarters of [2, 3, 4]) {
    const longer = flowOf(flows, quarters, { end })
    if (!longer) continue
    hasFlow = true
    const shorter = flowOf(flows, quarters - 1, { start: longer.start })
    if (!shorter || quartersOf({ start: shorter.end + 1, end: longer.end }) !== 1) continue
    return {
      value: longer.value - shorter.value,
      method: 'ytd_difference',
      start: shorter.end + 1,
      end: longer.end,
      used: [longer, shorter],
      reason: null,
    }
  }
  const year = flowOf(flows, 4, { end })
  if (year) {
    const used: Flow[] = []
    let start = year.start
    for (let i = 0; i < 3; i++) {
      const quarter = flowOf(flows, 1, { start })
      if (!quarter) return { value: null, reason: 'no_shorter_period' }
      used.push(quarter)
      start = quarter.end + 1
    }
    if (quartersOf({ start, end: year.end }) === 1)
      return {
        value: used.reduce((left, quarter) => left - quarter.value, year.value),
        method: 'annual_less_quarters',
        start,
        end: year.end,
        used: [year, ...used],
        reason: null,
      }
  }
  return { value: null, reason: hasFlow ? 'no_shorter_period' : 'no_flow_at_period_end' }
}

export type Ttm =
  | {
      value: number
      /** Quarters of stated figures behind the value: 4 unless annualised. */
      quarters: number
      is_annualized: boolean
      method: 'fiscal_year' | 'year_plus_ytd_less_prior_ytd' | 'four_quarters' | 'annualized'
      used: Flow[]
      reason: null
    }
  | { value: null; reason: 'no_flow_at_period_end' }

/**
 * The twelve months to the period end: the fiscal year, rolled on by the year to date less the one before; else four
 * quarters; else the longest period that ends there, annualised and flagged. All flows are of one item.
 */
export function trailingTwelveMonths(
  flows: readonly Flow[],
  end: Day = Math.max(...flows.map(flow => flow.end)),
): Ttm {
  const full = { quarters: 4, is_annualized: false, reason: null } as const
  const year = flowOf(flows, 4, { end })
  if (year) return { ...full, value: year.value, method: 'fiscal_year', used: [year] }

  for (const quarters of [3, 2, 1]) {
    const toDate = flowOf(flows, quarters, { end })
    if (!toDate) continue
    const before = flowOf(flows, 4, { end: toDate.start - 1 })
    const priorToDate = before && flowOf(flows, quarters, { start: before.start, end: end - 364 })
    if (!priorToDate) continue
    return {
      ...full,
      value: before.value + toDate.value - priorToDate.value,
      method: 'year_plus_ytd_less_prior_ytd',
      used: [before, toDate, priorToDate],
    }
  }

  const used: Flow[] = []
  let value = 0
  let until = end
  for (let i = 0; i < 4; i++) {
    const quarter = quarterFromIntervals(flows, until)
    if (quarter.value === null) break
    value += quarter.value
    used.unshift(...quarter.used)
    until = quarter.start - 1
    if (i === 3) return { ...full, value, method: 'four_quarters', used: [...new Set(used)] }
  }

  for (const quarters of [3, 2, 1]) {
    const longest = flowOf(flows, quarters, { end })
    if (longest)
      return {
        value: (longest.value * 4) / quarters,
        quarters,
        is_annualized: true,
        method: 'annualized',
        used: [longest],
        reason: null,
      }
  }
  return { value: null, reason: 'no_flow_at_period_end' }
}
