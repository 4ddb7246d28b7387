import { integer } from '../../../engine/schema/column.ts'
import { fallback, one } from '../../../engine/schema/params.ts'
import type { CallTypes, Endpoint, Meta } from './endpoint.ts'
import { DAY, summarise } from './usage-summary.ts'

export interface Usage {
  period_start: string
  period_end: string
  total_queries: number
  total_cost: number
  avg_queries_per_day: number
  peak_day: string | null
  peak_day_queries: number
  error_rate: number | null
  latency_ms: { p50: number | null; p95: number | null; p99: number | null }
  credits: { remaining: number; used: number; purchased: number }
  daily: { date: string; queries: number; cost: number; errors: number }[]
  endpoints: { endpoint: string; queries: number; cost: number; avg_ms: number }[]
  keys: { key_id: string; label: string | null; queries: number }[]
  trend: { direction: 'up' | 'down' | 'flat'; change_pct: number | null }
}

export const usageAnalytics = {
  name: 'usage.analytics',
  method: 'GET',
  path: '/v1/usage/analytics',
  doc: 'Usage of the account over the last days: queries, credits, errors, latency, and the change from the days before.',
  tier: 'business',
  cost: 'free',
  answers: 'object',
  params: {
    days: fallback(one(integer('Days to look back, including today, in UTC.'), { min: 1, max: 365 }), 30),
  },
  envelope: 'data',
  columns: null,
  examples: [],
  types: undefined as CallTypes<{ days?: number }, { data: Usage; meta: Meta }> | undefined,
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
} satisfies Endpoint

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
