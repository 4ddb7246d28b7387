import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'

// Each builds and verifies a lake, which takes a while on a busy machine.
t.setTimeout(240_000)

const figure =
  (form: string, filed: string) => (concept: string, millions: number, end: string, start?: string) => ({
    cik: '0000000003',
    company_name: 'Gamma Machines Inc',
    concept: `us-gaap:${concept}`,
    unit: 'USD',
    period_start: start ?? null,
    period_end: end,
    value: millions * 1e6,
    accession: `0000000003-${filed.slice(2, 4)}-${form === '10-K' ? '000009' : '000001'}`,
    form,
    filed_date: filed,
    known_from: filed,
  })
const annual = figure('10-K', '2025-02-15')
const interim = figure('10-Q', '2025-05-10')

/** A fiscal year, and one quarter of the next without the same quarter of the year before. */
const rows: Rows = {
  ...twoIssuers,
  companies: [
    ...twoIssuers['companies']!,
    { ticker: 'GAMA', name: 'Gamma Machines Inc', cik: '0000000003', sector: 'Industrials' },
  ],
  facts: [
    annual('OperatingIncomeLoss', 90, '2024-12-31', '2024-01-01'),
    annual('DepreciationDepletionAndAmortization', 30, '2024-12-31', '2024-01-01'),
    annual('InterestExpense', 20, '2024-12-31', '2024-01-01'),
    annual('Assets', 1000, '2024-12-31'),
    annual('LongTermDebtNoncurrent', 400, '2024-12-31'),
    interim('OperatingIncomeLoss', 50, '2025-03-31', '2025-01-01'),
    interim('DepreciationDepletionAndAmortization', 10, '2025-03-31', '2025-01-01'),
    interim('Assets', 1100, '2025-03-31'),
    interim('LongTermDebtNoncurrent', 480, '2025-03-31'),
    ...['NextTwelveMonths', 'YearTwo', 'YearThree', 'YearFour', 'YearFive'].map(year =>
      interim(
        `LongTermDebtMaturitiesRepaymentsOfPrincipalIn${year}`,
        /Twelve|Two/.test(year) ? 400 : 5,
        '2025-03-31',
      ),
    ),
  ],
}

t.test(
  'leverage prefers a fiscal year within fifteen months to figures annualised from a quarter',
  async t => {
    const lake = await makeLake(t.teardown, rows)
    const on = async (asOf: string) => {
      await build(lake, { asOf })
      const engine = await open(lake)
      const { data } = await engine.call('search.companies', {
        ticker: 'GAMA',
        explain: true,
        include_metadata: true,
      })
      const trailing = await engine.call('search.financials', { ticker: 'GAMA', period: 'TTM' })
      await engine.close()
      const found: unknown[] = []
      await verifyFigures(lake, await currentManifest(lake), { found: difference => found.push(difference) })
      t.strictSame(found, [], `nothing differs on ${asOf}`)
      return { company: data[0] as unknown as Record<string, unknown>, trailing: trailing.data[0] }
    }

    const recent = await on('2025-07-02')
    t.match(recent.company, {
      total_debt: 480e8,
      ebitda_ttm: 120e8,
      leverage_ratio: 4,
      interest_coverage: 6,
      is_annualized: false,
    })
    t.match(recent.company['_metadata'], {
      warnings: [
        /^EBITDA is of the twelve months to 2024-12-31: newer figures would be annualised from 1 quarter$/,
        /^debt due within two years exceeds total debt: amounts due are repayments of principal, total debt is the carrying amount of 2025-03-31$/,
      ],
      leverage_data_quality: { is_annualized: false, ebitda_quarters: 4 },
    })
    t.match(
      recent.trailing,
      { ebitda: 240e8, leverage_ratio: 2, is_annualized: true },
      'TTM itself follows the newest quarter',
    )

    const later = await on('2026-05-01')
    t.match(later.company, { ebitda_ttm: 240e8, leverage_ratio: 2, is_annualized: true })
  },
)

t.test('annualised EBITDA comes before operating income alone of a whole year', async t => {
  // The depreciation of the year has no tag, that of the quarter after it has.
  const facts = rows['facts']!.filter(
    ({ concept, form }) => concept !== 'us-gaap:DepreciationDepletionAndAmortization' || form === '10-Q',
  )
  const lake = await makeLake(t.teardown, { ...rows, facts })
  await build(lake, { asOf: '2025-07-02' })
  const engine = await open(lake)
  const { data } = await engine.call('search.companies', { ticker: 'GAMA', include_metadata: true })
  await engine.close()
  t.match(data[0], {
    ebitda_ttm: 240e8,
    leverage_ratio: 2,
    is_annualized: true,
    _metadata: { leverage_data_quality: { ebitda_estimated: false } },
  })
  const found: unknown[] = []
  await verifyFigures(lake, await currentManifest(lake), { found: difference => found.push(difference) })
  t.strictSame(found, [])
})
