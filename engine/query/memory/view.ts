// Indices below are within bounds by construction: checks would cost in the loops.

import type { HotColumn, Pass, Values } from './column.ts'
import { isNone } from './column.ts'
import {
  keep,
  keepWhere,
  keepWithin,
  type Mask,
  maskOf,
  positionsOf,
  setRange,
  setRuns,
  wordsFor,
} from './mask.ts'
import { type Key, sortedRows } from './order.ts'
import { Slices } from './slices.ts'

/** A text column with at most this many words is filtered by a bitmap per word. */
const MOST_BITMAPS = 64
/** Below this share of the rows (a negative power of two), rows are tested one by one. */
const SHORT = 5

export interface Test {
  readonly name: string
  readonly column: HotColumn
  readonly pass: Pass
}

/** The row numbers of a page, and the total number of matches. */
export interface PageRows {
  readonly rows: readonly number[]
  readonly total: number
}

/** Positions from one up to another. */
export type Range = readonly [from: number, to: number]

/** Positions that pass some tests, within words `from` to `to` of the bitmap. */
export interface Selection {
  readonly mask: Mask
  readonly from: number
  readonly to: number
}

/**
 * The rows of a table in one order. Filters select positions in that order, so a page is read in sequence: by binary
 * search on the leading column, bitmaps on low-cardinality columns, slices on columns with their own order, and a
 * scan on others.
 */
export class View {
  readonly count: number
  /** Rows by position; null for table order. */
  readonly rows: Uint32Array | null
  /** Position by row, computed on first use. */
  private ranks: Uint32Array | null = null
  private readonly lead: Key | null
  /** Number of positions before the first null of the leading column. */
  private readonly present: number
  private readonly arranged = new Map<string, Values>()
  /** By column and dictionary index. */
  private readonly bitmaps = new Map<string, Mask[]>()
  private readonly slices = new Map<string, Slices>()
  private readonly scratch: Mask
  private readonly grown: (bytes: number) => void

  static async of(keys: readonly Key[], count: number, grown: (bytes: number) => void): Promise<View> {
    return new View(keys, keys.length ? await sortedRows(keys, count) : null, count, grown)
  }

  private constructor(
    keys: readonly Key[],
    rows: Uint32Array | null,
    count: number,
    grown: (bytes: number) => void,
  ) {
    this.count = count
    this.grown = grown
    this.rows = rows
    this.lead = keys[0] ?? null
    this.scratch = new Uint32Array(wordsFor(count))
    this.present = this.lead ? this.firstNull(this.lead.column) : 0
    grown((this.rows?.byteLength ?? 0) + this.scratch.byteLength)
  }

  row(position: number): number {
    return this.rows ? this.rows[position]! : position
  }

  /** Positions that pass every test; `ordered` holds orders by one column. The bitmap is reused by the next query. */
  select(tests: readonly Test[], ordered: (column: string) => View | undefined = () => undefined): Selection {
    const mask = this.scratch
    let [first, end] = [0, this.count]
    const rest: Test[] = []
    for (const test of tests) {
      const range = this.range(test)
      if (range) {
        first = Math.max(first, range[0])
        end = Math.min(end, range[1])
      } else rest.push(test)
    }
    setRange(mask, first, end)
    return this.keepAll(rest, first, end, ordered)
  }

  /** The same for ranges of positions, in their order. */
  within(
    stretches: Int32Array,
    tests: readonly Test[],
    ordered: (column: string) => View | undefined = () => undefined,
  ): Selection {
    setRuns(this.scratch, stretches)
    return this.keepAll(tests, stretches[0] ?? 0, stretches.at(-1) ?? 0, ordered)
  }

  /** Keeps positions that pass every test; nothing is set before `first`, or from `end` on. */
  private keepAll(
    tests: readonly Test[],
    first: number,
    end: number,
    ordered: (column: string) => View | undefined,
  ): Selection {
    const mask = this.scratch
    const from = first >>> 5
    const to = Math.max(from, wordsFor(end))
    // Bitmaps and slices first; the rest is scanned.
    const looked: Test[] = []
    const isShort = to - from < mask.length >>> SHORT
    for (const test of tests) {
      const bitmap = this.bitmapFor(test)
      const index = bitmap || isShort ? undefined : ordered(test.name)
      const range = index?.range(test)
      if (bitmap) keep(mask, bitmap, from, to)
      else if (range) this.slicesOf(test.name, index!).keep(mask, range, from, to)
      else looked.push(test)
    }
    for (const { name, column, pass } of looked) {
      const values = this.values(name, column)
      const [span] = pass.spans
      if (pass.spans.length === 1 && !pass.absent) keepWithin(mask, values, span!, from, to)
      else keepWhere(mask, values, passes(column, pass), from, to)
    }
    return { mask, from, to }
  }

