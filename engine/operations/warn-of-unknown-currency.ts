import type { Columns } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import type { Operation } from './operation.ts'
import { warnOfRows } from './warn-of-rows.ts'

const UNKNOWN: Condition = { column: 'currency', op: 'absent' }

/**
 * A list that shows one currency by default, with a warning in `meta` that counts the rows left out because no source
 * states theirs: those that all filters but that of the currency pass.
 */
export const warnOfUnknownCurrency = <P extends Params, Out>(
  list: Operation<P, Out>,
  { table, columns }: { readonly table: string; readonly columns: Columns },
): Operation<P, Out> =>
  warnOfRows(list, {
    table,
    columns,
    where: () => [UNKNOWN],
    among({ plan, narrowing = [] }, unknown) {
      const currency = narrowing
        .filter(({ name }) => name === 'currency')
        .flatMap(({ conditions }) => conditions)
      if (currency.length === 0) return null
      return [...plan.where.filter(condition => !currency.includes(condition)), ...unknown]
    },
    warning(count) {
      const [those, states] =
        count === 1 ? ['1 bond', 'its'] : [`${count.toLocaleString('en-US')} bonds`, 'their']
      return `${those} without a known currency left out: load ${states} currency, or list them with has_currency=false`
    },
  })
