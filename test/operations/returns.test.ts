import t, { type Test as Tap } from 'tap'
import { addDays } from '../../engine/base/days.ts'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const bondOf = (bond_id: string, coupon_rate: number, maturity_date: string, more = {}) => ({
  ticker: 'RETS',
  bond_id,
  name: bond_id,
  coupon_rate,
  rate_type: 'fixed',
  rate_structure: 'fixed',
  maturity_date,
  accrual_date: '2020-01-15',
  currency: 'USD',
  outstanding: 50_000_000_000,
  known_from: '2020-01-10',
  ...more,
})

const bonds = [
  bondOf('REGULAR', 6, '2030-06-15'),
  bondOf('ODD', 5, '2031-11-01', {
    accrual_date: '2024-04-17',
    known_from: '2024-04-17',
    outstanding: 25_000_000_000,
  }),
  bondOf('MATURING', 4, '2024-09-15', { outstanding: 25_000_000_000 }),
  bondOf('CALLED', 7, '2028-12-15', { call_schedule: '[{"date":"2024-06-15","price":103.5}]' }),
  bondOf('CALLED', 7, '2028-12-15', { status: 'retired', known_from: '2024-10-15' }),
  // A list still has it: that does not move the day on which it was known to be retired.
  bondOf('CALLED', 7, '2028-12-15', { known_from: '2024-10-28' }),
  bondOf('TENDERED', 7, '2029-12-15', { call_schedule: '[{"date":"2026-06-15","price":103.5}]' }),
  bondOf('TENDERED', 7, '2029-12-15', { status: 'retired', known_from: '2024-10-15' }),
  bondOf('DEFAULTED', 8, '2029-01-15'),
  bondOf('DEFAULTED', 8, '2029-01-15', { status: 'defaulted', known_from: '2024-07-20' }),
  bondOf('FLOATER', 5, '2029-01-15', { rate_type: 'floating', rate_structure: 'floating' }),
  bondOf('UNTOLD', 5, '2029-01-15', { coupon_rate: undefined }),
  bondOf('EURO', 5, '2029-01-15', { currency: 'EUR' }),
  bondOf('LARGE', 6, '2031-03-15', { ticker: 'LIST', outstanding: 50_000_000_000 }),
  bondOf('LARGE', 6, '2031-03-15', { ticker: 'LIST', outstanding: 30_000_000_000, known_from: '2024-07-10' }),
  bondOf('SMALL', 4, '2024-07-15', { ticker: 'LIST', outstanding: 10_000_000_000 }),
]

const marks: readonly (readonly [bond: string, day: string, price: number])[] = [
  ['REGULAR', '2024-04-30', 99],
  ['REGULAR', '2024-05-31', 100],
  ['REGULAR', '2024-06-28', 101],
  ['REGULAR', '2024-08-30', 102],
  ['REGULAR', '2024-09-27', 101.5],
  ['ODD', '2024-09-30', 98],
  ['ODD', '2024-10-29', 98.5],
  ['ODD', '2024-11-29', 99],
  ['MATURING', '2024-07-31', 99.7],
  ['MATURING', '2024-08-30', 99.8],
  ['CALLED', '2024-09-30', 104],
  ['TENDERED', '2024-09-30', 104],
  ['DEFAULTED', '2024-06-28', 50],
  ['DEFAULTED', '2024-07-31', 20],
  ['DEFAULTED', '2024-08-30', 22],
  ['FLOATER', '2024-07-31', 99],
  ['FLOATER', '2024-08-30', 100],
  ['UNTOLD', '2024-07-31', 99],
  ['UNTOLD', '2024-08-30', 100],
  ['EURO', '2024-07-31', 99],
  ['EURO', '2024-08-30', 100],
  ['LARGE', '2024-05-31', 100],
  ['LARGE', '2024-06-28', 102],
  ['LARGE', '2024-07-31', 101],
  ['LARGE', '2024-08-30', 100],
  ['SMALL', '2024-05-31', 99],
  ['SMALL', '2024-06-28', 99.5],
]