  /** Positions of a test on the leading column, if they are contiguous. */
  range(test: Test): Range | null {
    const { column, pass } = test
    if (this.lead?.column !== column || pass.spans.length + Number(pass.absent) > 1) return null
    return this.ranges(test)![0] ?? [0, 0]
  }

  /** Positions of a test on the leading column, a range per range of values. */
  ranges({ column, pass }: Test): Range[] | null {
    const { lead, present } = this
    if (!lead || lead.column !== column) return null
    const ranges = pass.spans.map(
      ([low, high]): Range =>
        lead.descending
          ? [this.firstWhere(v => v <= high), this.firstWhere(v => v < low)]
          : [this.firstWhere(v => v >= low), this.firstWhere(v => v > high)],
    )
    if (pass.absent) ranges.push([present, this.count])
    return ranges
  }

  /** A page of all rows. */
  all(offset: number, most: number): PageRows {
    const rows: number[] = []
    const end = Math.min(this.count, offset + most)
    for (let position = offset; position < end; position++) rows.push(this.row(position))
    return { total: this.count, rows }
  }

  /** A page of some rows, in view order. */
  page(rows: readonly number[], offset: number, most: number): PageRows {
    const ranks = this.positions()
    const mask = this.scratch
    mask.fill(0)
    for (const row of rows) {
      const position = ranks ? ranks[row]! : row
      mask[position >>> 5]! |= 1 << (position & 31)
    }
    return {
      total: rows.length,
      rows: positionsOf(mask, 0, mask.length, offset, most).map(p => this.row(p)),
    }
  }

  /** The position of each row. */
  private positions(): Uint32Array | null {
    if (!this.rows) return null
    if (!this.ranks) {
      this.ranks = new Uint32Array(this.count)
      for (let p = 0; p < this.count; p++) this.ranks[this.rows[p]!] = p
      this.grown(this.ranks.byteLength)
    }
    return this.ranks
  }

  /** Binary search for the first position whose value passes a monotonic test. */
  private firstWhere(holds: (value: number) => boolean): number {
    const { values } = this.lead!.column
    let [low, high] = [0, this.present]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(values[this.row(middle)]!)) high = middle
      else low = middle + 1
    }
    return low
  }

  private firstNull({ values, none }: HotColumn): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isNone(values[this.row(middle)]!, none)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** The values of a column in view order. */
  private values(name: string, { values }: HotColumn): Values {
    const { rows, count } = this
    if (!rows) return values
    let arranged = this.arranged.get(name)
    if (!arranged) {
      arranged = values.slice() as Values
      for (let p = 0; p < count; p++) arranged[p] = values[rows[p]!]!
      this.arranged.set(name, arranged)
      this.grown(arranged.byteLength)
    }
    return arranged
  }

  private slicesOf(name: string, index: View): Slices {
    let slices = this.slices.get(name)
    if (!slices) {
      slices = new Slices(index.rows!, this.positions())
      this.slices.set(name, slices)
      this.grown(slices.bytes)
    }
    return slices
  }

  private bitmapFor({ name, column, pass }: Test): Mask | null {
    if (!column.words || column.words.length > MOST_BITMAPS) return null
    const places = pass.absent ? [0] : []
    for (const [low, high] of pass.spans)
      for (let place = low; place <= high && place < column.words.length; place++) places.push(place)
    if (places.length === 1) return this.bitmap(name, column, places[0]!)
    const any = new Uint32Array(this.scratch.length)
    for (const place of places) {
      const one = this.bitmap(name, column, place)
      for (let w = 0; w < any.length; w++) any[w]! |= one[w]!
    }
    return any
  }

  private bitmap(name: string, column: HotColumn, place: number): Mask {
    let bitmaps = this.bitmaps.get(name)
    if (!bitmaps) {
      bitmaps = []
      this.bitmaps.set(name, bitmaps)
    }
    let bitmap = bitmaps[place]
    if (!bitmap) {
      bitmap = maskOf(this.values(name, column), [place, place])
      bitmaps[place] = bitmap
      this.grown(bitmap.byteLength)
    }
    return bitmap
  }
}

/** Whether a value passes: by dictionary index for words, else by ranges. */
export function passes(column: HotColumn, { spans, absent }: Pass): (value: number) => boolean {
  const { words, none } = column
  if (words) {
    const allowed = new Uint8Array(words.length)
    if (absent) allowed[0] = 1
    for (const [low, high] of spans) allowed.fill(1, low, high + 1)
    return value => allowed[value] === 1
  }
  return value => (isNone(value, none) ? absent : spans.some(([low, high]) => value >= low && value <= high))
}
