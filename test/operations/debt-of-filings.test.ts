import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const MILLION = 1_000_000_00

const ciks: Readonly<Record<string, string>> = {
  FISC: '0000000031',
  CPAP: '0000000032',
  LEAS: '0000000033',
  TEXT: '0000000034',
  AGED: '0000000035',
  DRAW: '0000000036',
}

/** Facts of a 10-K of 2025-06-30, in millions. */
const facts = (ticker: string, values: Readonly<Record<string, number>>) =>
  Object.entries({ Revenues: 1000, Assets: 3000, ...values }).map(([name, millions]) => ({
    cik: ciks[ticker],
    concept: `us-gaap:${name}`,
    unit: 'USD',
    period_start: name === 'Revenues' ? '2024-07-01' : null,
    period_end: '2025-06-30',
    value: millions * 1e6,
    accession: `${ticker}-25`,
    form: '10-K',
    fiscal_year: 2025,
    fiscal_period: 'FY',
    filed_date: '2025-08-10',
    known_from: '2025-08-10',
  }))

const due = (...millions: number[]) =>
  Object.fromEntries(
    ['InNextTwelveMonths', 'InYearTwo', 'InYearThree', 'InYearFour', 'InYearFive', 'AfterYearFive'].map(
      (years, i) => [`LongTermDebtMaturitiesRepaymentsOfPrincipal${years}`, millions[i] ?? 0],
    ),
  )

const debt = (ticker: string, millions: number, balance_date = '2025-06-30') => ({
  ticker,
  fiscal_year: Number(balance_date.slice(0, 4)),
  fiscal_quarter: 4,
  period_months: 12,
  period_end_date: balance_date,
  filed_date: '2025-08-10',
  known_from: '2025-08-10',
  ebitda: 500 * MILLION,
  total_debt: millions * MILLION,
})

const note = (ticker: string, maturity: string | null, millions: number, more = {}) => ({
  ticker,
  instrument_id: `${ticker}-${maturity}`,
  name: `Notes of ${ticker} due ${maturity}`,
  instrument_type: 'senior_notes',
  carrying_amount: millions * MILLION,
  currency: 'USD',
  maturity,
  balance_date: '2025-06-30',
  known_from: '2025-08-10',
  ...more,
})

const facility = (ticker: string, maturity: string, millions: number, more = {}) =>
  note(ticker, maturity, 0, {
    name: `Facility of ${ticker} due ${maturity}`,
    instrument_type: 'revolver',
    carrying_amount: null,
    commitment: millions * MILLION,
    undrawn: millions * MILLION,
    ...more,
  })

const rows: Rows = {
  companies: Object.entries(ciks).map(([ticker, cik]) => ({
    ticker,
    cik,
    name: `${ticker} Corp`,
    sector: 'Utilities',
  })),
  facts: [
    // Years to June 30.
    ...facts('FISC', due(400, 300, 200)),
    ...facts('CPAP', {
      ...due(100, 200),
      LongTermDebtNoncurrent: 900,
      LongTermDebtCurrent: 100,
      CommercialPaper: 20,
    }),
    ...facts('LEAS', {
      ...due(0, 0, 0, 500),
      LongTermDebtNoncurrent: 500,
      LongTermDebtCurrent: 0,
      FinanceLeaseLiabilityNoncurrent: 50,
      FinanceLeaseLiabilityCurrent: 40,
    }),
  ],
  financials: [debt('FISC', 900), debt('AGED', 700, '2024-03-31'), debt('DRAW', 1000)],
  instruments: [
    note('FISC', '2025-09', 400),
    note('FISC', '2026-10', 300),
    // Its day is in the year to June 2027 or the one after it.
    note('FISC', '2027', 200),
    // Without a tagged total.
    note('TEXT', '2026-05-15', 600),
    note('TEXT', '2025-07', 100),
    note('AGED', '2027-03-31', 700, { balance_date: '2024-03-31' }),
    facility('AGED', '2028-06-30', 300, { balance_date: '2024-03-31' }),
    note('DRAW', null, 1000),
    facility('DRAW', '2027-06-30', 500),
    facility('DRAW', '2025-08', 250),
  ],
}

const lake = await makeLake(t.teardown, rows)
await build(lake, { as_of: '2025-09-15' })
const engine = await open(lake)
t.teardown(() => engine.close())

