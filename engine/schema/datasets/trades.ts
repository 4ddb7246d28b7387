import { boolean, cents, date, nullable, number, oneOf, percent, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { instrumentColumns, instrumentIdentifiers } from './shared.ts'

export const trades = dataset({
  name: 'trades',
  doc: 'Single trades as reported. Cancels and corrections take effect on the day they were reported.',
  columns: {
    ...instrumentColumns,
    trade_id: nullable(text("The report's own number.")),
    action: nullable(
      oneOf(['trade', 'cancel', 'correction', 'reversal'], 'Action of the report; default trade.'),
    ),
    original_trade_id: nullable(text('The report that a cancel, correction or reversal acts on.')),
    trade_date: date('Day of the trade.'),
    trade_time: nullable(text('Time of day, HH:MM:SS.')),
    reported_date: nullable(date('Day of the report; default the trade date.')),
    price: nullable(number('Clean price.', { unit: 'percent of par' })),
    yield: nullable(percent('Yield as reported.')),
    quantity: nullable(cents('Par traded.')),
    quantity_capped: nullable(boolean('The size was capped (`5MM+`, `1MM+`): quantity is the cap.')),
    side: nullable(oneOf(['buy', 'sell'], "The reporting party's side.")),
    counterparty: nullable(oneOf(['customer', 'dealer', 'affiliate', 'ats'], 'Counterparty.')),
    when_issued: nullable(boolean('Traded before issue.')),
    is_agency: nullable(boolean('The reporting dealer acted as agent.')),
    has_commission: nullable(boolean('A commission was charged on top of the price.')),
    special_price: nullable(boolean('The price was set by a special circumstance, not the market.')),
    price_estimated: nullable(boolean('The price is an estimate.')),
  },
  key: ['cusip', 'isin', 'bond_id', 'trade_id', 'action', 'trade_date', 'trade_time'],
  needsOneOf: instrumentIdentifiers,
  known: ['reported_date', 'trade_date'],
  visible: [{ names: 'bonds', by: instrumentIdentifiers }],
  checks: [
    {
      sql: 'price is null or (price > 0 and price <= 1000)',
      says: 'price must be in percent of par, above 0 and at most 1000',
    },
    { sql: 'quantity is null or quantity >= 0', says: 'quantity must not be negative' },
    {
      sql: "price is not null or coalesce(action, 'trade') in ('cancel', 'reversal')",
      says: 'a trade needs a price',
    },
  ],
})
