import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryShare } from '../../engine/base/machine.ts'
import { Database, literal, quote } from '../../engine/database/database.ts'
import { stored, viewSql } from '../../engine/database/views.ts'
import { DayStore } from '../../engine/lake/day-files.ts'
import { batchesOf } from '../../engine/lake/imports.ts'
import { type Lake, openLake } from '../../engine/lake/lake.ts'
import { type Manifest, readManifest } from '../../engine/lake/snapshot.ts'
import { verifiedInputs } from '../../engine/lake/verify.ts'
import { rawViews, tableNamed, tables } from '../../engine/schema/resources/tables.ts'
import { type DayTables, snapshotTables } from '../../engine/snapshot/day-tables.ts'
import { derivedTables, inOrder } from '../../engine/snapshot/derived-tables.ts'
import { DerivationSources } from '../../engine/snapshot/deriving.ts'
import { CURVES, defineNamed, macroSql } from '../../engine/sql/define-functions.ts'
import { emptyTablesSql } from '../../engine/sql/empty-tables.ts'
import { sqlFunctions } from '../../engine/sql/sql-functions.ts'
import {
  copyDays,
  type DaysOfTables,
  deriveDays,
  type LakeOfDays,
  rowsSeen,
  type Turn,
} from './prepare-days.ts'
import { derivedDay, FILE, scratchOf } from './prepared-folder.ts'
import { type Coverage, tablesThatDecide } from './visible.ts'

export interface PrepareRequest {
  readonly lake: string
  readonly snapshot: string
  /** A day to derive; null for the snapshot's own tables. */
  readonly day: string | null
  /** Of a day to derive, the tables wanted; default all. */
  readonly tables?: readonly string[] | undefined
  /** Instead, several days and some tables. */
  readonly over?: DaysOfTables | undefined
  readonly coverage: Coverage
  /** The folder to create. */
  readonly folder: string
  /** How long days are derived before it is others' turn, milliseconds. */
  readonly turn: number
}

/**
 * Puts tables that SQL may name into one database file, with only the rows the caller may see: every table of one day, or
 * some of several days, led by the column `as_of`.
 * @param progress called with the number of days that are derived
 * @returns false if others' turn comes before the rest: what is derived so far is kept, and the next call goes on
 */
export async function prepare(wanted: PrepareRequest, progress: Turn['progress']): Promise<boolean> {
  const { folder } = wanted
  const scratch = scratchOf(folder, process.pid)
  await mkdir(join(scratch, 'spill'), { recursive: true, mode: 0o700 })
  if (!(await fill(wanted, scratch, progress))) {
    await rm(scratch, { recursive: true, force: true })
    return false
  }
  await rm(join(scratch, 'spill'), { recursive: true, force: true })
  // Another process may have been first: its file is equivalent.
  await rename(scratch, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(scratch, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error
  })
  return true
}

/** Makes the file in its scratch folder; false if some days are not derived yet. */
async function fill(
  { lake: root, snapshot, day, tables: wanted = allTables, over, coverage, turn }: PrepareRequest,
  scratch: string,
  progress: Turn['progress'],
): Promise<boolean> {
  const lake = await openLake(root)
  const manifest = await readManifest(lake, snapshot)
  const memory = memoryShare(1 / 4)
  const open = () => Database.create({ memory, temp: join(scratch, 'spill') })
  const database = await open()
  const store = new DayStore(lake)
  const opened = new Set<DayTables>()
  const derivations = new DerivationSources({
    lake,
    manifest,
    store,
    files: name => filesOf(lake, manifest, name),
    database: open,
  })
  const files = (name: string) => filesOf(lake, manifest, name)
  const derived = async (date: string): Promise<DayTables> => {
    const { open, options, files: derivedFrom } = await derivations.of(date)
    const kept = await store.day(manifest, date)
    return derivedTables({
      database,
      openDerivationDatabase: () => open([]),
      options,
      files,
      derivedFrom,
      kept,
    })
  }
  const lakeOfDays: LakeOfDays = {
    database,
    coverage,
    kept: date => store.day(manifest, date),
    keeps: ({ folder }) => folder.startsWith(lake.root),
    async open(date) {
      const tables = date === null ? snapshotTables(database, lake, manifest, files) : await derived(date)
      opened.add(tables)
      return tables
    },
    close(tables) {
      opened.delete(tables)
      tables.close()
    },
  }
  try {
    await database.run('CREATE SCHEMA stored')
    const days = over?.dates.map(date => ({ date, derived: derivedDay(manifest, date) })) ?? []
    if (over && !(await deriveDays(lakeOfDays, days, over.tables, { turn, progress }))) return false
    await database.run(`ATTACH ${literal(join(scratch, FILE))} AS out; CREATE SCHEMA out.stored`)
    const views = over
      ? await copyDays(lakeOfDays, days, over.tables)
      : await copyDay(lakeOfDays, await lakeOfDays.open(day), wanted)
    // Those that read the curves of one day are refused over several.
    const hasCurves = !over && wanted.includes(CURVES)
    const functions = hasCurves ? sqlFunctions : sqlFunctions.filter(f => !f.onCurves)
    // A macro can only be created once the functions it calls exist.
    await defineNamed(database, functions, functions.map(f => f.name).join(' '))
    // Per connection: which database unqualified names refer to is a connection setting.
    await database.session(async session => {
      const all = [...views, ...functions.map(macroSql)]
      await session.run(`USE out; ${all.join('; ')}; USE memory; CHECKPOINT out; DETACH out`)
    })
    return true
  } finally {
    for (const tables of opened) tables.close()
    database.close()
    derivations.close()
    store.close()
  }
}

/** Copies tables of a day; returns the statements that make their views. */
async function copyDay(
  { database, coverage }: LakeOfDays,
  from: DayTables,
  names: readonly string[],
): Promise<readonly string[]> {
  for (const name of inOrder(tablesThatDecide(names, coverage))) await from.table(name)
  for (const name of names)
    await database.run(`CREATE TABLE out.${stored(name)} AS ${await rowsSeen(database, name, coverage)}`)
  return [
    ...names.map(name => {
      const table = tableNamed(name)
      return table
        ? viewSql(name, table.columns)
        : `CREATE VIEW main.${quote(name)} AS SELECT * FROM ${stored(name)}`
    }),
    ...emptyTablesSql(names),
    // Where bond functions look up the curves.
    ...(names.includes(CURVES) ? [`CREATE VIEW main.in_${CURVES} AS SELECT * FROM ${stored(CURVES)}`] : []),
  ]
}

const allTables: readonly string[] = [...tables.map(t => t.table), ...rawViews]

async function filesOf(lake: Lake, manifest: Manifest, dataset: string): Promise<readonly string[]> {
  const batches = manifest.inputs.filter(f => f.dataset === dataset)
  return (await verifiedInputs(lake, batchesOf([{ batches }]))).get(dataset) ?? []
}