/** A flat curve at 4%, half a point higher from September on. */
const curveDays = Array.from({ length: 60 }, (_, i) => addDays('2024-04-05', 5 * i))
const curve = (day: string) =>
  [3, 12, 24, 60, 120, 240, 360].map(months => ({
    date: day,
    tenor_months: months,
    rate: day < '2024-09-01' ? 4 : 4.5,
    publisher: 'treasury',
    known_from: day,
  }))

const rows: Rows = {
  companies: [
    { ticker: 'RETS', cik: '0000000321', name: 'Rets Corp', sector: 'Energy' },
    { ticker: 'LIST', cik: '0000000322', name: 'List Corp', sector: 'Energy' },
  ],
  bonds,
  treasury_yields: curveDays.flatMap(curve),
  prices: marks.map(([bond_id, price_date, price]) => ({
    bond_id,
    price_date,
    price,
    price_source: 'vendor',
    known_from: price_date,
  })),
}

const lake = await builtLake(t.teardown, rows, { asOf: '2024-12-31' })
const engine = await open(lake)
t.teardown(() => engine.close())

const FIELDS = [
  'bond_name',
  'bond_id',
  'period_start',
  'period_end',
  'start_date',
  'end_date',
  'total_return',
  'price_return',
  'treasury_return',
  'excess_return',
  'index_level',
  'null_because',
  'treasury_null_because',
  'ending',
  'start_price',
  'start_accrued',
  'end_price',
  'end_accrued',
  'coupons',
  'start_staleness',
  'end_staleness',
  'is_unchanged',
] as const
const all = (await engine.call('search.returns', { fields: FIELDS, limit: 1000 })).data
const of = (bond: string, end: string) => {
  const row = all.find(each => each.bond_id === ids.get(bond) && each.period_end === end)
  if (!row) throw new Error(`${bond} has no period that ends ${end}`)
  return row
}
const listed = async (is_active: boolean) =>
  (
    await engine.call('search.bonds', {
      is_active,
      currency: ['USD', 'EUR'],
      fields: ['id', 'name'],
      limit: 100,
    })
  ).data
const ids = new Map([...(await listed(true)), ...(await listed(false))].map(({ id, name }) => [name, id]))
const close = (t: Pick<Tap, 'ok'>, found: number | null, wanted: number, what: string) =>
  t.ok(found !== null && Math.abs(found - wanted) < 1e-9, `${what}: ${found} is ${wanted}`)

t.test('a month with a coupon earns price, accrued interest and the coupon', async t => {
  // Settled on 3 June and 1 July: 168 and 16 days of 30/360; the coupon of 15 June is received.
  const june = of('REGULAR', '2024-06-30')
  close(t, june.start_accrued, (6 * 168) / 360, 'accrued at the start')
  close(t, june.end_accrued, (6 * 16) / 360, 'accrued at the end')
  close(t, june.coupons, 3, 'coupon')
  close(t, june.total_return, 100 * ((101 + (6 * 16) / 360 + 3) / (100 + (6 * 168) / 360) - 1), 'total')
  close(t, june.price_return, 1, 'price')
  t.match(june, { start_date: '2024-05-31', end_date: '2024-06-28', end_staleness: 2, null_because: null })
})

t.test('an odd first coupon is paid for its own days', async t => {
  // From 17 April the first coupon of 1 November is of 194 days; settled on 30 October and 2 December.
  const november = of('ODD', '2024-11-30')
  close(t, november.start_accrued, (5 * 193) / 360, 'accrued at the start')
  close(t, november.coupons, (5 * 194) / 360, 'odd first coupon')
  const end = 99 + (5 * 31) / 360 + (5 * 194) / 360
  close(t, november.total_return, 100 * (end / (98.5 + (5 * 193) / 360) - 1), 'total')
})

