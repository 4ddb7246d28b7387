import { quote } from '../database/database.ts'
import { copyColumns, spreadCopies, TENTHS } from '../query/spread-copies.ts'
import { spreads } from '../schema/resources/spreads.ts'
import type { Difference, Workbench } from './recomputation.ts'
import { records } from './workbench.ts'

const { spread_tenths: _tenths, spread_bps: _bps, ...shared } = copyColumns
const columns = Object.keys(shared).map(quote).join(', ')

interface Parted {
  readonly key: string
  readonly stored: string | null
  readonly recomputed: string | null
}

/** Rows of the spread copies that are missing from the table, and the reverse. */
export async function* copyDifferences({ db, copies }: Workbench): AsyncGenerator<Difference> {
  for (const { name } of spreadCopies) {
    const width = copies.get(name)
    if (!width) continue
    const bps = width === 'DOUBLE' ? 'spread_bps' : `spread_tenths / ${TENTHS}`
    const copy = `SELECT ${columns}, CAST(${bps} AS DOUBLE) AS bps FROM kept_${name}`
    const table = `SELECT ${columns}, CAST(spread_bps AS DOUBLE) AS bps FROM kept_spreads`
    const key = `concat_ws(' ', ${spreads.key.map(part => `coalesce(CAST(${quote(part)} AS VARCHAR), '-')`).join(', ')})`
    const rows = records<Parted>(
      db,
      `SELECT ${key} AS key, CAST(bps AS VARCHAR) AS stored, NULL AS recomputed FROM (${copy} EXCEPT ALL ${table})
       UNION ALL
       SELECT ${key}, NULL, CAST(bps AS VARCHAR) FROM (${table} EXCEPT ALL ${copy})
       ORDER BY key, stored`,
    )
    for await (const row of rows)
      yield {
        dataset: name,
        field: 'spread_bps',
        ...row,
        difference: null,
        cause: `cannot be: the copy of the spreads is what they are`,
      }
  }
}
