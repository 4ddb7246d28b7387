import { constants } from 'node:fs'
import { copyFile, link, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import { stepsFor } from '../derive/derive.ts'
import type { DayStore, DerivedFrom } from '../lake/day-files.ts'
import { datasets } from '../schema/datasets/datasets.ts'
import { KNOWN_COMPANIES } from './day-tables.ts'
import { madeFrom, storedTables, writeStored } from './derived-tables.ts'

/** Larger files are derived when they are asked for: the folder of days has no room for them. */
const MOST_BYTES = 256 * 2 ** 20

interface BuiltDay {
  /** The derived tables. */
  readonly db: Database
  /** The snapshot's files. */
  readonly folder: string
  readonly store: DayStore
  readonly day: string
  readonly derivedFrom: Omit<DerivedFrom, 'id'>
  /** Datasets with rows of no known day, which the snapshot shows and no past day does. */
  readonly undatedIn: readonly string[]
  /** The last day on which anything in the lake became known. */
  readonly latest: string | null
}

/**
 * Stores the tables of a build as those of its day: once a later snapshot is current, the day is past, and answers without being
 * derived. The files are the snapshot's own, under a second name where the file system can. Tables that undated rows may have
 * reached are left out.
 */
export async function keepBuiltDay({
  db,
  folder,
  store,
  day,
  derivedFrom,
  undatedIn,
  latest,
}: BuiltDay): Promise<void> {
  const kept = await store.day({ id: 'built', ...derivedFrom }, day)
  // Lists of filings that are known later may give rows a day that they do not have yet.
  const open = latest !== null && latest > day ? datasets.filter(({ filed }) => filed).map(d => d.name) : []
  const undated = new Set([...undatedIn, ...open].map(name => `in_${name}`))
  for (const name of storedTables) {
    if (stepsFor([madeFrom(name)]).some(({ reads }) => reads.some(read => undated.has(read)))) continue
    if (name === KNOWN_COMPANIES) {
      await kept.keep(name, path => writeStored(db, name, path))
      continue
    }
    const file = join(folder, `${name}.parquet`)
    if ((await stat(file)).size <= MOST_BYTES) await kept.keep(name, path => sameFile(file, path))
  }
}

/** A second name of a file, or a copy where there can be none. */
const sameFile = (file: string, path: string): Promise<void> =>
  link(file, path).catch(() => copyFile(file, path, constants.COPYFILE_FICLONE))
