import t from 'tap'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import { lastDay, richRows } from './rich-lake.ts'

t.setTimeout(120_000)

const lake = await builtLake(t.teardown, richRows, { asOf: lastDay })
const engine = await open(lake)
t.teardown(() => engine.close())

/** Not those of the company, whose name and ticker are as of the day, nor those that say which version is the last. */
const figures = `period_end_date, basis, fiscal_year, fiscal_quarter, currency, revenue, gross_profit, operating_income, ebitda,
  net_income, interest_expense, total_assets, total_liabilities, stockholders_equity, total_debt, cash_and_equivalents,
  operating_cash_flow, capex, free_cash_flow, leverage_ratio, is_annualized, filed_date, accession, is_original, known_from`

for (const day of ['2024-03-15', '2024-08-20', '2024-11-05', '2025-03-04', '2025-06-27'])
  t.test(`statements valid on ${day} are those of a derivation as of that day`, async t => {
    const valid = await engine.sql(
      `SELECT ${figures} FROM financials WHERE valid_from <= $day AND coalesce(valid_to >= $day, TRUE) ORDER BY ALL`,
      { day },
    )
    const derived = await engine.sql(`SELECT ${figures} FROM financials WHERE is_latest ORDER BY ALL`, [], {
      asOf: day,
    })
    t.strictSame(valid, derived)
    t.ok(valid.length > 3)
  })

t.test('every version of a statement has the days on which it was the last known', async t => {
  const fields = 'ticker,fiscal_year,fiscal_quarter,version,valid_from,valid_to,known_from'
  const ask = (more: object) =>
    engine.call('search.financials', { fields, limit: 100, ...more }) as Promise<{
      data: Record<string, unknown>[]
    }>
  const { data: all } = await ask({ reported: 'all' })
  const { data: latest } = await ask({})
  const { data: original } = await ask({ reported: 'original' })
  const restated = all.filter(row => Number(row['version']) > 1)
  t.ok(restated.length > 0)
  t.equal(all.length, latest.length + restated.length)
  const isOf = (one: Record<string, unknown>) => (other: Record<string, unknown>) =>
    ['ticker', 'fiscal_year', 'fiscal_quarter'].every(name => one[name] === other[name])
  const dayBefore = (day: unknown) =>
    new Date(Date.parse(String(day)) - 86_400_000).toISOString().slice(0, 10)
  for (const row of restated) {
    const versions = all.filter(isOf(row)).sort((a, b) => Number(a['version']) - Number(b['version']))
    for (const [i, version] of versions.entries()) {
      t.equal(version['valid_from'], version['known_from'])
      const next = versions[i + 1]
      t.equal(version['valid_to'], next ? dayBefore(next['valid_from']) : null)
    }
    t.strictSame(latest.find(isOf(row)), versions.at(-1))
    t.strictSame(original.find(isOf(row)), versions[0])
  }
  const { data: trailing } = await ask({ period: 'TTM', reported: 'all' })
  const { data: newest } = await ask({ period: 'TTM' })
  t.ok(newest.every(row => trailing.some(isOf(row))))
})
