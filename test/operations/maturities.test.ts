import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const MILLION = 1_000_000_00

const ciks: Readonly<Record<string, string>> = {
  YEAR: '0000000011',
  REST: '0000000012',
  NEXT: '0000000013',
  BOND: '0000000014',
  OLDS: '0000000015',
  BOTH: '0000000016',
  TOLD: '0000000017',
  PART: '0000000018',
  LONG: '0000000019',
}

interface Filing {
  readonly ticker: string
  readonly day: string
  readonly form: string
  readonly period: string
  readonly filed: string
  /** Millions by the end of the element's name. */
  readonly due: Readonly<Record<string, number>>
}

const facts = ({ ticker, day, form, period, filed, due }: Filing) =>
  Object.entries(due).map(([name, millions]) => ({
    cik: ciks[ticker],
    concept: `us-gaap:LongTermDebtMaturitiesRepaymentsOfPrincipal${name}`,
    unit: 'USD',
    period_end: day,
    value: millions * 1e6,
    accession: `${ticker}-${filed}`,
    form,
    fiscal_period: period,
    filed_date: filed,
    known_from: filed,
  }))

const bond = (ticker: string, id: string, more: Readonly<Record<string, unknown>>) => ({
  ticker,
  bond_id: id,
  name: id,
  currency: 'USD',
  known_from: '2020-01-10',
  ...more,
})

const instrument = (ticker: string, name: string, more: Readonly<Record<string, unknown>>) => ({
  ticker,
  name,
  currency: 'USD',
  balance_date: '2024-12-31',
  known_from: '2025-02-14',
  ...more,
})

const rows: Rows = {
  companies: Object.entries(ciks).map(([ticker, cik], i) => ({
    ticker,
    cik,
    name: `${ticker} Corp`,
    sector: i % 2 === 0 ? 'Energy' : 'Utilities',
  })),
  facts: [
    ...facts({
      ticker: 'YEAR',
      day: '2024-12-31',
      form: '10-K',
      period: 'FY',
      filed: '2025-02-14',
      due: {
        InNextTwelveMonths: 1000,
        InYearTwo: 500,
        InYearThree: 2000,
        InYearFour: 0,
        InYearFive: 1500,
        AfterYearFive: 4000,
      },
    }),
    // Restated in an amendment.
    ...facts({
      ticker: 'YEAR',
      day: '2024-12-31',
      form: '10-K/A',
      period: 'FY',
      filed: '2025-04-01',
      due: { InYearTwo: 550 },
    }),
    // 3M, 10-Q of June 30, 2023.
    ...facts({
      ticker: 'REST',
      day: '2023-06-30',
      form: '10-Q',
      period: 'Q2',
      filed: '2023-07-25',
      due: {
        RemainderOfFiscalYear: 149,
        InNextTwelveMonths: 1100,
        InYearTwo: 1866,
        InYearThree: 1458,
        InYearFour: 846,
        InYearFive: 722,
        AfterYearFive: 8062,
      },
    }),
    // Apple, 10-Q of June 29, 2013: 2.5 billion are due in May 2016.
    ...facts({
      ticker: 'NEXT',
      day: '2013-06-29',
      form: '10-Q',
      period: 'Q3',
      filed: '2013-07-24',
      due: {
        RemainderOfFiscalYear: 0,
        InYearTwo: 0,
        InYearThree: 0,
        InYearFour: 2500,
        InYearFive: 0,
        AfterYearFive: 14500,
      },
    }),
    ...facts({
      ticker: 'OLDS',
      day: '2023-12-31',
      form: '10-K',
      period: 'FY',
      filed: '2024-02-14',
      due: { InNextTwelveMonths: 100, InYearThree: 300 },
    }),
    ...facts({
      ticker: 'BOTH',
      day: '2024-12-31',
      form: '10-K',
      period: 'FY',
      filed: '2025-02-14',
      due: {
        InNextTwelveMonths: 100,
        InYearTwo: 200,
        InYearThree: 0,
        InYearFour: 0,
        InYearFive: 300,
        AfterYearFive: 300,
      },
    }),
    // No year after the second is stated.
    ...facts({
      ticker: 'PART',
      day: '2024-12-31',
      form: '10-K',
      period: 'FY',
      filed: '2025-02-14',
      due: { InNextTwelveMonths: 100, InYearTwo: 200 },
    }),
  ],
  instruments: [
    instrument('LONG', '4% Notes due 2026', {
      instrument_type: 'senior_notes',
      carrying_amount: 750 * MILLION,
      maturity: '2026-06-15',
    }),
    instrument('PART', 'Notes', { instrument_type: 'senior_notes', carrying_amount: 900 * MILLION }),
    instrument('PART', 'Notes due 2026', {
      instrument_type: 'senior_notes',
      carrying_amount: 150 * MILLION,
      maturity: '2026-06-15',
    }),
    // Without a maturity.
    instrument('BOTH', 'Fixed-rate notes', {
      instrument_type: 'senior_notes',
      carrying_amount: 900 * MILLION,
    }),
    instrument('BOTH', 'Commercial paper', {
      instrument_type: 'commercial_paper',
      carrying_amount: 80 * MILLION,
    }),
    // What was issued and what banks commit, without a balance.
    instrument('TOLD', '4.5% Notes due 2028', {
      instrument_type: 'senior_notes',
      principal: 400 * MILLION,
      maturity: '2028-06-15',
    }),
    instrument('TOLD', 'Revolver', {
      instrument_type: 'revolver',
      commitment: 1000 * MILLION,
      maturity: '2027-03-31',
    }),
  ],
  financials: [
    {
      ticker: 'YEAR',
      fiscal_year: 2024,
      fiscal_quarter: 4,
      period_months: 12,
      period_end_date: '2024-12-31',
      filed_date: '2025-02-14',
      known_from: '2025-02-14',
      ebitda: 2000 * MILLION,
      total_debt: 10_000 * MILLION,
    },
    {
      ticker: 'LONG',
      fiscal_year: 2009,
      fiscal_quarter: 4,
      period_months: 12,
      period_end_date: '2009-12-31',
      filed_date: '2010-02-14',
      known_from: '2010-02-14',
      ebitda: 50 * MILLION,
      total_debt: 100 * MILLION,
    },
  ],
  bonds: [
    bond('YEAR', 'YEAR-25', { maturity_date: '2025-09-15', outstanding: 900 * MILLION }),
    bond('YEAR', 'YEAR-27', { maturity_date: '2027-05-15' }),
    bond('YEAR', 'YEAR-35', { maturity_date: '2035-05-15', outstanding: 2000 * MILLION }),
    bond('BOND', 'BOND-25', { maturity_date: '2025-12-31', outstanding: 300 * MILLION }),
    bond('BOND', 'BOND-25B', { maturity_date: '2025-06-30' }),
    bond('BOND', 'BOND-27', { maturity_date: '2027-06-30', outstanding: 400 * MILLION, currency: 'EUR' }),
    bond('BOND', 'BOND-31', { maturity_date: '2031-01-01', outstanding: 700 * MILLION }),
    bond('BOND', 'BOND-PERP', { outstanding: 50 * MILLION }),
    bond('OLDS', 'OLDS-26', { maturity_date: '2026-06-30' }),
  ],
}

