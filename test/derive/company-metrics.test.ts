import t from 'tap'
import { open } from '../../engine/engine.ts'
import { companies } from '../../engine/schema/resources/companies.ts'
import { financials } from '../../engine/schema/resources/financials.ts'
import { builtLake } from '../built-lake.ts'
import { type Rows, twoIssuers } from '../make-lake.ts'

const fact = (concept: string, value: number, end = '2024-12-31') => ({
  cik: '0000000003',
  company_name: 'Gamma Lending Machines Inc',
  concept: `us-gaap:${concept}`,
  unit: 'USD',
  period_end: end,
  value,
  accession: '0000000003-25-000001',
  form: '10-K',
  fiscal_year: 2024,
  filed_date: '2025-02-15',
  known_from: '2025-02-15',
})
const flow = (concept: string, value: number) => ({ ...fact(concept, value), period_start: '2024-01-01' })

const rows: Rows = {
  ...twoIssuers,
  companies: [
    ...twoIssuers['companies']!,
    { ticker: 'GAMA', name: 'Gamma Lending Machines Inc', cik: '0000000003', sector: 'Industrials' },
    { ticker: 'DELT', name: 'Delta Debtless Inc', cik: '0000000004', sector: 'Industrials' },
  ],
  facts: [
    flow('Revenues', 500e6),
    flow('OperatingIncomeLoss', 90e6),
    flow('DepreciationDepletionAndAmortization', 30e6),
    flow('InterestExpense', 10e6),
    fact('Assets', 1000e6),
    fact('LongTermDebtNoncurrent', 400e6),
    fact('LongTermDebtCurrent', 20e6),
    fact('NotesAndLoansReceivableNetNoncurrent', 300e6),
    ...[20e6, 40e6, 60e6, 80e6, 100e6].map((due, i) =>
      fact(
        `LongTermDebtMaturitiesRepaymentsOfPrincipalIn${['NextTwelveMonths', 'YearTwo', 'YearThree', 'YearFour', 'YearFive'][i]}`,
        due,
      ),
    ),
  ],
  financials: [
    ...(twoIssuers['financials'] ?? []),
    {
      ticker: 'DELT',
      fiscal_year: 2024,
      fiscal_quarter: 4,
      period_months: 12,
      period_end_date: '2024-12-31',
      total_debt: 0,
      ebitda: 5e8,
      known_from: '2025-02-15',
    },
  ],
  covenants: [
    {
      ticker: 'GAMA',
      covenant_type: 'financial',
      covenant_name: 'Minimum Interest Coverage',
      instrument_name: 'Credit Agreement',
      test_metric: 'interest_coverage',
      threshold_value: 3,
      threshold_type: 'minimum',
      source_document_date: '2025-02-15',
      known_from: '2025-02-15',
    },
  ],
}

interface Entry {
  value: unknown
  unit: string
  formula: string | null
  inputs: Record<string, unknown>[]
  flags: string[]
  null_because: string | null
}

