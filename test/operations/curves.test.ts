import t from 'tap'
import { bond, cleanPrice } from '../../engine/credit/bond.ts'
import { formatDay, parseDay, settlementDay } from '../../engine/credit/calendar.ts'
import { spreadAt } from '../../engine/credit/nelson-siegel.ts'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { addRows, type Rows } from '../make-lake.ts'

/** Four weeks apart or less, so that a curve of Treasury yields serves each day. */
const first = parseDay('2024-09-06')
const LAST = '2025-01-03'
const fridays = Array.from({ length: 18 }, (_, i) => formatDay(first + 7 * i))
const before = fridays.slice(0, -1)

const RISING = { beta0: 250, beta1: -150, beta2: 0, tau: 3 }
const flatRate = 4

/** Issuers by ticker: sector, rating, and how far their curve lies from the market's. */
const issuers: Readonly<Record<string, { sector: string; rating: string; wide: number }>> = {
  TIGHT: { sector: 'Energy', rating: 'BB', wide: -40 },
  MIDDLE: { sector: 'Energy', rating: 'BB', wide: 0 },
  WIDER: { sector: 'Energy', rating: 'BB', wide: 40 },
  UTIL: { sector: 'Utilities', rating: 'BB', wide: 0 },
  LONE: { sector: 'Utilities', rating: 'BB', wide: 0 },
}

/** A bond of an issuer that matures so many years after the last day. */
const bondOf = (ticker: string, years: number, more = {}) => ({
  ticker,
  bond_id: `${ticker}-${years}`,
  name: `${ticker} ${years}`,
  coupon_rate: 6,
  rate_type: 'fixed',
  rate_structure: 'fixed',
  maturity_date: formatDay(Math.round(parseDay(LAST) + 365.25 * years)),
  currency: 'USD',
  seniority: 'senior_unsecured',
  known_from: '2020-01-10',
  ...more,
})

const LIVES = [2, 4, 6, 8, 10, 15, 20]
const bonds = [
  ...['TIGHT', 'MIDDLE', 'WIDER', 'UTIL'].flatMap(ticker => LIVES.map(years => bondOf(ticker, years))),
  bondOf('LONE', 9),
  bondOf('TIGHT', 5, { bond_id: 'TIGHT-LIEN', seniority: 'senior_secured' }),
  // Half of it is repaid two years before maturity.
  bondOf('UTIL', 12, {
    bond_id: 'UTIL-SINK',
    maturity_date: '2037-01-03',
    sinking_schedule: JSON.stringify([{ date: '2035-01-03', percent: 50 }]),
  }),
]

type Bond = (typeof bonds)[number]

/** The price on a day at so many basis points over the issuer's curve. */
function priced({ bond_id, ticker, maturity_date }: Bond, day: string, residual: number) {
  const maturity = parseDay(maturity_date)
  const settle = settlementDay(parseDay(day))
  const years = (maturity - settle) / 365.25
  const spread = spreadAt(RISING, years) + issuers[ticker]!.wide + residual
  const price = cleanPrice(bond({ coupon: 6, maturity }), flatRate + spread / 100, settle)
  return { bond_id, price_date: day, price, price_source: 'vendor', known_from: day }
}

/** Small residuals that alternate from week to week and bond to bond, and on the last day one bond 60 bp cheap. */
const residualOf = (bond: Bond, day: string) =>
  day === LAST && bond.bond_id === 'MIDDLE-8'
    ? 60
    : (fridays.indexOf(day) + bonds.indexOf(bond)) % 2 === 0
      ? 2
      : -2

const curve = (day: string) =>
  [3, 12, 24, 60, 120, 240, 360].map(months => ({
    date: day,
    tenor_months: months,
    rate: flatRate,
    publisher: 'treasury',
    known_from: day,
  }))

const rows: Rows = {
  companies: Object.entries(issuers).map(([ticker, { sector }], i) => ({
    ticker,
    cik: `000000010${i}`,
    name: `${ticker} Corp`,
    sector,
  })),
  ratings: Object.entries(issuers).map(([ticker, { rating }]) => ({
    ticker,
    agency: 'sp',
    rating,
    rating_type: 'issuer',
    effective_date: '2024-01-10',
    known_from: '2024-01-10',
  })),
  bonds,
  treasury_yields: fridays.flatMap(curve),
  prices: before.flatMap(day => bonds.map(bond => priced(bond, day, residualOf(bond, day)))),
}

