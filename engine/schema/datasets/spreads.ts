import { bps, date, integer, nullable, oneOf, shaped } from '../column.ts'
import { dataset } from '../dataset.ts'
import { spreadSources, tenors } from '../vocabulary.ts'

export const spreads = dataset({
  name: 'spreads',
  doc: 'Credit spreads by tenor loaded by the operator; the build derives the series from bonds.',
  columns: {
    ticker: shaped('ticker', 'Ticker.'),
    spread_date: date('Day.'),
    tenor: oneOf(tenors, 'Tenor.'),
    spread_bps: bps('Spread.'),
    trade_count: nullable(integer('Trades behind it.')),
    bond_count: nullable(integer('Bonds behind it.')),
    feed: nullable(oneOf(spreadSources, 'Feed; `source` of the spread record.')),
  },
  key: ['ticker', 'spread_date', 'tenor', 'feed'],
  known: ['spread_date'],
})
