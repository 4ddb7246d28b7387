import t from 'tap'
import { derived, dollars, explained, type Figure, pick, type Row, report, year } from './reports.ts'

t.test('EBITDA is estimated without depreciation; a bank has no leverage', async t => {
  const end = '2024-12-31'
  const facts = report(
    { form: '10-K', filed: '2025-02-15' },
    ['Revenues', 100, end, '2024-01-01'],
    ['OperatingIncomeLoss', 40, end, '2024-01-01'],
    ['Assets', 900, end],
    ['LongTermDebtNoncurrent', 80, end],
  )
  const [plain] = await (await derived(t, { facts })).rows(`basis = 'ttm'`)
  t.match(plain, {
    ebitda: dollars(40),
    ebitda_estimated: true,
    ebitda_source: 'operating_income',
    leverage_ratio: 2,
    net_leverage_ratio: null,
  })
  const [bank] = await (await derived(t, { facts, company: { sic: '6021' } })).rows(`basis = 'ttm'`)
  t.match(bank, { leverage_ratio: null, leverage_reason: /bank or insurer/ })
  const lender = [...facts, { ...facts[0], concept: 'us-gaap:Deposits', period_start: null, value: 7e8 }]
  const [lends] = await (await derived(t, { facts: lender, company: { sic: '6199' } })).rows(`basis = 'ttm'`)
  t.match(lends, { leverage_ratio: null, leverage_reason: /bank or insurer/ })
  // An exchange, an adviser, a broker of insurance, a miner of currencies.
  for (const sic of ['6200', '6282', '6411', '6199']) {
    const [feeEarner] = await (await derived(t, { facts, company: { sic } })).rows(`basis = 'ttm'`)
    t.match(feeEarner, { leverage_ratio: 2 })
  }
})

t.test('debt due follows the maturity schedule of the annual report', async t => {
  const end = '2024-12-31'
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15' },
      ['Revenues', 100, end, '2024-01-01'],
      ['LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths', 10, end],
      ['LongTermDebtMaturitiesRepaymentsOfPrincipalInYearTwo', 20, end],
    ),
  })
  t.match((await rows(`basis = 'ttm'`))[0], {
    debt_due_1yr: dollars(10),
    debt_due_2yr: dollars(30),
    debt_due_3yr: null,
  })
})

t.test(
  'a loaded statement table takes precedence over filings, and its restatements are versions',
  async t => {
    const row = (q: number, end: string, filed: string, revenue: number) => ({
      ticker: 'ACME',
      cik: null,
      company_name: null,
      fiscal_year: 2024,
      fiscal_quarter: q,
      period_end_date: end,
      filed_date: filed,
      known_from: filed,
      filing_type: q === 4 ? '10-K' : '10-Q',
      revenue,
      ebitda: 1000,
      total_debt: 12_000,
      total_assets: 90_000,
    })
    const { rows } = await derived(t, {
      financials: [
        row(1, '2024-03-31', '2024-05-01', 100),
        row(2, '2024-06-30', '2024-08-01', 200),
        row(3, '2024-09-30', '2024-11-01', 300),
        row(4, '2024-12-31', '2025-02-15', 400),
        row(1, '2024-03-31', '2025-05-01', 110),
      ],
    })
    t.strictSame(
      pick(
        await rows(`basis = 'ttm' AND fiscal_quarter = 4`),
        'version',
        'known_from',
        'revenue',
        'ebitda',
        'ebitda_source',
        'leverage_ratio',
      ),
      [
        [1, '2025-02-15', 1000, 4000, 'reported', 3],
        [2, '2025-05-01', 1010, 4000, 'reported', 3],
      ],
    )
    t.strictSame(pick(await rows(`basis = 'quarter' AND fiscal_quarter = 1`), 'revenue', 'is_latest'), [
      [100, false],
      [110, true],
    ])
  },
)

const restatedYear = (revenue: number) =>
  report(
    { form: '10-K', filed: '2025-02-15', fy: 2024 },
    ['Revenues', revenue, '2023-12-31', '2023-01-01'],
    ['Revenues', 700, '2024-12-31', '2024-01-01'],
  )

