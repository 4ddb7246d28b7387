import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { duckdb } from './duckdb.ts'

const { DOUBLE } = duckdb

/** Any value DuckDB accepts as a parameter; dates and lists are sent as text and cast in the SQL. */
export type SqlValue = string | number | bigint | boolean | null

/** Values and their types: DuckDB would bind any whole number as a BIGINT, even one too large for it. */
export function bind(values: readonly SqlValue[]): [DuckDBValue[], DuckDBType[]] {
  const typeOf = (value: SqlValue) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? DOUBLE : undefined
  const types = Array.isArray(values)
    ? values.map(typeOf)
    : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeOf(value)]))
  return [values, types] as [DuckDBValue[], DuckDBType[]]
}

/**
 * Runs statements, the last with values. DuckDB plans a prepared statement twice, when it is prepared and when it runs,
 * which is most of the time of a statement over few rows: what has no values is not prepared.
 */
export const runWith = (
  connection: DuckDBConnection,
  sql: string,
  values: readonly SqlValue[],
): ReturnType<DuckDBConnection['run']> =>
  values.length === 0 ? connection.run(sql) : connection.run(sql, ...bind(values))
