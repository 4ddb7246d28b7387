// Indices below are within bounds by construction: checks would cost in the loops.

import type { Bins } from '../plan/plan.ts'
import { type HotColumn, isNone, valuesAt } from './column.ts'
import { rounded } from './statistics.ts'

/** The matching rows of a table in memory, and its columns. */
export interface MemoryRows {
  readonly rows: readonly number[]
  readonly column: (name: string) => HotColumn
}

export interface ValueCount {
  readonly value: string | boolean | number | null
  readonly count: number
}

/** How often each value of a column occurs in some rows, including null; `byYear` counts days by year. */
export function countByValue(column: HotColumn, rows: readonly number[], byYear: boolean): ValueCount[] {
  if (column.words) return countWords(column, column.words, rows)
  const counts = new Map<number, { row: number; count: number }>()
  for (const row of rows) {
    const value = column.values[row]!
    // NaN is one key of a Map, as null is one group.
    const before = counts.get(value)
    if (before) before.count++
    else counts.set(value, { row, count: 1 })
  }
  const shown = valuesAt(
    column,
    [...counts.values()].map(({ row }) => row),
  )
  const found = [...counts.values()].map(({ count }, i) => ({
    value: shown[i] as ValueCount['value'],
    count,
  }))
  if (!byYear) return found
  const years = new Map<string | null, number>()
  for (const { value, count } of found) {
    const year = value === null ? null : String(value).slice(0, 4)
    years.set(year, (years.get(year) ?? 0) + count)
  }
  return [...years].map(([value, count]) => ({ value, count }))
}

/** Dictionary indexes start at 0: one counter per index. */
function countWords(
  { values }: HotColumn,
  words: NonNullable<HotColumn['words']>,
  rows: readonly number[],
): ValueCount[] {
  const counts = new Uint32Array(words.length)
  for (const row of rows) counts[values[row]!]!++
  return words.flatMap((word, place) =>
    counts[place] === 0 ? [] : [{ value: word as ValueCount['value'], count: counts[place]! }],
  )
}

export interface ValueSpan {
  readonly min: number | null
  readonly max: number | null
  readonly p10: number | null
  readonly p90: number | null
  readonly count: number
}

const presentValues = (
  { values, none, scale }: HotColumn,
  rows: readonly number[],
): Float64Array<ArrayBuffer> => {
  const present = new Float64Array(rows.length)
  let count = 0
  for (const row of rows) {
    const value = values[row]!
    if (!isNone(value, none)) present[count++] = value / scale
  }
  return present.subarray(0, count)
}

/** The distribution of a numeric column, as DuckDB's `quantile_cont` computes it; `count` is that of all rows. */
export function spanOfValues(column: HotColumn, rows: readonly number[]): ValueSpan {
  const sorted = presentValues(column, rows).sort()
  if (sorted.length === 0) return { min: null, max: null, p10: null, p90: null, count: rows.length }
  const quantile = (share: number): number => {
    const place = (sorted.length - 1) * share
    const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
    return rounded(low + (high - low) * (place - Math.floor(place)), 4)
  }
  return { min: sorted[0]!, max: sorted.at(-1)!, p10: quantile(0.1), p90: quantile(0.9), count: rows.length }
}

/** Values per bin; the outermost bins include everything beyond them, and null is the bin of missing values. */
export function countByBin(
  column: HotColumn,
  rows: readonly number[],
  { from, width, count }: Bins,
): Map<number | null, number> {
  const present = presentValues(column, rows)
  const inBins = new Uint32Array(count)
  for (const value of present) inBins[Math.min(Math.max(Math.floor((value - from) / width), 0), count - 1)]!++
  const counts = new Map<number | null, number>(inBins.entries())
  if (present.length < rows.length) counts.set(null, rows.length - present.length)
  return counts
}
