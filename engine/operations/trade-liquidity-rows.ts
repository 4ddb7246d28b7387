import { lastOf, memberOf } from '../base/elements.ts'
import { rounded } from '../base/rounded.ts'
import { type Day, formatDay, isBusinessDay, parseDay } from '../credit/calendar.ts'
import { amihud, autocovariance, FEWEST_RETURNS, priceChanges, roll } from '../credit/trade-liquidity.ts'
import type { Database } from '../database/database.ts'
import { stored } from '../database/views.ts'
import { dayNumber, instrumentId } from '../derive/bonds/instruments.ts'
import { numberAt, wordAt } from '../query/memory/column.ts'
import type { MemoryRows } from '../query/memory/count-values.ts'
import type { Columns } from '../schema/column.ts'
import { pricingHistory } from '../schema/resources/pricing.ts'
import type { ComputedRow } from './computed-rows.ts'
import type { Context } from './operation.ts'
import type { RiskTerms } from './risk/terms.ts'
import { riskTermsOf } from './risk-terms.ts'

interface Window {
  readonly from: string
  readonly to: string
  readonly maxGap: number
  readonly ids: readonly string[] | null
  readonly explain: boolean
}

/** The trading of a bond up to the end of a window: its last day, and its days in the window. */
interface Trading {
  readonly last: Day
  readonly days: readonly Day[]
  readonly prices: readonly number[]
  /** In cents. */
  readonly volumes: readonly (number | null)[]
  readonly trades: number
  readonly sizedTrades: number
  readonly capped: boolean | null
}

/** The liquidity of every bond that has traded, or of those of the companies named. */
export async function liquidityRows(context: Context, window: Window): Promise<ComputedRow[]> {
  await context.tables('bonds', 'pricing_history', 'trades', 'excluded_prices')
  const { from, to, ids } = window
  const bonds = await riskTermsOf(context, { companies: ids })
  const [trading, { day: first }, dispersions] = await Promise.all([
    tradingOf(context, ids === null ? null : bonds.map(({ id }) => id), window),
    context.cached('first day of trades', () => firstTradeDay(context)),
    context.cached(`dispersion of trades ${from} ${to}`, () => dispersionsOf(context, window)),
  ])
  const days = businessDays(Math.max(parseDay(from), first ?? 0), parseDay(to))
  return bonds.flatMap(bond => {
    const own = trading.get(bond.id)
    const row = own && rowOf(bond, own, dispersions.of.get(bond.id), days, window)
    return row ? [row] : []
  })
}

/** Deviation of trades from their day's mean price in percent, over so many days. */
interface Dispersion {
  readonly bond: string
  readonly percent: number
  readonly days: number
}

/**
 * Of the trades that stand: those of the source without those that cleaning excluded. A day needs two with a size; its
 * mean and the deviations from it are weighted by size.
 */
async function dispersionsOf(
  { database }: Context,
  { from, to }: Window,
): Promise<{ readonly of: ReadonlyMap<string, Dispersion>; readonly bytes: number }> {
  const alike = ['time', 'price', 'quantity', 'trade_id', 'source']
  const rows = await database.rows<Dispersion>(
    `WITH reports AS (
       SELECT ${instrumentId()} AS bond, trade_date AS date, trade_time AS time, price, quantity, trade_id, source FROM ${stored('trades')}
       WHERE coalesce(action, 'trade') IN ('trade', 'correction') AND NOT coalesce(price_estimated, FALSE)
         AND price IS NOT NULL AND quantity > 0 AND trade_date BETWEEN CAST(? AS DATE) AND CAST(? AS DATE)),
     standing AS (
       SELECT bond, date, price, CAST(quantity AS DOUBLE) AS size FROM reports r ANTI JOIN ${stored('excluded_prices')} x
         ON x.bond_id = r.bond AND x.date = r.date AND ${alike.map(name => `x.${name} IS NOT DISTINCT FROM r.${name}`).join(' AND ')}),
     means AS (SELECT *, sum(price * size) OVER day / sum(size) OVER day AS mean FROM standing WINDOW day AS (PARTITION BY bond, date)),
     days AS (
       SELECT bond, 100 * sqrt(sum(size * (price - mean) * (price - mean)) / sum(size)) / any_value(mean) AS percent
       FROM means GROUP BY bond, date HAVING count(*) > 1)
     SELECT bond, avg(percent) AS percent, CAST(count(*) AS INTEGER) AS days FROM days GROUP BY bond`,
    [from, to],
  )
  return { of: new Map(rows.map(row => [row.bond, row])), bytes: rows.length * 200 }
}