const lake = await makeLake(t.teardown, rows)
await build(lake, { as_of: '2025-04-30' })
const engine = await open(lake)
t.teardown(() => engine.close())

type Row = Readonly<Record<string, unknown>>
const ask = async (input: Record<string, unknown>) =>
  (await engine.call('search.maturities', input)).data as unknown as Row[]

/** `year amount`, in millions. */
const wall = async (input: Record<string, unknown>, of = 'due') =>
  (await ask(input)).map(row => `${row['year']} ${row[of] === null ? '-' : (row[of] as number) / MILLION}`)

t.test('an annual schedule stands beside the bonds of its years', async t => {
  const found = await ask({ ticker: 'YEAR' })
  t.strictSame(await wall({ ticker: 'YEAR' }), [
    '2025 1000',
    '2026 550',
    '2027 2000',
    '2028 0',
    '2029 1500',
    '2030 4000',
  ])
  t.match(found[0], {
    period_start: '2025-01-01',
    period_end: '2025-12-31',
    due_source: 'filed_schedule',
    due_percent: 10,
    bonds_due: 900 * MILLION,
    bond_count: 1,
    filed_balance_date: '2024-12-31',
  })
  t.match(found[2], { bonds_due: null, bonds_null_because: 'no_amounts', bond_count: 1, bonds_unknown: 1 })
  t.match(found[3], { due: 0, filed_due: 0, bonds_due: null, bonds_null_because: 'no_bonds' })
  t.match(found[5], { period_start: '2030-01-01', period_end: null, bonds_due: 2000 * MILLION })
})

