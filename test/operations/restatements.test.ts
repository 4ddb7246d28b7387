import t from 'tap'
import { type Engine, open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake } from '../make-lake.ts'

t.setTimeout(120_000)

type Row = Record<string, unknown>

const company = { ticker: 'FLKNT', company_name: 'Falkenrath Corp.' }
const ends = ['2023-03-31', '2023-06-30', '2023-09-30', '2023-12-31', '2024-03-31'] as const

/** A quarter as filed on a day; amounts in millions of dollars. */
const quarter = (n: number, filed: string, accession: string, figures: Record<string, number>): Row => ({
  ...company,
  fiscal_year: Number(ends[n]!.slice(0, 4)),
  fiscal_quarter: (n % 4) + 1,
  period_months: 3,
  period_end_date: ends[n],
  filing_type: '10-Q',
  filed_date: filed,
  known_from: filed,
  accession,
  currency: 'USD',
  ...Object.fromEntries(
    Object.entries({
      revenue: 1000,
      ebitda: 200,
      net_income: 0,
      total_debt: 3000,
      capex: 40,
      ...figures,
    }).map(([name, value]) => [name, value * 100_000_000]),
  ),
})

const filed = ['2023-05-05', '2023-08-04', '2023-11-03', '2024-02-20', '2024-05-03'] as const

const lake = await makeLake(t.teardown, {
  companies: [{ ticker: 'FLKNT', name: 'Falkenrath Corp.', cik: '0000000042' }],
  financials: [
    ...ends.map((_, n) => quarter(n, filed[n]!, `a-${n}`, {})),
    // A year later the first quarter of 2024 is told with other revenue, a result where there was none, and a loss before interest.
    quarter(4, '2025-05-02', 'b-4', { revenue: 950, net_income: -20, ebitda: -700 }),
    // With it comes a quarter that was missing.
    {
      ...quarter(3, '2025-05-02', 'b-0', { revenue: 800, ebitda: 160 }),
      fiscal_year: 2022,
      period_end_date: '2022-12-31',
    },
    // Later still all but the result is told as at first.
    quarter(4, '2025-08-01', 'c-4', { net_income: -20 }),
  ],
})
await build(lake, { asOf: '2025-12-31' })
const engine: Engine = await open(lake)
t.teardown(() => engine.close())

const restatements = async (input: Row): Promise<Row[]> =>
  ((await engine.call('search.restatements', { ticker: 'FLKNT', ...input })) as unknown as { data: Row[] })
    .data

t.test('a figure that a later filing changed has both values, both filings and the day', async t => {
  const fields = [
    'figure',
    'before',
    'after',
    'difference',
    'change_pct',
    'unit',
    'kind',
    'restated_on',
    'days_after',
  ]
  const rows = await restatements({
    basis: 'quarter',
    fields: [...fields, 'accession', 'accession_before', 'first_print'],
    sort: ['restated_on', 'figure'],
  })
  const filings = {
    b: { restated_on: '2025-05-02', days_after: 364 },
    c: { restated_on: '2025-08-01', days_after: 455 },
  }
  t.match(
    rows.filter(({ figure }) => figure === 'revenue'),
    [
      {
        ...{
          before: 1000e8,
          after: 950e8,
          difference: -50e8,
          change_pct: -5,
          unit: 'cents',
          kind: 'restated',
        },
        ...{ ...filings.b, accession: 'b-4', accession_before: 'a-4', first_print: 1000e8 },
      },
      {
        ...{ before: 950e8, after: 1000e8, difference: 50e8, change_pct: 5.2631578947, kind: 'restated' },
        ...{ ...filings.c, accession: 'c-4', accession_before: 'b-4', first_print: 1000e8 },
      },
    ].map(({ change_pct, ...row }) => ({ ...row, change_pct: Number })),
  )
  t.ok(
    Math.abs(
      (rows.find(({ accession, figure }) => accession === 'c-4' && figure === 'revenue')?.[
        'change_pct'
      ] as number) -
        100 / 19,
    ) < 1e-9,
  )
  t.match(
    rows.filter(({ figure }) => figure === 'net_income'),
    [{ before: 0, after: -20e8, difference: -20e8, change_pct: null, ...filings.b }],
    'of nothing there is no percentage',
  )
})

t.test(
  'a figure that a later version does not have is withdrawn, and compared with the last that was told',
  async t => {
    const figure = ['leverage_ratio']
    const period_after = '2024-01-01'
    const rows = await restatements({ basis: 'ttm', figure, period_after, kind: ['restated', 'withdrawn'] })
    t.match(rows, [
      {
        kind: 'withdrawn',
        before: 3.75,
        after: null,
        difference: null,
        unit: 'ratio',
        restated_on: '2025-05-02',
      },
    ])
    t.equal(rows.length, 1, 'told again as it was, nothing differs')
    t.strictSame(
      await restatements({ basis: 'ttm', figure, period_after }),
      [],
      'restated figures only by default',
    )
  },
)

t.test('trailing figures that more quarters complete are told apart from restated ones', async t => {
  const trailing = await restatements({
    basis: 'ttm',
    figure: ['revenue'],
    kind: ['restated', 'completed'],
    fields: ['kind', 'period_end_date', 'before', 'after', 'change_pct'],
    sort: ['period_end_date', 'restated_on'],
  })
  t.match(trailing, [
    { kind: 'completed', period_end_date: '2023-03-31', before: 4000e8, after: 3600e8, change_pct: -10 },
    { kind: 'completed', period_end_date: '2023-06-30', before: 4000e8 },
    { kind: 'completed', period_end_date: '2023-09-30', before: 4000e8, after: 3800e8, change_pct: -5 },
    { kind: 'restated', period_end_date: '2024-03-31', before: 4000e8, after: 3950e8 },
    { kind: 'restated', period_end_date: '2024-03-31', before: 3950e8, after: 4000e8 },
  ])
  const leverage = await restatements({
    basis: 'quarter',
    figure: ['leverage_ratio'],
    kind: ['restated', 'completed'],
    period_after: '2023-09-30',
    fields: ['kind', 'period_end_date', 'before', 'after'],
    sort: ['period_end_date'],
    limit: 1,
  })
  t.match(
    leverage,
    [{ kind: 'completed', period_end_date: '2023-09-30', before: 3.75 }],
    'so is leverage, which a quarter shows on trailing EBITDA',
  )
})

t.test('an explained restatement has the inputs of both values', async t => {
  const [row] = await restatements({
    basis: 'quarter',
    figure: ['revenue'],
    restated_before: '2025-05-02',
    explain: true,
  })
  t.match(row, {
    _explain: {
      before: { value: 1000e8, inputs: [{ accession: 'a-4' }] },
      after: { value: 950e8, inputs: [{ accession: 'b-4' }] },
    },
  })
})

t.test('restatements are screened by size and day, and known only from their day on', async t => {
  const count = async (input: Row) => (await restatements({ basis: 'quarter', ...input })).length
  t.equal(await count({ min_change: 5.1, figure: ['revenue'] }), 1, 'down by 5% and up by 5.26%')
  t.equal(await count({ figure: ['revenue'], restated_after: '2025-06-01' }), 1)
  t.equal(await count({ as_of: '2025-05-01' }), 0)
  t.equal(await count({ as_of: '2025-05-02', figure: ['revenue'] }), 1)
  await t.rejects(restatements({ figure: ['revenues'] }), { code: 'INVALID_PARAMETER' })
})