/** The first day of trades in the lake: before it, a day without a trade says nothing. */
async function firstTradeDay({ database }: Context): Promise<{ day: number | null; bytes: number }> {
  const [row] = await database.rows<{ day: number | null }>(
    `SELECT ${dayNumber('min(date)')} AS day FROM ${stored('pricing_history')} WHERE trade_count > 0`,
  )
  return { day: row?.day ?? null, bytes: 100 }
}

const names = [
  'bond_id',
  'date',
  'last_price',
  'price_source',
  'volume',
  'volume_capped',
  'trade_count',
] as const
const kinds: Columns = pricingHistory.columns
const columns = names.map(name => ({ name, column: memberOf(kinds, name) }))

/** The trading of bonds that have a trade on or before the end of a window; of all bonds if none is named. */
async function tradingOf(
  context: Context,
  bonds: readonly string[] | null,
  window: Window,
): Promise<ReadonlyMap<string, Trading>> {
  const found = context.memoryRows(
    {
      table: 'pricing_history',
      columns,
      where: [
        ...(bonds === null ? [] : [{ column: 'bond_id', op: 'in' as const, values: bonds }]),
        { column: 'date', op: 'le', value: window.to },
        { column: 'price_source', op: 'in', values: ['trade'] },
        { column: 'trade_count', op: 'ge', value: 1 },
      ],
      after: [],
      order: [],
      limit: null,
      offset: 0,
    },
    kinds,
  )
  return found ? tradingInMemory(found, window) : tradingRead(context.database, bonds, window)
}

function tradingInMemory(found: MemoryRows, { from }: Window): ReadonlyMap<string, Trading> {
  const id = found.column('bond_id')
  const date = found.column('date')
  const price = found.column('last_price')
  const volume = found.column('volume')
  const capped = found.column('volume_capped')
  const count = found.column('trade_count')
  const byBond = new Map<string, number[]>()
  for (const row of found.rows) {
    const bond = wordAt(id, row) as string
    const own = byBond.get(bond)
    if (own) own.push(row)
    else byBond.set(bond, [row])
  }
  const start = parseDay(from)
  const trading = new Map<string, Trading>()
  for (const [bond, all] of byBond) {
    all.sort((a, b) => numberAt(date, a) - numberAt(date, b))
    const rows = all.filter(row => numberAt(date, row) >= start)
    const volumes = rows.map(row => numberAt(volume, row))
    const flags = rows.map(row => wordAt(capped, row)).filter(flag => flag !== null)
    trading.set(bond, {
      last: numberAt(date, lastOf(all)),
      days: rows.map(row => numberAt(date, row)),
      prices: rows.map(row => numberAt(price, row)),
      volumes: volumes.map(value => (Number.isNaN(value) ? null : value)),
      trades: sum(rows.map(row => numberAt(count, row))),
      sizedTrades: sum(rows.map((row, i) => ((volumes[i] ?? 0) > 0 ? numberAt(count, row) : 0))),
      capped: flags.length === 0 ? null : flags.includes(true),
    })
  }
  return trading
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

async function tradingRead(
  database: Database,
  bonds: readonly string[] | null,
  { from, to }: Window,
): Promise<ReadonlyMap<string, Trading>> {
  const within = bonds === null ? '' : 'AND bond_id IN (SELECT unnest(?::JSON::VARCHAR[]))'
  // A day of volume whose trades are partly without a size counts all its trades: the source tells no more.
  const rows = await database.rows<
    Record<'id' | 'days' | 'prices' | 'volumes', string> & {
      last: number
      trades: number | null
      sized_trades: number | null
      capped: boolean | null
    }
  >(
    `WITH traded AS (
       SELECT bond_id, date, last_price, volume, volume_capped, trade_count, date >= CAST(? AS DATE) AS is_in FROM ${stored('pricing_history')}
       WHERE trade_count > 0 AND price_source = 'trade' AND date <= CAST(? AS DATE) ${within})
     SELECT bond_id AS id, ${dayNumber('max(date)')} AS last,
       CAST(to_json(list(${dayNumber('date')} ORDER BY date) FILTER (WHERE is_in)) AS VARCHAR) AS days,
       CAST(to_json(list(last_price ORDER BY date) FILTER (WHERE is_in)) AS VARCHAR) AS prices,
       CAST(to_json(list(volume ORDER BY date) FILTER (WHERE is_in)) AS VARCHAR) AS volumes,
       CAST(sum(trade_count) FILTER (WHERE is_in) AS INTEGER) AS trades,
       CAST(sum(trade_count) FILTER (WHERE is_in AND volume > 0) AS INTEGER) AS sized_trades,
       bool_or(volume_capped) FILTER (WHERE is_in) AS capped
     FROM traded GROUP BY bond_id`,
    [from, to, ...(bonds === null ? [] : [JSON.stringify(bonds)])],
  )
  return new Map(
    rows.map(({ id, last, days, prices, volumes, trades, sized_trades, capped }) => [
      id,
      {
        last,
        days: (JSON.parse(days ?? 'null') ?? []) as number[],
        prices: (JSON.parse(prices ?? 'null') ?? []) as number[],
        volumes: (JSON.parse(volumes ?? 'null') ?? []) as (number | null)[],
        trades: trades ?? 0,
        sizedTrades: sized_trades ?? 0,
        capped,
      },
    ]),
  )
}

function businessDays(from: Day, to: Day): readonly Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day++) if (isBusinessDay(day)) days.push(day)
  return days
}

