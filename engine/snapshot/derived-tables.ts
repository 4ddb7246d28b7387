import type { Database } from '../database/database.ts'
import { quote } from '../database/database.ts'
import { publicSql, stored, viewSql } from '../database/views.ts'
import { Derivation } from '../derive/derive.ts'
import type { Manifest } from '../lake/snapshot.ts'
import { readSpreadSources } from '../query/spread-sources.ts'
import { rawViews, tableNamed, tables } from '../schema/resources/tables.ts'
import {
  type DatasetFiles,
  type DayTables,
  isRaw,
  type KnownCompany,
  optionsOf,
  rawView,
  singleFlight,
} from './day-tables.ts'

/**
 * The tables of a snapshot as of an earlier day: derived from the rows known at its close, each on first use,
 * together with its inputs only.
 */
export function derivedTables(
  database: Database,
  manifest: Manifest,
  asOf: string,
  files: DatasetFiles,
): DayTables {
  const derivation = new Derivation(database, files, optionsOf(manifest, asOf, false))
  const table = singleFlight(async name => {
    if (isRaw(name)) return rawView(database, derivation, name)
    await derivation.make(name)
    const sql = await publicSql(database, tableNamed(name)!)
    await database.run(`CREATE OR REPLACE VIEW ${stored(name)} AS ${sql}`)
  })
  // Without company figures, which take the longest to derive.
  const companies = singleFlight(async () => {
    await derivation.make('companies_base')
    return database.rows<KnownCompany>(
      `SELECT company_id, ticker, name, from_json(aliases, '["VARCHAR"]') AS aliases, coverage
       FROM companies_base ORDER BY company_id`,
    )
  })
  const views = singleFlight(async () => {
    await Promise.all([companies('all'), ...[...tables.map(t => t.table), ...rawViews].map(table)])
    await hideWorkings(database)
  })
  const sources = singleFlight(async () => {
    await table('spreads')
    return readSpreadSources(database, stored('spreads'))
  })
  return {
    database,
    spreadCopies: null,
    table,
    spreadSources: () => sources('all'),
    interrupt: () => derivation.interrupt(),
    views: () => views('all'),
    companies: () => companies('all'),
  }
}

/** Puts the documented views over the steps' tables and drops intermediate ones. */
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
