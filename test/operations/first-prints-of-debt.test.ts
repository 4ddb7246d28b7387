import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'

t.setTimeout(180_000)

const END = '2024-12-31'
const MILLION = 1_000_000_00
const years = ['InNextTwelveMonths', 'InYearTwo', 'InYearThree', 'InYearFour', 'InYearFive', 'AfterYearFive']
const NOTES = 'us-gaap:DebtInstrumentAxis=x:SeniorNotesDue2030Member'

interface Filed {
  readonly filed: string
  readonly debt: number
  readonly due: number
  readonly undrawn: number
  readonly form?: string
}

/** The annual report of 2024, or an amendment of it; amounts in millions. */
const annual = (cik: string, { filed, debt, due, undrawn, form = '10-K' }: Filed) =>
  (
    [
      ['Assets', 3000],
      ['LongTermDebtNoncurrent', debt],
      ['LongTermDebtNoncurrent', debt, NOTES],
      ['LineOfCreditFacilityRemainingBorrowingCapacity', undrawn],
      ...years.map(year => [`LongTermDebtMaturitiesRepaymentsOfPrincipal${year}`, due] as const),
    ] as const
  ).map(([concept, millions, dimensions]) => ({
    cik,
    concept: `us-gaap:${concept}`,
    unit: 'USD',
    period_end: END,
    dimensions: dimensions ?? null,
    value: millions * 1e6,
    accession: `${cik}-${filed}`,
    form,
    fiscal_year: 2024,
    fiscal_period: 'FY',
    report_date: END,
    filed_date: filed,
    known_from: filed,
    source: `${cik}-${filed}.json`,
  }))

/** A statement as a file of a vendor has it. */
const stated = (known_from: string, total_debt: number) => ({
  ticker: 'FILE',
  fiscal_year: 2024,
  fiscal_quarter: 4,
  period_months: 12,
  period_end_date: END,
  filed_date: known_from,
  known_from,
  ebitda: 100 * MILLION,
  total_debt: total_debt * MILLION,
})

const rows: Rows = {
  companies: [
    { ticker: 'ONCE', cik: '0000000041', name: 'ONCE Corp', sector: 'Energy' },
    { ticker: 'TWCE', cik: '0000000042', name: 'TWCE Corp', sector: 'Energy' },
    { ticker: 'FILE', cik: '0000000043', name: 'FILE Corp', sector: 'Energy' },
  ],
  facts: [
    ...annual('0000000041', { filed: '2025-02-10', debt: 300, due: 10, undrawn: 90 }),
    ...annual('0000000042', { filed: '2025-02-10', debt: 300, due: 10, undrawn: 90 }),
    ...annual('0000000042', { filed: '2025-05-12', debt: 360, due: 30, undrawn: 40, form: '10-K/A' }),
  ],
  financials: [stated('2025-02-10', 200), stated('2025-05-12', 240)],
  instruments: [
    {
      ticker: 'FILE',
      instrument_id: 'FILE-1',
      name: 'Notes due 2030',
      instrument_type: 'senior_notes',
      carrying_amount: 200 * MILLION,
      currency: 'USD',
      maturity: '2030',
      balance_date: END,
      known_from: '2025-02-10',
    },
  ],
}

const lake = await builtLake(t.teardown, rows, { asOf: '2025-06-30' })
const manifest = await currentManifest(lake)
const engine = await open(lake, { hotMemory: '64MB' })
const fromFiles = await open(lake, { hotMemory: '0MB' })
t.teardown(() => {
  engine.close()
  fromFiles.close()
})

type Asked = Parameters<typeof engine.call<'search.reconciliations'>>[1]
const taggedDebt = async (asked: Asked = {}, of = engine) => {
  const { data } = await of.call('search.reconciliations', { ...asked, sort: ['ticker'] })
  return data.map(row => `${row.ticker} ${Number(row.tagged_debt) / MILLION} ${row.form ?? '-'}`)
}
const FIRST = ['FILE 200 -', 'ONCE 300 10-K', 'TWCE 300 10-K']
const LATEST = ['FILE 240 -', 'ONCE 300 10-K', 'TWCE 360 10-K/A']

