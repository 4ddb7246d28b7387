import { liquidityNullReasons } from '../../credit/trade-liquidity.ts'
import {
  boolean,
  cents,
  type DefaultRowOf,
  date,
  integer,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  shaped,
  text,
} from '../column.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

const reason = (of: string) => nullable(oneOf(liquidityNullReasons, `Why there is no ${of}.`))

/** Liquidity of traded bonds. Computed on request from `pricing_history` and `bonds`. */
export const tradeLiquidity = resource({
  name: 'trade_liquidity',
  doc: 'Liquidity of bonds from their trades: Amihud, Roll, days without trades, sizes and turnover.',
  table: 'pricing_history',
  columns: {
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    bond_name: nullable(text('Name of the bond.')),
    ticker: companyColumns.ticker,
    amihud: nullable(
      number('Mean of absolute daily price change over volume (Amihud 2002).', {
        unit: 'percent per million dollars',
      }),
    ),
    amihud_null_because: reason('Amihud measure'),
    roll: nullable(
      number('Effective spread, 2 sqrt(-autocovariance) (Roll 1984).', { unit: 'percent of price' }),
    ),
    roll_null_because: reason('Roll measure'),
    dispersion: nullable(
      number('Deviation of trades from the mean price of their day; null under five days with two trades.', {
        unit: 'percent of price',
      }),
    ),
    zero_trading_days: nullable(percent('Business days of the window without a trade.')),
    trading_days: integer('Days with a trade.'),
    trade_count: integer('Trades, after cancels and double reports.'),
    average_trade_size: nullable(cents('Par per trade; null if no trade has a size.')),
    turnover: nullable(percent('Par traded over par outstanding.')),
    days_since_trade: nullable(integer('Days from it to the end of the window.', { unit: 'days' })),
    volume: onRequest(nullable(cents('Par traded; a capped size counts as its cap.'))),
    last_trade_date: onRequest(nullable(date('Last trade by the end of the window.'))),
    company_name: onRequest(companyColumns.company_name),
    volume_capped: onRequest(nullable(boolean('Some sizes are capped: true sizes are larger.'))),
    autocovariance: onRequest(
      nullable(number('First-order autocovariance of daily price changes.', { unit: 'percent squared' })),
    ),
    dispersion_days: onRequest(integer('Days behind the dispersion.')),
    returns: onRequest(integer('Daily price changes behind the Amihud measure.')),
    return_pairs: onRequest(integer('Pairs of them behind the Roll measure.')),
    business_days: onRequest(integer('Business days of the window.')),
    window_start: onRequest(date('First day of its window.')),
    window_end: onRequest(date('Last day of its window.')),
    outstanding: onRequest(nullable(cents('Par outstanding as of the as-of day.'))),
    sector: onRequest(nullable(text('Sector of the company.'))),
    rating_bucket: onRequest(nullable(oneOf(ratingBuckets, 'Rating bucket of the company.'))),
    bond_id: onRequest(text('Id of the bond.')),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['bond_id'],
  sort: ['-trade_count', 'bond_id'],
  company: 'company_id',
  glance: [
    'bond_name',
    'ticker',
    'amihud',
    'roll',
    'zero_trading_days',
    'trade_count',
    'average_trade_size',
    'turnover',
    'days_since_trade',
    'cusip',
  ],
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket'),
    min_trades: atLeast('trade_count', { doc: 'Minimum number of trades.' }),
    max_zero_days: atMost('zero_trading_days', { doc: 'Maximum business days without a trade, percent.' }),
  },
  limit: { default: 50, max: 200 },
})

export interface TradeLiquidity extends DefaultRowOf<typeof tradeLiquidity.columns> {}
