// Indices below are within bounds by construction: checks would cost in the loops.

import type { HotColumn } from './column.ts'

/** Shorter runs than this, on average, are not worth knowing. */
const WORTH = 8

const kept = new WeakMap<HotColumn, Int32Array | null>()

/** Where the stretches of equal values of a column begin, as the table lies; null where they are short. */
function runsOf(column: HotColumn): Int32Array | null {
  let runs = kept.get(column)
  if (runs === undefined) {
    runs = found(column)
    kept.set(column, runs)
  }
  return runs
}

function found({ values }: HotColumn): Int32Array | null {
  const most = Math.floor(values.length / WORTH)
  const starts = new Int32Array(most)
  let count = 0
  let last = Number.NaN
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value === last) continue
    if (count === most) return null
    starts[count++] = i
    last = value
  }
  return starts.slice(0, count)
}

/** Whether a column keeps its value for many rows on end, as the table lies. */
export const isRunLengthEncodable = (column: HotColumn): boolean => runsOf(column) !== null

/** Each stretch of rows, of those given, in which none of the columns changes; they must hold still. */
export function eachConstantRun(
  columns: readonly HotColumn[],
  stretches: Int32Array,
  take: (from: number, to: number) => void,
): void {
  const lists = columns.map(column => runsOf(column)!)
  const next = lists.map(() => 0)
  for (let s = 0; s < stretches.length; s += 2) {
    const to = stretches[s + 1]!
    for (let at = stretches[s]!; at < to; ) {
      let end = to
      for (let c = 0; c < lists.length; c++) {
        const starts = lists[c]!
        if (next[c]! < starts.length && starts[next[c]!]! <= at)
          next[c] = firstAfter(starts, at, next[c]! + 1)
        end = Math.min(end, starts[next[c]!] ?? to)
      }
      take(at, end)
      at = end
    }
  }
}

/** The first place, from `low` on, of a start beyond a row. Mostly it is the very next. */
function firstAfter(starts: Int32Array, row: number, low: number): number {
  if (low >= starts.length || starts[low]! > row) return low
  let high = starts.length
  let from = low + 1
  while (from < high) {
    const middle = (from + high) >>> 1
    if (starts[middle]! > row) high = middle
    else from = middle + 1
  }
  return from
}

/** The stretches, of those given, in which the value of a column passes; it must hold still. */
export function runsWhere(
  column: HotColumn,
  passes: (value: number) => boolean,
  stretches: Int32Array,
): Int32Array {
  const kept: number[] = []
  eachConstantRun([column], stretches, (from, to) => {
    if (!passes(column.values[from]!)) return
    if (kept.at(-1) === from) kept[kept.length - 1] = to
    else kept.push(from, to)
  })
  return Int32Array.from(kept)
}
