import t from 'tap'
import { BEFORE, derived, dollars, explained, pick, type Row, report, year } from './reports.ts'

t.test('three quarterly reports and an annual one make four quarters', async t => {
  const { rows } = await derived(t, { facts: year(2023) })
  const quarters = await rows(`basis = 'quarter'`)
  t.strictSame(
    pick(quarters, 'period', 'filing_type', 'revenue', 'operating_cash_flow', 'depreciation_amortization'),
    [
      ['2023Q1', '10-Q', dollars(100), dollars(10), dollars(5)],
      ['2023Q2', '10-Q', dollars(200), dollars(10), dollars(5)],
      ['2023Q3', '10-Q', dollars(300), dollars(10), dollars(5)],
      ['2023Q4', '10-K', dollars(400), dollars(15), dollars(5)],
    ],
  )
  t.strictSame(pick(quarters, 'ebitda'), [[dollars(25)], [dollars(25)], [dollars(25)], [dollars(35)]])
  t.match(explained(quarters[3]!)['revenue'], {
    value: dollars(400),
    unit: 'USD cents',
    formula: 'the year less 9 months',
    inputs: [
      {
        concept: 'us-gaap:Revenues',
        value: 1000e6,
        unit: 'USD',
        period_start: '2023-01-01',
        period_end: '2023-12-31',
        accession: /^0000001234-/,
        form: '10-K',
        filed: '2024-02-15',
        source: 'test.json',
        times: 1,
      },
      { value: 600e6, period_end: '2023-09-30', form: '10-Q', times: -1 },
    ],
    flags: [],
    null_because: null,
  })
})

t.test(
  'trailing figures are the fiscal year at its end, rolled forward between, annualised before',
  async t => {
    const { rows } = await derived(t, { facts: [...year(2023), ...year(2024, 2)] })
    const ttm = await rows(`basis = 'ttm' AND is_latest`)
    t.strictSame(pick(ttm, 'period', 'revenue', 'is_annualized', 'ebitda_quarters'), [
      ['2023Q1', dollars(400), true, 1],
      ['2023Q2', dollars(600), true, 2],
      ['2023Q3', dollars(800), true, 3],
      ['2023Q4', dollars(1000), false, 4],
      ['2024Q1', dollars(1100), false, 4],
      ['2024Q2', dollars(1300), false, 4],
      ['2024Q3', dollars(1600), false, 4],
      ['2024Q4', dollars(2000), false, 4],
    ])
    t.strictSame(ttm[4]!['ttm_quarters'], ['2023Q2', '2023Q3', '2023Q4', '2024Q1'])
    t.equal(ttm[3]!['ebitda'], dollars(110))
    t.equal(ttm[3]!['leverage_ratio'], 300 / 110)
    t.equal(ttm[3]!['net_leverage_ratio'], 250 / 110)
    const quarter = (
      await rows(`basis = 'quarter' AND is_latest AND fiscal_year = 2023 AND fiscal_quarter = 4`)
    )[0]!
    t.equal(quarter['leverage_ratio'], 300 / 110, 'a quarter has the leverage on trailing EBITDA')
  },
)

t.test(
  "one annual and one quarterly report are enough to roll forward, by the quarter's comparatives",
  async t => {
    const { rows } = await derived(t, {
      facts: [
        ...report({ form: '10-K', filed: '2024-02-15', fy: 2023 }, [
          'Revenues',
          1000,
          '2023-12-31',
          '2023-01-01',
        ]),
        ...report(
          { form: '10-Q', filed: '2024-08-01', fy: 2024 },
          ['Revenues', 600, '2024-06-30', '2024-01-01'],
          ['Revenues', 500, '2023-06-30', '2023-01-01'],
        ),
      ],
    })
    t.match(await rows(`basis = 'ttm' AND period_end_date = DATE '2024-06-30'`), [
      { period: '2024Q2', revenue: dollars(1100), is_annualized: false },
    ])
    const [quarter] = await rows(`basis = 'quarter' AND period_end_date = DATE '2023-12-31'`)
    t.equal(quarter, undefined, 'no row is made of nothing but nulls')
  },
)

t.test('a quarter that cannot be computed is null with a reason', async t => {
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2024-02-15', fy: 2023 },
      ['Revenues', 1000, '2023-12-31', '2023-01-01'],
      ['Assets', 900, '2023-12-31'],
    ),
  })
  const [row] = await rows(`basis = 'quarter'`)
  t.match(row, { period: '2023Q4', revenue: null, total_assets: dollars(900) })
  t.match(explained(row!)['revenue'], {
    value: null,
    formula: null,
    inputs: [],
    null_because: /the year is known, but no figure of the 9 months/,
  })
})

