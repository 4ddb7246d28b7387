import { damaged } from '../base/errors.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { type Database, literal, quote } from '../database/database.ts'
import { stored, viewSql } from '../database/views.ts'
import type { Derivation, DeriveOptions } from '../derive/derive.ts'
import type { Lake } from '../lake/lake.ts'
import { type Manifest, verifiedFile } from '../lake/snapshot.ts'
import type { KnownCompany } from '../operations/resolve/bond-index.ts'
import type { RemoteLane } from '../query/remote/remote-lane.ts'
import type { SpreadWidth } from '../query/spread-copies.ts'
import { readSpreadSources, type SpreadSources } from '../query/spread-sources.ts'
import { rawViews, tableNamed } from '../schema/resources/tables.ts'

/** Where the tables of a day come from. Each method may be called concurrently. */
export interface DayTables {
  readonly database: Database
  /** Encoding of the spread copies; null if there are none. */
  readonly spreadCopies: SpreadWidth | null
  /** Sources of the day's spreads. */
  spreadSources(): Promise<SpreadSources>
  /** The same tables on a remote engine, if one is connected and they are a snapshot's own. */
  readonly remote?: RemoteLane | null
  /** Makes `stored.<name>` available: a table of a snapshot, or a dataset as loaded. */
  table(name: string): Promise<void>
  /** Has a table in a file of its own, which others read. */
  store(name: string): Promise<void>
  /** Creates the views of tables that a statement names: other tables of a day need not be derived for it. */
  views(names: readonly string[]): Promise<void>
  /** Cancels work that nobody awaits; null where nothing takes long. */
  readonly interrupt: (() => Promise<void>) | null
  /** Frees what further tables would be derived from: nothing else is requested of the day soon. */
  discard(): MaybePromise<void>
  /** Every company, with its alias tickers. */
  companies(): Promise<KnownCompany[]>
  /** Closes what the tables are derived in; `database` stays open. */
  close(): void
}

/** The name under which the companies of a day are stored without their figures, which take longest to derive. */
export const KNOWN_COMPANIES = 'known_companies'

export const KNOWN_COLUMNS = 'company_id, ticker, name, aliases, former_names, cik, lei, coverage'

/** The verified files of a dataset. */
export type DatasetFiles = (dataset: string) => Promise<readonly string[]>

export const isRaw = (name: string): boolean => (rawViews as readonly string[]).includes(name)

/** What the manifest says of a table's file. */
export function tableFile(manifest: Manifest, name: string): Manifest['tables'][number] {
  const file = manifest.tables.find(t => t.name === name)
  if (file) return file
  throw damaged(
    `snapshots/${manifest.id}`,
    `has no table ${name}: it was built by an older version; run "tranche build" again`,
  )
}

/** The tables of a published snapshot: read from its files, each verified before first use. */
export function snapshotTables(
  database: Database,
  lake: Lake,
  manifest: Manifest,
  files: DatasetFiles,
): DayTables {
  const loaded = singleFlight(async () => {
    const { Derivation } = await import('../derive/derive.ts')
    return new Derivation(database, files, optionsOf(manifest, manifest.as_of!, true))
  })
  const table = singleFlight(async name => {
    if (isRaw(name)) return rawView(database, await loaded('all'), name)
    const path = await verifiedFile(lake, manifest, tableFile(manifest, name))
    const columns = tableNamed(name)?.columns
    await database.run(
      `CREATE OR REPLACE VIEW ${stored(name)} AS SELECT * FROM read_parquet(${literal(path)});
       ${columns ? viewSql(name, columns) : ''}`,
    )
  })
  const sources = singleFlight(async () => {
    await table('spreads')
    return readSpreadSources(database, stored('spreads'))
  })
  return {
    database,
    spreadCopies: (manifest.options['spread_copies'] as SpreadWidth | undefined) ?? null,
    table,
    store: table,
    spreadSources: () => sources('all'),
    interrupt: null,
    discard() {},
    async views(names) {
      for (const name of names) await table(name)
    },
    async companies() {
      await table('companies')
      return database.rows(`SELECT ${KNOWN_COLUMNS} FROM ${stored('companies')} ORDER BY company_id`)
    },
    close() {},
  }
}

export const optionsOf = (manifest: Manifest, asOf: string, undated: boolean): DeriveOptions => ({
  asOf,
  undated,
  assumeSeniority: (manifest.options['assume_seniority'] as string | null) ?? null,
})

/** A dataset as loaded, for SQL. */
export async function rawView(database: Database, derivation: Derivation, name: string): Promise<void> {
  await derivation.open(name)
  await database.run(
    `CREATE OR REPLACE VIEW ${stored(name)} AS SELECT * FROM in_${name};
     CREATE OR REPLACE VIEW main.${quote(name)} AS SELECT * FROM ${stored(name)}`,
  )
}

/** Runs a task once per name; concurrent callers share it, and a failure is retried. */
export function singleFlight<T>(work: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const begun = new Map<string, Promise<T>>()
  return name => {
    const before = begun.get(name)
    if (before) return before
    const done = work(name)
    begun.set(name, done)
    done.catch(() => begun.delete(name))
    return done
  }
}