t.test('a fourth quarter never mixes a restated year with quarters that were not restated', async t => {
  const fourth = async (facts: Row[]) => {
    const { rows } = await derived(t, { facts })
    return (await rows(`basis = 'quarter' AND fiscal_year = 2023 AND fiscal_quarter = 4 AND is_latest`))[0]!
  }
  const sold = await fourth([...year(2023), ...restatedYear(640)])
  t.equal(sold['revenue'], dollars(400), 'a business sold since: as it was before, not 640 less 600')
  t.equal((await fourth([...year(2023), ...restatedYear(990)]))['revenue'], dollars(390), 'a correction')
  const both = report(
    { form: '10-Q', filed: '2024-11-01', fy: 2024 },
    ['Revenues', 500, '2024-09-30', '2024-01-01'],
    ['Revenues', 390, '2023-09-30', '2023-01-01'],
  )
  t.equal(
    (await fourth([...year(2023), ...both, ...restatedYear(640)]))['revenue'],
    dollars(250),
    'both anew',
  )
})

t.test("expenses and debts are positive, whatever the source's sign", async t => {
  const end = '2024-12-31'
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15' },
      ['OperatingIncomeLoss', 40, end, '2024-01-01'],
      ['DepreciationDepletionAndAmortization', -9, end, '2024-01-01'],
      ['InterestExpense', -7, end, '2024-01-01'],
      ['PaymentsToAcquirePropertyPlantAndEquipment', -5, end, '2024-01-01'],
      ['Assets', 900, end],
      ['LongTermDebtNoncurrent', -300, end],
      ['LongTermDebtCurrent', -30, end],
    ),
  })
  const [row] = await rows(`basis = 'ttm'`)
  t.match(row, {
    ebitda: dollars(49),
    interest_expense: dollars(7),
    capex: dollars(5),
    total_debt: dollars(330),
  })
  t.match(explained(row!)['capex'], { flags: ['sign_turned'], inputs: [{ value: -5e6, times: -1 }] })
})

t.test('costs tagged with a negative sign do not raise gross profit above revenue', async t => {
  const end = '2024-12-31'
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15' },
      ['Revenues', 100, end, '2024-01-01'],
      ['CostOfGoodsSold', -70, end, '2024-01-01'],
      ['OperatingIncomeLoss', 12, end, '2024-01-01'],
      ['DepreciationDepletionAndAmortization', -9, end, '2024-01-01'],
      ['DepreciationAndAmortization', -7, end, '2024-01-01'],
    ),
  })
  const [row] = await rows(`basis = 'ttm'`)
  t.match(row, { gross_profit: dollars(30), depreciation_amortization: dollars(9) })
  t.match(explained(row!)['gross_profit'], { inputs: [{ value: 100e6 }, { value: -70e6, times: 1 }] })
})

t.test('capital expenditure includes wells and construction, not other equipment alone', async t => {
  const capex = async (...lines: [string, number][]) => {
    const figures = [['Revenues', 900] as [string, number], ...lines].map(
      ([concept, value]): Figure => [concept, value, '2024-12-31', '2024-01-01'],
    )
    const { rows } = await derived(t, { facts: report({ form: '10-K', filed: '2025-02-15' }, ...figures) })
    return (await rows(`basis = 'ttm'`))[0]?.['capex']
  }
  const other = ['PaymentsToAcquireOtherPropertyPlantAndEquipment', 15] as [string, number]
  t.equal(await capex(other, ['PaymentsToAcquireOilAndGasPropertyAndEquipment', 140]), dollars(155))
  t.equal(
    await capex(
      other,
      ['PaymentsToExploreAndDevelopOilAndGasProperties', 200],
      ['PaymentsToAcquireOilAndGasPropertyAndEquipment', 40],
    ),
    dollars(255),
    'drilling, leases and other equipment are lines of one statement',
  )
  t.equal(
    await capex(
      ['PaymentsToAcquirePropertyPlantAndEquipment', 15],
      ['PaymentsToAcquireOilAndGasPropertyAndEquipment', 276],
    ),
    dollars(291),
  )
  t.equal(await capex(other, ['PaymentsToAcquireOilAndGasProperty', 242]), dollars(257))
  t.equal(await capex(other), dollars(15), 'other companies')
  const construction = ['PaymentsForConstructionInProcess', 700] as [string, number]
  t.equal(
    await capex(['PaymentsToAcquirePropertyPlantAndEquipment', 5], construction),
    dollars(705),
    'a utility that builds',
  )
  t.equal(await capex(construction), dollars(700))
  t.equal(
    await capex(['PaymentsToAcquireProductiveAssets', -1], ['PaymentsToDevelopRealEstateAssets', -300]),
    dollars(301),
    'an owner of buildings, costs with a minus',
  )
  t.equal(await capex(['PaymentsToAcquirePropertyPlantAndEquipment', 800], construction), dollars(800))
  t.equal(
    await capex(['PaymentsToAcquireProductiveAssets', 300], ['PaymentsToAcquireOilAndGasProperty', 5]),
    dollars(300),
    'a total stands',
  )
})

