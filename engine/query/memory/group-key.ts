// Indices below are within bounds by construction: checks would cost in the loops.

import { epochDay } from '../../database/plain-values.ts'
import type { Grouping } from '../plan/plan.ts'
import type { HotColumn, Values } from './column.ts'
import { eachConstantRun, isRunLengthEncodable } from './runs.ts'
import { spanOf } from './statistics.ts'

/** Rows to group: runs of a table, as alternating starts and ends. */
export interface RowRuns {
  readonly stretches: Int32Array
  readonly count: number
}

export function rowRuns(stretches: Int32Array): RowRuns {
  let count = 0
  for (let s = 0; s < stretches.length; s += 2) count += stretches[s + 1]! - stretches[s]!
  return { stretches, count }
}

/** Maximum size of the arrays that tell groups apart. */
const MOST_GROUPS = 1 << 24
/** Rows whose group numbers are computed at a time. */
const BLOCK = 4096

/** One part of the key: the index of a row's value among all possible values, 0 for null. */
export interface Part {
  readonly name: string
  readonly size: number
  /** Index by value minus `base`, where indexes are not consecutive values. */
  readonly places: Int32Array | null
  readonly base: number
  readonly column: HotColumn
  readonly value: (place: number) => unknown
}

const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)

const firstOfMonth = (day: number): number => {
  const date = new Date(day * 86_400_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 86_400_000
}

export function partOf({ name, cut, bins }: Grouping['by'][number], column: HotColumn): Part | null {
  if (bins || cut === 'year') return null
  const { words } = column
  if (words) return { name, column, size: words.length, base: 0, places: null, value: place => words[place] }
  if (column.column.kind !== 'date') return null
  const { low, high } = spanOf(column)
  if (low > high) return { name, column, size: 1, base: 0, places: null, value: () => null }
  const base = low - 1
  if (!cut)
    return {
      name,
      column,
      size: high - base + 1,
      base,
      places: null,
      value: place => (place === 0 ? null : epochDay(base + place)),
    }
  const startOf = cut === 'week' ? mondayOf : firstOfMonth
  const starts: number[] = []
  const places = new Int32Array(high - base + 1)
  for (let day = low; day <= high; day++) {
    const start = startOf(day)
    if (start !== starts.at(-1)) starts.push(start)
    places[day - base] = starts.length
  }
  return {
    name,
    column,
    size: starts.length + 1,
    base,
    places,
    value: place => (place === 0 ? null : epochDay(starts[place - 1]!)),
  }
}

/** Group numbers of rows or runs: mixed-radix numbers whose digits are the parts' indexes. */
export class GroupKey {
  readonly size: number
  private readonly digits: readonly Digit[]

  constructor(parts: readonly Part[]) {
    let size = 1
    const digits: Digit[] = []
    for (const part of parts.toReversed()) {
      digits.unshift({ ...part, weight: size })
      size *= part.size
    }
    this.digits = digits
    this.size = size
  }

  /** Whether group numbers are constant over long runs. */
  get holdsStill(): boolean {
    return this.digits.every(({ column }) => isRunLengthEncodable(column))
  }

  /**
   * Blocks of rows with the group number of each; valid until the next block. Run-length-encodable parts are read
   * only where they change, others row by row.
   */
  eachBlock({ stretches }: RowRuns, take: (groups: Values, start: number, end: number) => void): void {
    const [only] = this.digits
    if (this.digits.length === 1 && only!.column.words) {
      // Dictionary indexes serve as group numbers unchanged.
      for (let s = 0; s < stretches.length; s += 2)
        take(only!.column.values.subarray(stretches[s], stretches[s + 1]), stretches[s]!, stretches[s + 1]!)
      return
    }
    const still = this.digits.filter(({ column }) => isRunLengthEncodable(column))
    const moving = this.digits.filter(digit => !still.includes(digit))
    const block = new Int32Array(BLOCK)
    let [start, end] = [0, 0]
    const finish = () => {
      for (const digit of moving) addPlaces(block, digit, start, end)
      take(block, start, end)
    }
    eachConstantRun(columnsOf(still), stretches, (from, to) => {
      const group = numberOf(still, from)
      for (let at = from; at < to; at = end) {
        if (at !== end || end - start === BLOCK) {
          finish()
          start = at
        }
        end = Math.min(to, start + BLOCK)
        block.fill(group, at - start, end - start)
      }
    })
    finish()
  }

  /** Runs of rows with one group number, where groups are constant over long runs. */
  eachRun({ stretches }: RowRuns, take: (group: number, start: number, end: number) => void): void {
    let [last, start, end] = [-1, 0, 0]
    eachConstantRun(columnsOf(this.digits), stretches, (from, to) => {
      const group = numberOf(this.digits, from)
      if (group !== last || from !== end) {
        if (last >= 0) take(last, start, end)
        last = group
        start = from
      }
      end = to
    })
    if (last >= 0) take(last, start, end)
  }

  /** Adds one part to the key: each group is split into as many as that part has indexes. */
  and(part: Part): GroupKey {
    return new GroupKey([...this.digits, part])
  }

  /** The indexes of a group, part by part. */
  places(groups: readonly number[]): Int32Array[] {
    const found = this.digits.map(() => new Int32Array(groups.length))
    for (const [p, { size, weight }] of this.digits.entries())
      for (let i = 0; i < groups.length; i++) found[p]![i] = Math.floor(groups[i]! / weight) % size
    return found
  }

  /** Groups that differ in one part only, in the order of that part: indices into the sorted `groups`. */
  series(groups: readonly number[], part: number): number[][] {
    const { size, weight: below } = this.digits[part]!
    const found = new Map<number, number[]>()
    for (const [i, group] of groups.entries()) {
      const rest = Math.floor(group / (below * size)) * below + (group % below)
      const series = found.get(rest)
      if (series) series.push(i)
      else found.set(rest, [i])
    }
    return [...found.values()]
  }
}

/** A part, and the weight of its index in a group number. */
interface Digit extends Part {
  readonly weight: number
}

const columnsOf = (parts: readonly Part[]): readonly HotColumn[] => parts.map(part => part.column)

/** The group number of a row. */
function numberOf(digits: readonly Digit[], row: number): number {
  let number = 0
  for (const { weight, base, places, column } of digits) {
    const value = column.values[row]!
    const near = value === column.none ? 0 : value - base
    number += weight * (places ? places[near]! : near)
  }
  return number
}

function addPlaces(block: Int32Array, digit: Digit, from: number, to: number): void {
  const {
    weight,
    base,
    places,
    column: { values, none, words },
  } = digit
  if (words) for (let i = from; i < to; i++) block[i - from]! += weight * values[i]!
  else
    for (let i = from; i < to; i++) {
      const value = values[i]!
      const near = value === none ? 0 : value - base
      block[i - from]! += weight * (places ? places[near]! : near)
    }
}

export type Columns = (name: string) => HotColumn

/** The key of a grouping; null if a part is neither words nor days, or the parts have too many combinations. */
export function keyOf({ by }: Grouping, column: Columns): { key: GroupKey; parts: Part[] } | null {
  const parts = by.map(part => partOf(part, column(part.column)))
  if (parts.length === 0 || parts.includes(null)) return null
  const key = new GroupKey(parts as Part[])
  return key.size <= MOST_GROUPS ? { key, parts: parts as Part[] } : null
}
