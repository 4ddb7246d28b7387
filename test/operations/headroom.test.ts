import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const MILLION = 1_000_000_00

/** A fiscal year to the end of 2024, filed on 20 February 2025; amounts in millions. */
const year = (ticker: string, figures: Readonly<Record<string, number>>) => ({
  ticker,
  fiscal_year: 2024,
  fiscal_quarter: 4,
  period_months: 12,
  period_end_date: '2024-12-31',
  filing_type: '10-K',
  filed_date: '2025-02-20',
  known_from: '2025-02-20',
  accession: `${ticker}-25-1`,
  ...Object.fromEntries(Object.entries(figures).map(([name, millions]) => [name, millions * MILLION])),
})

const test = (ticker: string, more: Readonly<Record<string, unknown>>) => ({
  ticker,
  covenant_type: 'financial',
  covenant_name: 'Test',
  test_frequency: 'quarterly',
  source_document_date: '2024-01-10',
  known_from: '2024-01-10',
  ...more,
})
const maximum = (test_metric: string, threshold_value: number | null) => ({
  test_metric,
  threshold_value,
  threshold_type: 'maximum',
})
const minimum = (test_metric: string, threshold_value: number) => ({
  test_metric,
  threshold_value,
  threshold_type: 'minimum',
})
const loan = (ticker: string, id: string, more: Readonly<Record<string, unknown>>) => ({
  ticker,
  bond_id: id,
  name: id,
  currency: 'USD',
  maturity_date: '2029-06-30',
  known_from: '2023-01-10',
  ...more,
})

const tickers = ['CABL', 'STEP', 'COVR', 'NETS', 'LIEN', 'BARE', 'LOSS', 'OWNS', 'SOON']

const rows: Rows = {
  companies: tickers.map((ticker, i) => ({
    ticker,
    name: `${ticker} Corp`,
    sector: i % 2 === 0 ? 'Energy' : 'Utilities',
  })),
  financials: [
    year('OWNS', { ebitda: 1000, total_debt: 4000 }),
    year('SOON', { ebitda: 1000, total_debt: 3000 }),
    year('CABL', { ebitda: 1000, total_debt: 4000, cash_and_equivalents: 250, interest_expense: 300 }),
    year('STEP', { ebitda: 800, total_debt: 3230 }),
    year('COVR', { ebitda: 600, total_debt: 2000, interest_expense: 240 }),
    year('NETS', { ebitda: 300, total_debt: 1500, cash_and_equivalents: 300 }),
    year('LIEN', { ebitda: 500, total_debt: 2500 }),
    year('LOSS', { ebitda: -50, total_debt: 400, interest_expense: 40 }),
  ],
  bonds: [
    loan('COVR', 'COVR-TL', { outstanding: 1000 * MILLION, rate_type: 'floating' }),
    loan('COVR', 'COVR-29', { outstanding: 1000 * MILLION, rate_type: 'fixed' }),
    loan('LIEN', 'LIEN-1L', {
      outstanding: 1500 * MILLION,
      seniority: 'senior_secured',
      security_type: 'first_lien',
    }),
    loan('LIEN', 'LIEN-UN', {
      outstanding: 1000 * MILLION,
      seniority: 'senior_unsecured',
      security_type: 'unsecured',
    }),
    loan('CABL', 'CABL-24', { cusip: '000000AA7', bond_id: null, maturity_date: '2024-06-30' }),
  ],
  covenants: [
    test('CABL', { ...maximum('leverage_ratio', 5), instrument_name: 'Credit Agreement' }),
    // The annual report repeats it.
    test('CABL', {
      id: 'again',
      ...maximum('leverage_ratio', 5),
      instrument_name: 'Credit Agreement',
      source_document_date: '2025-02-20',
      known_from: '2025-02-20',
    }),
    test('CABL', { ...maximum('leverage_ratio', 3), cusip: '000000AA7', instrument_name: 'Notes of 2024' }),
    test('CABL', { ...minimum('fixed_charge_coverage', 1.1) }),
    test('CABL', { covenant_type: 'incurrence', ...maximum('secured_leverage', 3) }),
    test('STEP', {
      ...maximum('leverage_ratio', 4.5),
      step_down_schedule: JSON.stringify([
        { date: '2025-03-31', threshold_value: 4.25 },
        { date: '2025-12-31', threshold_value: 4 },
      ]),
    }),
    test('SOON', {
      ...maximum('leverage_ratio', 4),
      step_down_schedule: JSON.stringify([
        { date: '2025-06-30', threshold_value: 4 },
        { date: '2026-06-30', threshold_value: 3.5 },
      ]),
    }),
    test('COVR', minimum('interest_coverage', 2)),
    test('NETS', maximum('net_leverage_ratio', 3.75)),
    test('LIEN', maximum('first_lien_leverage', 4)),
    test('LOSS', maximum('leverage_ratio', 4)),
    test('OWNS', { ...maximum('leverage_ratio', 3), instrument_name: "Alfa Electric's Credit Facility" }),
    test('BARE', maximum('leverage_ratio', 4)),
    test('BARE', maximum('net_leverage_ratio', null)),
  ],
}

