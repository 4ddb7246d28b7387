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

/** Where rows `from` to `to` change in any of the columns, `from` first; null where some column changes often. */
export function commonRuns(columns: readonly HotColumn[], from: number, to: number): number[] | null {
  const lists = columns.map(runsOf)
  if (lists.includes(null)) return null
  const next = lists.map(starts => firstAfter(starts!, from))
  const common: number[] = []
  for (let at = from; at < to; ) {
    common.push(at)
    let end = to
    for (let c = 0; c < lists.length; c++) {
      const starts = lists[c]!
      while (next[c]! < starts.length && starts[next[c]!]! <= at) next[c]!++
      end = Math.min(end, starts[next[c]!] ?? to)
    }
    at = end
  }
  return common
}

/** The first place of a start beyond a row. */
function firstAfter(starts: Int32Array, row: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! > row) high = middle
    else low = middle + 1
  }
  return low
}