t.test('a figure a thousand times its neighbours is quarantined, and dependent figures are null', async t => {
  const facts = [...year(2022), ...year(2023), ...year(2024)].map(fact =>
    fact['concept'] === 'us-gaap:LongTermDebtNoncurrent' && fact['period_end'] === '2024-03-31'
      ? { ...fact, value: 300e9 }
      : fact,
  )
  const { rows, quarantined } = await derived(t, { facts })
  t.match(await quarantined(), [
    {
      dataset: 'facts',
      company_id: 'acme',
      item: 'us-gaap:LongTermDebtNoncurrent',
      period_start: null,
      period_end: '2024-03-31',
      value: 300e9,
      unit: 'USD',
      reason: '1,000 times too large against the periods before and after',
      source: 'test.json',
      known_from: '2024-05-01',
    },
  ])
  const [row] = await rows(`basis = 'ttm' AND fiscal_year = 2024 AND fiscal_quarter = 1 AND is_latest`)
  t.match(row, { total_debt: null, leverage_ratio: null, revenue: dollars(1000) })
  t.match(explained(row!)['total_debt'], {
    null_because: /^quarantined: us-gaap:LongTermDebtNoncurrent is 1,000 times/,
  })
})

t.test('a slip is not judged by what became known later', async t => {
  const slip = year(2023).map(fact =>
    fact['concept'] === 'us-gaap:Assets' && fact['period_end'] === '2023-03-31'
      ? { ...fact, value: Number(fact['value']) * 1000 }
      : fact,
  )
  const first = slip.filter(fact => String(fact['known_from']) <= '2023-05-01')
  t.strictSame(await (await derived(t, { facts: first })).quarantined(), [], 'nothing to hold it against')
  const told = [...year(2022), ...first]
  t.match(await (await derived(t, { facts: told })).quarantined(), [{ item: 'us-gaap:Assets' }])
})

t.test('a loaded cell in dollars instead of cents is quarantined too', async t => {
  const ends = ['2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31']
  const financials = ends.map((end, i) => ({
    ticker: 'ACME',
    fiscal_year: 2024,
    fiscal_quarter: i + 1,
    period_end_date: end,
    filed_date: end,
    known_from: end,
    revenue: (1_234_000_00 + 11_000_00 * i) * (i === 2 ? 100 : 1),
    total_assets: 9_876_000_00 + 3_000_00 * i,
  }))
  const { rows, quarantined } = await derived(t, { financials })
  t.match(await quarantined(), [{ dataset: 'financials', item: 'revenue', period_end: '2024-09-30' }])
  t.match(pick(await rows(`basis = 'quarter' AND fiscal_quarter = 3`), 'revenue', 'total_assets'), [
    [null, 9_876_000_00 + 6_000_00],
  ])
})

t.test('lending to customers reveals captive finance, but not in a bank', async t => {
  const end = '2024-12-31'
  const facts = report(
    { form: '10-K', filed: '2025-02-15' },
    ['Revenues', 100, end, '2024-01-01'],
    ['Assets', 900, end],
    ['PaymentsToAcquireFinanceReceivables', 80, end, '2024-01-01'],
  )
  const of = async (company: Row) => (await (await derived(t, { facts, company })).rows(`basis = 'ttm'`))[0]
  t.match(await of({ sic: '3711' }), {
    captive_finance: 'a year of lending to customers is 9% of total assets',
  })
  t.match(await of({ sic: '6021' }), { captive_finance: null })
})

t.test('amortization of deferred income is no charge beside depreciation', async t => {
  const [end, from] = ['2024-12-31', '2024-01-01']
  const of = async (amortization: number) => {
    const facts = report(
      { form: '10-K', filed: '2025-02-15' },
      ['Revenues', 900, end, from],
      ['OperatingIncomeLoss', 90, end, from],
      ['Depreciation', 75, end, from],
      ['AdjustmentForAmortization', amortization, end, from],
    )
    return (await (await derived(t, { facts })).rows(`basis = 'ttm'`))[0]
  }
  t.match(pick([(await of(-11))!], 'depreciation_amortization', 'ebitda'), [[7_500_000_000, 16_500_000_000]])
  t.match(pick([(await of(11))!], 'depreciation_amortization', 'ebitda'), [[8_600_000_000, 17_600_000_000]])
})

