import { publicSql } from './build.ts'
import { type Database, literal, quote } from './database.ts'
import { Derivation, type DeriveOptions } from './derive/derive.ts'
import { damaged } from './errors.ts'
import type { Lake } from './lake/lake.ts'
import { type Manifest, verifiedFile } from './lake/snapshot.ts'
import { rawViews, tableNamed, tables } from './tables.ts'
import { stored, viewSql } from './views.ts'

/** Where the tables of a day come from. Each method may be called by many at once. */
export interface DayTables {
  readonly database: Database
  /** Makes `stored.<name>` ready: a table of a snapshot, or a dataset as it was loaded. */
  table(name: string): Promise<void>
  /** Makes every view that SQL may name. */
  views(): Promise<void>
  /** Every company, with the other tickers that name it. */
  companies(): Promise<KnownCompany[]>
}

export interface KnownCompany {
  readonly company_id: string
  readonly ticker: string | null
  readonly name: string
  readonly aliases: readonly string[] | null
  readonly coverage: string
}

/** The verified files of a dataset. */
export type DatasetFiles = (dataset: string) => Promise<readonly string[]>

const isRaw = (name: string): boolean => (rawViews as readonly string[]).includes(name)

/** The tables of a snapshot as it was published: read from its files, each verified before its first use. */
export function snapshotTables(
  database: Database,
  lake: Lake,
  manifest: Manifest,
  files: DatasetFiles,
): DayTables {
  const loaded = new Derivation(database, files, optionsOf(manifest, manifest.as_of!, true))
  const table = once(async name => {
    if (isRaw(name)) return rawView(database, loaded, name)
    const file = manifest.tables.find(t => t.name === name)
    if (!file)
      throw damaged(
        `snapshots/${manifest.id}`,
        `has no table ${name}: it was built by an older version, run "tranche build" again`,
      )
    const path = await verifiedFile(lake, manifest, file)
    await database.run(
      `CREATE OR REPLACE VIEW ${stored(name)} AS SELECT * FROM read_parquet(${literal(path)});
       ${viewSql(name, tableNamed(name)!.columns)}`,
    )
  })
  return {
    database,
    table,
    async views() {
      for (const name of [...tables.map(t => t.table), ...rawViews]) await table(name)
    },
    async companies() {
      await table('companies')
      return database.rows(
        `SELECT company_id, ticker, name, aliases, coverage FROM ${stored('companies')} ORDER BY company_id`,
      )
    },
  }
}

/**
 * The tables of a snapshot as of an earlier day: derived from the rows known by its close, each when it is first
 * asked for, with what it is made from and nothing else.
 */
export function derivedTables(
  database: Database,
  manifest: Manifest,
  asOf: string,
  files: DatasetFiles,
): DayTables {
  const derivation = new Derivation(database, files, optionsOf(manifest, asOf, false))
  const table = once(async name => {
    if (isRaw(name)) return rawView(database, derivation, name)
    await derivation.make(name)
    const sql = await publicSql(database, tableNamed(name)!)
    await database.run(`CREATE OR REPLACE VIEW ${stored(name)} AS ${sql}`)
  })
  // Without the figures of the companies, which take the longest to derive.
  const companies = once(async () => {
    await derivation.make('companies_base')
    return database.rows<KnownCompany>(
      `SELECT company_id, ticker, name, from_json(aliases, '["VARCHAR"]') AS aliases, coverage
       FROM companies_base ORDER BY company_id`,
    )
  })
  const views = once(async () => {
    await Promise.all([companies('all'), ...[...tables.map(t => t.table), ...rawViews].map(table)])
    await hideWorkings(database)
  })
  return { database, table, views: () => views('all'), companies: () => companies('all') }
}

const optionsOf = (manifest: Manifest, asOf: string, undated: boolean): DeriveOptions => ({
  asOf,
  undated,
  assumeSeniority: (manifest.options['assume_seniority'] as string | null) ?? null,
})

async function rawView(database: Database, derivation: Derivation, name: string): Promise<void> {
  await derivation.open(name)
  await database.run(
    `CREATE OR REPLACE VIEW ${stored(name)} AS SELECT * FROM in_${name};
     CREATE OR REPLACE VIEW main.${quote(name)} AS SELECT * FROM ${stored(name)}`,
  )
}

/** Puts the documented views where the steps left their tables; what only the steps needed goes. */
async function hideWorkings(database: Database): Promise<void> {
  const made = await database.rows<{ name: string }>(
    `SELECT table_name AS name FROM duckdb_tables() WHERE schema_name = 'main' AND NOT internal`,
  )
  const statements: string[] = []
  for (const { name } of made) {
    const table = tableNamed(name)
    if (!table) statements.push(`DROP TABLE main.${quote(name)}`)
    else {
      const derived = `derived ${name}`
      statements.push(
        `ALTER TABLE main.${quote(name)} RENAME TO ${quote(derived)}`,
        `CREATE OR REPLACE VIEW ${stored(name)} AS ${await publicSql(database, table, derived)}`,
        viewSql(name, table.columns),
      )
    }
  }
  await database.run(`BEGIN; ${statements.join('; ')}; COMMIT`)
}

/** Does a thing once for each name; those who ask meanwhile wait for the same, and a failure is tried again. */
function once<T>(work: (name: string) => Promise<T>): (name: string) => Promise<T> {
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
