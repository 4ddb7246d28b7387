import t from 'tap'
import { open } from '../../../engine/engine.ts'
import { currentManifest } from '../../../engine/lake/snapshot.ts'
import { build } from '../../../engine/snapshot/build.ts'
import { verifyFigures } from '../../../engine/verify/verify.ts'
import { makeLake } from '../../make-lake.ts'

const PRICED = '2025-06-02'
const FILED = '2025-06-10'

const known = { known_from: '2025-01-02' }
const cusips = { silent: '000000AA7', noncallable: '000000AB5', scheduled: '000000AC3', short: '000000AD1' }

const note = (cusip: string, coupon_rate: number, more: object = {}) => ({
  cusip,
  ticker: 'ALFA',
  coupon_rate,
  rate_type: 'fixed',
  maturity_date: '2030-06-03',
  currency: 'USD',
  ...known,
  ...more,
})

/** What a filing says of the notes with a coupon. */
const said = (coupon_rate: number, term: Record<string, unknown>) => ({
  instrument_id: `${coupon_rate} ${Object.keys(term)}`,
  ticker: 'ALFA',
  name: `${coupon_rate}% notes due 2030`,
  coupon_rate,
  maturity: '2030',
  rate_type: 'fixed',
  rule: 'note_terms',
  evidence: `the words of ${Object.keys(term)}`,
  source: '424b2.htm:document',
  known_from: FILED,
  ...term,
})

const price = (cusip: string) => ({
  cusip,
  price_date: PRICED,
  price: 105,
  price_source: 'vendor',
  known_from: PRICED,
})

const curve = [3, 12, 60, 120].map(tenor_months => ({
  date: PRICED,
  tenor_months,
  rate: 4,
  publisher: 'treasury',
  known_from: PRICED,
}))

const own = JSON.stringify([{ date: '2027-06-03', price: 103 }])

t.test('terms of a series that a company tags only as part of a class reach its bond', async t => {
  const fact = (value: number, dimensions: string | null) => ({
    cik: '0000000001',
    company_name: 'Alfa Corp',
    concept: 'us-gaap:LongTermDebtNoncurrent',
    unit: 'USD',
    period_end: '2024-12-31',
    value,
    accession: '0000000001-25-000001',
    form: '10-K',
    fiscal_year: 2024,
    report_date: '2024-12-31',
    filed_date: FILED,
    known_from: FILED,
    dimensions,
  })
  const lake = await makeLake(t.teardown, {
    companies: [{ ticker: 'ALFA', name: 'Alfa Corp', cik: '0000000001', sector: 'Energy', ...known }],
    bonds: [note(cusips.silent, 6), note(cusips.short, 6.75)],
    prices: [price(cusips.silent)],
    treasury_yields: curve,
    facts: [fact(5e9, null), fact(5e9, 'us-gaap:LongtermDebtTypeAxis=us-gaap:SeniorNotesMember')],
    instruments: [
      said(6, { par_call_date: '2030-03-03', callable: true }),
      said(6, { make_whole_bps: 25 }),
      said(6.5, { make_whole_bps: 30 }),
      { ...said(6.75, { carrying_amount: 1e9 }), rule: 'debt_table', balance_date: '2024-12-31' },
    ],
  })
  await build(lake, { asOf: '2025-06-20' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.instruments', {
    ticker: 'ALFA',
    is_current: false,
    fields: 'name,par_call_date,make_whole_bps,is_counted,bond_id',
  })
  t.strictSame(data, [
    {
      name: '6% notes due 2030',
      par_call_date: '2030-03-03',
      make_whole_bps: 25,
      is_counted: false,
      bond_id: cusips.silent,
    },
    {
      name: '6.5% notes due 2030',
      par_call_date: null,
      make_whole_bps: 30,
      is_counted: false,
      bond_id: null,
    },
    {
      name: '6.75% notes due 2030',
      par_call_date: null,
      make_whole_bps: null,
      is_counted: false,
      bond_id: cusips.short,
    },
  ])
  const bonds = await engine.call('search.bonds', {
    ticker: 'ALFA',
    fields: 'cusip,callable,make_whole_until',
    sort: 'cusip',
  })
  t.strictSame(bonds.data, [
    { cusip: cusips.silent, callable: true, make_whole_until: '2030-03-03' },
    { cusip: cusips.short, callable: null, make_whole_until: null },
  ])
  t.match((await engine.call('bond.risk', { cusip: cusips.silent })).data, {
    options: 'instrument',
    oas: Number,
  })
  const found: unknown[] = []
  await verifyFigures(lake, (await currentManifest(lake))!, {
    tables: ['bonds', 'instruments'],
    found: difference => found.push(difference),
  })
  t.strictSame(found, [])
})

