import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const MILLION = 1_000_000_00

const ciks: Readonly<Record<string, string>> = {
  WHOL: '0000000021',
  SUMS: '0000000022',
  DRAW: '0000000023',
  PART: '0000000024',
  CALM: '0000000025',
  BANK: '0000000026',
  LINE: '0000000027',
  LENT: '0000000028',
  FREE: '0000000029',
}

const undrawn = (ticker: string, millions: number, dimensions: string | null, day = '2024-12-31') => ({
  cik: ciks[ticker],
  concept: 'us-gaap:LineOfCreditFacilityRemainingBorrowingCapacity',
  unit: 'USD',
  period_end: day,
  value: millions * 1e6,
  accession: `${ticker}-25`,
  form: '10-K',
  filed_date: '2025-02-20',
  known_from: '2025-02-20',
  dimensions,
})

const year = (ticker: string, figures: Readonly<Record<string, number>>) => ({
  ticker,
  fiscal_year: 2024,
  fiscal_quarter: 4,
  period_months: 12,
  period_end_date: '2024-12-31',
  filing_type: '10-K',
  filed_date: '2025-02-20',
  known_from: '2025-02-20',
  accession: `${ticker}-25`,
  ebitda: 1000 * MILLION,
  ...Object.fromEntries(Object.entries(figures).map(([name, millions]) => [name, millions * MILLION])),
})

const bond = (ticker: string, id: string, maturity_date: string, millions: number, more = {}) => ({
  ticker,
  bond_id: id,
  name: id,
  currency: 'USD',
  maturity_date,
  outstanding: millions * MILLION,
  known_from: '2020-01-10',
  ...more,
})

const rows: Rows = {
  companies: Object.entries(ciks).map(([ticker, cik]) => ({
    ticker,
    cik,
    name: `${ticker} Corp`,
    ...(ticker === 'BANK' ? { sic: '6021' } : { sector: 'Energy' }),
  })),
  facts: [
    undrawn('WHOL', 1500, null),
    // Its facilities add up to it.
    undrawn('WHOL', 1000, 'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember'),
    undrawn('WHOL', 500, 'us-gaap:CreditFacilityAxis=us-gaap:BridgeLoanMember'),
    undrawn('SUMS', 545, 'us-gaap:LongtermDebtTypeAxis=xom:LineOfCreditShortTermMember'),
    undrawn('SUMS', 928, 'us-gaap:ShortTermDebtTypeAxis=xom:LineOfCreditOtherMember'),
    // Letters of credit are no cash.
    undrawn('SUMS', 8300, 'us-gaap:LongtermDebtTypeAxis=us-gaap:LetterOfCreditMember'),
    undrawn('PART', 16446, 'gm:BusinessGroupAxis=gm:AutomotiveMember'),
    undrawn('CALM', 200, null, '2023-06-30'),
  ],
  financials: [
    year('WHOL', { cash_and_equivalents: 500, operating_cash_flow: 700, capex: 400, total_debt: 4000 }),
    year('SUMS', { cash_and_equivalents: 27, operating_cash_flow: 100, capex: 300, total_debt: 4000 }),
    year('DRAW', { cash_and_equivalents: 250, total_debt: 1250 }),
    year('PART', { cash_and_equivalents: 400, operating_cash_flow: 500, capex: 100, total_debt: 3000 }),
    year('BANK', { cash_and_equivalents: 900, operating_cash_flow: -5000, capex: 10, total_debt: 500 }),
    year('FREE', { cash_and_equivalents: 100, total_debt: 0 }),
    year('CALM', { cash_and_equivalents: 100, operating_cash_flow: 50, capex: 10, total_debt: 300 }),
  ],
  bonds: [
    bond('WHOL', 'WHOL-25', '2025-11-15', 1000),
    bond('WHOL', 'WHOL-26', '2026-11-15', 1000),
    bond('SUMS', 'SUMS-25', '2025-06-30', 2600),
    bond('DRAW', 'DRAW-RCF', '2028-06-30', 250, { commitment: 1000 * MILLION, instrument_type: 'revolver' }),
    bond('DRAW', 'DRAW-26', '2026-01-31', 500),
    // Repaid in part: nothing of it is lent again.
    bond('DRAW', 'DRAW-TLB', '2028-06-30', 0, { commitment: 600 * MILLION, instrument_type: 'term_loan_b' }),
    bond('PART', 'PART-25', '2025-12-31', 1600),
    bond('BANK', 'BANK-25', '2025-12-31', 300),
    bond('CALM', 'CALM-35', '2035-12-31', 300),
  ],
  instruments: [
    ...['Term Loan', 'Delayed Draw Term Loan', 'Second Term Loan'].map((name, i) => ({
      ticker: 'LENT',
      name,
      instrument_type: 'term_loan',
      commitment: 60 * MILLION,
      undrawn: i === 2 ? 10 * MILLION : null,
      currency: 'USD',
      maturity: '2029-06-30',
      known_from: '2023-08-14',
    })),
    {
      ticker: 'LENT',
      name: '6% Notes due 2030',
      instrument_type: 'senior_notes',
      carrying_amount: 300 * MILLION,
      currency: 'USD',
      maturity: '2030-06-30',
      balance_date: '2023-06-30',
      known_from: '2023-08-14',
    },
    {
      ticker: 'LINE',
      name: 'Five-Year Credit Facility',
      instrument_type: 'revolver',
      commitment: 900 * MILLION,
      currency: 'USD',
      maturity: '2028-06-30',
      known_from: '2023-08-14',
    },
    {
      ticker: 'LINE',
      name: '5% Notes due 2030',
      instrument_type: 'senior_notes',
      carrying_amount: 300 * MILLION,
      currency: 'USD',
      maturity: '2030-06-30',
      balance_date: '2023-06-30',
      known_from: '2023-08-14',
    },
  ],
}

