import { QueryError } from '../../engine/base/errors.ts'
import { type Database, literal } from '../../engine/database/database.ts'
import { viewsOverDays } from '../../engine/database/history-view.ts'
import { stored } from '../../engine/database/views.ts'
import type { DayFiles } from '../../engine/lake/day-files.ts'
import { tableNamed } from '../../engine/schema/resources/tables.ts'
import type { DayTables } from '../../engine/snapshot/day-tables.ts'
import { type Coverage, tablesThatDecide, visibleSql } from './visible.ts'

/** Some tables as of several days. */
export interface DaysOfTables {
  readonly dates: readonly string[]
  readonly tables: readonly string[]
}

/** A turn of a file of days. */
export interface Turn {
  /** How long days are derived before it is others' turn, milliseconds. */
  readonly turn: number
  /** Called with the number of days that are derived. */
  readonly progress: (ready: number) => void
}

/** What the tables of a day are read from. */
export interface LakeOfDays {
  readonly database: Database
  readonly coverage: Coverage
  /** The derived tables of a day that are kept. */
  kept(date: string): Promise<DayFiles>
  /** Whether the next process finds them. */
  keeps(files: DayFiles): boolean
  /** The tables of a day to derive, or of the snapshot (null), as views of the database. */
  open(date: string | null): Promise<DayTables>
  close(tables: DayTables): void
}

interface DayWanted {
  readonly date: string
  /** Null for the tables of the snapshot. */
  readonly derived: string | null
}

/** Most rows of one file. */
const MOST_ROWS = 20_000_000

/** Derives what is missing of some days, at least one; false if it is others' turn before the rest. */
export async function deriveDays(
  lake: LakeOfDays,
  days: readonly DayWanted[],
  tables: readonly string[],
  { turn, progress }: Turn,
): Promise<boolean> {
  const started = performance.now()
  let isTurnOver = false
  const names = tablesThatDecide(tables, lake.coverage)
  for (const [ready, { derived }] of days.entries()) {
    progress(ready)
    if (derived === null) continue
    const kept = await lake.kept(derived)
    const missing: string[] = []
    for (const name of names) if ((await kept.find(name)) === null) missing.push(name)
    if (missing.length === 0) continue
    if (isTurnOver) return false
    const from = await lake.open(derived)
    for (const name of missing) await from.table(name)
    lake.close(from)
    // Without a place to keep days between turns, one turn has to do.
    isTurnOver = performance.now() - started > turn && lake.keeps(kept)
  }
  progress(days.length)
  return true
}

/** Copies some tables of several days, each row led by its day; returns the statements that make their views. */
export async function copyDays(
  lake: LakeOfDays,
  days: readonly DayWanted[],
  names: readonly string[],
): Promise<readonly string[]> {
  const { database, coverage } = lake
  for (const [i, { date, derived }] of days.entries()) {
    const from = await lake.open(derived)
    for (const name of tablesThatDecide(names, coverage)) await from.table(name)
    for (const name of names) {
      const rows = `SELECT DATE ${literal(date)} AS as_of, * FROM (${await rowsSeen(database, name, coverage)})`
      const to = `out.${stored(name)}`
      await database.run(i === 0 ? `CREATE TABLE ${to} AS ${rows}` : `INSERT INTO ${to} BY NAME ${rows}`)
    }
    lake.close(from)
    const counts = names.map(name => `(SELECT count(*) FROM out.${stored(name)})`)
    const [counted] = await database.rows<{ rows: number }>(`SELECT ${counts.join(' + ')} AS rows`)
    if (counted!.rows > MOST_ROWS) throw tooMany(days.length)
  }
  const dates = days.map(({ date }) => date)
  return names.flatMap(name => viewsOverDays(tableNamed(name)!, dates))
}

/** The rows of a table of the day that is open which a caller may see. */
export async function rowsSeen(database: Database, table: string, coverage: Coverage): Promise<string> {
  const columns = await database.rows<{ column_name: string }>(
    `SELECT column_name FROM (DESCRIBE ${stored(table)})`,
  )
  return visibleSql(
    table,
    columns.map(c => c.column_name),
    coverage,
  )
}

const tooMany = (days: number) =>
  new QueryError(
    'RESULT_TOO_LARGE',
    `the tables of the statement have over ${MOST_ROWS.toLocaleString('en')} rows on the ${days} days: ask for fewer days, or name tables with fewer rows`,
    { max_rows: MOST_ROWS },
  )