type Row = Readonly<Record<string, unknown>>
const ask = async (operation: 'search.maturities' | 'search.liquidity', input: Record<string, unknown>) =>
  (await engine.call(operation, input)).data as unknown as Row[]

/** `year known partial`, in millions. */
const wall = async (ticker: string) =>
  (await ask('search.maturities', { ticker })).map(
    ({ year, bonds_due, is_partial }) =>
      `${year} ${bonds_due === null ? '-' : (bonds_due as number) / MILLION}${is_partial ? ' partial' : ''}`,
  )

t.test('notes fall due in the fiscal year of their month; a year alone may be in either of two', async t => {
  t.strictSame(await wall('FISC'), [
    '2026 400',
    '2027 300',
    '2028 -',
    '2029 0',
    '2030 0',
    '2031 0',
    'null 200',
  ])
})

t.test('notes and facilities whose month is over are no longer active', async t => {
  const names = (await engine.sql('SELECT name FROM instruments WHERE NOT is_active ORDER BY name')) as Row[]
  t.strictSame(
    names.map(({ name }) => name),
    ['Facility of DRAW due 2025-08', 'Notes of TEXT due 2025-07'],
  )
  t.match(await ask('search.liquidity', { ticker: 'DRAW' }), [
    { undrawn_committed: 500 * MILLION, undrawn_source: 'instruments', undrawn_date: '2025-06-30' },
  ])
})

t.test('a facility that is not drawn does not say that nothing falls due', async t => {
  const rows = await ask('search.maturities', { ticker: 'DRAW', year: 2027 })
  t.match(rows, [
    { due: null, due_source: null, bonds_null_because: 'nothing_drawn', bond_count: 1, is_partial: true },
  ])
})

t.test('instruments that no tagged total confirms are shown as a part', async t => {
  t.strictSame(await wall('TEXT'), [
    '2025 - partial',
    '2026 600 partial',
    ...[2027, 2028, 2029, 2030, 2031].map(year => `${year} - partial`),
  ])
  const { data } = await engine.call('recovery.company', { ticker: 'TEXT', enterprise_value: 300 * MILLION })
  t.match(data, { claims_amount: 600 * MILLION, classes: [{ recovery_percent: 50 }] })
  t.match(data.notes.join(' '), /no tagged total debt to compare the claims with/)
})

t.test('instruments of an old balance date have no amount, as old figures', async t => {
  t.match(await ask('search.maturities', { ticker: 'AGED', year: 2027 }), [
    { due: null, bonds_null_because: 'stale', bond_count: 1, bonds_unknown: 1 },
  ])
  t.match(await ask('search.maturities', { ticker: 'AGED', year: 2027, max_age: 'none' }), [
    { due: 700 * MILLION, due_source: 'instruments' },
  ])
  t.match(await ask('search.liquidity', { ticker: 'AGED' }), [
    { undrawn_committed: null, undrawn_null_because: 'stale' },
  ])
  const { data } = await engine.call('recovery.company', { ticker: 'AGED', enterprise_value: 300 * MILLION })
  t.match(data.notes.join(' '), /Claims are of 2024-03-31, longer ago than max_age/)
})

t.test('commercial paper is due beside a schedule that leaves it out', async t => {
  // 100 x 288/365 + 200 x 77/365, and 20
  const [row] = await ask('search.liquidity', { ticker: 'CPAP', explain: true })
  t.match(row, { due_source: 'filed_schedule' })
  const { due_12m, due_24m, _explain } = row as Record<string, number> & {
    _explain: Record<string, { value: number }>
  }
  t.match(_explain, {
    due_12m: { value: due_12m },
    due_24m: { value: due_24m },
    debt_due_1yr: { value: due_12m! - 20 * MILLION },
    short_term_borrowings: { value: 20 * MILLION },
  })
})

t.test('where current leases are due and no other debt, no less is due within two years', async t => {
  t.match(await ask('search.liquidity', { ticker: 'LEAS' }), [
    { due_12m: 40 * MILLION, due_24m: 40 * MILLION, due_source: 'current_debt' },
  ])
})

t.test('what is active is recomputed', async t => {
  const differences: { readonly field: string }[] = []
  await verifyFigures(lake, await currentManifest(lake), { found: each => void differences.push(each) })
  t.strictSame(
    differences.filter(({ field }) => field === 'is_active'),
    [],
  )
})