t.test('debt is reconciled with what was tagged first if asked, else last', async t => {
  const bare = (lines: readonly string[]) => lines.map(line => line.replace(/ (?:-|10-K|Q4)$/, ''))
  for (const of of [engine, fromFiles]) {
    t.strictSame(bare(await taggedDebt({}, of)), bare(LATEST))
    t.strictSame(bare(await taggedDebt({ reported: 'latest' }, of)), bare(LATEST))
    t.strictSame(bare(await taggedDebt({ reported: 'original' }, of)), bare(FIRST))
  }
  t.strictSame(bare(await taggedDebt({ as_of: '2025-03-31' })), bare(FIRST), 'nothing was restated yet')
  t.strictSame(bare(await taggedDebt({ as_of: '2025-06-10', reported: 'original' })), bare(FIRST))
  const { data, meta } = await engine.call('search.reconciliations', {
    reported: 'original',
    ticker: ['TWCE'],
  })
  t.match(meta, { filters_applied: { reported: 'original' } })
  t.match(data, [{ instruments_sum: 300 * MILLION, difference: 0, reconciles: true, form: '10-K' }])
  t.strictSame(
    (await engine.call('search.reconciliations', { reported: 'original', reconciles: false })).data,
    [],
    'filters read the same figures',
  )
})

t.test('one row is both prints unless a later filing of the balance date replaced it', async t => {
  const found = await engine.sql(
    'SELECT ticker, is_latest, is_original, tagged_debt FROM debt_reconciliations_by_print ORDER BY ALL',
  )
  t.strictSame(
    found.map(row => `${row['ticker']} ${row['is_latest']} ${row['is_original']}`),
    ['FILE false true', 'FILE true false', 'ONCE true true', 'TWCE false true', 'TWCE true false'],
  )
})

t.test('repayments and undrawn facilities are those of first prints too', async t => {
  const disclosed = await engine.sql(
    `SELECT ticker, amount, original_amount, original_form, original_filed_date FROM debt_disclosures WHERE item IN ('due_1', 'undrawn') AND ticker <> 'FILE' ORDER BY ALL`,
  )
  t.strictSame(
    disclosed.map(row => [row['ticker'], Number(row['amount']), Number(row['original_amount'])]),
    [
      ['ONCE', 10 * MILLION, 10 * MILLION],
      ['ONCE', 90 * MILLION, 90 * MILLION],
      ['TWCE', 30 * MILLION, 10 * MILLION],
      ['TWCE', 40 * MILLION, 90 * MILLION],
    ],
  )
  const firstPeriod = async (reported: 'latest' | 'original', of = engine) => {
    const fields = ['filed_due', 'filed_form', 'filed_date'] as const
    const { data } = await of.call('search.maturities', { ticker: ['TWCE'], reported, fields, limit: 1 })
    return data.map(row => fields.map(name => row[name]))
  }
  for (const of of [engine, fromFiles]) {
    t.strictSame(await firstPeriod('latest', of), [[30 * MILLION, '10-K/A', '2025-05-12']])
    t.strictSame(await firstPeriod('original', of), [[10 * MILLION, '10-K', '2025-02-10']])
  }
  const undrawn = async (reported: 'latest' | 'original') => {
    const { data } = await engine.call('search.liquidity', { reported })
    return Object.fromEntries(data.map(row => [row.ticker, row.undrawn_committed]))
  }
  t.match(await undrawn('latest'), { ONCE: 90 * MILLION, TWCE: 40 * MILLION })
  t.match(await undrawn('original'), { ONCE: 90 * MILLION, TWCE: 90 * MILLION })
})

t.test('debt instruments are compiled from several filings, and refuse to be first prints', async t => {
  await t.rejects(engine.ask('search.instruments', { reported: 'original' }), {
    code: 'INVALID_PARAMETER',
    message: /there is no parameter reported: its rows are as last known on the day; first prints are of /,
  })
  await t.rejects(engine.ask('export', { data_type: 'bonds', reported: 'original' }), {
    code: 'INVALID_PARAMETER',
    message: /first prints are of /,
  })
})

t.test('first prints agree with their recomputation', async t => {
  for (const asOf of ['2025-06-30', '2025-06-10', '2025-03-31']) {
    const differences: unknown[] = []
    await verifyFigures(lake, manifest, { asOf, found: difference => differences.push(difference) })
    t.strictSame(differences, [], asOf)
  }
})