const lake = await builtLake(t.teardown, rows, { asOf: before.at(-1)! })
const engineBefore = await open(lake)
t.teardown(() => engineBefore.close())

type Row = Readonly<Record<string, number | string | null>>
const FIELDS = [
  'bond_id',
  'spread',
  'fitted_spread',
  'residual',
  'z_score',
  'observations',
  'percentile',
  'carry',
  'roll_down',
] as const
const valuesAt = async (engine: typeof engineBefore, day: string) =>
  (await engine.call('search.relative_value', { as_of: day, fields: FIELDS, sort: 'bond_id', limit: 200 }))
    .data
const curvesAt = async (engine: typeof engineBefore, day: string) =>
  (await engine.call('market.curves', { as_of: day, sort: 'group' })).data

const earlier = fridays.at(-4)!
const [valuesThen, curvesThen] = [
  await valuesAt(engineBefore, earlier),
  await curvesAt(engineBefore, earlier),
]

await addRows(lake, {
  prices: bonds.map(bond => priced(bond, LAST, residualOf(bond, LAST))),
  ratings: [
    {
      ticker: 'UTIL',
      agency: 'sp',
      rating: 'B',
      rating_type: 'issuer',
      effective_date: LAST,
      known_from: LAST,
    },
  ],
})
await build(lake, { asOf: LAST })
const engine = await open(lake)
t.teardown(() => engine.close())
const curves = async (input: Record<string, unknown> = {}) =>
  (await engine.call('market.curves', input)).data as unknown as Row[]
const values = async (input: Record<string, unknown> = {}) =>
  (await engine.call('search.relative_value', input)).data as unknown as Row[]

t.test('later prices and ratings move no earlier curve and no earlier residual', async t => {
  t.ok(valuesThen.length > 20)
  t.strictSame(await valuesAt(engine, earlier), valuesThen)
  t.strictSame(await curvesAt(engine, earlier), curvesThen)
  const dated = await engine.call('search.relative_value', {
    date: earlier,
    fields: FIELDS,
    sort: 'bond_id',
    limit: 200,
  })
  t.strictSame(dated.data, valuesThen, 'and date asks for the curves of a day as known today')
})

t.test('the curves of a day are listed from the market down, each with its parent', async t => {
  const all = await curves()
  t.strictSame(
    all.map(row => [row['level'], row['group'], row['bond_count'], row['parent']]),
    [
      ['market', 'all', 29, null],
      ['rating', 'HY-BB', 22, 'all'],
      ['sector_rating', 'Energy HY-BB', 21, 'HY-BB'],
      ['issuer', 'MIDDLE', 7, 'Energy HY-BB'],
      ['issuer', 'TIGHT', 7, 'Energy HY-BB'],
      ['issuer', 'UTIL', 7, 'Utilities HY-B'],
      ['rating', 'HY-B', 7, 'all'],
      ['sector_rating', 'Utilities HY-B', 7, 'HY-B'],
      ['issuer', 'WIDER', 7, 'Energy HY-BB'],
      ['issuer', 'LONE', 1, 'Utilities HY-BB'],
      ['sector_rating', 'Utilities HY-BB', 1, 'HY-BB'],
    ].sort((a, b) => Number(b[2]) - Number(a[2]) || (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1)),
  )
})

t.test('a fitted curve is near the one that prices were made from, at its tenors', async t => {
  const [tight] = await curves({ ticker: 'TIGHT' })
  for (const years of [3, 5, 10])
    t.ok(
      Math.abs(Number(tight![`spread_${years}y`]) - (spreadAt(RISING, years) - 40)) < 8,
      `${years} years: ${tight![`spread_${years}y`]}`,
    )
  t.equal(tight!['spread_1y'], null, 'no bond of the day is that short')
  t.equal(tight!['spread_30y'], null)
  t.match(await curves({ level: 'issuer', min_bonds: 2 }), [{}, {}, {}, {}])
  const [lone] = await curves({ ticker: 'LONE' })
  t.match(lone, { curve_of: 'HY-BB', shrinkage: 1, bond_count: 1 })
})

