import t from 'tap'
import { summarise } from '../../server/v1/operations/usage-summary.ts'

const none = { daily: [], endpoints: [], keys: [], latency_ms: { p50: null, p95: null, p99: null } }
const credits = { remaining: 0, used: 0, purchased: 0 }
const start = Date.parse('2026-01-01')

t.test('a period without calls has zeros, and null where nothing can be computed', async t => {
  const summary = summarise({ start, days: 2, period: none, before: none, credits })
  t.match(summary, {
    period_start: '2026-01-01',
    period_end: '2026-01-02',
    total_queries: 0,
    avg_queries_per_day: 0,
    peak_day: null,
    error_rate: null,
    trend: { direction: 'flat', change_pct: null },
  })
  t.strictSame(summary.daily, [
    { date: '2026-01-01', queries: 0, cost: 0, errors: 0 },
    { date: '2026-01-02', queries: 0, cost: 0, errors: 0 },
  ])
})

t.test('the trend compares with as many days before', async t => {
  const day = (date: string, queries: number) => ({ date, queries, cost: queries, errors: 1 })
  const { trend, peak_day, total_cost, error_rate } = summarise({
    start,
    days: 3,
    period: { ...none, daily: [day('2026-01-01', 3), day('2026-01-03', 3)] },
    before: { ...none, daily: [day('2025-12-30', 8)] },
    credits,
  })
  t.strictSame(trend, { direction: 'down', change_pct: -25 })
  t.equal(peak_day, '2026-01-01', 'the first of equal days')
  t.equal(total_cost, 6)
  t.equal(error_rate, 0.3333)
})