t.test('a bond that matures pays par and its last coupon', async t => {
  const september = of('MATURING', '2024-09-30')
  t.match(september, {
    ending: 'matured',
    end_date: '2024-09-15',
    end_price: 100,
    end_accrued: 0,
    coupons: 2,
  })
  close(t, september.total_return, 100 * (102 / (99.8 + (4 * 168) / 360) - 1), 'total')
  t.notOk(
    all.some(row => row.bond_id === september.bond_id && row.period_end > '2024-09-30'),
    'no later period',
  )
})

t.test('a retired bond is called at the price then in force, or has no return', async t => {
  const called = of('CALLED', '2024-10-31')
  t.match(called, { ending: 'called', end_date: '2024-10-15', end_price: 103.5 })
  close(t, called.total_return, 100 * ((103.5 + (7 * 120) / 360) / (104 + (7 * 106) / 360) - 1), 'total')
  t.match(of('TENDERED', '2024-10-31'), {
    total_return: null,
    null_because: 'redemption_price_unknown',
    ending: 'called',
  })
})

t.test('a bond in default trades flat: no accrued interest, no coupons', async t => {
  // The coupon of 15 July falls in the month of the default.
  const july = of('DEFAULTED', '2024-07-31')
  t.match(july, { ending: 'defaulted', coupons: 0, end_accrued: 0 })
  close(t, july.total_return, 100 * (20 / (50 + (8 * 166) / 360) - 1), 'total into default')
  close(t, of('DEFAULTED', '2024-08-31').total_return, 10, 'total in default')
})

t.test('what no source tells is null with a reason, and the price return stays', async t => {
  t.match(of('FLOATER', '2024-08-31'), { total_return: null, null_because: 'floating', index_level: null })
  t.match(of('UNTOLD', '2024-08-31'), { total_return: null, null_because: 'no_terms' })
  close(t, of('FLOATER', '2024-08-31').price_return, 100 / 0.99 - 100, 'price return')
  t.match(of('EURO', '2024-08-31'), { treasury_return: null, treasury_null_because: 'not_usd' })
  t.type(of('EURO', '2024-08-31').total_return, 'number')
})

t.test('a month without a price is a gap that nothing bridges', async t => {
  t.match(of('REGULAR', '2024-07-31'), {
    total_return: null,
    null_because: 'no_end_price',
    index_level: null,
  })
  t.match(of('REGULAR', '2024-08-31'), { total_return: null, null_because: 'no_start_price' })
  const september = of('REGULAR', '2024-09-30')
  t.type(september.total_return, 'number')
  t.equal(september.index_level, null, 'the level does not go on after a gap')
  t.equal(september.end_staleness, 3)
  const strict = await engine.call('search.returns', { max_staleness: 2, fields: FIELDS, limit: 1000 })
  t.match(
    strict.data.find(row => row.bond_id === september.bond_id && row.period_end === '2024-09-30'),
    { null_because: 'no_end_price' },
    'a price three days old is too old',
  )
})

t.test('index levels compound total returns', async t => {
  const [may, june] = [of('REGULAR', '2024-05-31'), of('REGULAR', '2024-06-30')]
  close(t, may.index_level, 100 + (may.total_return ?? 0), 'after a month')
  close(
    t,
    june.index_level,
    (100 + (may.total_return ?? 0)) * (1 + (june.total_return ?? 0) / 100),
    'after two',
  )
})

t.test('by day, each price ends a period, unless the one before is too old', async t => {
  const daily = await engine.call('search.returns', {
    every: 'day',
    max_staleness: 31,
    date_from: '2024-05-31',
    fields: FIELDS,
    limit: 1000,
  })
  const regular = daily.data.filter(row => row.bond_id === ids.get('REGULAR'))
  t.strictSame(
    regular.map(row => [row.start_date, row.end_date, row.null_because]),
    [
      ['2024-05-31', '2024-06-28', null],
      ['2024-06-28', '2024-08-30', 'gap'],
      ['2024-08-30', '2024-09-27', null],
    ],
  )
  t.equal(regular[0]?.total_return, of('REGULAR', '2024-06-30').total_return)
  const maturing = daily.data.filter(row => row.bond_id === ids.get('MATURING'))
  t.equal(maturing.at(-1)?.ending, 'matured')
})

