import { QueryError } from '../base/errors.ts'
import { nearest } from '../names/nearest.ts'
import type { Columns } from '../schema/column.ts'
import { bonds } from '../schema/resources/bonds.ts'
import type { Context } from './operation.ts'

const kinds: Columns = bonds.columns

/** Whether a bond has the CUSIP, whoever may see it; the table of bonds must be ready. */
export async function hasCusip(context: Context, cusip: string): Promise<boolean> {
  const where = [{ column: 'cusip', op: 'in' as const, values: [cusip] }]
  const plan = { table: 'bonds', columns: [], where, after: [], order: [], limit: 0, offset: 0 }
  return (await context.count(plan, kinds)) > 0
}

/** The error for a CUSIP that no bond has, with the nearest one; the table of bonds must be ready. */
export async function nearestCusip(context: Context, cusip: string): Promise<QueryError> {
  const near = await context.database.rows<{ cusip: string }>(
    `SELECT cusip FROM stored.bonds WHERE (cusip[1:6] = ? OR levenshtein(cusip, ?) <= 2)
       ${context.coverage === 'standard' ? "AND coverage = 'standard'" : ''}
     ORDER BY levenshtein(cusip, ?), cusip LIMIT 20`,
    [cusip.slice(0, 6), cusip, cusip],
  )
  const suggestion =
    nearest(
      cusip,
      near.map(row => row.cusip),
    ) ?? null
  return new QueryError(
    'INVALID_CUSIP',
    `no bond has CUSIP ${cusip}${suggestion ? `; the nearest is ${suggestion}` : ''}`,
    { cusip, suggestion },
  )
}
