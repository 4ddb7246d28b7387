import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'

const MILLION = 1_000_000_00

const statement = (ticker: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ticker,
  fiscal_year: 2024,
  fiscal_quarter: 4,
  period_months: 12,
  period_end_date: '2024-12-31',
  filed_date: '2025-02-14',
  known_from: '2025-02-14',
  currency: 'USD',
  ebitda: 300 * MILLION,
  total_debt: 1000 * MILLION,
  ...more,
})

const bond = (ticker: string, more: Readonly<Record<string, unknown>>) => ({
  ticker,
  bond_id: `${ticker}-35`,
  name: `${ticker}-35`,
  coupon_rate: 5,
  rate_type: 'fixed',
  seniority: 'senior_unsecured',
  issuer_type: 'holdco',
  maturity_date: '2035-05-15',
  currency: 'USD',
  known_from: '2020-01-10',
  ...more,
})

const tickers = ['PART', 'FUND', 'WHOL', 'NEAR', 'FILE']

t.test('bonds that are a part of the debt say nothing of the rest', async t => {
  const lake = await builtLake(
    t.teardown,
    {
      companies: tickers.map(ticker => ({ ticker, name: `${ticker} Corp`, sector: 'Energy' })),
      financials: [
        ...tickers.slice(0, 4).map(ticker => statement(ticker)),
        statement('FILE', {
          debt_due_1yr: 100 * MILLION,
          debt_due_2yr: 250 * MILLION,
          debt_due_3yr: 400 * MILLION,
          debt_due_4yr: 400 * MILLION,
          debt_due_5yr: 400 * MILLION,
        }),
      ],
      bonds: [
        // A tenth of the debt, as in a list of some of its notes.
        bond('PART', { outstanding: 100 * MILLION }),
        // A fund's list has no amounts.
        bond('FUND', {}),
        bond('WHOL', { outstanding: 900 * MILLION }),
        bond('NEAR', { outstanding: 100 * MILLION, maturity_date: '2026-05-15', rate_type: 'floating' }),
        bond('FILE', { outstanding: 100 * MILLION }),
      ],
    },
    { asOf: '2025-04-30' },
  )
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.companies', { ticker: tickers, sort: 'ticker', explain: true })
  const found = new Map(
    (data as unknown as Readonly<Record<string, unknown>>[]).map(row => [row['ticker'] as string, row]),
  )
  const flags = (ticker: string) =>
    ['has_near_term_maturity', 'has_floating_rate', 'has_opco_debt', 'has_holdco_debt'].map(
      name => found.get(ticker)![name],
    )
  t.strictSame(flags('PART'), [null, null, null, true])
  t.match(found.get('PART'), { debt_due_1yr: null, debt_due_2yr: null, secured_debt: null })
  t.strictSame(flags('FUND'), [null, null, null, true])
  t.strictSame(flags('WHOL'), [false, false, false, true])
  t.match(found.get('WHOL'), { debt_due_2yr: 0, secured_debt: 0 })
  t.strictSame(flags('NEAR'), [true, true, null, true])
  // The filed schedule is read where bonds are a part; amounts move along straight lines.
  t.strictSame(flags('FILE'), [true, null, null, true])
  t.ok((found.get('FILE')!['debt_due_2yr'] as number) > 200 * MILLION)
  t.match(found.get('FUND')!['_explain'], {
    has_near_term_maturity: { null_because: /no bond is known to mature within 24 months/ },
    has_floating_rate: { null_because: /not all its debt/ },
  })
  const differences: Difference[] = []
  await verifyFigures(lake, await currentManifest(lake), {
    tables: ['companies'],
    found: (each: Difference) => differences.push(each),
  })
  t.strictSame(differences, [])
})