t.test('on a flat curve that does not move, matched Treasuries earn its yield', async t => {
  const june = of('REGULAR', '2024-06-30')
  // 28 days from 3 June to 1 July at 4%, compounded twice a year.
  const earned = 100 * (1.02 ** ((2 * 28) / 365) - 1)
  close(t, june.treasury_return, earned, 'zero of the same duration')
  close(t, june.excess_return, (june.total_return ?? 0) - earned, 'excess')
  const flows = await engine.call('search.returns', { match: 'cash_flows', fields: FIELDS, limit: 1000 })
  const same = flows.data.find(row => row.bond_id === june.bond_id && row.period_end === '2024-06-30')
  // The coupon received in between earns nothing until the end of the period.
  t.ok(Math.abs((same?.treasury_return ?? 0) - earned) < 0.01, `${same?.treasury_return} is about ${earned}`)
})

t.test('when yields rise by half a point, Treasuries of the same duration lose about as much', async t => {
  const september = of('REGULAR', '2024-09-30')
  const [risk] = (
    await engine.call('search.pricing', {
      date: '2024-08-30',
      is_active: undefined,
      fields: ['bond_id', 'duration'],
    })
  ).data.filter(row => row.bond_id === september.bond_id)
  const duration = risk?.duration ?? 0
  const about = -0.5 * duration + (100 * 0.04 * 30) / 365
  t.ok(
    Math.abs((september.treasury_return ?? 0) - about) < 0.15,
    `${september.treasury_return} is about ${about}`,
  )
})

const weighted = (weight: 'par' | 'market_value' | 'equal', more = {}) =>
  engine.call('search.returns', {
    weight,
    fields: [
      'period_end',
      'total_return',
      'bonds',
      'weight_covered',
      'turnover',
      'null_because',
      'index_level',
    ],
    ...more,
  })

t.test(
  'a list earns the mean of its bonds by their weights, rebalanced at the start of each period',
  async t => {
    const asked = { ticker: ['LIST'], date_from: '2024-05-31', date_to: '2024-08-31' }
    const { data, meta } = await weighted('par', asked)
    t.match(meta['filters_applied'], { ticker: ['LIST'], currency: ['USD'], weight: 'par', every: 'month' })
    const total = (bond: string, end: string) => of(bond, end).total_return ?? Number.NaN
    const ends = ['2024-06-30', '2024-07-31', '2024-08-31'] as const
    t.strictSame(
      data.map(row => [row.period_end, row.bonds, row.weight_covered]),
      [
        [ends[0], 2, 100],
        [ends[1], 2, 100],
        [ends[2], 1, 100],
      ],
    )
    // Par of 300 and 100 million; the small bond matures in July.
    const months = ends.map(end =>
      end === ends[2] ? total('LARGE', end) : (3 * total('LARGE', end) + total('SMALL', end)) / 4,
    )
    for (const [i, month] of months.entries()) close(t, data[i]?.total_return ?? null, month, `month ${i}`)
    t.equal(data[0]?.turnover, null, 'nothing is held before the first period')
    const grown = (bond: string, i: 0 | 1) => 1 + total(bond, ends[i]) / 100
    const drifted = (0.75 * grown('LARGE', 0)) / (1 + (months[0] ?? 0) / 100)
    close(t, data[1]?.turnover ?? null, 100 * Math.abs(drifted - 0.75), 'back to the weights of par')
    const proceeds = (0.25 * grown('SMALL', 1)) / (1 + (months[1] ?? 0) / 100)
    close(t, data[2]?.turnover ?? null, 100 * proceeds, 'the proceeds of the matured bond are invested again')
    const equal = (await weighted('equal', asked)).data
    close(
      t,
      equal[0]?.total_return ?? null,
      (total('LARGE', ends[0]) + total('SMALL', ends[0])) / 2,
      'equally',
    )
    const [large, small] = [of('LARGE', ends[0]), of('SMALL', ends[0])]
    const value = (row: typeof large, par: number) =>
      par * ((row.start_price ?? 0) + (row.start_accrued ?? 0))
    const [a, b] = [value(large, 3), value(small, 1)]
    const byValue = (a * (large.total_return ?? 0) + b * (small.total_return ?? 0)) / (a + b)
    close(
      t,
      (await weighted('market_value', asked)).data[0]?.total_return ?? null,
      byValue,
      'by market value',
    )
  },
)