t.test('a quarterly schedule begins with the rest of the fiscal year', async t => {
  t.strictSame(await wall({ ticker: 'REST', as_of: '2023-08-14' }), [
    '2023 149',
    '2024 1100',
    '2025 1866',
    '2026 1458',
    '2027 846',
    '2028 722',
    '2029 8062',
  ])
  const [first] = await ask({ ticker: 'REST', as_of: '2023-08-14' })
  t.match(first, { period_start: '2023-07-01', period_end: '2023-12-31' })
  t.strictSame(
    (await wall({ ticker: 'REST', as_of: '2024-01-31' }))[0],
    '2024 1100',
    'the year that is over has left the wall',
  )
})

t.test('beside the rest of the year alone, year two is the year after it', async t => {
  t.strictSame(await wall({ ticker: 'NEXT', as_of: '2013-08-01' }), [
    '2013 0',
    '2014 0',
    '2015 0',
    '2016 2500',
    '2017 0',
    '2018 14500',
  ])
})

t.test('without a schedule bonds fill calendar years, and what is not known is counted', async t => {
  const found = await ask({ ticker: 'BOND' })
  t.strictSame(await wall({ ticker: 'BOND' }), [
    '2025 300',
    '2026 -',
    '2027 -',
    '2028 -',
    '2029 -',
    '2030 -',
    '2031 700',
    'null 50',
  ])
  t.match(found[0], {
    period_start: '2025-05-01',
    due_source: 'bonds',
    is_partial: true,
    bond_count: 2,
    bonds_unknown: 1,
    filed_null_because: 'not_filed',
  })
  t.match(found[1], { due: null, bonds_null_because: 'no_bonds', bond_count: 0, is_partial: false })
  t.match(found[2], {
    due: null,
    bonds_null_because: 'no_amounts',
    bonds_in_other_currency: 1,
    is_partial: true,
  })
  t.match(found[7], { year: null, period_start: null, bond_count: 1 })
})

t.test('a schedule that is too old or leaves a year out gives no amount, with the reason', async t => {
  t.match(await ask({ ticker: 'OLDS' }), [{ filed_null_because: 'stale' }, { year: 2026, bonds_unknown: 1 }])
  const shown = await ask({ ticker: 'OLDS', max_age: 'none' })
  t.match(shown, [
    { year: 2025, due: null, filed_null_because: 'not_in_schedule' },
    { year: 2026, due: 300 * MILLION },
    { year: 2027, due: null, filed_null_because: 'not_in_schedule' },
    { year: 2028, due: null },
    { year: 2029, period_end: null, due: null, filed_null_because: 'not_in_schedule' },
  ])
})

t.test('debt without a year that a whole schedule has is not due once more', async t => {
  t.strictSame(await wall({ ticker: 'BOTH' }), [
    '2025 100',
    '2026 200',
    '2027 0',
    '2028 0',
    '2029 300',
    '2030 300',
    'null 80',
  ])
  const [undated] = (await ask({ ticker: 'BOTH' })).slice(-1)
  t.match(undated, { bonds_due: 980 * MILLION, due_source: 'instruments', bond_count: 2, is_partial: false })
})

t.test('commercial paper that a schedule has is not due once more', async t => {
  const paperDue = async (totalDebt: number, notes: number) => {
    const statement = {
      ticker: 'BOTH',
      fiscal_year: 2024,
      fiscal_quarter: 4,
      period_months: 12,
      period_end_date: '2024-12-31',
      filed_date: '2025-02-14',
      known_from: '2025-02-14',
      ebitda: 500 * MILLION,
      total_debt: totalDebt * MILLION,
    }
    const instruments = [
      instrument('BOTH', 'Fixed-rate notes', {
        instrument_type: 'senior_notes',
        carrying_amount: notes * MILLION,
      }),
      instrument('BOTH', 'Commercial paper', {
        instrument_type: 'commercial_paper',
        carrying_amount: 80 * MILLION,
      }),
    ]
    const other = await makeLake(t.teardown, { ...rows, instruments, financials: [statement] })
    await build(other, { as_of: '2025-04-30' })
    const own = await open(other)
    t.teardown(() => own.close())
    const { data } = await own.call('search.maturities', { ticker: 'BOTH' })
    const [last] = (data as unknown as Row[]).slice(-1)
    return [last!['year'], last!['due'], last!['bonds_due']]
  }
  // The schedule has 900, of which 100 in its first year; 80 is commercial paper.
  t.strictSame(await paperDue(895, 815), [null, null, 895 * MILLION], 'total debt is what the schedule has')
  t.strictSame(await paperDue(975, 895), [null, 80 * MILLION, 975 * MILLION])
})

