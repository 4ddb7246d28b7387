import { type Database, literal, quote } from '../database/database.ts'
import type { Resource } from '../schema/resource.ts'
import { parseSort, type Sort, totalOrder } from './plan/plan.ts'

/** The order of a table's rows in its file: total, because it ends in the key. */
export const fileOrder = ({ clusterBy, sort, key }: Resource): readonly Sort[] =>
  totalOrder((clusterBy ?? sort).map(parseSort), key)

/**
 * Writes the rows of a query as a Parquet file of a snapshot. `order` is total, so the same rows give the same bytes
 * on any number of threads: DuckDB cuts row groups by count and writes no time or machine data.
 */
export const writeTable = (
  db: Database,
  query: string,
  order: readonly Sort[],
  file: string,
): Promise<void> => {
  const keys = order.map(
    ({ column, descending }) => `${quote(column)} ${descending ? 'DESC' : 'ASC'} NULLS LAST`,
  )
  return db.run(
    `COPY (SELECT * FROM (${query}) ORDER BY ${keys.join(', ')}) TO ${literal(file)}
     (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`,
  )
}