t.test('members as of the start of each period have the sizes known then', async t => {
  const asked = { ticker: ['LIST'], date_from: '2024-06-30', date_to: '2024-07-31' }
  const now = (await weighted('par', { ...asked, as_of: '2024-12-31' })).data[0]
  const then = (await weighted('par', { ...asked, members: 'period_start' })).data[0]
  const [large, small] = ['LARGE', 'SMALL'].map(name => of(name, '2024-07-31').total_return ?? Number.NaN)
  close(t, now?.total_return ?? null, (3 * (large ?? 0) + (small ?? 0)) / 4, 'sizes of today')
  close(
    t,
    then?.total_return ?? null,
    (5 * (large ?? 0) + (small ?? 0)) / 6,
    'before the tap was bought back',
  )
})

t.test('a list has no return where less than half of its weights have one', async t => {
  const { data } = await weighted('par', { ticker: ['RETS'] })
  const august = data.find(row => row.period_end === '2024-08-31')
  // The floater and the bond of unknown coupon have prices, but no return.
  close(t, august?.weight_covered ?? null, (100 * 75) / 175, 'covered')
  t.match(august, { total_return: null, null_because: 'low_coverage', bonds: 2 })
})

t.test('a weighted list needs periods and one currency', async t => {
  await t.rejects(weighted('par', { every: 'day' }), { code: 'INVALID_PARAMETER' })
  await t.rejects(weighted('par', { currency: ['USD', 'EUR'] }), { code: 'INVALID_PARAMETER' })
})

t.test('nothing learned later changes what was answered as of an earlier day', async t => {
  const day = '2024-10-10'
  const known = (row: Readonly<Record<string, unknown>>) => String(row['known_from'] ?? '') <= day
  const earlier = await makeLake(t.teardown, {
    companies: rows['companies'] ?? [],
    bonds: bonds.filter(known),
    treasury_yields: (rows['treasury_yields'] ?? []).filter(known),
    prices: (rows['prices'] ?? []).filter(known),
  })
  await build(earlier, { asOf: day })
  const then = await open(earlier)
  t.teardown(() => then.close())
  for (const input of [{}, { every: 'day' }, { weight: 'par' }, { match: 'cash_flows' }] as const) {
    const asked = { ...input, as_of: day, limit: 1000 }
    const [now, before] = [
      await engine.call('search.returns', asked),
      await then.call('search.returns', asked),
    ]
    t.strictSame(now.data, before.data, JSON.stringify(input))
    t.ok(now.data.length > 0)
  }
  t.notOk(
    (await engine.call('search.returns', { as_of: day, limit: 1000 })).data.some(
      row => row.ending === 'called',
    ),
    'the call of 15 October is not known',
  )
})

t.test('a range that holds no period, or ends in the future, is refused with a way out', async t => {
  await t.rejects(engine.call('search.returns', { date_from: '2024-08-01', date_to: '2024-08-15' }), {
    code: 'INVALID_PARAMETER',
  })
  await t.rejects(engine.call('search.returns', { date_to: '2025-08-15' }), { code: 'INVALID_PARAMETER' })
  await t.rejects(engine.call('search.returns', { date_from: '2024-12-15', date_to: '2024-11-15' }), {
    code: 'INVALID_PARAMETER',
  })
})
