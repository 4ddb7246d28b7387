import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { type Database, literal } from '../database/database.ts'
import { publicSql } from '../database/views.ts'
import { type DerivationCache, fingerprintOfRows } from '../derive/cache/derivation-cache.ts'
import { writeTable } from '../query/write-table.ts'
import type { Resource } from '../schema/resource.ts'
import { fileOrder } from '../schema/sort.ts'

/** Larger files are written anew by each build: the cache has no room for them. */
const MOST_BYTES = 256 * 2 ** 20

/** Where the files of tables are kept for later builds. */
export interface KeptFile {
  readonly cache: DerivationCache
  /** Text that is equal only if the rows of the table are. */
  readonly content: string
}

/** Tables whose rows change from day to day, with prices or with the day itself: comparing them would be in vain. */
const DAILY: ReadonlySet<string> = new Set([
  'companies',
  'companies_by_age',
  'bonds',
  'pricing',
  'pricing_history',
  'excluded_prices',
  'spreads',
  'spread_inputs',
])

/** A fingerprint of the rows of a table that may be those of an earlier build; null if they change daily. */
export const rowsOf = async (db: Database, table: string): Promise<string | null> =>
  DAILY.has(table) ? null : `rows ${await fingerprintOfRows(db, `FROM ${table}`)}`

/** Writes the file of a table, or copies that of an earlier build that had the same rows. */
export async function writeTableFile(
  db: Database,
  table: Resource,
  file: string,
  kept: KeptFile | null,
): Promise<void> {
  const write = async () => writeTable(db, await publicSql(db, table), fileOrder(table), file)
  if (!kept) return write()
  const { cache, content } = kept
  const step = `file-${table.table}`
  const key = await keyOf(db, content)
  const [before] = await cache.find(step, [key])
  if (before) return copyFile(before.file(table.table), file, constants.COPYFILE_FICLONE)
  await write()
  const { size } = await stat(file)
  if (size <= MOST_BYTES)
    await cache.keep(step, [key], [table.table], (_, path) =>
      copyFile(file, path, constants.COPYFILE_FICLONE),
    )
}

/** The rows of a query over a table, or those that it had in an earlier build with the same rows of the table. */
export async function storedRows<T>(
  db: Database,
  name: string,
  query: string,
  kept: KeptFile | null,
): Promise<T[]> {
  if (!kept) return db.rows<T>(query)
  const { cache, content } = kept
  const step = `rows-${name}`
  const key = await keyOf(db, content)
  const [before] = await cache.find(step, [key])
  if (before) return db.rows<T>(`FROM read_parquet(${literal(before.file(name))})`)
  await cache.keep(step, [key], [name], (_, path) =>
    db.run(`COPY (${query}) TO ${literal(path)} (FORMAT parquet)`),
  )
  return db.rows<T>(query)
}

/** Another version of DuckDB may write other bytes, and hash rows otherwise. */
async function keyOf(db: Database, content: string): Promise<string> {
  const [version] = await db.rows<{ duckdb: string }>('SELECT version() AS duckdb')
  return `${version?.duckdb} ${content}`
}
