import { memoize } from '../../base/memoize.ts'
import { type Columns, date } from '../../schema/column.ts'
import type { Plan, PlanColumn } from './plan.ts'

/** The column of tables of several days that says which day a row is of. */
export const dayColumns = { as_of: date('The day as of which the row holds.') }

const dayColumn: PlanColumn = { name: 'as_of', column: dayColumns.as_of }

/** The columns of a table, led by the day. */
export const withDay = memoize((kinds: Columns): Columns => ({ ...dayColumns, ...kinds }))

/** A plan for one day, over several: rows by day, then in its own order. */
export function overDays(plan: Plan): Plan {
  const { pick } = plan
  return {
    ...plan,
    columns: [dayColumn, ...plan.columns],
    ...(pick && { pick: { ...pick, per: ['as_of', ...pick.per] } }),
    order: [{ column: 'as_of', descending: false }, ...plan.order],
  }
}
