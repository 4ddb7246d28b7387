import t from 'tap'
import { formatDay } from '../../engine/credit/calendar.ts'
import { Database } from '../../engine/database/database.ts'
import { curvesOfDay } from '../../engine/derive/bonds/curve-table.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { makeLake, type Rows } from '../make-lake.ts'

const curves = ['1990-01-02', '2025-06-01', '2025-06-02', '2025-06-09', '2025-06-10'].flatMap(date =>
  [12, 60, 120].map(tenor_months => ({
    date,
    tenor_months,
    rate: 4,
    publisher: 'treasury',
    known_from: date,
  })),
)

/** The days of the curves that are read for a lake with these rows. */
async function daysRead(rows: Rows): Promise<string[]> {
  const lake = await makeLake(t.teardown, { treasury_yields: curves, ...rows })
  const batches = await batchFiles(lake)
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  const files = async (name: string) => (batches.get(name) ?? []).map(({ path }) => inLake(lake, path))
  const derivation = new Derivation(db, files, { asOf: '2025-12-31', undated: false, assumeSeniority: null })
  for (const name of ['treasury_yields', 'prices', 'trades']) await derivation.open(name)
  return [...(await curvesOfDay(db)).days].map(formatDay)
}

const price = {
  cusip: '000000AA7',
  price: 99,
  price_source: 'vendor',
  price_date: '2025-06-09',
  known_from: '2025-06-09',
}
const trade = { cusip: '000000AA7', price: 99, trade_date: '2025-06-10', known_from: '2025-06-10' }

t.test('curves are read from seven days before the first price', async t => {
  const wanted = ['2025-06-02', '2025-06-09', '2025-06-10']
  t.strictSame(await daysRead({ prices: [price], trades: [trade] }), wanted)
  t.strictSame(await daysRead({ prices: [price] }), wanted)
  t.strictSame(await daysRead({ trades: [{ ...trade, trade_date: '2025-06-09' }] }), wanted)
  t.strictSame(await daysRead({}), [], 'none without prices')
})
