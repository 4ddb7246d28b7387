import t from 'tap'
import { derived, dollars, explained, type Figure, report } from './reports.ts'

const inYear = (year: number, concept: string, millions: number): Figure => [
  concept,
  millions,
  `${year}-12-31`,
  `${year}-01-01`,
]

t.test('depreciation of a quarter is not the part of it that a note states', async t => {
  const quarter = (form: string, filed: string, end: string, all: number, note: number, start: string) =>
    report(
      { form, filed },
      ['OperatingIncomeLoss', 50, end, start],
      ['DepreciationDepletionAndAmortization', all, end, '2023-01-01'],
      // The note on property has depreciation without amortization.
      ['Depreciation', note, end, start],
      ['Assets', 900, end],
    )
  const { rows } = await derived(t, {
    facts: [
      ...quarter('10-Q', '2023-05-05', '2023-03-31', 30, 18, '2023-01-01'),
      ...quarter('10-Q', '2023-08-05', '2023-06-30', 62, 19, '2023-04-01'),
      ...quarter('10-Q', '2023-11-05', '2023-09-30', 95, 20, '2023-07-01'),
    ],
  })
  t.strictSame(
    (await rows(`basis = 'quarter'`)).map(row => [row['depreciation_amortization'], row['ebitda']]),
    [
      [dollars(30), dollars(80)],
      [dollars(32), dollars(82)],
      [dollars(33), dollars(83)],
    ],
  )
})

t.test('no quarter is a year of all costs less months of a part of them', async t => {
  const { rows } = await derived(t, {
    facts: [
      ...report(
        { form: '10-Q', filed: '2023-11-05' },
        ['OperatingIncomeLoss', 150, '2023-09-30', '2023-01-01'],
        ['Depreciation', 60, '2023-09-30', '2023-01-01'],
        ['Assets', 900, '2023-09-30'],
      ),
      ...report(
        { form: '10-K', filed: '2024-02-15' },
        inYear(2023, 'OperatingIncomeLoss', 200),
        inYear(2023, 'DepreciationDepletionAndAmortization', 120),
        ['Assets', 900, '2023-12-31'],
      ),
    ],
  })
  const [last] = await rows(`basis = 'quarter' AND fiscal_quarter = 4`)
  t.match(last, { operating_income: dollars(50), depreciation_amortization: null, ebitda_estimated: true })
})

/** A year that a later report restates, and nine months that are restated with the year after it. */
const restated = [
  ...report(
    { form: '10-Q', filed: '2023-11-05' },
    ['Revenues', 700, '2022-09-30', '2022-01-01'],
    ['Revenues', 720, '2023-09-30', '2023-01-01'],
    ['Assets', 900, '2023-09-30'],
  ),
  ...report({ form: '10-K', filed: '2023-02-15' }, inYear(2022, 'Revenues', 960), [
    'Assets',
    900,
    '2022-12-31',
  ]),
  ...report(
    { form: '10-K', filed: '2024-02-15' },
    // A business was sold.
    inYear(2022, 'Revenues', 600),
    inYear(2023, 'Revenues', 640),
    ['Assets', 900, '2023-12-31'],
  ),
  ...report(
    { form: '10-Q', filed: '2024-11-05' },
    ['Revenues', 450, '2023-09-30', '2023-01-01'],
    ['Revenues', 480, '2024-09-30', '2024-01-01'],
    ['Assets', 900, '2024-09-30'],
  ),
]

t.test('twelve months do not mix a year before a restatement with months after it', async t => {
  const { rows } = await derived(t, { facts: restated })
  const [then] = await rows(`basis = 'ttm' AND period_end_date = '2023-09-30' AND is_latest`)
  t.equal(then!['revenue'], (960 + 720 - 700) * dollars(1))
})

t.test('no quarter is a year without a business that was sold less months with it', async t => {
  const { rows } = await derived(t, { facts: restated })
  const [last] = await rows(`basis = 'quarter' AND period_end_date = '2023-12-31'`)
  t.equal(last!['revenue'], null)
})

t.test('what is subtracted from a restated year may be restated after it', async t => {
  const { rows } = await derived(t, { facts: restated })
  const [now] = await rows(`basis = 'ttm' AND period_end_date = '2024-09-30'`)
  t.equal(now!['revenue'], (640 + 480 - 450) * dollars(1))
  t.strictSame(explained(now!)['revenue']!['flags'], [])
})

t.test('quarters of 12 or 16 weeks are annualised by weeks, others by quarters', async t => {
  const first = async (end: string) => {
    const { rows } = await derived(t, {
      facts: report(
        { form: '10-Q', filed: '2023-07-01' },
        ['Revenues', 120, end, '2023-01-01'],
        ['OperatingIncomeLoss', 60, end, '2023-01-01'],
        ['DepreciationDepletionAndAmortization', 12, end, '2023-01-01'],
        ['Assets', 900, end],
      ),
    })
    const [row] = await rows(`basis = 'ttm'`)
    return [row!['revenue'], row!['ebitda'], explained(row!)['revenue']!['formula']]
  }
  t.strictSame(await first('2023-04-22'), [
    dollars(390),
    dollars(234),
    '3 months to date annualised from 16 weeks',
  ])
  t.strictSame(await first('2023-03-25'), [
    dollars(520),
    dollars(312),
    '3 months to date annualised from 12 weeks',
  ])
  for (const end of ['2023-03-31', '2023-04-08', '2023-04-01'])
    t.strictSame(await first(end), [dollars(480), dollars(288), '3 months to date annualised'], end)
})

t.test('depletion of wells and other depreciation are lines beside each other', async t => {
  const charge = async (wells: number, other: number) => {
    const { rows } = await derived(t, {
      facts: report(
        { form: '10-Q', filed: '2023-05-05' },
        ['OperatingIncomeLoss', 150, '2023-03-31', '2023-01-01'],
        ['DepletionOfOilAndGasProperties', wells, '2023-03-31', '2023-01-01'],
        ['OtherDepreciationAndAmortization', other, '2023-03-31', '2023-01-01'],
        ['Assets', 900, '2023-03-31'],
      ),
    })
    const [row] = await rows(`basis = 'quarter'`)
    return row!['depreciation_amortization']
  }
  t.equal(await charge(400, 60), dollars(460))
  t.equal(await charge(400, 460), dollars(460), 'the larger includes the smaller')
})