const lake = await makeLake(t.teardown, rows)
await build(lake, { as_of: '2025-04-30' })
const engine = await open(lake)
t.teardown(() => engine.close())

const ask = async (input: Record<string, unknown>) =>
  (await engine.call('search.headroom', input)).data as unknown as Record<string, unknown>[]
const one = async (ticker: string, input: Record<string, unknown> = {}) => {
  const found = await ask({ ticker, ...input })
  return found.find(row => row['null_because'] === null) ?? found[0]!
}
const round = (value: unknown) => Math.round((value as number) * 1e4) / 1e4

t.test('the test of a subsidiary is not held against the figures of the group', async t => {
  t.match(await one('OWNS'), { level: 3, ratio: null, status: null, null_because: 'of_subsidiary' })
})

t.test(
  'debt of 4,000 over EBITDA of 1,000 under a maximum of 5 has a turn, a fifth of EBITDA, 1,000 of debt',
  async t => {
    t.match(await one('CABL'), {
      level: 5,
      ratio: 4,
      headroom_turns: 1,
      headroom_percent: 20,
      // 1,000 less 4,000 / 5
      ebitda_headroom: 200 * MILLION,
      // 5 x 1,000 less 4,000
      debt_headroom: 1000 * MILLION,
      interest_headroom: null,
      status: 'met',
      ebitda_basis: 'statements',
      evidence_count: 2,
      covenant_id: 'again',
      source_document_date: '2025-02-20',
    })
  },
)

t.test('as of a day on which no company had a test, explained figures are none', async t => {
  t.strictSame(await ask({ ticker: 'CABL', explain: true, as_of: '2024-01-09' }), [])
})

t.test('the level is the step of the day, and the next one shows', async t => {
  t.match(await one('STEP'), {
    level: 4.25,
    next_level: 4,
    next_level_date: '2025-12-31',
    ratio: 4.0375,
    // 800 less 3,230 / 4.25 = 760
    ebitda_headroom: 40 * MILLION,
    headroom_percent: 5,
    // 4.25 x 800 less 3,230
    debt_headroom: 170 * MILLION,
  })
  t.match(await one('STEP', { as_of: '2025-03-30' }), {
    level: 4.5,
    next_level: 4.25,
    next_level_date: '2025-03-31',
  })
})

t.test('a test whose first level begins after the day is not met yet, and says when it begins', async t => {
  t.match(await one('SOON'), {
    level: null,
    next_level: 4,
    next_level_date: '2025-06-30',
    status: null,
    null_because: 'not_begun',
  })
})

t.test(
  'EBITDA of 600 covers interest of 240 two and a half times: a fifth may go before twice is missed',
  async t => {
    t.match(await one('COVR'), {
      ratio: 2.5,
      headroom_turns: 0.5,
      // 600 less 2 x 240
      ebitda_headroom: 120 * MILLION,
      headroom_percent: 20,
      debt_headroom: null,
      // 600 / 2 less 240
      interest_headroom: 60 * MILLION,
      debt: null,
      interest_expense: 240 * MILLION,
    })
  },
)

t.test('a net ratio takes cash off, and one above its level fails', async t => {
  const row = await one('NETS')
  t.match(row, {
    ratio: 4,
    debt: 1200 * MILLION,
    status: 'failed',
    headroom_turns: -0.25,
    // 300 less 1,200 / 3.75 = 320
    ebitda_headroom: -20 * MILLION,
    // 3.75 x 300 = 1,125 less 1,200
    debt_headroom: -75 * MILLION,
  })
  t.equal(round(row['headroom_percent']), -6.6667)
})

t.test('first-lien debt is read off the claims where they make up the debt', async t => {
  t.match(await one('LIEN'), {
    ratio: 3,
    debt: 1500 * MILLION,
    // 500 less 1,500 / 4
    ebitda_headroom: 125 * MILLION,
    headroom_percent: 25,
  })
})