t.test('a restatement is a later version with its own day; a repetition is not', async t => {
  const facts = [
    ...year(2023),
    ...report(
      { form: '10-K', filed: '2025-02-15', fy: 2024, accession: '0000001234-25-000001' },
      ['Revenues', 990, '2023-12-31', '2023-01-01'],
      ['OperatingIncomeLoss', 90, '2023-12-31', '2023-01-01'],
      ['Revenues', 1500, '2024-12-31', '2024-01-01'],
      ['OperatingIncomeLoss', 95, '2024-12-31', '2024-01-01'],
    ),
  ]
  const { rows } = await derived(t, { facts })
  const versions = await rows(`basis = 'ttm' AND fiscal_year = 2023 AND fiscal_quarter = 4`)
  t.strictSame(
    pick(versions, 'version', 'known_from', 'revenue', 'operating_income', 'is_original', 'is_latest'),
    [
      [1, '2024-02-15', dollars(1000), dollars(90), true, false],
      [2, '2025-02-15', dollars(990), dollars(90), false, true],
    ],
  )
  t.equal(versions[1]!['accession'], '0000001234-25-000001')
  t.strictSame(
    pick(await rows(`basis = 'quarter' AND fiscal_year = 2023 AND fiscal_quarter = 4`), 'revenue'),
    [[dollars(400)], [dollars(390)]],
  )
})

t.test('a comparative in coarser units is the same figure', async t => {
  const first = report(
    { form: '10-Q', filed: '2024-05-01' },
    ['Revenues', 100.123456, '2024-03-31', '2024-01-01'],
    ['Assets', 999.876543, '2024-03-31'],
  )
  const later = report(
    { form: '10-Q', filed: '2025-05-01' },
    ['Revenues', 100, '2024-03-31', '2024-01-01'],
    ['Revenues', 120, '2025-03-31', '2025-01-01'],
  )
  const { rows } = await derived(t, { facts: [...first, ...later] })
  t.strictSame(pick(await rows(`basis = 'quarter' AND fiscal_year = 2024`), 'version', 'revenue'), [
    [1, 10_012_345_600],
  ])
})

t.test(
  'fiscal years are named as the company names them, also with 52/53 weeks and across January',
  async t => {
    const week = report(
      { form: '10-K', filed: '2024-11-01', fy: 2024 },
      ['Revenues', 1000, '2024-09-28', '2023-10-01'],
      ['Revenues', 900, '2023-09-30', '2022-09-25'],
    )
    const labels = async (facts: Row[]) =>
      pick(
        await (await derived(t, { facts })).rows(`basis = 'ttm' AND is_latest`),
        'period',
        'period_end_date',
      )
    t.strictSame(await labels(week), [
      ['2023Q4', '2023-09-30'],
      ['2024Q4', '2024-09-28'],
    ])
    const retailer = report(
      { form: '10-K', filed: '2025-03-20', fy: 2024 },
      ['Revenues', 1000, '2025-02-01', '2024-02-04'],
      ['Revenues', 900, '2024-02-03', '2023-01-29'],
    )
    t.strictSame(await labels(retailer), [
      ['2023Q4', '2024-02-03'],
      ['2024Q4', '2025-02-01'],
    ])
    const unnamed = report(
      { form: '10-K', filed: '2022-03-01' },
      ['Revenues', 900, '2021-01-02', '2019-12-29'],
      ['Revenues', 1000, '2022-01-01', '2021-01-03'],
    )
    t.strictSame(await labels(unnamed), [
      ['2020Q4', '2021-01-02'],
      ['2021Q4', '2022-01-01'],
    ])
  },
)

