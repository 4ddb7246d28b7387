import { rounded } from '../base/rounded.ts'
import { type Day, formatDay, isBusinessDay, parseDay } from '../credit/calendar.ts'
import { amihud, autocovariance, FEWEST_RETURNS, priceChanges, roll } from '../credit/trade-liquidity.ts'
import { stored } from '../database/views.ts'
import { dayNumber, instrumentId } from '../derive/bonds/instruments.ts'
import type { ComputedRow } from './computed-rows.ts'
import type { Context } from './operation.ts'

interface Window {
  readonly from: string
  readonly to: string
  readonly maxGap: number
  readonly ids: readonly string[] | null
  readonly explain: boolean
}

/** A bond with a trade on or before the end of the window, with its trading days in the window. */
interface TradedBond {
  readonly id: string
  readonly cusip: string | null
  readonly bond_name: string | null
  readonly ticker: string | null
  readonly company_name: string | null
  readonly sector: string | null
  readonly rating_bucket: string | null
  readonly company_id: string | null
  readonly coverage: string | null
  readonly outstanding: number | null
  readonly issued: number | null
  readonly maturity: number | null
  readonly retired: number | null
  readonly last: number
  readonly days: string
  readonly prices: string
  readonly volumes: string
  readonly trades: number
  readonly sized_trades: number
  readonly capped: boolean | null
}

/** The liquidity of every bond that has traded, or of those of the companies named. */
export async function liquidityRows(context: Context, window: Window): Promise<ComputedRow[]> {
  await context.tables('bonds', 'pricing_history', 'trades', 'excluded_prices')
  const [bonds, first, dispersions] = await Promise.all([
    tradedBonds(context, window),
    firstTradeDay(context),
    context.cached(`dispersion of trades ${window.from} ${window.to}`, () => dispersionsOf(context, window)),
  ])
  const days = businessDays(Math.max(parseDay(window.from), first ?? 0), parseDay(window.to))
  return bonds.map(bond => rowOf(bond, dispersions.of.get(bond.id), days, window)).filter(row => row !== null)
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
async function firstTradeDay({ database }: Context): Promise<Day | null> {
  const [row] = await database.rows<{ day: number | null }>(
    `SELECT ${dayNumber('min(date)')} AS day FROM ${stored('pricing_history')} WHERE trade_count > 0`,
  )
  return row?.day ?? null
}

function tradedBonds({ database, coverage }: Context, { from, to, ids }: Window): Promise<TradedBond[]> {
  const within = ids === null ? '' : 'AND b.company_id IN (SELECT unnest(?::JSON::VARCHAR[]))'
  // A day of volume whose trades are partly without a size counts all its trades: the source tells no more.
  return database.rows<TradedBond>(
    `WITH traded AS (
       SELECT bond_id, date, last_price, volume, volume_capped, trade_count FROM ${stored('pricing_history')}
       WHERE trade_count > 0 AND price_source = 'trade' AND date <= CAST(? AS DATE)),
     windowed AS (SELECT * FROM traded WHERE date >= CAST(? AS DATE)),
     figures AS (
       SELECT bond_id, CAST(to_json(list(${dayNumber('date')} ORDER BY date)) AS VARCHAR) AS days,
         CAST(to_json(list(last_price ORDER BY date)) AS VARCHAR) AS prices,
         CAST(to_json(list(volume ORDER BY date)) AS VARCHAR) AS volumes, CAST(sum(trade_count) AS INTEGER) AS trades,
         CAST(sum(trade_count) FILTER (WHERE volume > 0) AS INTEGER) AS sized_trades, bool_or(volume_capped) AS capped
       FROM windowed GROUP BY bond_id)
     SELECT b.id, b.cusip, b.display_name AS bond_name, b.company_ticker AS ticker, b.company_name, b.company_sector AS sector,
       b.rating_bucket, b.company_id, b.coverage, b.outstanding, ${dayNumber('coalesce(b.issue_date, b.accrual_date)')} AS issued,
       ${dayNumber('b.maturity_date')} AS maturity, CASE WHEN b.status = 'retired' THEN ${dayNumber('b.known_from')} END AS retired,
       ${dayNumber('l.last')} AS last, f.* EXCLUDE bond_id
     FROM (SELECT bond_id, max(date) AS last FROM traded GROUP BY bond_id) l JOIN ${stored('bonds')} b ON b.id = l.bond_id
     LEFT JOIN figures f ON f.bond_id = l.bond_id
     WHERE TRUE ${coverage === 'standard' ? "AND b.coverage = 'standard'" : ''} ${within}
     ORDER BY b.id`,
    [to, from, ...(ids === null ? [] : [JSON.stringify(ids)])],
  )
}

function businessDays(from: Day, to: Day): readonly Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day++) if (isBusinessDay(day)) days.push(day)
  return days
}

/** Null for a bond that did not exist in the window. */
function rowOf(
  bond: TradedBond,
  dispersion: Dispersion | undefined,
  days: readonly Day[],
  { from, to, maxGap, explain }: Window,
): ComputedRow | null {
  const start = Math.max(parseDay(from), days[0] ?? 0, bond.issued ?? 0)
  const ended = Math.min(bond.maturity ?? Number.POSITIVE_INFINITY, bond.retired ?? Number.POSITIVE_INFINITY)
  const end = Math.min(parseDay(to), ended - 1)
  if (start > end) return null
  const traded = {
    day: JSON.parse(bond.days ?? '[]') as number[],
    price: JSON.parse(bond.prices ?? '[]') as number[],
    // Volumes are in cents.
    volume: (JSON.parse(bond.volumes ?? '[]') as (number | null)[]).map(v => (v ?? Number.NaN) / 100),
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
    bond_name: bond.bond_name,
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
    trade_count: bond.trades ?? 0,
    average_trade_size: volume === null || !bond.sized_trades ? null : Math.round(volume / bond.sized_trades),
    volume,
    volume_capped: bond.capped,
    turnover: volume === null || !bond.outstanding ? null : measured((100 * volume) / bond.outstanding, 6),
    outstanding: bond.outstanding,
    last_trade_date: formatDay(bond.last),
    days_since_trade: parseDay(to) - bond.last,
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
