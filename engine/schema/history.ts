import { type Columns, date, nullable } from './column.ts'
import type { Resource } from './resource.ts'

/** The intervals of a table's rows over several days, as SQL names them: `bonds_history`. */
export interface History {
  readonly name: string
  readonly doc: string
  readonly of: Resource
  readonly columns: Columns
}

/** Columns that say of a row how it was made. */
const isAbout = (name: string): boolean => name.startsWith('_')

/** The history of a table; null if it has none. */
export function historyOf(of: Resource): History | null {
  const { table, columns, history, clocks = [] } = of
  if (!history) return null
  const { without = [] } = history
  const isLeftOut = (name: string): boolean =>
    isAbout(name) ||
    clocks.includes(name) ||
    without.some(word => name === word || name.startsWith(`${word}.`))
  return {
    name: `${table}_history`,
    doc: `Rows of \`${table}\` with the days on which they stood, of the days that a statement is over.`,
    of,
    columns: {
      valid_from: date('The first of the days on which the row stood so.'),
      valid_to: nullable(
        date(
          'The day before the next of the days, on which it no longer stood so; null if it did on the last.',
        ),
      ),
      ...Object.fromEntries(Object.entries(columns).filter(([name]) => !isLeftOut(name))),
    },
  }
}