t.test('quarters of twelve and sixteen weeks are quarters', async t => {
  const { rows } = await derived(t, {
    facts: [
      ...report({ form: '10-Q', filed: '2023-12-15', fy: 2024 }, [
        'Revenues',
        230,
        '2023-11-26',
        '2023-09-04',
      ]),
      ...report(
        { form: '10-Q', filed: '2024-03-15', fy: 2024 },
        ['Revenues', 240, '2024-02-18', '2023-11-27'],
        ['Revenues', 470, '2024-02-18', '2023-09-04'],
      ),
      ...report(
        { form: '10-Q', filed: '2024-06-05', fy: 2024 },
        ['Revenues', 230, '2024-05-12', '2024-02-19'],
        ['Revenues', 700, '2024-05-12', '2023-09-04'],
      ),
      ...report(
        { form: '10-K', filed: '2024-10-05', fy: 2024 },
        ['Revenues', 1000, '2024-09-01', '2023-09-04'],
        ['Revenues', 950, '2023-09-03', '2022-08-29'],
      ),
    ],
  })
  t.strictSame(pick(await rows(`basis = 'quarter' AND is_latest`), 'period', 'revenue'), [
    ['2024Q1', dollars(230)],
    ['2024Q2', dollars(240)],
    ['2024Q3', dollars(230)],
    ['2024Q4', dollars(300)],
  ])
})

t.test('a quarter alone is the one that its filing says, and not the first', async t => {
  for (const [fiscal_period, period] of [
    ['Q1', '2023Q1'],
    ['Q2', '2023Q2'],
    ['Q3', '2023Q3'],
    [null, '2023Q1'],
  ] as const) {
    const alone = report(
      { form: '10-Q', filed: '2023-03-29', fy: 2023 },
      ['Revenues', 100, '2023-02-28', '2022-12-01'],
      ['Assets', 900, '2023-02-28'],
    )
    const { rows } = await derived(t, { facts: alone.map(row => ({ ...row, fiscal_period })) })
    t.strictSame(pick(await rows(`basis = 'quarter'`), 'period', 'revenue'), [[period, dollars(100)]])
  }
})

t.test("rounded dates of a data set are mapped to the company's own dates", async t => {
  const exact = report({ form: '10-K', filed: '2024-11-01', fy: 2024, accession: 'a' }, [
    'Revenues',
    1000,
    '2024-09-28',
    '2023-10-01',
  ])
  const rounded = [
    ...report(
      { form: '10-K', filed: '2024-11-01', fy: 2024, accession: 'a', rounded: true },
      ['Revenues', 1000, '2024-09-30', '2023-10-01'],
      ['Assets', 700, '2024-09-30'],
    ),
    ...report({ form: '10-Q', filed: '2024-08-01', fy: 2024, accession: 'b', rounded: true }, [
      'Revenues',
      700,
      '2024-06-30',
      '2023-10-01',
    ]),
  ]
  const { rows } = await derived(t, { facts: [...exact, ...rounded] })
  t.match(await rows(`basis = 'quarter' AND fiscal_quarter = 4`), [
    { period: '2024Q4', period_end_date: '2024-09-28', revenue: dollars(300), total_assets: dollars(700) },
  ])
})

t.test("a half-year that repeats one quarter's value loses against the quarters", async t => {
  const halfYear = (value: number) => [
    ...report(
      { form: '10-K', filed: '2024-02-15' },
      ['Revenues', 400, BEFORE, '2023-01-01'],
      ['Assets', 1, BEFORE],
    ),
    ...report(
      { form: '10-Q', filed: '2024-05-01' },
      ['Revenues', 110, '2024-03-31', '2024-01-01'],
      ['Revenues', 90, '2023-03-31', '2023-01-01'],
    ),
    ...report(
      { form: '10-Q', filed: '2024-08-01' },
      ['Revenues', 130, '2024-06-30', '2024-04-01'],
      ['Revenues', value, '2024-06-30', '2024-01-01'],
      ['Revenues', 95, '2023-06-30', '2023-04-01'],
      ['Revenues', 185, '2023-06-30', '2023-01-01'],
    ),
  ]
  const trailing = async (facts: Row[]) =>
    (
      await (await derived(t, { facts })).rows(`basis = 'ttm' AND fiscal_year = 2024 AND fiscal_quarter = 2`)
    )[0]
  t.match(await trailing(halfYear(240)), { revenue: dollars(400 + 240 - 185), is_annualized: false })
  const slip = await trailing(halfYear(130))
  t.match(slip, { revenue: dollars(400 + 110 + 130 - 185), is_annualized: false })
})

t.test('untagged liabilities are assets less all equity', async t => {
  const end = '2024-12-31'
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15' },
      ['Revenues', 1, end, '2024-01-01'],
      ['Assets', 900, end],
      ['StockholdersEquity', 300, end],
      ['MinorityInterest', 20, end],
      ['RedeemableNoncontrollingInterestEquityCarryingAmount', 5, end],
    ),
  })
  t.match((await rows(`basis = 'ttm'`))[0], {
    total_liabilities: dollars(575),
    stockholders_equity: dollars(300),
  })
})
