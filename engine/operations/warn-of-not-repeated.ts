import type { Columns } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import type { Operation } from './operation.ts'
import { warnOfRows } from './warn-of-rows.ts'

const NOT_REPEATED: readonly Condition[] = [
  { column: 'ended_because', op: 'in', values: ['not_repeated'] },
  { column: 'in_force', op: 'in', values: [false] },
]

/**
 * A list of what is in force, with a warning in `meta` that counts the rows left out only because a later report does not
 * repeat them: a company may state a pledge once and no more.
 */
export const warnOfNotRepeated = <P extends Params, Out>(
  list: Operation<P, Out>,
  {
    table,
    columns,
    called: [one, several],
  }: { readonly table: string; readonly columns: Columns; readonly called: readonly [string, string] },
): Operation<P, Out> =>
  warnOfRows(list, {
    table,
    columns,
    where: () => NOT_REPEATED,
    among({ plan, narrowing = [] }, left) {
      const inForce = narrowing
        .filter(({ name }) => name === 'in_force')
        .flatMap(({ conditions }) => conditions)
      if (!inForce.some(condition => condition.op === 'in' && condition.values.includes(true))) return null
      return [...plan.where.filter(condition => !inForce.includes(condition)), ...left]
    },
    warning(count) {
      const [those, it] =
        count === 1 ? [`1 ${one} is`, 'it'] : [`${count.toLocaleString('en-US')} ${several} are`, 'them']
      return `${those} left out only because a later annual report does not repeat ${it}, which is no proof of an end: list ${it} with ended_because=not_repeated`
    },
  })
