import t from 'tap'
import { formatDay, isBusinessDay, parseDay } from '../../engine/credit/calendar.ts'
import { amihud, autocovariance, priceChanges, roll } from '../../engine/credit/trade-liquidity.ts'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'

const near = (found: number | null | undefined, wanted: number) =>
  found !== null && found !== undefined && Math.abs(found - wanted) < 1e-9

/** Prices that bounce by one between bid and ask, a business day apart; a million of par a day. */
const bounce = [100, 101, 100, 101, 100, 101, 100, 101]
const monday = parseDay('2024-09-09')
const days = bounce.map((_, i) => monday + i + 2 * Math.floor(i / 5))

t.test('Amihud is the mean of absolute price change over dollar volume', async t => {
  const traded = { day: days, price: bounce, volume: bounce.map(() => 1e6) }
  const changes = priceChanges(traded, 7)
  // Up by 1 in 100 on 1.01 million dollars four times, down by 1 in 101 on a million three times.
  const { value, count } = amihud(traded, changes)
  t.equal(count, 7)
  t.ok(near(value, (4 * (1 / 1.01) + 3 * (100 / 101)) / 7))
  t.match(amihud({ ...traded, volume: bounce.map(() => Number.NaN) }, changes), {
    value: null,
    reason: 'no_sizes',
  })
  t.match(amihud(traded, changes.slice(0, 4)), { value: null, reason: 'few_observations' })
})

t.test('Roll finds the spread of a price that bounces between bid and ask', async t => {
  // In equal steps of one, pairs of changes are (1,-1) and (-1,1) by turns: the covariance over six pairs is -6 / 5.
  const covariance = autocovariance([Number.NaN, 1, -1, 1, -1, 1, -1, 1])
  t.ok(near(covariance.value, -1.2))
  t.ok(near(roll(covariance).value, 2 * Math.sqrt(1.2)))
  const rising = autocovariance([1, 2, 3, 4, 5, 6, 7])
  t.match(roll(rising), { value: null, reason: 'positive_autocovariance' })
  t.match(roll(autocovariance([1, -1, 1])), { value: null, reason: 'few_observations' })
})

t.test('no price change is taken over a longer gap, nor paired across it', async t => {
  const changes = priceChanges({ day: [1, 2, 20, 21], price: [100, 101, 90, 91], volume: [] }, 7)
  t.strictSame(
    changes.map(change => Number.isNaN(change)),
    [true, false, true, false],
  )
})

const trade = (bond_id: string, day: number, price: number, quantity: number | null, more = {}) => ({
  bond_id,
  trade_id: `${bond_id}-${day}-${price}`,
  trade_date: formatDay(day),
  trade_time: '10:00:00',
  price,
  quantity,
  side: 'sell',
  counterparty: 'customer',
  known_from: formatDay(day),
  ...more,
})

const bondOf = (bond_id: string, more = {}) => ({
  ticker: 'LIQ',
  bond_id,
  name: bond_id,
  coupon_rate: 5,
  rate_type: 'fixed',
  rate_structure: 'fixed',
  maturity_date: '2030-06-15',
  issue_date: '2020-06-15',
  currency: 'USD',
  outstanding: 4_000_000_000,
  known_from: '2020-06-15',
  ...more,
})