t.test(
  'depreciation is added to the larger line of amortization, and nonproduction depreciation is better than none',
  async t => {
    const from = '2024-01-01'
    const end = '2024-12-31'
    const of = async (...figures: [string, number][]) => {
      const facts = report(
        { form: '10-K', filed: '2025-02-15' },
        ['Revenues', 900, end, from],
        ['OperatingIncomeLoss', 90, end, from],
        ...figures.map(([concept, value]): Figure => [concept, value, end, from]),
      )
      const rows = await (await derived(t, { facts })).rows(`basis = 'ttm'`)
      return pick(rows, 'depreciation_amortization', 'ebitda', 'ebitda_estimated', 'interest_expense')[0]
    }
    const dollars = (millions: number) => millions * 1e8
    t.strictSame(
      await of(
        ['Depreciation', 50],
        ['AmortizationOfIntangibleAssets', 10],
        ['AdjustmentForAmortization', 40],
      ),
      [dollars(90), dollars(180), false, null],
      'an income statement may show the amortization outside cost of sales alone',
    )
    t.strictSame(
      await of(
        ['Depreciation', 50],
        ['AmortizationOfIntangibleAssets', 10],
        ['AdjustmentForAmortization', -40],
      ),
      [dollars(60), dollars(150), false, null],
    )
    t.strictSame(await of(['DepreciationNonproduction', 36], ['InterestCostsIncurred', 7]), [
      dollars(36),
      dollars(126),
      false,
      dollars(7),
    ])
    t.strictSame(
      await of(
        ['DepreciationNonproduction', 36],
        ['DepreciationAndAmortization', 60],
        ['InterestExpense', 5],
      ),
      [dollars(60), dollars(150), false, dollars(5)],
    )
    t.strictSame(await of(), [null, dollars(90), true, null])
  },
)

const pretax = 'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest'

t.test(
  'current items, other cash flows and bank items come from their facts, quarters by difference',
  async t => {
    const from = '2023-01-01'
    const items = (k: number, end: string): Figure[] => [
      ['Revenues', 100 * k, end, from],
      ['NetIncomeLoss', 20 * k, end, from],
      ['Assets', 1000, end],
      ['AssetsCurrent', 300, end],
      ['LiabilitiesCurrent', 150, end],
      ['NetCashProvidedByUsedInInvestingActivities', -30 * k, end, from],
      ['NetCashProvidedByUsedInFinancingActivities', 12 * k, end, from],
      ['InterestIncomeExpenseNet', 70 * k, end, from],
      [pretax, 36 * k, end, from],
      ['ProvisionForLoanLeaseAndOtherLosses', 9 * k, end, from],
    ]
    const facts = [
      ...report({ form: '10-Q', filed: '2023-05-01', fy: 2023 }, ...items(1, '2023-03-31')),
      ...report({ form: '10-Q', filed: '2023-08-01', fy: 2023 }, ...items(3, '2023-06-30')),
    ]
    const names = [
      'current_assets',
      'current_liabilities',
      'investing_cash_flow',
      'financing_cash_flow',
      'net_interest_income',
      'provision_for_credit_losses',
      'pre_provision_profit',
    ]
    const bank = (await (await derived(t, { facts, company: { sic: '6021' } })).rows(`basis = 'quarter'`)).at(
      -1,
    )!
    t.strictSame(pick([bank], ...names), [[300, 150, -60, 24, 140, 18, 90].map(dollars)])
    t.match(explained(bank)['pre_provision_profit'], {
      value: dollars(90),
      formula: 'the 6 months to date less 3 months',
      inputs: { length: 4 },
    })
    t.match(explained(bank)['net_margin'], {
      value: 20,
      unit: 'percent',
      formula: '100 * net_income / revenue',
      inputs: [{ item: 'net_income' }, { item: 'revenue' }],
    })
    const maker = (
      await (await derived(t, { facts, company: { sic: '3711' } })).rows(`basis = 'quarter'`)
    ).at(-1)!
    t.strictSame(pick([maker], ...names), [
      [dollars(300), dollars(150), dollars(-60), dollars(24), null, null, null],
    ])
    t.match(explained(maker)['net_interest_income'], {
      null_because: 'an item of banks and insurers, which this company is not',
    })
  },
)

t.test('a bank without a tagged provision has no pre-provision profit', async t => {
  const [end, from] = ['2023-12-31', '2023-01-01']
  const facts = report(
    { form: '10-K', filed: '2024-02-15', fy: 2023 },
    ['Revenues', 200, end, from],
    [pretax, 50, end, from],
    ['InterestIncomeExpenseNet', 90, end, from],
    ['NoninterestIncome', 70, end, from],
    ['NoninterestExpense', 110, end, from],
    ['Assets', 1000, end],
  )
  const [row] = await (await derived(t, { facts, company: { sic: '6021' } })).rows(`basis = 'ttm'`)
  t.equal(row!['net_interest_income'], dollars(90))
  t.equal(row!['pre_provision_profit'], null)
  t.equal(row!['leverage_ratio'], null)
})