const lake = await makeLake(t.teardown, rows)
await build(lake, { as_of: '2025-04-30' })
const engine = await open(lake)
t.teardown(() => engine.close())

type Row = Readonly<Record<string, unknown>>
const ask = async (input: Record<string, unknown>) =>
  (await engine.call('search.liquidity', input)).data as unknown as Row[]
const one = async (ticker: string, input: Record<string, unknown> = {}) =>
  (await ask({ ticker, ...input }))[0]

t.test('cash of 500, 1,500 undrawn and 300 of free cash flow cover 1,000 due 2.3 times', async t => {
  t.match(await one('WHOL'), {
    undrawn_committed: 1500 * MILLION,
    undrawn_source: 'filed',
    undrawn_date: '2024-12-31',
    free_cash_flow: 300 * MILLION,
    due_12m: 1000 * MILLION,
    due_24m: 2000 * MILLION,
    cover_12m: 2.3,
    // 500 + 1,500 + 2 x 300 over 2,000
    cover_24m: 1.3,
    cash_cover_12m: 0.5,
    cover_excludes: null,
  })
})

t.test('facilities along one axis add up, and cash burnt counts against them', async t => {
  // 27 + 545 + 928 - 200 over 2,600
  t.match(await one('SUMS'), {
    undrawn_committed: 1473 * MILLION,
    free_cash_flow: -200 * MILLION,
    cover_12m: 0.5,
  })
})

t.test('a term loan leaves nothing to draw, unless it is drawn in parts or a source says so', async t => {
  const lent = await one('LENT', { explain: true, max_age: 'none' })
  t.match(lent, { undrawn_committed: 70 * MILLION, committed: 120 * MILLION, undrawn_source: 'instruments' })
  const { undrawn_committed } = lent!['_explain'] as { undrawn_committed: { parts: { name: string }[] } }
  t.strictSame(undrawn_committed.parts.map(({ name }) => name).sort(), [
    'Delayed Draw Term Loan',
    'Second Term Loan',
  ])
})

t.test('without a tagged figure a revolver leaves its commitment less what is drawn', async t => {
  // 250 + 750 over 500; no cash flow is known
  t.match(await one('DRAW'), {
    undrawn_committed: 750 * MILLION,
    undrawn_source: 'instruments',
    committed: 1000 * MILLION,
    cover_12m: 2,
    cover_excludes: ['free_cash_flow'],
  })
})

t.test('a figure of a part of the company is not that of the company', async t => {
  // 400 + 400 over 1,600
  t.match(await one('PART'), {
    undrawn_committed: null,
    undrawn_null_because: 'by_part',
    cover_12m: 0.5,
    cover_excludes: ['undrawn_committed'],
  })
})

t.test('a bank has no cover: what it lends and trades passes through its cash flow', async t => {
  t.match(await one('BANK'), {
    due_12m: 300 * MILLION,
    free_cash_flow: -5010 * MILLION,
    cover_12m: null,
    cash_cover_12m: null,
    cover_null_because: 'bank',
  })
})

t.test('where nothing is due there is no cover, and an old figure does not count', async t => {
  t.match(await one('CALM'), {
    due_12m: 0,
    cover_12m: null,
    cover_null_because: 'nothing_due',
    undrawn_committed: null,
    undrawn_null_because: 'stale',
  })
  t.match(await one('FREE'), {
    due_12m: 0,
    due_24m: 0,
    due_source: 'no_debt',
    cover_12m: null,
    cover_null_because: 'nothing_due',
  })
  t.match(await one('CALM', { max_age: 'none' }), {
    undrawn_committed: 200 * MILLION,
    undrawn_date: '2023-06-30',
  })
})

t.test('thin cover comes first and is screened; a day before the filing knows less', async t => {
  const tickers = async (input: Record<string, unknown>) => (await ask(input)).map(row => row['ticker'])
  t.strictSame(await tickers({}), ['PART', 'SUMS', 'DRAW', 'WHOL', 'BANK', 'CALM', 'FREE'])
  t.strictSame(await tickers({ max_cover: 1 }), ['PART', 'SUMS'])
  t.strictSame(await tickers({ max_cover: 1, min_due_12m: 2000 * MILLION }), ['SUMS'])
  t.match(await one('WHOL', { as_of: '2025-02-19' }), {
    cash: null,
    due_12m: 1000 * MILLION,
    cover_12m: null,
    cover_null_because: 'no_statements',
  })
  const explained = await one('SUMS', { explain: true })
  t.match(explained!['_explain'], {
    undrawn_committed: { parts: [{ amount: 545 * MILLION }, { amount: 928 * MILLION }] },
    free_cash_flow: { formula: 'operating_cash_flow - capex', accession: 'SUMS-25' },
    due_12m: { value: 2600 * MILLION },
  })
})

t.test('a facility stated long ago counts no more, and one that counts says since when', async t => {
  t.match(await one('LINE'), { undrawn_committed: null, undrawn_null_because: 'stale' })
  t.match(await one('LINE', { max_age: 'none' }), {
    undrawn_committed: 900 * MILLION,
    undrawn_source: 'instruments',
    undrawn_date: '2023-08-14',
  })
  t.match(await one('LINE', { as_of: '2023-09-15' }), { undrawn_committed: 900 * MILLION })
})
