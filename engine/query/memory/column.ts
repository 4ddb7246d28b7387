// Indices below are within bounds by construction: checks would cost in the loops.

import { epochDay, instant } from '../../database/plain-values.ts'
import type { Column } from '../../schema/column.ts'
import type { Condition } from '../../schema/filter.ts'

/** The widths in use: only four, so the compiler can unroll a loop over any of them. */
export type Values = Float64Array | Int32Array | Int16Array | Uint8Array

/**
 * A column in memory. Every value is a number: itself times `scale`, its day since 1970, or its index in the
 * dictionary `words`, which is sorted as DuckDB sorts.
 */
export interface HotColumn {
  readonly column: Column
  readonly values: Values
  /** Represents null: below every value, or NaN. */
  readonly none: number
  readonly scale: number
  /** The dictionary, from index 1; null if values are numbers. */
  readonly words: readonly (string | boolean | readonly string[] | null)[] | null
  /** Dictionary indexes by word, in lower case if case does not matter. */
  readonly places: ReadonlyMap<string | boolean, readonly number[]> | null
  readonly bytes: number
}

/** What a condition accepts: values within any of the ranges (inclusive), and nulls if `absent`. */
export interface Pass {
  readonly spans: readonly (readonly [low: number, high: number])[]
  readonly absent: boolean
}

export const isNone = (value: number, none: number): boolean => value === none || Number.isNaN(value)

/** The values of some rows as an answer shows them. */
export function valuesAt(
  { column, values, none, scale, words }: HotColumn,
  rows: readonly number[],
): unknown[] {
  if (words) {
    if (column.kind !== 'list') return rows.map(row => words[values[row]!])
    return rows.map(row => (words[values[row]!] as string[] | null)?.slice() ?? null)
  }
  const say = formatter(column, scale)
  return rows.map(row => {
    const value = values[row]!
    return isNone(value, none) ? null : say(value)
  })
}

/** A number, or a date as its day since 1970; NaN for null. */
export function numberAt({ values, none, scale }: HotColumn, row: number): number {
  const value = values[row]!
  return value === none ? Number.NaN : value / scale
}

/** The word of a column with a dictionary; null for null. */
export const wordAt = ({ values, words }: HotColumn, row: number) => words![values[row]!] ?? null

function formatter({ kind }: Column, scale: number): (value: number) => unknown {
  if (kind === 'date') return epochDay
  if (kind === 'timestamp') return value => instant(BigInt(value))
  return value => value / scale
}

const least = ({ none }: HotColumn): number => (Number.isNaN(none) ? Number.NEGATIVE_INFINITY : none + 1)

/** Kinds whose values cannot be compared with a filter's. */
const incomparable: ReadonlySet<string> = new Set(['timestamp', 'list', 'json'])

/** A condition as ranges of stored numbers; null if only DuckDB can evaluate it. */
export function passOf(column: HotColumn, condition: Condition): Pass | null {
  const from = least(column)
  if (condition.op === 'present') return within(from, Number.POSITIVE_INFINITY)
  if (condition.op === 'absent') return { spans: [], absent: true }
  if (incomparable.has(column.column.kind)) return null
  if (condition.op === 'in') return { spans: spansOfValues(column, condition.values), absent: false }
  if (column.words) return null
  if (condition.op === 'le') return within(from, atMost(column, condition.value))
  return within(Math.max(from, atLeast(column, condition.value)), Number.POSITIVE_INFINITY)
}

const within = (low: number, high: number): Pass => ({
  spans: low <= high ? [[low, high]] : [],
  absent: false,
})

function spansOfValues(column: HotColumn, values: readonly (string | number | boolean)[]): Pass['spans'] {
  const [first] = values
  const one = values.length === 1 && numbersOf(column, first!)
  if (one && one.length === 1) return [[one[0]!, one[0]!]]
  const found = new Set(values.flatMap(value => numbersOf(column, value)))
  return merged([...found].sort((a, b) => a - b))
}

const NO_VALUES: readonly number[] = []

/** The stored numbers of a value given in a condition. */
function numbersOf(column: HotColumn, value: string | number | boolean): readonly number[] {
  const { places, column: kind } = column
  if (places) {
    const caseless = kind.kind === 'text' && !kind.format
    return places.get(caseless ? String(value).toLowerCase() : (value as string)) ?? NO_VALUES
  }
  const low = atLeast(column, value as string | number)
  return low === atMost(column, value as string | number) && low >= least(column) ? [low] : NO_VALUES
}

/** Consecutive indexes merged into ranges. */
function merged(sorted: readonly number[]): Pass['spans'] {
  const spans: [number, number][] = []
  for (const value of sorted) {
    const last = spans.at(-1)
    if (last && value === last[1] + 1 && Number.isInteger(value)) last[1] = value
    else spans.push([value, value])
  }
  return spans
}

const numberOf = ({ column }: HotColumn, value: string | number): number =>
  column.kind === 'date' ? Date.parse(value as string) / 86_400_000 : Number(value)

/** The smallest stored number that is not below `value`. */
function atLeast(column: HotColumn, value: string | number): number {
  const { scale } = column
  const bound = numberOf(column, value)
  if (scale === 1) return bound
  let low = Math.ceil(bound * scale)
  while ((low - 1) / scale >= bound) low--
  while (low / scale < bound) low++
  return low
}

function atMost(column: HotColumn, value: string | number): number {
  const { scale } = column
  const bound = numberOf(column, value)
  if (scale === 1) return bound
  let high = Math.floor(bound * scale)
  while ((high + 1) / scale <= bound) high++
  while (high / scale > bound) high--
  return high
}

/** Maximum bytes per value of a column. */
export function mostBytes({ kind }: Column): number {
  if (kind === 'boolean' || kind === 'enum') return 1
  return kind === 'date' || kind === 'text' || kind === 'list' ? 4 : 8
}

/** JSON that is only shown on request may be long, and is not loaded. */
export const isLoadable = (column: Column): boolean => column.kind !== 'json' || !column.on_request
