import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import type { Database } from '../database/database.ts'
import { publicSql } from '../database/views.ts'
import { type DerivationCache, fingerprintOfRows } from '../derive/cache/derivation-cache.ts'
import { writeTable } from '../query/write-table.ts'
import type { Resource } from '../schema/resource.ts'
import { fileOrder } from '../schema/sort.ts'

/** Tables of long texts: compressing those of `documents` took a sixth of a build in which nothing of them was new. */
const OF_TEXTS: readonly string[] = ['documents']

/** Larger files are written anew by each build: the cache has no room for them. */
const MOST_BYTES = 256 * 2 ** 20

/** Writes the file of a table, or copies that of an earlier build that had the same rows. */
export async function writeTableFile(
  db: Database,
  table: Resource,
  file: string,
  cache: DerivationCache | undefined,
): Promise<void> {
  const query = await publicSql(db, table)
  const write = () => writeTable(db, query, fileOrder(table), file)
  if (!cache || !OF_TEXTS.includes(table.table)) return write()
  const step = `file-${table.table}`
  const [version] = await db.rows<{ duckdb: string }>('SELECT version() AS duckdb')
  const key = `${version?.duckdb} ${await fingerprintOfRows(db, query)}`
  const [before] = await cache.find(step, [key])
  if (before) return copyFile(before.file(table.table), file, constants.COPYFILE_FICLONE)
  await write()
  const { size } = await stat(file)
  if (size <= MOST_BYTES)
    await cache.keep(step, [key], [table.table], (_, path) =>
      copyFile(file, path, constants.COPYFILE_FICLONE),
    )
}
