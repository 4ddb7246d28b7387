import { addDays } from '../base/days.ts'
import type { Columns } from '../schema/column.ts'
import type { Params } from '../schema/params.ts'
import type { Operation } from './operation.ts'
import { warnOfRows } from './warn-of-rows.ts'

/** Facilities seldom run longer than this: one that no later document tells of has probably ended. */
const OLD_DAYS = 1826

/**
 * The list of covenants, with a warning that counts those in force of which nothing is known but documents of more than
 * five years before: nothing says that they ended, nor that they have not.
 */
export const warnOfOldCovenants = <P extends Params, Out>(
  list: Operation<P, Out>,
  { table, columns }: { readonly table: string; readonly columns: Columns },
): Operation<P, Out> =>
  warnOfRows(list, {
    table,
    columns,
    where: asOf => [
      { column: 'in_force', op: 'in', values: [true] },
      { column: 'last_stated', op: 'le', value: addDays(asOf, -OLD_DAYS) },
    ],
    among: ({ plan }, old) => [...plan.where, ...old],
    warning(count, asOf) {
      const those =
        count === 1 ? '1 covenant in force is' : `${count.toLocaleString('en-US')} covenants in force are`
      return `${those} known only from documents of over five years before ${asOf} (last_stated): nothing says whether what they state has ended since`
    },
  })
