import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { duckdb } from './duckdb.ts'

const { DOUBLE } = duckdb

/** Anything DuckDB takes as a parameter; dates and lists go as text and are cast in the SQL. */
export type SqlValue = string | number | bigint | boolean | null

/** Values and their types: DuckDB takes a whole number for a BIGINT, also one that no BIGINT holds. */
export function bind(values: readonly SqlValue[]): [DuckDBValue[], DuckDBType[]] {
  const typeOf = (value: SqlValue) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? DOUBLE : undefined
  const types = Array.isArray(values)
    ? values.map(typeOf)
    : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeOf(value)]))
  return [values, types] as [DuckDBValue[], DuckDBType[]]
}
