import { invalid, QueryError } from '../base/errors.ts'
import { type DaysAsked, panelDays } from '../operations/panel-days.ts'
import type { Resource } from '../schema/resource.ts'
import { histories, tableNamed, tables } from '../schema/resources/tables.ts'

/** Options of a statement that give its days, as for a panel. */
export const dayOptions = ['dates', 'from', 'to', 'every'] as const satisfies readonly (keyof DaysAsked)[]

/**
 * The days that a statement is over, in order; null if it is over one.
 * @param last the as-of day of the snapshot
 */
export function daysOfStatement(
  asked: DaysAsked,
  day: string | undefined,
  last: string,
): readonly string[] | null {
  if (dayOptions.every(name => asked[name] === undefined)) return null
  if (day !== undefined) throw invalid('as_of', day, 'dates give the days of the statement: leave out as_of')
  return [...new Set(panelDays(asked, last))]
}

/** The tables that a statement over several days reads, from what `admitStatement` says of it. */
export const tablesOverDays = (named: readonly string[]): readonly Resource[] => [
  ...new Set(named.map(tableOverDays)),
]

function tableOverDays(name: string): Resource {
  const table = tableNamed(name) ?? histories.find(history => history.name === name)?.of
  if (table) return table
  throw new QueryError(
    'INVALID_SQL',
    `${name} holds the rows of sources, which have no state of a day: over several days the tables are ${tables.map(t => t.table).join(', ')}`,
  )
}
