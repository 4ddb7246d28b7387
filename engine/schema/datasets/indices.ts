import { date, nullable, percent, text } from '../column.ts'
import { dataset } from '../dataset.ts'

export const indices = dataset({
  name: 'indices',
  doc: 'Option-adjusted spreads of bond indices by day, as published.',
  columns: {
    series: text("Publisher's name of the series, `BAMLC0A0CM`."),
    index_name: nullable(text('Name of the index.')),
    rating_band: nullable(text('Ratings of its bonds: `IG`, `HY`, or a letter.')),
    maturity_band: nullable(text('Maturities of its bonds, `1-3Y`; null for all.')),
    index_date: date('Day.'),
    option_adjusted_spread: percent('Option-adjusted spread to the Treasury curve.'),
  },
  key: ['series', 'index_date'],
  known: ['index_date'],
  visible: 'all',
  checks: [
    {
      sql: 'option_adjusted_spread between -10 and 100',
      says: 'option_adjusted_spread must be a percentage between -10 and 100',
    },
  ],
})
