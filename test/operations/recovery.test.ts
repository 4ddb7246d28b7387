import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const MILLION = 1_000_000_00

const tickers = ['RANK', 'STRU', 'GUAR', 'PLED', 'DRAW', 'SUBS', 'REST', 'BARE', 'HALF']

const year = (ticker: string, ebitda: number, total_debt: number) => ({
  ticker,
  fiscal_year: 2024,
  fiscal_quarter: 4,
  period_months: 12,
  period_end_date: '2024-12-31',
  filing_type: '10-K',
  filed_date: '2025-02-20',
  known_from: '2025-02-20',
  accession: `${ticker}-25`,
  ebitda: ebitda * MILLION,
  total_debt: total_debt * MILLION,
})

const known = { known_from: '2024-01-10' }

const group = (ticker: string) => [
  { id: `${ticker}-H`, ticker, name: `${ticker} Holdings`, entity_type: 'holdco', ...known },
  {
    id: `${ticker}-O`,
    ticker,
    name: `${ticker} Operating`,
    entity_type: 'opco',
    parent_id: `${ticker}-H`,
    ...known,
  },
  {
    id: `${ticker}-S`,
    ticker,
    name: `${ticker} Mexico`,
    entity_type: 'subsidiary',
    parent_id: `${ticker}-O`,
    ...known,
  },
]

const loan = (id: string, entity: 'H' | 'O' | 'S', millions: number | null, rank: string, more = {}) => {
  const ticker = id.slice(0, 4)
  const [seniority, security_type] = {
    first: ['senior_secured', 'first_lien'],
    second: ['senior_secured', 'second_lien'],
    senior: ['senior_unsecured', 'unsecured'],
    sub: ['subordinated', 'unsecured'],
    none: [null, null],
  }[rank]!
  return {
    ticker,
    bond_id: id,
    name: id,
    issuer_id: `${ticker}-${entity}`,
    issuer_type: { H: 'holdco', O: 'opco', S: 'subsidiary' }[entity],
    currency: 'USD',
    maturity_date: '2030-06-30',
    outstanding: millions === null ? null : millions * MILLION,
    seniority,
    security_type,
    ...known,
    ...more,
  }
}

const rows: Rows = {
  companies: tickers.map(ticker => ({ ticker, name: `${ticker} Corp`, sector: 'Energy' })),
  financials: [
    year('RANK', 150, 1000),
    year('STRU', 130, 800),
    year('GUAR', 130, 800),
    year('PLED', 100, 800),
    year('DRAW', 70, 249),
    year('SUBS', 60, 500),
    year('REST', 100, 1000),
    // A half-year, and no depreciation: operating income of 50 is scaled up to 100.
    {
      ...year('HALF', 0, 500),
      ebitda: null,
      operating_income: 50 * MILLION,
      fiscal_quarter: 2,
      period_months: 6,
      filing_type: '10-Q',
    },
  ],
  entities: tickers.flatMap(group),
  bonds: [
    loan('RANK-TL', 'O', 600, 'first'),
    loan('RANK-SN', 'O', 400, 'senior'),
    loan('STRU-O', 'O', 500, 'senior'),
    loan('STRU-H', 'H', 300, 'senior'),
    loan('GUAR-O', 'O', 500, 'senior'),
    loan('GUAR-H', 'H', 300, 'senior'),
    loan('PLED-TL', 'O', 300, 'first'),
    loan('PLED-SN', 'O', 300, 'senior'),
    loan('PLED-SUB', 'O', 200, 'sub'),
    loan('DRAW-RCF', 'O', 40, 'first', { commitment: 100 * MILLION, instrument_type: 'revolver' }),
    loan('DRAW-TL', 'O', 209, 'first'),
    loan('SUBS-MX', 'S', 100, 'senior'),
    loan('SUBS-SN', 'O', 400, 'senior'),
    loan('REST-TL', 'O', 300, 'first'),
    loan('REST-NA', 'O', null, 'senior'),
    loan('REST-EU', 'O', 50, 'senior', { currency: 'EUR' }),
    loan('REST-NN', 'O', 300, 'none'),
  ],
  guarantees: [{ guarantor_id: 'GUAR-O', bond_id: 'GUAR-H', ...known }],
  collateral: [
    {
      id: 'PLED-land',
      ticker: 'PLED',
      bond_id: 'PLED-TL',
      type: 'real_estate',
      estimated_value: 200 * MILLION,
      ...known,
    },
  ],
}

