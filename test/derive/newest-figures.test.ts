import t from 'tap'
import { LakeCache } from '../../engine/lake/derivation-cache.ts'
import { firstOf } from '../by-night.ts'
import { makeLake } from '../make-lake.ts'
import { richRows } from '../point-in-time/rich-lake.ts'
import { derivation } from './derivation.ts'
import { type Figure, type Row, report, year } from './reports.ts'

/** The facts of a company under its own number and name. */
const of = (cik: string, rows: readonly Row[]): Row[] =>
  rows.map(row => ({ ...row, cik, company_name: `Company ${cik}`, accession: `${cik}${row['accession']}` }))

const revenue = (millions: number, end: string, start: string): Figure => ['Revenues', millions, end, start]
const due = (millions: number, end: string): Figure => [
  'LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths',
  millions,
  end,
]

/** A quarterly report without the figures of the year before, after which trailing figures are annualised. */
const loneQuarter = report(
  { form: '10-Q', filed: '2025-05-01', fy: 2025 },
  revenue(400, '2025-03-31', '2025-01-01'),
  ['OperatingIncomeLoss', 70, '2025-03-31', '2025-01-01'],
  ['Assets', 900, '2025-03-31'],
  ['LongTermDebtNoncurrent', 200, '2025-03-31'],
)

/** A year whose first report is restated in the annual report of the next. */
const restated = report(
  { form: '10-K', filed: '2024-02-20', fy: 2023 },
  revenue(900, '2022-12-31', '2022-01-01'),
  ['OperatingIncomeLoss', 60, '2022-12-31', '2022-01-01'],
  ['LongTermDebtNoncurrent', 310, '2022-12-31'],
)

const amended = (filed: string, millions: number): Row[] =>
  report({ form: '10-K/A', filed, fy: 2022 }, revenue(millions, '2022-12-31', '2022-01-01'))

const facts = [
  // Reported, restated, and repeated later.
  ...of('0000000101', [...year(2021), ...year(2022), ...restated, ...year(2023), ...year(2024)]),
  // The newest figures are annualised; those of the year before may stand in.
  ...of('0000000102', [...year(2023), ...loneQuarter]),
  // As before, without the quarters from which trailing figures could be summed.
  ...of('0000000103', [...year(2022).filter(row => row['form'] === '10-K'), ...loneQuarter]),
  // The only schedule of maturities is old.
  ...of('0000000104', [
    ...year(2021),
    ...report({ form: '10-K', filed: '2022-02-15', fy: 2021 }, due(30, '2021-12-31')),
    ...year(2022),
    ...year(2023),
    ...year(2024),
  ]),
  // The newest report has a balance sheet only, so the trailing statement is of an older quarter.
  ...of('0000000105', [
    ...year(2024),
    ...report({ form: '10-Q', filed: '2025-05-02', fy: 2025 }, ['Assets', 1100, '2025-03-31']),
  ]),
  // Restated, and restated back.
  ...of('0000000107', [...year(2022), ...amended('2023-06-01', 900), ...amended('2023-09-01', 1000)]),
  // From a year on, in another currency.
  ...of('0000000106', [...year(2023), ...year(2024).map(row => ({ ...row, unit: 'EUR' }))]),
]

const companies = [...new Set(facts.map(row => row['cik']))].map((cik, i) => ({
  cik,
  ticker: `C${i}`,
  name: `Company ${cik}`,
  ...(i === 0 && { industry: 'Machinery' }),
}))

// Many days are derived, which takes a while on a busy machine.
t.setTimeout(180_000)

const made = await makeLake(t.teardown, { companies, facts })
const rich = await makeLake(t.teardown, richRows)

const figures = ['companies', 'companies_by_age'] as const

for (const [name, lake, days] of [
  ['made', made, firstOf(2, ['2024-03-01', '2026-09-01', '2022-08-15', '2023-10-01', '2025-06-01'])],
  ['rich', rich, firstOf(1, ['2025-03-20', '2024-08-20'])],
] as const)
  for (const asOf of days)
    t.test(`companies of the ${name} lake as of ${asOf} are those derived from all statements`, async t => {
      const all = await derivation(t, lake, asOf)
      await all.made.make('financials', ...figures)
      const byDefault = await derivation(t, lake, asOf)
      await byDefault.made.make('companies')
      t.strictSame(await byDefault.rows('companies'), await all.rows('companies'), 'under the default limits')
      t.notOk(byDefault.made.has('companies_by_age'))
      const newest = await derivation(t, lake, asOf)
      await newest.made.make('companies_by_age')
      for (const table of figures) t.strictSame(await newest.rows(table), await all.rows(table), table)
      const count = async (of: typeof all) => (await of.rows('statements_derived')).length
      t.ok((await count(newest)) <= (await count(all)))
      // The rest is whole, whatever was derived before.
      for (const one of [byDefault, newest]) {
        await one.made.make('companies_by_age', 'financials', 'quarantine')
        for (const table of [...figures, 'financials', 'quarantine', 'statements_derived'])
          t.strictSame(await one.rows(table), await all.rows(table), `${table} afterwards`)
      }
    })

t.test('what current figures depend on is derived, and little else', async t => {
  const { made: derived, rows } = await derivation(t, made, '2025-06-01')
  await derived.make('companies')
  const of = async (cik: string) => (await rows('companies')).find(row => row['cik'] === cik)!
  const statements = (await rows('statements_derived')).filter(row => row['basis'] === 'ttm')
  const whole = await derivation(t, made, '2025-06-01')
  await whole.made.make('financials')
  t.ok(4 * statements.length < (await whole.rows('statements_derived')).length)
  t.equal((await of('0000000102'))['period_end_date'], '2025-03-31')
  t.equal((await of('0000000105'))['period_end_date'], '2024-12-31', 'the newest trailing statement')
  t.match(String((await of('0000000102'))['_metadata.warnings']), /twelve months to 2023-12-31|annualised/)
  t.ok(
    statements.every(({ version, is_original, is_latest }) => version === null && (is_original || is_latest)),
    'first and last versions, without numbers',
  )
})

t.test('concurrent questions for more and for fewer tables get the same rows', async t => {
  const all = await derivation(t, rich, '2025-03-20')
  await all.made.make('financials', ...figures)
  for (const order of firstOf(2, [
    ['companies', 'companies_by_age', 'financials'],
    ['companies_by_age', 'companies', 'financials'],
    ['financials', 'companies', 'companies_by_age'],
    ['companies', 'financials', 'companies_by_age'],
  ])) {
    const { made, rows } = await derivation(t, rich, '2025-03-20')
    await Promise.all(order.map(table => made.make(table)))
    for (const table of order) t.strictSame(await rows(table), await all.rows(table), order.join(', '))
  }
})

t.test('stored statements of one kind are not taken for the other', async t => {
  const cache = new LakeCache(made)
  t.teardown(() => cache.close())
  const all = await derivation(t, made, '2025-03-01')
  await all.made.make('financials', ...figures)
  for (const tables of [['companies'], ['companies_by_age'], ['financials', ...figures], ['companies']]) {
    const one = await derivation(t, made, '2025-03-01', cache)
    await one.made.make(...tables)
    for (const table of tables) t.strictSame(await one.rows(table), await all.rows(table), tables.join(', '))
  }
})
