import { readdir } from 'node:fs/promises'
import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { deriveDailyPrices } from '../../engine/derive/bonds/daily-prices.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { testFolder } from '../folder.ts'
import { makeLake } from '../make-lake.ts'
import { dayAfter } from '../point-in-time/dated-rows.ts'

const days = Array.from({ length: 10 }, (_, i) => dayAfter('2025-06-02', i))
const day = (n: number): string => days.at(n)!
const cusipOf = (n: number): string => `0000${String(n).padStart(2, '0')}AA${n % 10}`

/** The twelfth bond is known from a list of holdings only, and yields far more than the others. */
const HELD = 12

const bonds = Array.from({ length: HELD }, (_, i) => ({
  cusip: cusipOf(i + 1),
  issuer_name: `Issuer ${i + 1}`,
  coupon_rate: 5,
  rate_type: 'fixed',
  ...(i + 1 < HELD && { rate_structure: 'fixed', seniority: 'senior_unsecured' }),
  currency: 'USD',
  maturity_date: `20${31 + (i % 3)}-06-15`,
  known_from: '2020-06-15',
}))

const trade = (bond: number, n: number, id: string, values: Record<string, unknown> = {}) => ({
  cusip: cusipOf(bond),
  trade_id: id,
  action: 'trade',
  trade_date: day(n),
  trade_time: '10:00:00',
  price: 99 + bond / 10 + n / 100,
  quantity: 1_000_000_00,
  known_from: day(n),
  ...values,
})

const undo = (action: string, of: string, known: number, values: Record<string, unknown> = {}) => ({
  action,
  original_trade_id: of,
  known_from: day(known),
  reported_date: day(known),
  ...values,
})

const trades = [
  ...[1, 2, 3, 5, 6, 7, 8, 9, 10, 11].flatMap(i => days.map((_, n) => trade(i, n, `${i}-${n}`))),
  ...[4, 5, 6, 7, 8, 9].map(n => trade(4, n, `4-${n}`, { price: n === 7 || n === 9 ? 4 : 40 })),
  // The newest reports of bond 1 do not count, so that its price is older.
  ...[5, 6, 7, 8, 9].map(n => trade(1, n, `1-${n}`, undo('cancel', `1-${n}`, 9, { price: null }))),
  // A correction whose own day is older than the report that it corrects.
  trade(2, 1, '2-c', undo('correction', '2-9', 9, { price: 97 })),
  // A reversal of an old report that looks like one of the last day.
  trade(3, 9, '3-r', undo('reversal', '3-0', 9)),
  // A reversal without a number: it undoes the equal report of its day.
  trade(5, 9, '5-r', { action: 'reversal', reported_date: day(9) }),
  ...[1, 2, 3].map(n => trade(HELD, n, `h-${n}`, { price: 60 })),
]

const tenors = [1, 3, 6, 12, 24, 36, 60, 84, 120, 240, 360]
const curve = days.flatMap(date =>
  tenors.map(tenor_months => ({ date, tenor_months, rate: 4, publisher: 'treasury', known_from: date })),
)

const lake = await makeLake(t.teardown, { bonds, trades, treasury_yields: curve })
const batches = await batchFiles(lake)

async function derivation(asOf: string) {
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  const files = async (name: string) => (batches.get(name) ?? []).map(({ path }) => inLake(lake, path))
  const made = new Derivation(db, files, { asOf, undated: false, assumeSeniority: null })
  const rows = (table: string) => db.rows(`SELECT * FROM ${table} ORDER BY ALL`)
  const count = async (table: string) => (await rows(table)).length
  return { db, made, rows, count }
}

for (const asOf of [day(4), day(8), day(9)])
  t.test(`bonds and their latest prices as of ${asOf} are those derived from all prices`, async t => {
    const latest = await derivation(asOf)
    await latest.made.make('bonds')
    await latest.made.make('pricing')
    const all = await derivation(asOf)
    await all.made.make('pricing_history', 'bonds', 'pricing')
    for (const table of ['bonds', 'pricing'])
      t.strictSame(await latest.rows(table), await all.rows(table), table)
    const [few, many] = [await latest.count('trade_reports'), await all.count('trade_reports')]
    t.ok(few < many, `${few} of ${many} trades are read for them`)
    // Tables of all prices, derived after the latest, are whole.
    await latest.made.make('pricing_history', 'excluded_prices')
    for (const table of ['pricing_history', 'excluded_prices', 'bonds', 'pricing'])
      t.strictSame(await latest.rows(table), await all.rows(table), `${table} after the latest prices`)
  })

t.test('what the latest price of a bond depends on is read', async t => {
  const { made, rows } = await derivation(day(9))
  await made.make('pricing')
  const prices = new Map((await rows('pricing')).map(row => [row['cusip'], row]))
  const lastOf = (bond: number) => {
    const { last_trade_date, last_price } = prices.get(cusipOf(bond))!
    return [last_trade_date, last_price]
  }
  t.strictSame(lastOf(1), [day(4), 99.14], 'older days of a bond whose newest reports are cancelled')
  t.strictSame(lastOf(2), [day(8), 99.28], 'a correction dated before the report that it corrects')
  t.strictSame(lastOf(3), [day(9), 99.39], 'the old report that a reversal names')
  t.strictSame(lastOf(4), [day(8), 40], 'all prices of a bond with prices at a tenth')
  t.strictSame(lastOf(5), [day(8), 99.58], 'a reversal without a number')
  t.strictSame(prices.get(cusipOf(HELD))!['yield_null_because'], 'far_from_market_curve')
})

t.test('prices are the same from reports that are cleaned a few bonds at a time', async t => {
  const { made, db, rows } = await derivation(day(9))
  await made.make('pricing_history', 'excluded_prices')
  const tables = ['numbered_prices', 'published_figures', 'prices_left_out']
  const whole = await Promise.all(tables.map(rows))
  t.ok(whole[2]!.some(row => row['reason'] === 'price_slip') && whole[2]!.length > 5)
  const scratch = await testFolder(t)
  for (const reportsAtATime of [3, 40]) {
    await deriveDailyPrices(db, 'all', { scratch, reportsAtATime })
    t.strictSame(await Promise.all(tables.map(rows)), whole, `${reportsAtATime} reports at a time`)
  }
  t.strictSame(await readdir(scratch), [], 'no file is left')
})

t.test('prices and trade reports are numbered in 64 bits', async t => {
  const { made, db } = await derivation(day(9))
  await made.make('pricing_history', 'spreads')
  t.strictSame(
    await db.rows(`
      SELECT table_name || '.' || column_name AS name, data_type FROM duckdb_columns()
      WHERE column_name IN ('n', 'r') AND table_name IN ('numbered_prices', 'price_analytics', 'published_figures',
        'yield_flags', 'spread_outcomes', 'trade_reports', 'left_out')
      ORDER BY name`),
    [
      'left_out.r',
      'numbered_prices.n',
      'price_analytics.n',
      'published_figures.n',
      'spread_outcomes.n',
      'trade_reports.r',
      'yield_flags.n',
    ].map(name => ({ name, data_type: 'BIGINT' })),
  )
})