const lake = await makeLake(t.teardown, rows)
await build(lake, { as_of: '2025-04-30' })
const engine = await open(lake)
t.teardown(() => engine.close())

const ask = async (ticker: string, input: Record<string, unknown> = {}) =>
  (await engine.call('recovery.company', { ticker, ...input })).data
const paid = async (ticker: string, input: Record<string, unknown> = {}) =>
  (await ask(ticker, input)).classes.map(
    row => `${row.level}: ${row.class} ${Math.round(row.recovery_percent! * 1e3) / 1e3}`,
  )

t.test('750 pays a first lien of 600 whole, and unsecured notes of 400 by 150', async t => {
  const found = await ask('RANK', { multiple: 5, multiples: [4, 5, 6, 7] })
  t.match(found, {
    enterprise_value: 750 * MILLION,
    enterprise_value_source: 'multiple',
    ebitda: 150 * MILLION,
    equity_value: 0,
    classes: [
      { class: 'first_lien', amount: 600 * MILLION, recovery_percent: 100, from_collateral: 600 * MILLION },
      { class: 'senior_unsecured', recovery: 150 * MILLION, recovery_percent: 37.5, from_collateral: 0 },
    ],
    // 600, 750, 900 and 1,050 of value
    sensitivity: [
      { recovery_percents: [100, 0] },
      { recovery_percents: [100, 37.5] },
      { recovery_percents: [100, 75] },
      { recovery_percents: [100, 100] },
    ],
  })
  const given = await ask('RANK', { enterprise_value: 1200 * MILLION })
  t.match(given, { enterprise_value_source: 'given', multiple: 8, equity_value: 200 * MILLION })
})

t.test('a holding company is paid from what operating companies leave', async t => {
  // 650 less 500 over 300
  t.strictSame(await paid('STRU', { multiple: 5 }), [
    'operating companies: senior_unsecured 100',
    'holding company: senior_unsecured 50',
  ])
})

t.test('a guarantee of the operating company lifts the notes of its parent to its level', async t => {
  // 650 over 800
  t.strictSame(await paid('GUAR', { multiple: 5 }), ['operating companies: senior_unsecured 81.25'])
  t.match((await ask('GUAR')).classes[0]!.entities, ['GUAR Holdings', 'GUAR Operating'])
})

t.test('collateral limits a lien, and what it leaves unpaid ranks with unsecured claims', async t => {
  // 200 of land; then 300 of value over 100 + 300: 75 and 225; nothing is left for subordinated notes.
  const found = await ask('PLED', { multiple: 5 })
  t.match(found.claims, [
    { id: 'PLED-SN', recovery: 225 * MILLION },
    { id: 'PLED-SUB', recovery: 0 },
    { id: 'PLED-TL', recovery: 275 * MILLION, collateral_value: 200 * MILLION },
  ])
  t.match(found.classes, [
    { from_collateral: 200 * MILLION },
    { recovery_percent: 75 },
    { recovery_percent: 0 },
  ])
})

