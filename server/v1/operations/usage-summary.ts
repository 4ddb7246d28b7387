import type { Balance, UsageRows } from '../../state/state.ts'

/** Milliseconds. */
export const DAY = 86_400_000

type Day = UsageRows['daily'][number]

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const sum = (days: readonly Day[], of: (day: Day) => number): number =>
  days.reduce((total, day) => total + of(day), 0)

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** `start` is the first moment of the period, `days` its length; `before` is as long. */
export function summarise({
  start,
  days,
  period,
  before,
  credits,
}: {
  start: number
  days: number
  period: UsageRows
  before: UsageRows
  credits: Balance
}) {
  const known = new Map(period.daily.map(day => [day.date, day]))
  const daily = Array.from({ length: days }, (_, i): Day => {
    const date = dayOf(start + i * DAY)
    return known.get(date) ?? { date, queries: 0, cost: 0, errors: 0 }
  })
  const queries = sum(daily, day => day.queries)
  const earlier = sum(before.daily, day => day.queries)
  const peak = daily.reduce((most, day) => (day.queries > most.queries ? day : most))
  return {
    period_start: dayOf(start),
    period_end: dayOf(start + (days - 1) * DAY),
    total_queries: queries,
    total_cost: sum(daily, day => day.cost),
    avg_queries_per_day: round(queries / days, 2),
    peak_day: queries > 0 ? peak.date : null,
    peak_day_queries: peak.queries,
    error_rate: queries > 0 ? round(sum(daily, day => day.errors) / queries, 4) : null,
    latency_ms: period.latency_ms,
    credits,
    daily,
    endpoints: period.endpoints,
    keys: period.keys,
    trend: trend(queries, earlier),
  }
}

function trend(queries: number, earlier: number) {
  const direction = queries > earlier ? 'up' : queries < earlier ? 'down' : 'flat'
  return { direction, change_pct: earlier > 0 ? round((queries / earlier - 1) * 100, 1) : null }
}
