import { cents, date, integer, nullable, number, oneOf, onRequest, ratio, shaped, text } from '../column.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { priceExclusions, priceSources } from '../vocabulary.ts'
import { linkColumns } from './shared.ts'

export const excludedPrices = resource({
  name: 'excluded_prices',
  doc: 'Trades and prices excluded from daily prices, and why.',
  table: 'excluded_prices',
  columns: {
    bond_id: text('Id of the bond.'),
    cusip: nullable(shaped('cusip', 'CUSIP.')),
    bond_name: nullable(text('Name of the bond.')),
    company_ticker: nullable(shaped('ticker', 'Ticker of the company.')),
    date: date('Day of the trade or price.'),
    position: integer('Order among those of the bond and day.'),
    time: nullable(text('Time of day, HH:MM:SS.')),
    price: number('Price as the source gives it.', { unit: 'percent of par' }),
    price_source: oneOf(priceSources, 'Kind of price.'),
    quantity: nullable(cents('Par traded.')),
    trade_id: nullable(text("The report's own number.")),
    reason: oneOf(priceExclusions, 'Why it was excluded.'),
    factor: nullable(ratio('For a slip: the price as a multiple of its reference, approximately.')),
    reference_price: nullable(
      number('For a slip: the reference price; 100 if there was none.', { unit: 'percent of par' }),
    ),
    reference_date: nullable(date('Day of the reference price.')),
    source: onRequest(nullable(text('File and position it came from.'))),
    ...linkColumns,
  },
  key: ['bond_id', 'date', 'position'],
  sort: ['-date', 'company_ticker', 'bond_id', 'position'],
  clusterBy: ['bond_id', 'date', 'position'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    cusip: anyOf('cusip'),
    reason: anyOf('reason'),
    date_from: atLeast('date', { doc: 'From this day.' }),
    date_to: atMost('date', { doc: 'To this day.' }),
  },
  limit: { default: 50, max: 200 },
})
