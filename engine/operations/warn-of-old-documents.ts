import { addDays } from '../base/days.ts'
import type { Columns } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import type { Operation } from './operation.ts'
import { warnOfRows } from './warn-of-rows.ts'

/** Facilities seldom run longer than this: one that no later document tells of has probably ended. */
const OLD_DAYS = 1826

interface Told {
  readonly table: string
  readonly columns: Columns
  /** What one of the rows is called, and several. */
  readonly called: readonly [one: string, several: string]
  /** The column with the day of the newest document that tells of a row. */
  readonly day: string
  /** Which rows are meant. */
  readonly where?: readonly Condition[]
}

/**
 * A list of what documents state, with a warning that counts rows of which nothing is known but documents of more than five
 * years before: nothing says that what they state has ended, nor that it has not.
 */
export const warnOfOldDocuments = <P extends Params, Out>(
  list: Operation<P, Out>,
  { table, columns, called: [one, several], day, where = [] }: Told,
): Operation<P, Out> =>
  warnOfRows(list, {
    table,
    columns,
    where: asOf => [...where, { column: day, op: 'le', value: addDays(asOf, -OLD_DAYS) }],
    among: ({ plan }, old) => [...plan.where, ...old],
    warning(count, asOf) {
      const those = count === 1 ? `1 ${one} is` : `${count.toLocaleString('en-US')} ${several} are`
      return `${those} known only from documents of over five years before ${asOf} (${day}): nothing says whether what they state has ended since`
    },
  })