t.test('a bond takes the calls that a filing states where its own source says nothing', async t => {
  const lake = await makeLake(t.teardown, {
    companies: [{ ticker: 'ALFA', name: 'Alfa Corp', sector: 'Energy', ...known }],
    bonds: [
      note(cusips.silent, 6),
      note(cusips.noncallable, 6.25, { callable: false }),
      note(cusips.scheduled, 6.5, { call_schedule: own }),
      note(cusips.short, 6.75),
    ],
    prices: Object.values(cusips).map(price),
    treasury_yields: curve,
    instruments: [6, 6.25, 6.5]
      .flatMap(coupon => [
        said(coupon, { par_call_date: '2030-03-03', callable: true }),
        said(coupon, { make_whole_bps: 25 }),
        said(coupon, { change_of_control_price: 101 }),
      ])
      .concat([
        said(6.75, { par_call_date: '2030-06-03' }),
        said(6.75, { make_whole_bps: 25, call_schedule: '[{"date":"2027-02-30","price":101}]' }),
      ]),
  })
  await build(lake, { asOf: '2025-06-20' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const bond = async (cusip: string, more: object = {}) => {
    const fields =
      'callable,call_schedule,make_whole_bps,make_whole_until,change_of_control_price,pricing.ytw,pricing.ytw_date,pricing.ytm'
    const { data } = await engine.call('search.bonds', { cusip, fields, ...more })
    return data[0] as unknown as Record<string, unknown> & { pricing: Record<string, number | string | null> }
  }

  const silent = await bond(cusips.silent)
  t.match(silent, {
    callable: true,
    call_schedule: [{ date: '2030-03-03', price: 100 }],
    make_whole_bps: 25,
    make_whole_until: '2030-03-03',
    change_of_control_price: 101,
    pricing: { ytw_date: '2030-03-03' },
  })
  t.ok((silent.pricing['ytw'] as number) < (silent.pricing['ytm'] as number))
  t.match(
    await bond(cusips.noncallable),
    {
      callable: false,
      call_schedule: null,
      make_whole_bps: null,
      make_whole_until: null,
      change_of_control_price: 101,
      pricing: { ytw_date: '2030-06-03' },
    },
    'a source that says noncallable is not contradicted',
  )
  t.match(
    await bond(cusips.scheduled),
    { call_schedule: JSON.parse(own), make_whole_bps: 25, make_whole_until: '2027-06-03' },
    'its own schedule stays',
  )
  t.match(
    await bond(cusips.short),
    {
      callable: true,
      call_schedule: [{ date: '2027-02-30', price: 101 }],
      make_whole_until: null,
      pricing: { ytw: null },
    },
    'no call on the maturity itself, and none on an impossible day',
  )

  t.test('with the words that state them', async t => {
    const { data } = await engine.call('search.bonds', { cusip: cusips.silent, explain: true })
    const { terms } = (data[0] as unknown as { _explain: { terms: object } })._explain
    t.match(terms, {
      from_filing: {
        terms: ['callable', 'call_schedule', 'make_whole_bps', 'make_whole_until', 'change_of_control_price'],
        evidence: {
          callable: { quotation: 'the words of par_call_date,callable' },
          call_schedule: { quotation: 'the words of par_call_date,callable', rule: 'note_terms' },
          make_whole_bps: { quotation: 'the words of make_whole_bps', source: '424b2.htm:document' },
          change_of_control_price: { quotation: 'the words of change_of_control_price' },
        },
      },
    })
  })

  t.test('from the day on which the filing is known', async t => {
    t.match(await bond(cusips.silent, { as_of: '2025-06-09' }), {
      callable: null,
      call_schedule: null,
      make_whole_bps: null,
      change_of_control_price: null,
      pricing: { ytw: null },
    })
    t.match(await bond(cusips.silent, { as_of: FILED }), { callable: true, pricing: silent.pricing })
  })

  t.test('which its option-adjusted spread uses', async t => {
    const risk = async (cusip: string, more: object = {}) =>
      (await engine.call('bond.risk', { cusip, ...more })).data
    t.match(await risk(cusips.silent), {
      options: 'instrument',
      calls: [{ date: '2030-03-03', price: 100 }],
      oas: Number,
    })
    t.match(await risk(cusips.noncallable), { options: 'none', calls: [] })
    t.match(await risk(cusips.scheduled), { options: 'bond' })
    t.match(await risk(cusips.silent, { as_of: '2025-06-09' }), { options: 'unknown', oas: null })
  })

  t.test('and which are verified', async t => {
    const found: unknown[] = []
    await verifyFigures(lake, (await currentManifest(lake))!, {
      tables: ['bonds', 'pricing'],
      found: difference => found.push(difference),
    })
    t.strictSame(found, [])
  })
})
