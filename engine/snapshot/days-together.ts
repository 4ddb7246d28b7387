import { usableThreads } from '../base/machine.ts'
import { mapAtOnce } from '../base/map-at-once.ts'
import { type Database, literal } from '../database/database.ts'
import { viewsOverDays } from '../database/history-view.ts'
import { stored } from '../database/views.ts'
import type { Context } from '../operations/operation.ts'
import type { KnownCompany } from '../operations/resolve/bond-index.ts'
import { readSpreadSources } from '../query/spread-sources.ts'
import type { Resource } from '../schema/resource.ts'
import { type DayTables, KNOWN_COLUMNS, singleFlight } from './day-tables.ts'
import { KnownCompanies } from './known-companies.ts'

/** Days derived at a time: each has intermediate tables in memory, and its statements use few threads. */
export const DAYS_AT_ONCE = Math.min(2, usableThreads())

/** A file with the rows of a table as of a day. */
export interface FileOfDay {
  readonly day: string
  readonly file: string
}

const listOf = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`

/**
 * The rows of files of several days, each led by its day as `as_of`, in the order of the files: columns are loaded into memory one
 * after the other, and a join may give each another order.
 * @param alike whether the files have the same columns
 */
const rowsOf = (files: readonly FileOfDay[], alike = true): string => {
  const names = listOf(files.map(({ file }) => file))
  const days = listOf(files.map(({ day }) => day))
  return `SELECT CAST(${days}[list_position(${names}, r.filename)] AS DATE) AS as_of, r.* EXCLUDE (filename)
    FROM read_parquet(${names}, filename = true${alike ? '' : ', union_by_name = true'}) r`
}

/**
 * The tables of several days in one: each has the rows of all days, led by the column `as_of`. Companies are looked up by
 * day (`alikeDays`).
 */
export function tablesTogether(
  database: Database,
  days: readonly string[],
  fileOf: (day: string, table: string, signal: AbortSignal) => Promise<string>,
): DayTables {
  let waited = new AbortController()
  const ofOneDay = async (): Promise<never> => {
    throw new Error('several days have neither views, files of their own nor one list of companies')
  }
  const table = singleFlight(async name => {
    const { signal } = waited
    const files = await mapAtOnce(days, DAYS_AT_ONCE, async day => ({
      day,
      file: await fileOf(day, name, signal),
    }))
    await database.run(`CREATE OR REPLACE VIEW ${stored(name)} AS ${rowsOf(files)}`)
  })
  const sources = singleFlight(async () => {
    await table('spreads')
    return readSpreadSources(database, stored('spreads'))
  })
  return {
    database,
    spreadCopies: null,
    table,
    store: ofOneDay,
    spreadSources: () => sources('all'),
    async interrupt() {
      waited.abort(new Error('nobody waits for these days any more'))
      waited = new AbortController()
    },
    discard() {},
    views: ofOneDay,
    companies: ofOneDay,
    close() {},
  }
}

/**
 * Makes views for people who write SQL over tables of several days, each led by the column `as_of`, and of their histories.
 * @param tables files in the order of their days
 */
export async function viewsTogether(
  database: Database,
  tables: ReadonlyMap<Resource, readonly FileOfDay[]>,
): Promise<void> {
  for (const [table, files] of tables) {
    const days = files.map(({ day }) => day)
    const rows = `CREATE OR REPLACE VIEW ${stored(table.table)} AS ${rowsOf(files)}`
    await database.run([rows, ...viewsOverDays(table, days)].join('; '))
  }
}

/** Days on which the same names mean the same companies. */
export interface AlikeDays {
  readonly days: readonly string[]
  /** The companies that they mean. */
  readonly known: KnownCompanies
}

/** The companies that some names may mean on each day; the files have a row for each company. */
export async function readNamed(
  database: Database,
  files: readonly FileOfDay[],
  named: readonly string[],
): Promise<KnownOnDay[]> {
  const names = JSON.stringify(named.map(name => name.toUpperCase()))
  const rows = await database.rows<KnownCompany & { as_of: string }>(
    `WITH named AS (SELECT unnest(CAST(? AS JSON)::VARCHAR[]) AS name)
     SELECT as_of, ${KNOWN_COLUMNS} FROM (${rowsOf(files, false)})
     WHERE upper(ticker) IN (FROM named) OR upper(company_id) IN (FROM named)
       OR list_has_any(list_transform(aliases, lambda a: upper(a)), CAST(? AS JSON)::VARCHAR[])
     ORDER BY as_of, company_id`,
    [names, names],
  )
  const byDay = new Map<string, KnownCompany[]>()
  for (const row of rows) {
    const before = byDay.get(row.as_of)
    if (before) before.push(row)
    else byDay.set(row.as_of, [row])
  }
  return files.map(({ day }) => ({ day, known: new KnownCompanies(byDay.get(day) ?? []) }))
}

/** Every company of a file. */
export async function readAll(database: Database, file: FileOfDay): Promise<KnownCompanies> {
  const rows = await database.rows<KnownCompany>(
    `SELECT ${KNOWN_COLUMNS} FROM (${rowsOf([file])}) ORDER BY company_id`,
  )
  return new KnownCompanies(rows)
}

export interface KnownOnDay {
  readonly day: string
  readonly known: KnownCompanies
}

/** Divides days by the companies that some names mean. */
export function alikeDays(
  days: readonly KnownOnDay[],
  named: readonly string[],
  coverage: Context['coverage'],
): AlikeDays[] {
  const alike = new Map<string, AlikeDays & { days: string[] }>()
  for (const { day, known } of days) {
    const meaning = JSON.stringify(named.map(name => known.find([name], coverage).ids))
    const same = alike.get(meaning)
    if (same) same.days.push(day)
    else alike.set(meaning, { days: [day], known })
  }
  return [...alike.values()]
}
