import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
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