t.test('what is due is no share of a total debt of years before', async t => {
  const found = await ask({ ticker: 'LONG', max_age: 'none' })
  t.match(
    found.filter(row => row['due'] !== null),
    [{ year: 2026, due: 750 * MILLION, due_percent: null }],
    'nor do the instruments make it up, which would leave nothing due in other years',
  )
})

t.test('debt without a year is due beyond what a schedule of some years has of it', async t => {
  t.strictSame(await wall({ ticker: 'PART' }), [
    '2025 100',
    '2026 200',
    '2027 -',
    '2028 -',
    '2029 -',
    '2030 -',
    // 900 less 100, and less the 50 of 200 that the notes due 2026 leave.
    'null 750',
  ])
  const [undated] = (await ask({ ticker: 'PART', explain: true })).slice(-1)
  t.match(undated, { bonds_due: 900 * MILLION, _explain: { in_schedule: 150 * MILLION } })
  t.match((await ask({ ticker: 'PART', year: 2028 }))[0], { due: null, is_partial: true })
})

t.test('debt of a later balance date than its schedule is due once, but for what is new', async t => {
  const undatedDue = async (carrying: number) => {
    const notes = instrument('BOTH', 'Notes', {
      instrument_type: 'senior_notes',
      carrying_amount: carrying * MILLION,
      balance_date: '2025-03-31',
      known_from: '2025-04-20',
    })
    const later = await makeLake(t.teardown, { ...rows, instruments: [notes] })
    await build(later, { as_of: '2025-04-30' })
    const own = await open(later)
    t.teardown(() => own.close())
    const { data } = await own.call('search.maturities', { ticker: 'BOTH' })
    const [last] = (data as unknown as Row[]).slice(-1)
    return [last!['year'], last!['due'], last!['bonds_due']]
  }
  // The schedule of December has 900; 40 more is the difference of carrying amount and face.
  t.strictSame(await undatedDue(940), [null, null, 940 * MILLION])
  t.strictSame(await undatedDue(1240), [null, 340 * MILLION, 1240 * MILLION])
})

t.test(
  'without a balance of any debt, what was issued is due; nothing is known of the other years',
  async t => {
    const found = await ask({ ticker: 'TOLD' })
    t.strictSame(
      found.map(row => [row['year'], row['due'], row['bond_count'], row['bonds_unknown']]),
      [
        [2025, null, 0, 0],
        [2026, null, 0, 0],
        [2027, null, 1, 1],
        [2028, 400 * MILLION, 1, 0],
        [2029, null, 0, 0],
        [2030, null, 0, 0],
        [2031, null, 0, 0],
      ],
    )
    t.match(found[3], { due_source: 'instruments', is_partial: true })
    const [liquid] = (
      await engine.call('search.liquidity', { ticker: 'TOLD', fields: ['undrawn_committed'] })
    ).data as unknown as Row[]
    t.match(liquid, { undrawn_committed: 1000 * MILLION })
    const { data } = await engine.call('recovery.company', {
      ticker: 'TOLD',
      enterprise_value: 200 * MILLION,
    })
    t.match(data, {
      claims_amount: 400 * MILLION,
      claims: [{ name: '4.5% Notes due 2028', recovery: 200 * MILLION }],
      left_out: [{ name: 'Revolver', reason: 'no_amount' }],
    })
    t.ok(
      (data as unknown as { notes: string[] }).notes.some(note => /no tagged total debt/.test(note)),
      'and says that some may be missing',
    )
  },
)

t.test('an amendment counts from the day it was filed', async t => {
  t.match((await wall({ ticker: 'YEAR', as_of: '2025-03-01' }))[1], '2026 500')
  t.strictSame((await wall({ ticker: 'YEAR', as_of: '2025-02-13' }, 'filed_due'))[0], '2025 -')
})

t.test(
  'walls are screened by year, share of debt and source; explain names the fact and the bonds',
  async t => {
    t.strictSame(await wall({ min_due_percent: 20, due_before: '2028-12-31' }), ['2027 2000'])
    t.strictSame(await wall({ year: 2025, due_source: 'bonds' }), ['2025 300'])
    const [row] = await ask({ ticker: 'YEAR', year: 2025, explain: true })
    t.match(row!['_explain'], {
      filed: {
        concept: 'us-gaap:LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths',
        source: 'test',
      },
      bonds: [{ id: 'YEAR-25', outstanding: 900 * MILLION, from: 'bonds' }],
    })
    const { meta } = await engine.call('search.maturities', { min_due: 1e15 })
    t.match(meta, { total: 0, empty_because: [/^\d+ periods have a filed schedule or bonds/] })
  },
)
