// Indices below are within bounds by construction: checks would cost in the loops.

import type { HotColumn } from './column.ts'

/** Minimum average length of runs worth storing. */
const WORTH = 8

const runsByColumn = new WeakMap<HotColumn, Int32Array | null>()

/** Where a column's runs of equal values begin; null if they are short. */
function runsOf(column: HotColumn): Int32Array | null {
  let runs = runsByColumn.get(column)
  if (runs === undefined) {
    runs = found(column)
    runsByColumn.set(column, runs)
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

/** Whether a column consists of long runs of equal values. */
export const isRunLengthEncodable = (column: HotColumn): boolean => runsOf(column) !== null

/** Splits the given row ranges into runs in which none of the (run-length-encodable) columns changes. */
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

/** The first start, from index `low` on, beyond a row. Usually the next one. */
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

/** The parts of the given row ranges in which a (run-length-encodable) column's value passes. */
export function runsWhere(
  column: HotColumn,
  passes: (value: number) => boolean,
  stretches: Int32Array,
): Int32Array {
  const passing: number[] = []
  eachConstantRun([column], stretches, (from, to) => {
    if (!passes(column.values[from]!)) return
    if (passing.at(-1) === from) passing[passing.length - 1] = to
    else passing.push(from, to)
  })
  return Int32Array.from(passing)
}
