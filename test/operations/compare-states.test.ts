import t from 'tap'
import { compareStates } from '../../engine/operations/compare-states.ts'

const state = (day: string, company: Record<string, unknown>) => ({
  day,
  company: { currency: 'USD', ...company },
  bonds: [],
  entities: [],
  ratings: [],
  filings: [],
  lists: new Set<string>(),
})

t.test('amounts change by exact cents, however large', async t => {
  const { changes } = compareStates(
    state('2024-12-31', { total_debt: 9_007_199_254_740_991, cash: 5, leverage_ratio: 4.1 }),
    state('2025-12-31', { total_debt: 8_421_156_338_929_991, cash: 5, leverage_ratio: 4.2 }),
  )
  t.strictSame(changes.metric_changes, {
    total_debt: {
      previous: 9_007_199_254_740_991,
      current: 8_421_156_338_929_991,
      change: -586_042_915_811_000,
      change_pct: -6.5064,
      unit: 'cents',
    },
    leverage_ratio: { previous: 4.1, current: 4.2, change: 0.1, change_pct: 2.439, unit: 'ratio' },
  })
})
