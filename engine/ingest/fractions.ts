import { quote } from '../database/database.ts'
import type { Mapping } from './mapping.ts'
import { Refused } from './readers/reader.ts'
import type { Settlement } from './settle.ts'
import { suggestedMap } from './suggest-map.ts'

/** A column in percent, and the value that some row of any file of percentages exceeds. */
interface Telling {
  readonly column: string
  readonly above: number
  /** What must differ for a value to count again. */
  readonly of: readonly string[]
  readonly where?: string
}

const INSTRUMENT = ['cusip', 'isin', 'bond_id']
const TELLING: Readonly<Record<string, Telling>> = {
  bonds: { column: 'coupon_rate', above: 0.3, of: INSTRUMENT },
  prices: { column: 'price', above: 3, of: INSTRUMENT },
  trades: { column: 'price', above: 3, of: INSTRUMENT },
  // No Treasury of ten years or more has yielded less than this.
  treasury_yields: {
    column: 'rate',
    above: 0.25,
    of: ['date', 'tenor_months'],
    where: 'TRY_CAST(tenor_months AS DOUBLE) >= 120',
  },
}
/** Fewer instruments may all have a coupon of a quarter of a percent, or be worth little. */
const FEWEST = 5

/**
 * Refuses a table whose percentages look like fractions (0.0525) if its mapping does not say their unit.
 * @param relation the staged table, as text
 * @param from the file's column of a column of the dataset
 */
export async function refuseFractions(
  mapping: Mapping,
  from: (column: string) => string | undefined,
  relation: string,
  settlement: Settlement,
): Promise<void> {
  const telling = TELLING[mapping.dataset.name]
  const written = telling && from(telling.column)
  if (!telling || written === undefined || mapping.columns[telling.column]?.unit !== undefined) return
  const { column, above, of, where = 'true' } = telling
  const value = `TRY_CAST(${quote(column)} AS DOUBLE)`
  // A value that is not finite has its row rejected, and says nothing of the others.
  const rows = `FROM ${relation} WHERE isfinite(${value}) AND ${where}`
  // The first rows of most files tell: no other is read then.
  const [exceeds] = await settlement.rows(`SELECT 1 ${rows} AND ${value} >= ${above} LIMIT 1`)
  if (exceeds) return
  const key = `concat_ws('|', ${of.map(quote).join(', ')})`
  const [given] = await settlement.rows<{ n: number; most: number | null }>(
    `SELECT count(DISTINCT ${key}) AS n, max(${value}) AS most ${rows} AND ${value} > 0`,
  )
  if (!given || given.n < FEWEST) return
  const columns = { ...mapping.columns, [column]: { from: written, unit: 'fraction' as const } }
  const map = suggestedMap({ ...mapping, columns }, { missing: [], oneOf: [], free: [] })
  throw new Refused(
    `${column} is read in percent, and no value of the file is above ${given.most}: if they are fractions, say so in a --map file such as ${map}, else give "percent" as the unit`,
  )
}