t.test('a shock to EBITDA, debt or rates repeats every test', async t => {
  const weaker = await one('CABL', { ebitda_shock: -25 })
  // 4,000 / 750; 750 less 800
  t.match(weaker, {
    status: 'failed',
    ebitda: 750 * MILLION,
    ebitda_headroom: -50 * MILLION,
    ratio_before_shock: 4,
    headroom_percent_before_shock: 20,
  })
  t.equal(round(weaker['ratio']), 5.3333)
  t.match(await one('CABL', { debt_added: 500 * MILLION }), { ratio: 4.5, debt_headroom: 500 * MILLION })
  t.match(await one('CABL', { debt_shock: 25 }), { ratio: 5, status: 'met', ebitda_headroom: 0 })
  // 200 bp on 1,000 of floating debt: 260 of interest; 600 less 520.
  const dearer = await one('COVR', { rate_shock: 200 })
  t.match(dearer, { interest_expense: 260 * MILLION, ebitda_headroom: 80 * MILLION })
  t.equal(round(dearer['headroom_percent']), 13.3333)
  // A tenth more debt at 240 / 2,000: 264 of interest.
  t.match(await one('COVR', { debt_shock: 10 }), { interest_expense: 264 * MILLION })
  const [none] = await ask({ ticker: 'CABL', test_metric: 'leverage_ratio', rate_shock: 200 })
  t.match(none, { ratio: 4 }, 'leverage does not depend on rates')
})

t.test('a ratio that cannot be formed is null with its reason', async t => {
  const reasons = (await ask({ fields: ['ticker', 'test_metric', 'status', 'null_because'] }))
    .filter(row => row['null_because'] !== null)
    .map(row => `${row['ticker']} ${row['test_metric']} ${row['status']} ${row['null_because']}`)
  t.strictSame(reasons.sort(), [
    'BARE leverage_ratio null no_statements',
    'BARE net_leverage_ratio null no_statements',
    'CABL fixed_charge_coverage null fixed_charges',
    'LOSS leverage_ratio failed ebitda_not_positive',
    'OWNS leverage_ratio null of_subsidiary',
    'SOON leverage_ratio null not_begun',
  ])
})

t.test(
  'failed and tight tests come first; max_headroom, sector and status select; an empty answer says why',
  async t => {
    const found = async (input: Record<string, unknown>) => (await ask(input)).map(row => row['ticker'])
    t.strictSame((await found({})).slice(0, 6), ['LOSS', 'NETS', 'STEP', 'CABL', 'COVR', 'LIEN'])
    t.strictSame(await found({ max_headroom: 10 }), ['LOSS', 'NETS', 'STEP'])
    t.strictSame(await found({ max_headroom: 10, sector: 'energy' }), ['LOSS'])
    t.strictSame(await found({ status: 'failed', ebitda_shock: -25 }), [
      'LOSS',
      'NETS',
      'STEP',
      'CABL',
      'COVR',
    ])
    t.strictSame(await found({ sort: '-headroom_percent', limit: 2, offset: 1 }), ['CABL', 'COVR'])
    const { meta } = await engine.call('search.headroom', { max_headroom: -500 })
    t.match(meta, {
      total: 0,
      filters_applied: { max_headroom: -500 },
      empty_because: ['11 financial tests are in force on the day, and none of them passes the filters'],
    })
  },
)

t.test('what became known later does not reach an earlier day', async t => {
  const [row] = await ask({ ticker: 'CABL', test_metric: 'leverage_ratio', as_of: '2025-02-19' })
  t.match(row, { level: 5, ratio: null, null_because: 'no_statements', evidence_count: 1 })
  const before = await ask({ ticker: 'CABL', test_metric: 'leverage_ratio', as_of: '2024-05-31' })
  t.equal(before.length, 2, 'the notes of 2024 have not matured')
})

t.test('explain shows formula, inputs with filings, schedule and records', async t => {
  const [row] = await ask({ ticker: 'STEP', explain: true, ebitda_shock: -5 })
  t.match(row!['_explain'], {
    formula: 'total_debt / ebitda_ttm <= level',
    level: { value: 4.25, step_down_schedule: [{ threshold_value: 4.25 }, { threshold_value: 4 }] },
    inputs: { total_debt: { value: 3230 * MILLION, inputs: [{ accession: 'STEP-25-1' }] } },
    shock: { ebitdaPercent: -5 },
  })
})
