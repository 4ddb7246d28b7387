import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../cli/sample/random.ts'
import type { Engine } from '../engine/engine.ts'
import type { Duck } from './duck.ts'
import type { SizeName } from './made-lake.ts'
import type { PeerName } from './peers.ts'
import type { Effort, Measured } from './timing.ts'

/** What all contestants share: one snapshot, opened by the engine and by a plain DuckDB. */
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
  /** The lake whose operations are measured, if not that of the sample. */
  readonly lake: string | null
}

/** What is compared: the exact total and the rows, each a list of cells. */
export interface Answer {
  readonly total: number
  readonly rows: readonly (readonly unknown[])[]
}

/** Turns a result into an answer, untimed. */
export type Read = () => Answer | Promise<Answer>

export interface Contestant<Ask> {
  /** Its package; listed as missing if not installed. */
  readonly peer?: PeerName
  /** Whether it is a DuckDB form: the engine is also compared with the best of them. */
  readonly isDuckDB?: boolean
  /** The sizes at which it takes part; default all. */
  readonly fits?: (ground: Ground) => boolean
  /** Once per case and size, untimed: prepares statements, fills tables. */
  readonly prepare?: (ground: Ground) => Promise<void>
  /** Timed. */
  readonly run: (ground: Ground, ask: Ask) => Promise<Read> | Read
}

/** A query run by several contestants with the same parameters, which vary from call to call. */
export interface Case<Ask = unknown> {
  readonly name: string
  readonly question: string
  /** The sizes at which it runs; default the smallest. */
  readonly sizes?: readonly SizeName[]
  /** The table whose rows a call scans, for rows a second. */
  readonly over?: string
  readonly ask: (random: Random, ground: Ground) => Ask
  /** The engine's time is reported as a multiple of each of these. */
  readonly baselines: Readonly<Record<string, Contestant<Ask>>>
  readonly engine: Contestant<Ask>
}

/** A case that measures itself: requests a second, latency beside others. */
export interface OwnCase {
  readonly name: string
  readonly question: string
  readonly sizes?: readonly SizeName[]
  /** Its sizes in a quick run that does not name it, if not all of its own. */
  readonly quick?: readonly SizeName[]
  readonly measure: (ground: Ground, effort: Effort, random: Random) => Promise<Measured>
}

export const benchCase = <Ask>(declared: Case<Ask>): Case => declared as Case

/** The columns to compare, and as what. */
export type Shown = Readonly<Record<string, 'number' | 'text' | 'boolean'>>

type Row = Readonly<Record<string, unknown>>

/** Rows of a peer; without an explicit total, each row has it as `_total`. 64-bit integers may be text. */
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

/** The engine's envelope; dotted columns are nested inside. */
export function answerOfPage(page: object, columns: Shown): Answer {
  const { data, meta } = page as { data: readonly unknown[]; meta: { total: number } }
  const paths = Object.keys(columns).map(c => c.split('.'))
  const cell = (row: unknown, path: readonly string[]) =>
    path.reduce<unknown>((at, part) => (at as Row | null | undefined)?.[part], row) ?? null
  return { total: meta.total, rows: data.map(row => paths.map(path => cell(row, path))) }
}

/** The first difference of two answers, in words; null if they are equal. */
export function difference(wanted: Answer, given: Answer): string | null {
  if (wanted.total !== given.total) return `total ${given.total}, not ${wanted.total}`
  if (wanted.rows.length !== given.rows.length) return `${given.rows.length} rows, not ${wanted.rows.length}`
  const at = wanted.rows.findIndex((row, i) => !isDeepStrictEqual(row, given.rows[i]))
  return at < 0
    ? null
    : `row ${at + 1} is ${JSON.stringify(given.rows[at])}, not ${JSON.stringify(wanted.rows[at])}`
}
