import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../cli/sample/random.ts'
import type { Engine } from '../engine/engine.ts'
import type { Duck } from './duck.ts'
import type { SizeName } from './made-lake.ts'
import type { PeerName } from './peers.ts'
import type { Effort, Measured } from './timing.ts'

/** What contestants stand on: one snapshot, opened by the engine and by a DuckDB that knows nothing of it. */
export interface Ground {
  readonly size: SizeName
  readonly engine: Engine
  /** Views named like the tables, over the same Parquet files. */
  readonly duck: Duck
  /** The file of a table. */
  readonly file: (table: string) => string
  readonly rows: Readonly<Record<string, number>>
  readonly sectors: readonly string[]
  readonly days: readonly string[]
}

/** What is compared: the exact total and the rows, each a list of cells. */
export interface Answer {
  readonly total: number
  readonly rows: readonly (readonly unknown[])[]
}

/** Turns a result into an answer, untimed. */
export type Read = () => Answer | Promise<Answer>

export interface Contestant<Ask> {
  /** The package that it is; listed as not installed where it is not. */
  readonly peer?: PeerName
  /** One of the ways to write it for DuckDB: the engine is held against the best of them, too. */
  readonly isDuckDB?: boolean
  /** Where it takes part; everywhere if not said. */
  readonly fits?: (ground: Ground) => boolean
  /** Once a case and size, untimed: statements to prepare, tables to fill. */
  readonly prepare?: (ground: Ground) => Promise<void>
  /** Timed. */
  readonly run: (ground: Ground, ask: Ask) => Promise<Read> | Read
}

/** A question, asked of several contestants with the same parameters, which vary from call to call. */
export interface Case<Ask = unknown> {
  readonly name: string
  readonly question: string
  /** The sizes it is asked at; the smallest if not said. */
  readonly sizes?: readonly SizeName[]
  /** The table whose rows a call passes over, for rows a second. */
  readonly over?: string
  readonly ask: (random: Random, ground: Ground) => Ask
  /** The engine's time is stated as a multiple of each of these. */
  readonly baselines: Readonly<Record<string, Contestant<Ask>>>
  readonly engine: Contestant<Ask>
}

/** A case that measures in a way of its own: how many requests a second, how long beside others. */
export interface OwnCase {
  readonly name: string
  readonly question: string
  readonly sizes?: readonly SizeName[]
  /** Its sizes in a quick run that does not name it, where not all of its own. */
  readonly quick?: readonly SizeName[]
  readonly measure: (ground: Ground, effort: Effort, random: Random) => Promise<Measured>
}

export const benchCase = <Ask>(declared: Case<Ask>): Case => declared as Case

/** The columns that are compared, and what they are compared as. */
export type Shown = Readonly<Record<string, 'number' | 'text' | 'boolean'>>

type Row = Readonly<Record<string, unknown>>

/** Rows of a peer; a total that is not said is with each row as `_total`. Whole numbers of 64 bits may come as text. */
export function answerOf(
  rows: readonly Row[],
  columns: Shown,
  total: unknown = rows[0]?.['_total'] ?? 0,
): Answer {
  const cells = Object.entries(columns).map(([name, kind]) => (row: Row) => {
    const value = row[name] ?? null
    if (value === null) return null
    if (kind === 'number') return Number(value)
    if (kind === 'boolean') return Boolean(value)
    return value instanceof Date ? value.toISOString().slice(0, 10) : value
  })
  return { total: Number(total), rows: rows.map(row => cells.map(cell => cell(row))) }
}

/** The engine's envelope; dotted columns are looked for inside. */
export function answerOfPage(page: object, columns: Shown): Answer {
  const { data, meta } = page as { data: readonly unknown[]; meta: { total: number } }
  const paths = Object.keys(columns).map(c => c.split('.'))
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
