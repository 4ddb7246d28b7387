import {
  boolean,
  bps,
  cents,
  type DefaultRowOf,
  date,
  derived,
  integer,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  shaped,
  text,
  years,
} from '../column.ts'
import { anyOf, atLeast, atMost, company, is } from '../filter.ts'
import { type ArgsOf, alsoNamed, one, type Params, usually } from '../params.ts'
import { resource } from '../resource.ts'
import { priceFigures } from './bonds.ts'
import { linkColumns } from './shared.ts'

const bond = {
  cusip: nullable(shaped('cusip', 'CUSIP.')),
  isin: nullable(shaped('isin', 'ISIN.')),
  bond_name: nullable(text('Name of the bond.')),
  company_ticker: nullable(shaped('ticker', 'Ticker of the company.')),
}

const filters = {
  ticker: company('company_id'),
  cusip: anyOf('cusip'),
  min_ytm: atLeast('ytm', { doc: 'Minimum yield, percent.', stage: 'picked' }),
  max_ytm: atMost('ytm', { doc: 'Maximum yield, percent.', stage: 'picked' }),
  min_spread: atLeast('spread', { doc: 'Minimum spread, basis points.', stage: 'picked' }),
  max_spread: atMost('spread', { doc: 'Maximum spread, basis points.', stage: 'picked' }),
  max_staleness: atMost('staleness_days', { doc: 'Maximum days since the price.', stage: 'picked' }),
} as const

const price = {
  ...bond,
  ...priceFigures,
  vwap: derived(
    nullable(
      number('Volume-weighted price of the day; null if no trade has a size.', {
        unit: 'percent of par',
      }),
    ),
  ),
  bond_id: onRequest(text('Id of the bond.')),
  ...linkColumns,
  accrued: derived(
    onRequest(nullable(number('Accrued interest at settlement.', { unit: 'percent of par' }))),
  ),
  remaining_years: derived(
    onRequest(
      nullable(
        years(
          'Years left at settlement, to the last fixed day if it floats later; the average life of a sinking bond.',
        ),
      ),
    ),
  ),
  price_basis: derived(onRequest(nullable(oneOf(['clean', 'dirty'], 'Basis of the price in the source.')))),
  source: onRequest(nullable(text('File and position the price came from; of several trades one of them.'))),
  is_active: derived(
    onRequest(boolean('Neither matured nor retired: on the as-of date, in a history on the day itself.')),
  ),
  yield_null_because: derived(onRequest(nullable(text('Why there is no yield.')))),
  spread_null_because: derived(onRequest(nullable(text('Why there is no spread.')))),
  ytw_null_because: derived(
    onRequest(
      nullable(
        text(
          'Why there is no yield to worst; `latest_price_only` in a history: `pricing` as of the day has it.',
        ),
      ),
    ),
  ),
  ytc_null_because: derived(
    onRequest(
      nullable(
        text(
          'Why there is no yield to call; `above_50_percent` if it is withheld, because it would be; `latest_price_only` in a history.',
        ),
      ),
    ),
  ),
  margin_null_because: derived(
    onRequest(nullable(text('Why there is no discount margin; `latest_price_only` in a history.'))),
  ),
  ytm_withheld: derived(onRequest(nullable(percent('Yield withheld because it is far from its peers.')))),
  spread_withheld: derived(onRequest(nullable(integer('Withheld spread.', { unit: 'basis points' })))),
  compared_with: derived(
    onRequest(
      nullable(
        oneOf(
          ['issuer', 'rating_bucket', 'market'],
          'The peers of that day that a withheld yield is far from.',
        ),
      ),
    ),
  ),
  compared_spread: derived(
    onRequest(nullable(number('Median spread of those peers.', { unit: 'basis points' }))),
  ),
  compared_bonds: derived(onRequest(nullable(integer('Number of those peers.')))),
  published_ytm: onRequest(nullable(percent('Yield to maturity that the list behind the price publishes.'))),
  published_ytw: onRequest(nullable(percent('Yield to worst that the list publishes.'))),
  published_duration: onRequest(
    nullable(number('Modified duration that the list publishes.', { unit: 'years' })),
  ),
  published_spread: onRequest(nullable(bps('Spread that the list publishes, over the curve of its choice.'))),
  list_name: onRequest(nullable(text('Fund or list that the price is from.'))),
}

export const pricing = resource({
  name: 'pricing',
  doc: 'Latest price of every priced bond, with yield and spread.',
  table: 'pricing',
  row: 'Price',
  columns: price,
  key: ['bond_id'],
  sort: ['company_ticker', 'bond_id'],
  glance: [
    'bond_name',
    'last_price',
    'staleness_days',
    'ytm',
    'spread',
    'company_ticker',
    'last_trade_date',
    'price_source',
    'is_stale',
    'cusip',
    'duration',
  ],
  company: 'company_id',
  filters: { ...filters, is_active: is('is_active', { byDefault: { value: true, unless: ['cusip'] } }) },
  limit: { default: 50, max: 100 },
})

export const pricingHistory = resource({
  name: 'pricing_history',
  doc: 'Prices of bonds by day, newest first.',
  table: 'pricing_history',
  row: 'DailyPrice',
  columns: {
    date: date('Day.'),
    ...price,
    volume: derived(nullable(cents('Par traded that day; a capped size counts as its cap.'))),
    volume_capped: derived(
      nullable(boolean('Some sizes of that day are capped by the source (`5MM+`, `1MM+`).')),
    ),
    trade_count: derived(nullable(integer('Trades that day; 0 for a mark.'))),
    week: derived(onRequest(date('Monday of the ISO week.'))),
  },
  key: ['bond_id', 'date'],
  sort: ['-date', 'company_ticker', 'bond_id'],
  clusterBy: ['bond_id', 'date'],
  company: 'company_id',
  filters: {
    ...filters,
    is_active: is('is_active'),
    date_from: atLeast('date', { doc: 'From this day.' }),
    date_to: atMost('date', { doc: 'To this day.' }),
  },
  limit: { default: 50, max: 100 },
})

/** Aliases of the bounds of a history. */
export const fromAliases = ['from', 'from_date'] as const
export const toAliases = ['to', 'to_date'] as const

/** Parameters of prices beside their columns. */
export const priceParams = {
  date: one(date('The latest prices as of this day: the same as `as_of`.')),
  date_from: alsoNamed(one(date('History from this day.')), ...fromAliases),
  date_to: alsoNamed(one(date('History to this day.')), ...toAliases),
  aggregation: usually(
    one(
      oneOf(
        ['latest', 'daily', 'weekly'],
        'Latest price of each bond, one row a day, or the last of each ISO week; default `daily` if a date range is given.',
      ),
    ),
    'latest',
  ),
} satisfies Params

export type PriceArgs = Partial<ArgsOf<typeof priceParams>>
export type Aggregation = NonNullable<PriceArgs['aggregation']>

/** A date range selects the history, daily by default. */
export const aggregationOf = ({ aggregation, date_from, date_to }: PriceArgs): Aggregation =>
  aggregation ?? (date_from !== undefined || date_to !== undefined ? 'daily' : 'latest')

export interface Price extends DefaultRowOf<typeof pricing.columns> {}
export interface DailyPrice extends DefaultRowOf<typeof pricingHistory.columns> {}
/** A row of the list of prices: the latest, or one of a history with its day and trading. */
export interface ListedPrice extends Price, Partial<Pick<DailyPrice, 'date' | 'volume' | 'trade_count'>> {}
