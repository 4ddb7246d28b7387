import { epochDay } from '../database.ts'
import type { Grouping } from '../plan.ts'
import type { HotColumn, Values } from './column.ts'
import { commonRuns } from './runs.ts'
import { spanOf } from './statistics.ts'

/** Rows that are grouped: a range of the table, or those of a list. */
export interface Chosen {
  readonly from: number
  readonly to: number
  readonly rows: Int32Array | null
}

/** Groups are told apart by arrays of this many places at most. */
const MOST_GROUPS = 1 << 24
/** Rows whose group numbers are made at a time. */
const BLOCK = 4096

/** One part of the key: the place of a row's value among all values it may have, 0 for null. */
export interface Part {
  readonly name: string
  readonly size: number
  /** By value less `base`, where places do not follow the values one by one. */
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

function partOf({ name, cut, bins }: Grouping['by'][number], column: HotColumn): Part | null {
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

/** Numbers of groups, for rows or for stretches of them: the places of their parts, as digits. */
export class GroupKey {
  readonly size: number
  private readonly parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.parts = parts
    this.size = parts.reduce((size, part) => size * part.size, 1)
  }

  /** Blocks of rows, of the list where there is one, and the group number of each: they hold until the next block. */
  eachBlock({ rows, from, to }: Chosen, take: (groups: Values, start: number, end: number) => void): void {
    const [only] = this.parts
    const asTheyLie = !rows && this.parts.length === 1 && only!.column.words ? only!.column.values : null
    const block = new Int32Array(asTheyLie ? 0 : BLOCK)
    for (let start = from; start < to; start += BLOCK) {
      const end = Math.min(start + BLOCK, to)
      if (asTheyLie) {
        take(asTheyLie.subarray(start, end), start, end)
        continue
      }
      block.fill(0)
      for (const part of this.parts) addPlaces(block, part, rows, start, end)
      take(block, start, end)
    }
  }

  /** Where stretches of rows of one group begin, as they lie; null where they are short, or rows are of a list. */
  runs({ rows, from, to }: Chosen): readonly number[] | null {
    return rows
      ? null
      : commonRuns(
          this.parts.map(part => part.column),
          from,
          to,
        )
  }

  /** Each stretch of rows of one group: at once where the columns hold still for long, else row by row. */
  eachRun(chosen: Chosen, take: (group: number, start: number, end: number) => void): void {
    let start = chosen.from
    let last = -1
    const see = (group: number, at: number) => {
      if (group === last) return
      if (last >= 0) take(last, start, at)
      last = group
      start = at
    }
    const runs = this.runs(chosen)
    if (runs) for (const at of runs) see(this.at(at), at)
    else
      this.eachBlock(chosen, (groups, from, to) => {
        for (let i = from; i < to; i++) see(groups[i - from]!, i)
      })
    if (last >= 0) take(last, start, chosen.to)
  }

  /** The number of the group of one row. */
  private at(row: number): number {
    let group = 0
    for (const { size, base, places, column } of this.parts) {
      const value = column.values[row]!
      const near = value === column.none ? 0 : value - base
      group = group * size + (places ? places[near]! : near)
    }
    return group
  }

  /** The places of groups, part by part. */
  places(groups: readonly number[]): Int32Array[] {
    const found = this.parts.map(() => new Int32Array(groups.length))
    for (let i = 0; i < groups.length; i++) {
      let left = groups[i]!
      for (let p = this.parts.length - 1; p >= 0; p--) {
        const { size } = this.parts[p]!
        const rest = Math.floor(left / size)
        found[p]![i] = left - rest * size
        left = rest
      }
    }
    return found
  }

  /** Groups that differ in one part only, in the order of that part: indices into `groups`, which are in order. */
  series(groups: readonly number[], part: number): number[][] {
    const below = this.parts.slice(part + 1).reduce((size, p) => size * p.size, 1)
    const { size } = this.parts[part]!
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

function addPlaces(
  block: Int32Array,
  { size, base, places, column: { values, none } }: Part,
  rows: Int32Array | null,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const value = values[rows ? rows[i]! : i]!
    const near = value === none ? 0 : value - base
    block[i - from] = block[i - from]! * size + (places ? places[near]! : near)
  }
}

export type Columns = (name: string) => HotColumn

/** The key of a grouping; null where its parts are not words or days, or too many together. */
export function keyOf({ by }: Grouping, column: Columns): { key: GroupKey; parts: Part[] } | null {
  const parts = by.map(part => partOf(part, column(part.column)))
  if (parts.length === 0 || parts.includes(null)) return null
  const key = new GroupKey(parts as Part[])
  return key.size <= MOST_GROUPS ? { key, parts: parts as Part[] } : null
}
