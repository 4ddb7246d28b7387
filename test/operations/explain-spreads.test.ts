import t from 'tap'
import { explainSpread } from '../../engine/operations/explain-spreads.ts'

const input = (
  bond_id: string,
  spread_bps: number | null,
  outcome = 'used',
  tenor: string | null = '5Y',
) => ({
  company_id: 'ALFA',
  spread_date: '2025-06-02',
  tenor,
  bond_id,
  spread_bps,
  outcome,
})
const ids = (bonds: readonly object[]) => bonds.map(b => (b as { bond_id: string }).bond_id)

t.test('every bond considered is listed under the step that excluded it, with the comparison', async t => {
  const { used, steps, looked_at } = explainSpread(
    [
      input('a', 100),
      input('b', 104),
      input('c', 108),
      input('d', 190, 'beyond_3_sigma'),
      input('e', null, 'price_below_60'),
      input('f', 300, 'outside_tenors', null),
      input('g', 200, 'not_eligible', null),
      input('h', 140, 'used', '10Y'),
    ],
    '5Y',
  )
  t.equal(looked_at, 8)
  t.strictSame(ids(used), ['a', 'b', 'c'])
  t.strictSame(ids(steps.eligible.left_out), ['g'])
  t.strictSame(ids(steps.tenor.left_out), ['f'])
  t.strictSame(ids(steps.quality.left_out), ['e'])
  t.match(steps.outliers, { test: 'leave_one_out_3_sigma', bonds: 4, mean: 125.5, deviation: 43.1239 })
  t.match(steps.outliers.left_out, [
    {
      bond_id: 'd',
      mean_of_others: 104,
      deviation_of_others: 4,
      from_mean_of_others: 86,
      // The others agree to 4 bp, which counts as 10.
      limit: 30,
    },
  ])
  t.match(steps.median, { median: 104, floor_applied: false })
})

t.test(
  "a small group is compared with the issuer's median over all tenors, and the floor is shown when it applies",
  async t => {
    const { steps } = explainSpread(
      [input('a', -250), input('b', -230), input('c', 100, 'far_from_issuer_median')],
      '5Y',
    )
    t.match(steps.outliers, { test: 'range', issuer_median: -230 })
    t.match(steps.outliers.left_out, [{ bond_id: 'c', from_issuer_median: 330, limit: 300 }])
    t.match(steps.median, { median: -240, floor_applied: true })
  },
)
