import t from 'tap'
import { open } from '../../engine/engine.ts'
import { binsOf } from '../../engine/operations/facets.ts'
import { bonds } from '../../engine/schema/resources/bonds.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'

t.test('rows are counted by the filterable columns', async t => {
  const lake = await builtLake(t.teardown.bind(t), twoIssuers)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const facets = (input: Record<string, unknown>) =>
    engine.ask('count.facets', input) as Promise<{
      data: Record<
        string,
        {
          values?: readonly { value: unknown; count: number }[]
          bins?: readonly { count: number }[]
          missing: number
        }
      >
      meta: { total: number }
    }>
  const listed = async (input: Record<string, unknown>) =>
    (await engine.call('search.bonds', input)).meta.total

  await t.test('the counts of each column add up to the rows of the list', async t => {
    const { data, meta } = await facets({ data_type: 'bonds' })
    t.equal(meta.total, await listed({}))
    t.ok(Object.keys(data).length > 5)
    for (const [name, { values = [], bins = [], missing }] of Object.entries(data)) {
      const own = ['is_active', 'currency'].includes(name)
      const sum = [...values, ...bins].reduce((all, { count }) => all + count, 0) + missing
      if (!own) t.equal(sum, meta.total, name)
    }
  })

  await t.test('a count equals the rows of the list with that value', async t => {
    const { data } = await facets({ data_type: 'bonds', of: 'seniority,maturity_date' })
    for (const { value, count } of data['seniority']!.values!)
      t.equal(await listed({ seniority: value as 'senior_secured' }), count)
    for (const { value, count } of data['maturity_date']!.values!)
      t.equal(await listed({ maturity_after: `${value}-01-01`, maturity_before: `${value}-12-31` }), count)
  })

  await t.test("a column's own filter does not narrow its facet, other filters do", async t => {
    const all = await facets({ data_type: 'companies', of: 'sector,total_debt' })
    const [one] = all.data['sector']!.values!
    const chosen = await facets({ data_type: 'companies', of: 'sector,total_debt', sector: one!.value })
    t.strictSame(chosen.data['sector'], all.data['sector'])
    t.equal(chosen.meta.total, one!.count)
    const { bins = [], missing } = chosen.data['total_debt']!
    t.equal(
      bins.reduce((sum, { count }) => sum + count, missing),
      one!.count,
    )
  })

  await t.test('an unknown or uncountable column is an error that names the countable ones', async t => {
    await t.rejects(facets({ data_type: 'bonds', of: 'nope' }), { code: 'INVALID_PARAMETER' })
    await t.rejects(facets({ data_type: 'bonds', of: 'call_schedule' }), { code: 'INVALID_PARAMETER' })
    await t.rejects(facets({ data_type: 'bonds', min_leverage: 3 }), { code: 'INVALID_PARAMETER' })
  })
})

t.test('bins have round, even widths, and an outlier does not flatten them', async t => {
  const bins = (min: number, max: number, p10: number, p90: number) =>
    binsOf({ min, max, p10, p90, count: 10 }, bonds.columns.coupon_rate)
  t.strictSame(bins(0, 900, 2, 8), { from: 0, width: 1, count: 15 })
  t.strictSame(bins(5, 5, 5, 5), { from: 5, width: 1, count: 1 })
  t.strictSame(binsOf({ min: 1, max: 3, p10: 1, p90: 3, count: 3 }, bonds.columns.outstanding), {
    from: 1,
    width: 1,
    count: 3,
  })
})