/** Null for a bond that did not exist in the window. */
function rowOf(
  bond: RiskTerms,
  { last, days: tradingDays, prices, volumes, trades, sizedTrades, capped }: Trading,
  dispersion: Dispersion | undefined,
  days: readonly Day[],
  { from, to, maxGap, explain }: Window,
): ComputedRow | null {
  const start = Math.max(parseDay(from), days[0] ?? 0, bond.issued ?? 0)
  const ended = Math.min(
    bond.maturity ?? Number.POSITIVE_INFINITY,
    bond.retired_from ?? Number.POSITIVE_INFINITY,
  )
  const end = Math.min(parseDay(to), ended - 1)
  if (start > end) return null
  const traded = {
    day: tradingDays,
    price: prices,
    // Volumes are in cents.
    volume: volumes.map(v => (v ?? Number.NaN) / 100),
  }
  const own = days.filter(day => day >= start && day <= end)
  const tradedOn = new Set(traded.day)
  const idle = own.filter(day => !tradedOn.has(day)).length
  const changes = priceChanges(traded, maxGap)
  const [illiquidity, covariance] = [amihud(traded, changes), autocovariance(changes)]
  const spread = roll(covariance)
  const sizes = traded.volume.filter(volume => volume > 0)
  const volume = sizes.length === 0 ? null : Math.round(100 * sizes.reduce((sum, v) => sum + v, 0))
  const measured = (value: number | null, digits: number) => (value === null ? null : rounded(value, digits))
  const row = {
    bond_id: bond.id,
    cusip: bond.cusip,
    bond_name: bond.display_name,
    ticker: bond.ticker,
    company_name: bond.company_name,
    sector: bond.sector,
    rating_bucket: bond.rating_bucket,
    company_id: bond.company_id,
    coverage: bond.coverage,
    amihud: measured(illiquidity.value, 10),
    amihud_null_because: illiquidity.reason,
    roll: measured(spread.value, 10),
    roll_null_because: spread.reason,
    autocovariance: measured(covariance.value, 10),
    returns: illiquidity.count,
    return_pairs: covariance.count,
    dispersion: dispersion && dispersion.days >= FEWEST_RETURNS ? rounded(dispersion.percent, 8) : null,
    dispersion_days: dispersion?.days ?? 0,
    zero_trading_days: own.length === 0 ? null : measured((100 * idle) / own.length, 6),
    business_days: own.length,
    trading_days: traded.day.length,
    trade_count: trades,
    average_trade_size: volume === null || !sizedTrades ? null : Math.round(volume / sizedTrades),
    volume,
    volume_capped: capped,
    turnover: volume === null || !bond.outstanding ? null : measured((100 * volume) / bond.outstanding, 6),
    outstanding: bond.outstanding,
    last_trade_date: formatDay(last),
    days_since_trade: parseDay(to) - last,
    window_start: formatDay(start),
    window_end: formatDay(end),
  }
  return explain ? { ...row, _explain: definitions } : row
}

const definitions = {
  dispersion:
    'mean over days of 100 x sqrt(sum of size x (price - mean)^2 / sum of sizes) / mean, mean by size (Jankowitsch, Nashikkar and Subrahmanyam 2011)',
  amihud:
    '(1 / days) x sum of |price change, percent| / (volume x last price / 100, million dollars), over days with a volume (Amihud 2002)',
  roll: '2 x sqrt(-autocovariance) of price changes in percent (Roll 1984)',
  price_change: '100 x (last price of the day / that of the trading day before - 1), clean',
  zero_trading_days: '100 x business days of the window without a trade / business days of the window',
  average_trade_size: 'volume / trades of the days that have a volume',
  turnover: '100 x volume / outstanding',
}