t.test('costs come first, and open commitments are drawn before a default', async t => {
  // 280 less 5% = 266 over 40 + 85% of 60 + 209 = 300
  const found = await ask('DRAW', { multiple: 4, cost_percent: 5, draw_percent: 85 })
  t.match(found, { costs: 14 * MILLION, distributable_value: 266 * MILLION, claims_amount: 300 * MILLION })
  t.equal(Math.round(found.classes[0]!.recovery_percent! * 1e3), 88_667)
  t.equal(found.classes[0]!.recovery, 266 * MILLION)
  t.match(found.claims[0], { id: 'DRAW-RCF', amount: 91 * MILLION, assumed_drawn: 51 * MILLION })
})

t.test('value at a subsidiary that guarantees nothing pays its own debt first', async t => {
  // 40% of 300 is 120: 100 to its own debt, 20 with the other 180 to 400.
  t.strictSame(await paid('SUBS', { multiple: 5, non_guarantor_percent: 40 }), [
    'subsidiaries that guarantee nothing: senior_unsecured 100',
    'operating companies: senior_unsecured 50',
  ])
  // 10% is 30 of 100; 270 of 400
  t.strictSame(await paid('SUBS', { multiple: 5, non_guarantor_percent: 10 }), [
    'subsidiaries that guarantee nothing: senior_unsecured 30',
    'operating companies: senior_unsecured 67.5',
  ])
  const found = await ask('SUBS', { multiple: 5 })
  t.match(found.classes, [{ recovery_percent: 60 }])
  t.ok(found.notes.some(note => note.startsWith('1 claim of subsidiaries that guarantee nothing')))
})

t.test('what is not known is left out or assumed, and said', async t => {
  // 500: 300 to the loan, 200 over 300 of unknown rank and 400 that no instrument shows.
  const found = await ask('REST', { multiple: 5 })
  t.match(found.left_out, [
    { id: 'REST-EU', reason: 'other_currency' },
    { id: 'REST-NA', reason: 'no_amount' },
  ])
  t.match(found.classes, [
    { class: 'first_lien', recovery_percent: 100 },
    { class: 'senior_unsecured', is_rank_assumed: true, amount: 300 * MILLION },
    { class: 'unexplained', is_rank_assumed: true, amount: 400 * MILLION },
  ])
  t.equal(Math.round(found.classes[1]!.recovery_percent! * 1e3), 28_571)
  t.equal(
    found.classes.reduce((sum, row) => sum + row.recovery!, 0),
    500 * MILLION,
    'to the cent',
  )
  t.match(await paid('REST', { multiple: 5, unexplained_debt: false }), [/100$/, /66.667$/])
  t.ok(
    found.notes.includes(
      'Claims between companies of the group are left out; claims are principal, without accrued interest.',
    ),
  )
  t.match(await ask('BARE'), {
    enterprise_value: null,
    null_because: 'no_statements',
    classes: [],
    sensitivity: [],
  })
})

t.test('the notes say that EBITDA is scaled up, or without depreciation', async t => {
  const half = await ask('HALF', { multiple: 5 })
  t.match(half, { ebitda: 100 * MILLION, enterprise_value: 500 * MILLION })
  const scaled = /^EBITDA is that of less than a year to 2024-12-31, scaled up to one/
  t.match(
    half.notes.filter(note => note.startsWith('EBITDA')),
    [scaled, /^EBITDA is operating income/],
  )
  for (const { notes } of [await ask('HALF', { ebitda: 90 * MILLION }), await ask('REST')])
    t.notOk(notes.some(note => note.startsWith('EBITDA')))
})

t.test('the waterfall is of the day, and explain names the sources', async t => {
  t.match(await ask('RANK', { as_of: '2025-02-19' }), {
    null_because: 'no_statements',
    classes: [{ recovery: null }, {}],
  })
  t.match((await ask('GUAR', { explain: true }))._explain, {
    claims: [{ id: 'GUAR-H', obligors: ['GUAR Holdings', 'GUAR Operating'], from: 'bonds' }, {}],
    ebitda: { value: 130 * MILLION },
  })
  await t.rejects(ask('NONE'), { code: 'INVALID_TICKER' })
})
