import type { Database } from '../database/database.ts'
import type { SqlValue } from '../database/parameters.ts'
import type { Chunk } from '../database/results.ts'
import type { DaysAsked } from '../operations/panel-days.ts'
import { dayOf } from '../schema/options.ts'
import { statementError } from '../sql/statement-errors.ts'
import { type CallOptions, callOptionNames } from './call-options.ts'
import type { SnapshotLease } from './lease.ts'
import { dayOptions, daysOfStatement, tablesOverDays } from './sql-days.ts'
import { type QueryLimits, withinLimits } from './within-limits.ts'

/**
 * Options of a statement. With days, given as for a panel, each table has its rows as of all of them, led by the column
 * `as_of`.
 */
export interface SqlOptions extends CallOptions, DaysAsked {}

export const sqlOptionNames = [...callOptionNames, ...dayOptions]

/** The values of `?` or `$name` in a statement. */
export type Values = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

export type SqlRows = AsyncIterable<Chunk & { names: readonly string[]; types: readonly string[] }>

interface Asked {
  readonly text: string
  readonly values: Values
  readonly options: SqlOptions
  readonly limits: QueryLimits
}

/** Runs one SELECT of a user over the documented tables. */
export async function runSql<T>(
  lease: SnapshotLease,
  asked: Asked,
  use: (rows: SqlRows) => Promise<T>,
): Promise<T> {
  const { text, values, options, limits } = asked
  const day = await lease.sqlDay(dayOf(options))
  const [{ admitStatement }, { defineNamed, refuseCurves, withCurves }, { sqlFunctions }] = await Promise.all(
    [
      import('../sql/admit-statement.ts'),
      import('../sql/define-functions.ts'),
      import('../sql/sql-functions.ts'),
    ],
  )
  const { database, views } = day.tables
  const dates = daysOfStatement(options, dayOf(options), lease.manifest.as_of!)
  const statement = await admitStatement(database, text, dates ? 'several days' : 'one day')
  const run = async (on: Database) => {
    await defineNamed(on, sqlFunctions, statement.text)
    return use(on.query(statement, values, limits)).catch(statementError)
  }
  if (dates === null) {
    if (statement.isOfCatalog) {
      const { emptyTablesSql } = await import('../sql/empty-tables.ts')
      await database.run(emptyTablesSql().join('; '))
    }
    const ready = views(withCurves(statement.tables, sqlFunctions, statement.text))
    await (day.isDerived ? withinLimits(ready, limits, day.asOf) : ready)
    return run(database)
  }
  refuseCurves(sqlFunctions, statement.text)
  const overDays = await lease.sqlOverDays(dates, tablesOverDays(statement.tables), limits)
  try {
    return await run(overDays)
  } finally {
    overDays.close()
  }
}
