import { QueryError } from '../base/errors.ts'
import { nearest } from '../names/nearest.ts'
import type { Context } from './operation.ts'

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