t.test('a bond 60 bp cheap leads the list, with its z-score and percentile', async t => {
  const [cheapest] = await values({ limit: 1 })
  t.match(cheapest, {
    bond_name: 'MIDDLE 6 01/03/33',
    percentile: 100,
    curve_level: 'issuer',
    z_null_because: null,
  })
  t.ok(
    Number(cheapest!['residual']) > 35 && Number(cheapest!['residual']) < 62,
    `${cheapest!['residual']} bp`,
  )
  t.ok(Number(cheapest!['z_score']) > 5)
  t.equal((await values({ min_residual: 30 })).length, 1)
  t.equal((await values({ min_z_score: 5, rating_bucket: 'HY-BB' })).length, 1)
  t.strictSame(await values({ max_residual: -500 }), [])
})

t.test('carry is over the three-month yield, and a rising spread curve is rolled down', async t => {
  const [row] = await values({ ticker: 'WIDER', min_years: 7, max_years: 9 })
  t.equal(row!['carry'], Math.round((Number(row!['ytm']) - flatRate) * 1e4) / 100)
  t.ok(Number(row!['roll_down']) > 0)
  const short = await values({ ticker: 'WIDER', max_years: 2.5, as_of: LAST })
  t.match(short, [{ carry: null, roll_down: null, carry_null_because: 'under_two_years' }])
})

t.test('a secured bond is measured and shapes nothing; an old price is neither', async t => {
  const fields = ['bond_id', 'residual', 'null_because', 'not_fitted_because', 'curve_level']
  const tight = await values({ ticker: 'TIGHT', fields })
  t.match(
    tight.find(row => row['bond_id'] === 'TIGHT-LIEN'),
    { null_because: null, not_fitted_because: 'secured', curve_level: 'issuer' },
  )
  const later = await values({ date: LAST, max_staleness: 0, ticker: 'LONE', fields })
  t.match(later, [{ null_because: null, curve_level: 'rating' }])
  const old = await engine.call('search.relative_value', {
    date: '2025-01-03',
    max_staleness: 0,
    ticker: 'LONE',
    explain: true,
  })
  t.match(old.data[0], { _explain: { curve: { level: 'rating' }, history: { observations: 17 } } })
})

t.test('a sinking bond is measured over its average life, shapes nothing, and has no carry', async t => {
  const { data } = await engine.call('search.relative_value', {
    ticker: ['UTIL'],
    fields: [
      'bond_id',
      'residual',
      'remaining_years',
      'null_because',
      'not_fitted_because',
      'carry',
      'carry_null_because',
    ],
    limit: 100,
  })
  const found = data.find(row => row.bond_id === 'UTIL-SINK')!
  t.match(found, {
    null_because: null,
    not_fitted_because: 'sinking',
    carry: null,
    carry_null_because: 'sinking',
  })
  t.type(found.residual, 'number')
  t.ok(Math.abs(found.remaining_years! - 11) < 0.02, `${found.remaining_years} years`)
})

t.test('curves of a day long before the as-of date say so, unless that day was asked for', async t => {
  const lake = await builtLake(t.teardown.bind(t), rows, { asOf: '2025-03-31' })
  const later = await open(lake)
  t.teardown(() => later.close())
  const [at, age] = [before.at(-1)!, 94]
  const warned = async (name: string, input: Record<string, unknown> = {}) =>
    ((await later.ask(name, input)) as { meta: { warnings?: string[] } }).meta.warnings
  for (const name of ['market.curves', 'search.relative_value']) {
    t.strictSame(
      await warned(name),
      [`curves of ${at}, ${age} days before the as-of date: load newer prices, or choose a day with date`],
      name,
    )
    t.notOk(await warned(name, { date: at }), 'as asked for')
    t.notOk(
      (await warned(name, { as_of: at }))?.some(text => text.startsWith('curves')),
      'on the day',
    )
  }
})

t.test('a day without ten bonds has no curve, and says so', async t => {
  const then = await engine.call('market.curves', { as_of: '2024-09-01' })
  t.strictSame(then.data, [])
  t.match(then.meta, { curve_date: null, empty_because: [/ten fixed-rate bonds/] })
  await t.rejects(engine.call('market.curves', { as_of: earlier, date: LAST }), { code: 'INVALID_PARAMETER' })
})
