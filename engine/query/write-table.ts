import { type Database, literal, quote } from '../database/database.ts'
import type { Sort } from '../schema/sort.ts'

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
