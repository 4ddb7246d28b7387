import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, literal, quote } from '../database/database.ts'
import type { Sort } from '../schema/sort.ts'
import { measured, partsInOrder, rowsOfGroup } from './table-parts.ts'

/** A larger table is sorted in parts of about this size: DuckDB's sort needs memory for all texts of what it sorts. */
const BYTES_AT_A_TIME = 512 * 2 ** 20

export interface WriteOptions {
  /** What a table may have in memory while it is sorted. The file is the same whatever it is. */
  readonly bytesAtATime?: number
}

/**
 * Writes the rows of a query as a Parquet file of a snapshot. `order` is total, so the same rows give the same bytes
 * on any number of threads: DuckDB cuts row groups by count and writes no time or machine data. A large table is
 * written in parts, in order, which are then put into one file.
 */
export async function writeTable(
  db: Database,
  query: string,
  order: readonly Sort[],
  file: string,
  { bytesAtATime = BYTES_AT_A_TIME }: WriteOptions = {},
): Promise<void> {
  const keys = order.map(
    ({ column, descending }) => `${quote(column)} ${descending ? 'DESC' : 'ASC'} NULLS LAST`,
  )
  const sorted = (rows: string) => `SELECT * FROM (${query}) ${rows} ORDER BY ${keys.join(', ')}`
  const sized = await measured(db, query)
  const group = rowsOfGroup(sized)
  if (sized.bytes <= bytesAtATime) return copyTo(db, sorted(''), file, group)
  const folder = `${file}.parts`
  try {
    await mkdir(folder)
    const files: string[] = []
    for (const condition of await partsInOrder(db, sized, order, bytesAtATime)) {
      const part = join(folder, `${files.length}.parquet`)
      await copyTo(db, sorted(`WHERE ${condition}`), part, group)
      files.push(part)
    }
    await copyTo(db, `SELECT * FROM read_parquet([${files.map(literal).join(', ')}])`, file, group)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const copyTo = (db: Database, query: string, file: string, rowsAGroup: number): Promise<void> =>
  db.run(
    `COPY (${query}) TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsAGroup})`,
  )