const rows: Rows = {
  companies: [{ ticker: 'LIQ', cik: '0000000322', name: 'Liq Corp', sector: 'Energy' }],
  bonds: [
    bondOf('BUSY'),
    bondOf('QUIET'),
    bondOf('MARKED'),
    bondOf('SPREAD'),
    bondOf('YOUNG', { issue_date: '2024-09-16', known_from: '2024-09-10' }),
  ],
  trades: [
    ...days.map((day, i) => trade('BUSY', day, bounce[i] ?? 0, 100_000_000)),
    trade('BUSY', days[0] ?? 0, 99, 300_000_000, { trade_time: '09:00:00' }),
    // Each day a million at 99 and three at 101: a mean of 100.5, a deviation of the square root of 0.75. A cancelled trade does not count.
    ...days.slice(0, 5).flatMap(day => [
      trade('SPREAD', day, 99, 100_000_000),
      trade('SPREAD', day, 101, 300_000_000),
      trade('SPREAD', day, 80, 500_000_000),
      trade('SPREAD', day, 80, 500_000_000, {
        trade_id: `undo-${day}`,
        action: 'cancel',
        original_trade_id: `SPREAD-${day}-80`,
      }),
    ]),
    trade('QUIET', parseDay('2024-07-01'), 95, 100_000_000),
    trade('YOUNG', parseDay('2024-09-17'), 100, null),
  ],
  prices: [
    {
      bond_id: 'MARKED',
      price_date: '2024-09-10',
      price: 90,
      price_source: 'fund_mark',
      known_from: '2024-09-10',
    },
  ],
}
const LAST = formatDay(days.at(-1) ?? 0)
const lake = await builtLake(t.teardown, rows, { asOf: '2024-10-31' })
const engine = await open(lake)
t.teardown(() => engine.close())

const FIELDS = [
  'bond_name',
  'amihud',
  'roll',
  'autocovariance',
  'dispersion',
  'dispersion_days',
  'zero_trading_days',
  'business_days',
  'trading_days',
  'trade_count',
  'average_trade_size',
  'volume',
  'turnover',
  'last_trade_date',
  'days_since_trade',
  'window_start',
  'amihud_null_because',
] as const
const asked = {
  date_from: formatDay(monday),
  date_to: LAST,
  fields: FIELDS,
  sort: 'last_trade_date',
} as const

t.test('the liquidity of bonds is that of their trades in the window', async t => {
  const { data } = await engine.call('search.trade_liquidity', asked)
  t.equal(data.length, 4, 'a bond with marks of funds only is not listed')
  const [quiet, spread, , busy] = data
  t.ok(near(spread?.dispersion, Number(((100 * Math.sqrt(0.75)) / 100.5).toFixed(8))))
  t.match(spread, { trade_count: 10, trading_days: 5, dispersion_days: 5 })
  t.match(busy, { dispersion: null, dispersion_days: 1 })
  t.match(quiet, {
    trade_count: 0,
    volume: null,
    amihud: null,
    zero_trading_days: 100,
    last_trade_date: '2024-07-01',
    days_since_trade: (days.at(-1) ?? 0) - parseDay('2024-07-01'),
  })
  t.match(busy, {
    trade_count: 9,
    trading_days: 8,
    business_days: 8,
    zero_trading_days: 0,
    volume: 1_100_000_000,
    average_trade_size: Math.round(1_100_000_000 / 9),
    turnover: 27.5,
    days_since_trade: 0,
  })
  const traded = { day: days, price: bounce, volume: bounce.map((_, i) => (i === 0 ? 4e6 : 1e6)) }
  const changes = priceChanges(traded, 7)
  t.ok(near(busy?.amihud, amihud(traded, changes).value ?? 0))
  t.ok(near(busy?.roll, roll(autocovariance(changes)).value ?? 0))
})

t.test(
  'the window of a young bond begins with its issue, and a trade without a size has no volume',
  async t => {
    const young = (await engine.call('search.trade_liquidity', { ...asked, ticker: ['LIQ'] })).data[2]
    const open = days.filter(day => day >= parseDay('2024-09-16') && isBusinessDay(day)).length
    t.match(young, {
      window_start: '2024-09-16',
      business_days: open,
      volume: null,
      average_trade_size: null,
    })
  },
)

t.test('as of an earlier day, later trades are not counted', async t => {
  const as_of = formatDay(days[3] ?? 0)
  const { data } = await engine.call('search.trade_liquidity', { ...asked, date_to: as_of, as_of })
  t.match(data[1], { trade_count: 5, trading_days: 4, last_trade_date: as_of })
  t.equal(data.length, 3)
})

t.test('a window that ends after the as-of day is refused', async t => {
  await t.rejects(engine.call('search.trade_liquidity', { date_to: '2025-08-15' }), {
    code: 'INVALID_PARAMETER',
  })
})
