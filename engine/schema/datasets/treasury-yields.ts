import { date, number, oneOf, percent } from '../column.ts'
import { dataset } from '../dataset.ts'

export const treasuryYields = dataset({
  name: 'treasury_yields',
  doc: 'US Treasury par yield curve, one row per day and tenor.',
  columns: {
    date: date('Day of the curve.'),
    tenor_months: number('Tenor.', { unit: 'months' }),
    rate: percent('Par yield, semiannual bond equivalent.'),
    publisher: oneOf(['treasury', 'fred'], 'Publisher; the Treasury is preferred if both published it.'),
  },
  key: ['date', 'tenor_months', 'publisher'],
  known: ['date'],
  visible: 'all',
  checks: [
    { sql: 'tenor_months > 0 and tenor_months <= 1200', says: 'tenor_months must be between 0 and 1200' },
    { sql: 'rate between -10 and 100', says: 'rate must be a percentage between -10 and 100' },
  ],
})
