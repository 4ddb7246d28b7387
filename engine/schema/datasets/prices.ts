import { bps, cents, date, integer, nullable, number, oneOf, percent, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { priceSources } from '../vocabulary.ts'
import { instrumentColumns, instrumentIdentifiers } from './shared.ts'

export const prices = dataset({
  name: 'prices',
  doc: 'Prices of bonds by day that are not single trades: marks of funds, vendor prices, daily summaries.',
  columns: {
    ...instrumentColumns,
    price_date: date('Day of the price.'),
    price: number('Price.', { unit: 'percent of par' }),
    price_basis: nullable(oneOf(['clean', 'dirty'], 'Whether accrued interest is included; default clean.')),
    price_source: oneOf(priceSources, 'Kind of price.'),
    accrued: nullable(number('Accrued interest.', { unit: 'percent of par' })),
    volume: nullable(cents('Par traded that day.')),
    trade_count: nullable(integer('Trades that day.')),
    currency: nullable(shaped('currency', 'ISO currency.')),
    published_ytm: nullable(percent('Yield to maturity as the source publishes it.')),
    published_ytw: nullable(percent('Yield to worst as the source publishes it.')),
    published_duration: nullable(number('Modified duration as the source publishes it.', { unit: 'years' })),
    published_spread: nullable(bps('Spread as the source publishes it, over the curve of its choice.')),
    list_name: nullable(text('Fund or list of the price, the same on every day.')),
  },
  key: ['cusip', 'isin', 'bond_id', 'price_date', 'price_source'],
  needsOneOf: instrumentIdentifiers,
  known: ['price_date'],
  visible: [{ names: 'bonds', by: instrumentIdentifiers }],
  checks: [
    { sql: 'price > 0 and price <= 1000', says: 'price must be in percent of par, above 0 and at most 1000' },
    { sql: 'volume is null or volume >= 0', says: 'volume must not be negative' },
  ],
})