t.test('metrics of companies', async t => {
  const lake = await builtLake(t.teardown, rows, { asOf: '2025-07-02' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const ask = async (ticker: string) => {
    const { data } = await engine.call('search.companies', { ticker, explain: true, include_metadata: true })
    return data[0] as unknown as Record<string, unknown> & { _explain: Record<string, Entry> }
  }

  await t.test('every derived figure has its inputs, or the reason why it is null', async t => {
    const filed = new Set(['company_id', 'ticker', 'name', 'sector', 'industry', 'cik', 'lei', 'coverage'])
    const names = Object.entries(companies.columns)
      .filter(([name, column]) => !column.on_request && !filed.has(name))
      .map(([name]) => name)
    for (const ticker of ['ALFA', 'BETA', 'GAMA', 'DELT']) {
      const company = await ask(ticker)
      for (const name of names) {
        const entry = company._explain[name]
        t.ok(entry, `${ticker} ${name} is explained`)
        t.strictSame(Object.keys(entry!), ['value', 'unit', 'formula', 'inputs', 'flags', 'null_because'])
        t.same(entry!.value, company[name], `${ticker} ${name} is the figure shown`)
        t.equal(
          entry!.value === null,
          entry!.null_because !== null,
          `${ticker} ${name}: ${entry!.null_because}`,
        )
        t.equal(entry!.value === null, entry!.formula === null, `${ticker} ${name}: ${entry!.formula}`)
      }
    }
  })

  await t.test('of a company without debt nothing is due, secured or not', async t => {
    const company = await ask('DELT')
    t.match(company, {
      debt_due_1yr: 0,
      debt_due_3yr: 0,
      secured_debt: 0,
      unsecured_debt: 0,
      has_near_term_maturity: false,
    })
    t.match(company._explain['debt_due_2yr'], {
      formula: 'nothing: total debt is zero and no bond is active',
      inputs: [{ item: 'total_debt', value: 0, period_end: '2024-12-31' }],
    })
  })

  await t.test('debt due follows the filed schedule for up to five years', async t => {
    const { debt_due_1yr, debt_due_2yr, debt_due_3yr, _explain } = await ask('GAMA')
    const age = 183 / 365.25
    const within = (years: number) => [0, 20, 60, 120, 200, 300].map(m => m * 1e8)[years]!
    const at = (x: number) => within(Math.floor(x)) + (x % 1) * (within(Math.ceil(x)) - within(Math.floor(x)))
    t.strictSame(
      [debt_due_1yr, debt_due_2yr, debt_due_3yr],
      [1, 2, 3].map(years => Math.round(at(age + years) - at(age))),
    )
    t.match(_explain['debt_due_3yr'], {
      formula: /^maturity schedule of 2024-12-31/,
      inputs: [{ item: 'debt_due_1yr', value: 20e8, accession: '0000000003-25-000001' }],
    })
  })

  await t.test('EBITDA is traced to facts, and a finance business raises a warning', async t => {
    const { _explain, _metadata, leverage_ratio } = await ask('GAMA')
    t.equal(leverage_ratio, 3.5)
    t.match(_explain['ebitda_ttm'], {
      value: 120e8,
      unit: 'USD cents',
      formula: 'operating_income + depreciation_amortization: fiscal year',
      inputs: [
        { concept: 'us-gaap:OperatingIncomeLoss', value: 90e6, unit: 'USD', period_start: '2024-01-01' },
        { concept: 'us-gaap:DepreciationDepletionAndAmortization', filed: '2025-02-15', source: 'test' },
      ],
    })
    t.match(_metadata, {
      warnings: [
        'captive finance: loans to customers are 30% of total assets; total debt includes that of lending and EBITDA is after its interest: leverage is overstated, interest coverage is null',
      ],
      warning_codes: ['captive_finance'],
    })
  })

  await t.test('operating income after the interest of lending covers no interest', async t => {
    const { interest_coverage, _explain } = await ask('GAMA')
    t.equal(interest_coverage, null)
    t.match(_explain['interest_coverage'], {
      value: null,
      null_because:
        'captive finance: EBITDA is after the interest of lending, which interest expense may leave out',
    })
    const { data } = await engine.call('search.headroom', { ticker: 'GAMA' })
    t.match(data, [{ test_metric: 'interest_coverage', ratio: null, null_because: 'captive_finance' }])
  })

  await t.test('every figure of a statement has its inputs, or the reason why it is null', async t => {
    const { data } = await engine.call('search.financials', { ticker: 'ALFA,GAMA', explain: true })
    const amounts = Object.entries(financials.columns).filter(([, column]) => column.kind === 'cents')
    for (const row of data as unknown as (Record<string, unknown> & { _explain: Record<string, Entry> })[])
      for (const [name] of [...amounts, ['leverage_ratio']] as [string][]) {
        const entry = row._explain[name]!
        t.same(entry.value, row[name], name)
        t.equal(entry.value === null, entry.null_because !== null, name)
      }
  })
})
