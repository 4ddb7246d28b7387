import { isDeepStrictEqual } from 'node:util'
import type { Database, Session } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import type { Random } from '../scripts/sample/random.ts'

/** What contestants stand on: one snapshot, opened by the engine and by a DuckDB that knows nothing of it. */
export interface Ground {
  readonly engine: Engine
  /** Views named like the tables, over the same Parquet files; the rows themselves in schema `held`. */
  readonly raw: Database
  /** One connection of `raw`, for prepared statements. */
  readonly session: Session
  readonly sectors: readonly string[]
  readonly days: readonly string[]
}

/** What is compared: the exact total and the rows, each a list of cells. */
export interface Answer {
  readonly total: number
  readonly rows: readonly (readonly unknown[])[]
}

export interface Contestant<Ask> {
  /** Once, untimed: statements to prepare. */
  readonly prepare?: (ground: Ground) => Promise<void>
  /** Timed. Returns what turns the result into an answer, untimed. */
  readonly run: (ground: Ground, ask: Ask) => Promise<() => Answer>
}

/** A question, asked of several contestants with the same parameters, which vary from call to call. */
export interface Case<Ask = unknown> {
  readonly name: string
  readonly question: string
  readonly ask: (random: Random, ground: Ground) => Ask
  /** The engine's time is stated as a multiple of each of these. */
  readonly baselines: Readonly<Record<string, Contestant<Ask>>>
  readonly engine: Contestant<Ask>
}

export const benchCase = <Ask>(declared: Case<Ask>): Case => declared as Case

type Row = Readonly<Record<string, unknown>>

/** Rows of hand-written SQL that carry the total over all pages as `_total`. */
export function answerOf(rows: readonly Row[], columns: readonly string[]): Answer {
  return { total: Number(rows[0]?.['_total'] ?? 0), rows: rows.map(row => columns.map(c => row[c] ?? null)) }
}

/** The engine's envelope; dotted columns are looked for inside. */
export function answerOfPage(page: object, columns: readonly string[]): Answer {
  const { data, meta } = page as { data: readonly unknown[]; meta: { total: number } }
  const paths = columns.map(c => c.split('.'))
  const cell = (row: unknown, path: readonly string[]) =>
    path.reduce<unknown>((at, part) => (at as Row | null | undefined)?.[part], row) ?? null
  return { total: meta.total, rows: data.map(row => paths.map(path => cell(row, path))) }
}

/** Where two answers part, in words; null if they do not. */
export function difference(wanted: Answer, given: Answer): string | null {
  if (wanted.total !== given.total) return `total ${given.total}, not ${wanted.total}`
  if (wanted.rows.length !== given.rows.length) return `${given.rows.length} rows, not ${wanted.rows.length}`
  const at = wanted.rows.findIndex((row, i) => !isDeepStrictEqual(row, given.rows[i]))
  return at < 0
    ? null
    : `row ${at + 1} is ${JSON.stringify(given.rows[at])}, not ${JSON.stringify(wanted.rows[at])}`
}

/** Runs a prepared statement: EXECUTE takes its values only as text. */
export function execute(
  session: Session,
  name: string,
  values: readonly (string | number | boolean)[],
): Promise<Row[]> {
  const said = values.map(v => (typeof v === 'string' ? `'${v.replaceAll("'", "''")}'` : String(v)))
  return session.rows(`EXECUTE ${name}(${said.join(', ')})`)
}
