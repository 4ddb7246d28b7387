import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryShare } from '../../engine/base/machine.ts'
import { ownerTag } from '../../engine/base/owned-folder.ts'
import { Database, literal, quote } from '../../engine/database/database.ts'
import { stored, viewSql } from '../../engine/database/views.ts'
import { DayStore } from '../../engine/lake/day-files.ts'
import { batchesOf } from '../../engine/lake/imports.ts'
import { type Lake, openLake } from '../../engine/lake/lake.ts'
import { type Manifest, readManifest } from '../../engine/lake/snapshot.ts'
import { verifiedInputs } from '../../engine/lake/verify.ts'
import { rawViews, tables } from '../../engine/schema/resources/tables.ts'
import { type DayTables, optionsOf, snapshotTables } from '../../engine/snapshot/day-tables.ts'
import { derivedTables } from '../../engine/snapshot/derived-tables.ts'
import { mergedInputs } from '../../engine/snapshot/merged-inputs.ts'
import { defineNamed, macroSql } from '../../engine/sql/define-functions.ts'
import { sqlFunctions } from '../../engine/sql/sql-functions.ts'
import { type Coverage, visibleSql } from './visible.ts'

/** The one file in a prepared day's folder; its name is the database name that EXPLAIN shows. */
export const FILE = 'lake.duckdb'

export interface PrepareRequest {
  readonly lake: string
  readonly snapshot: string
  /** A day to derive; null for the snapshot's own tables. */
  readonly day: string | null
  readonly coverage: Coverage
  /** The folder to create. */
  readonly folder: string
}

/** Where a prepared day is made until it is complete. */
export const scratchOf = (folder: string, pid: number): string => `${folder}.${ownerTag(pid)}.tmp`

/** Puts every table that SQL may name into one database file, with only the rows the caller may see. */
export async function prepare({
  lake: root,
  snapshot,
  day,
  coverage,
  folder,
}: PrepareRequest): Promise<void> {
  const lake = await openLake(root)
  const manifest = await readManifest(lake, snapshot)
  const scratch = scratchOf(folder, process.pid)
  await mkdir(join(scratch, 'spill'), { recursive: true, mode: 0o700 })
  const memory = memoryShare(1 / 4)
  const database = await Database.create({ memory, temp: join(scratch, 'spill') })
  const days = new DayStore(lake)
  let from: DayTables | null = null
  try {
    await database.run('CREATE SCHEMA stored')
    const files = (name: string) => filesOf(lake, manifest, name)
    const open = () => Database.create({ memory, temp: join(scratch, 'spill') })
    from =
      day === null
        ? snapshotTables(database, lake, manifest, files)
        : derivedTables({
            database,
            openDerivationDatabase: open,
            options: optionsOf(manifest, day, false),
            files,
            derivedFrom: mergedInputs({
              lake,
              batches: batchesOf([{ batches: manifest.inputs }]),
              files,
              store: days,
              run: sql => database.run(sql),
            }),
            kept: await days.day(manifest, day),
          })
    const names = [...tables.map(t => t.table), ...rawViews]
    // Prices first: those of every day, before the tables that could do with the latest.
    for (const name of ['pricing_history', ...names]) await from.table(name)
    await database.run(`ATTACH ${literal(join(scratch, FILE))} AS out; CREATE SCHEMA out.stored`)
    for (const name of names) {
      const columns = await database.rows<{ column_name: string }>(
        `SELECT column_name FROM (DESCRIBE ${stored(name)})`,
      )
      const rows = visibleSql(
        name,
        columns.map(c => c.column_name),
        coverage,
      )
      await database.run(`CREATE TABLE out.${stored(name)} AS ${rows}`)
    }
    const views = [
      ...tables.map(t => viewSql(t.table, t.columns)),
      ...rawViews.map(name => `CREATE VIEW main.${quote(name)} AS SELECT * FROM ${stored(name)}`),
      // Where bond functions look up the curves.
      `CREATE VIEW main.in_treasury_yields AS SELECT * FROM ${stored('treasury_yields')}`,
      ...sqlFunctions.map(macroSql),
    ]
    // A macro can only be created once the functions it calls exist.
    await defineNamed(database, sqlFunctions, sqlFunctions.map(f => f.name).join(' '))
    // Per connection: which database unqualified names refer to is a connection setting.
    await database.session(async session => {
      await session.run(`USE out; ${views.join('; ')}; USE memory; CHECKPOINT out; DETACH out`)
    })
  } finally {
    from?.close()
    database.close()
    days.close()
  }
  await rm(join(scratch, 'spill'), { recursive: true, force: true })
  // Another process may have been first: its file is equivalent.
  await rename(scratch, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(scratch, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error
  })
}

async function filesOf(lake: Lake, manifest: Manifest, dataset: string): Promise<readonly string[]> {
  const batches = manifest.inputs.filter(f => f.dataset === dataset)
  return (await verifiedInputs(lake, batchesOf([{ batches }]))).get(dataset) ?? []
}
