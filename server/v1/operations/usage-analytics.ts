import { integer } from '../../../engine/schema/column.ts'
import { fallback, one } from '../../../engine/schema/params.ts'
import type { Balance, UsageRows } from '../../state/state.ts'
import type { Endpoint } from './endpoint.ts'

const DAY = 86_400_000

type Day = UsageRows['daily'][number]

export const usageAnalytics: Endpoint = {
  name: 'usage.analytics',
  method: 'GET',
  path: '/v1/usage/analytics',
  doc: 'Usage of the account over the last days: queries, credits, errors, latency, and the trend against the days before.',
  tier: 'business',
  cost: 'free',
  params: {
    days: fallback(one(integer('Days to look back, including today, in UTC.'), { min: 1, max: 365 }), 30),
  },
  envelope: 'data',
  columns: null,
  examples: [],
  schema: schema(),
  async handle({ state, principal, args, now }) {
    const days = args['days'] as number
    const end = Math.floor(now / DAY) * DAY + DAY
    const start = end - days * DAY
    const [period, before, credits] = await Promise.all([
      state.usage(principal.accountId, start, end),
      state.usage(principal.accountId, start - days * DAY, start),
      state.balance(principal.keyId),
    ])
    return { body: { data: summarise({ start, days, period, before, credits }) } }
  },
}

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

function schema() {
  const text = { type: 'string' }
  const day = { type: 'string', format: 'date' }
  const count = { type: 'integer', minimum: 0 }
  const number = { type: 'number' }
  const orNull = (type: string) => ({ type: [type, 'null'] })
  const object = (properties: Record<string, object>) => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  })
  const rows = (properties: Record<string, object>) => ({ type: 'array', items: object(properties) })
  return object({
    data: object({
      period_start: day,
      period_end: day,
      total_queries: count,
      total_cost: { ...count, description: 'Credits at list price, charged or not.' },
      avg_queries_per_day: number,
      peak_day: { ...orNull('string'), format: 'date' },
      peak_day_queries: count,
      error_rate: { ...orNull('number'), description: 'Share of queries that ended in an error, 0 to 1.' },
      latency_ms: object({ p50: orNull('number'), p95: orNull('number'), p99: orNull('number') }),
      credits: object({ remaining: count, used: count, purchased: count }),
      daily: rows({ date: day, queries: count, cost: count, errors: count }),
      endpoints: rows({ endpoint: text, queries: count, cost: count, avg_ms: number }),
      keys: rows({ key_id: text, label: orNull('string'), queries: count }),
      trend: object({ direction: { enum: ['up', 'down', 'flat'] }, change_pct: orNull('number') }),
    }),
    meta: object({ request_id: text }),
  })
}
