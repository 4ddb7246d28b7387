// Indices below are within bounds by construction: checks would cost in the loops.

import { largest } from '../../base/lists.ts'
import type { Metric } from '../plan/plan.ts'
import type { HotColumn, Values } from './column.ts'
import {
  clearBins,
  collectWithin,
  countBins,
  countBinsWithin,
  inBin,
  MOST_BITS,
  newBins,
  type PairedValues,
} from './passes.ts'

/** Rounds as DuckDB does: halves away from zero. */
export function rounded(value: number, digits: number): number {
  const unit = 10 ** digits
  const scaled = Math.abs(value) * unit
  const whole = Math.floor(scaled)
  const near = (scaled - whole >= 0.5 ? whole + 1 : whole) / unit
  return value < 0 ? -near : near
}

interface Span {
  readonly low: number
  readonly high: number
  /** Whether every row has a value. */
  readonly whole: boolean
}

const spans = new WeakMap<HotColumn, Span>()

/** The minimum and maximum of an integer column; `low` is above `high` if it has no value. */
export function spanOf(column: HotColumn): Span {
  let span = spans.get(column)
  if (!span) {
    const { values, none } = column
    // Integer arithmetic throughout: one fraction would make the compiler use floating point in every loop over the
    // range.
    let [low, high] = [2 ** 31 - 1, -(2 ** 31)]
    let whole = true
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      if (value === none) {
        whole = false
        continue
      }
      if (value < low) low = value
      if (value > high) high = value
    }
    span = low > high ? { low: 1, high: 0, whole } : { low, high, whole }
    spans.set(column, span)
  }
  return span
}

/** Selected rows of a column. If the range of the whole column is known, it is used for them. */
export function partOfColumn(column: HotColumn, values: Values): HotColumn {
  const part = { ...column, values, bytes: values.byteLength }
  const span = spans.get(column)
  if (span) spans.set(part, span)
  return part
}

const quantiles: Partial<Record<Metric, number>> = { median: 0.5, p10: 0.1, p25: 0.25, p75: 0.75, p90: 0.9 }

/** Groups smaller than this are sorted. */
const FEW = 48

/** Exact statistics of one group after another, in the column's unit. Values are whole tenths of it. */
export class Statistics {
  readonly columns: ReadonlyMap<Metric, (number | null)[]>
  /** Stored units per answer unit. */
  readonly scale: number
  private readonly low: number
  /** As many as the column's values need. */
  private readonly bits: number
  private readonly quantiles: readonly { readonly share: number; readonly of: (number | null)[] }[]
  private readonly rest: Partial<Record<Metric, (number | null)[]>>
  private readonly spreads: boolean
  private readonly sums: boolean
  private readonly bins = newBins()
  private readonly small = new Int32Array(FEW)
  /** The highest quantile requested. */
  private readonly highest: number

  /** Whether a column's values are integers without nulls in a moderate range. */
  static canRead(column: HotColumn): boolean {
    if (column.words || column.values instanceof Float64Array) return false
    const { low, high, whole } = spanOf(column)
    return whole && high - low < 2 ** 24
  }

  constructor(column: HotColumn, requested: ReadonlySet<Metric>, scale = 1) {
    const metrics = [...requested]
    const { low, high } = spanOf(column)
    this.scale = column.scale * scale
    this.low = low
    this.bits = 32 - Math.clz32(Math.max(0, high - low))
    this.columns = new Map(metrics.map(metric => [metric, []]))
    this.rest = Object.fromEntries(this.columns)
    this.quantiles = metrics
      .filter(m => quantiles[m] !== undefined)
      .map(m => ({ share: quantiles[m]!, of: this.columns.get(m)! }))
    this.highest = largest(
      this.quantiles.map(a => a.share),
      0,
    )
    this.spreads = metrics.includes('stddev')
    this.sums = this.spreads || metrics.some(m => m === 'mean' || m === 'min' || m === 'max')
  }

  put(metric: Metric, value: number | null): void {
    this.columns.get(metric)?.push(value)
  }

  /** Takes a group whose values are contiguous. */
  add(all: PairedValues, from: number, to: number): void {
    const { values } = all
    const count = to - from
    if (this.quantiles.length) {
      const at =
        count < FEW
          ? this.sorted(values, from, to, count)
          : (rank: number) => this.ranked(all, from, to, rank)
      this.putQuantiles(count, at)
    }
    let sum = 0
    let [low, high] = [values[from]!, values[from]!]
    if (this.sums)
      for (let i = from; i < to; i++) {
        const value = values[i]!
        sum += value
        if (value < low) low = value
        if (value > high) high = value
      }
    let around = 0
    if (this.spreads) {
      const mean = sum / count
      for (let i = from; i < to; i++) around += (values[i]! - mean) ** 2
    }
    this.putRest({ count, sum, low, high, around })
  }

  /** Takes a group as counts of each value from `low`; false if it is empty. */
  addCounts(counts: Int32Array, least: number): boolean {
    let [count, sum, low, high] = [0, 0, -1, -1]
    for (let v = 0; v < counts.length; v++) {
      const times = counts[v]!
      if (times === 0) continue
      if (low < 0) low = v
      high = v
      count += times
      sum += times * (v + least)
    }
    if (count === 0) return false
    let around = 0
    if (this.spreads) {
      const mean = sum / count
      for (let v = low; v <= high; v++) around += counts[v]! * (v + least - mean) ** 2
    }
    this.putQuantiles(count, rank => {
      let before = 0
      for (let v = low; ; v++) {
        before += counts[v]!
        if (before > rank) {
          if (before > rank + 1) return [v + least, v + least]
          let next = v + 1
          while (next <= high && counts[next] === 0) next++
          return [v + least, next + least]
        }
      }
    })
    this.putRest({ count, sum, low: low + least, high: high + least, around })
    return true
  }

  /** `at` gives the value of a rank from 0, and the next one. */
  private putQuantiles(count: number, at: (rank: number) => readonly [number, number]): void {
    for (const { share, of } of this.quantiles) {
      const rank = share * (count - 1)
      const floor = Math.floor(rank)
      const [low, high] = at(floor)
      const below = low / this.scale
      const value = rank === floor ? below : below + (rank - floor) * (high / this.scale - below)
      of.push(rounded(value, 4))
    }
  }

  private putRest({
    count,
    sum,
    low,
    high,
    around,
  }: Record<'count' | 'sum' | 'low' | 'high' | 'around', number>): void {
    const { scale } = this
    const { mean, stddev, min, max, count: counted } = this.rest
    mean?.push(rounded(sum / scale / count, 6))
    stddev?.push(count < 2 ? null : rounded(Math.sqrt(around / (count - 1)) / scale, 6))
    min?.push(low / scale)
    max?.push(high / scale)
    counted?.push(count)
  }

  /** The smallest values in order, up to the highest rank needed. */
  private sorted(
    values: Values,
    from: number,
    to: number,
    count: number,
  ): (rank: number) => readonly [number, number] {
    const { small } = this
    const most = Math.min(count, Math.floor(this.highest * (count - 1)) + 2)
    let size = 0
    for (let i = from; i < to; i++) {
      const value = values[i]!
      if (size === most && value >= small[most - 1]!) continue
      let at = size < most ? size++ : most - 1
      for (; at > 0 && small[at - 1]! > value; at--) small[at] = small[at - 1]!
      small[at] = value
    }
    return rank => [small[rank]!, small[Math.min(rank + 1, most - 1)]!]
  }

  /** The value of a rank and the next: counts a few bits at a time until few values are left to sort. */
  private ranked(all: PairedValues, from: number, to: number, rank: number): readonly [number, number] {
    const { bins, low, small } = this
    // About eight values per bin, so usually one count suffices.
    const atOnce = Math.min(MOST_BITS, Math.max(8, 29 - Math.clz32(to - from)))
    let first = low
    let left = rank
    for (let known = this.bits; ; ) {
      const shift = Math.max(0, known - atOnce)
      const end = 1 << (known - shift)
      clearBins(bins, end)
      if (known === this.bits) countBins(bins, low, shift, all, from, to)
      else countBinsWithin(bins, first, 1 << known, shift, all, from, to)
      let bin = 0
      for (; left >= inBin(bins, bin); bin++) left -= inBin(bins, bin)
      const here = inBin(bins, bin)
      first += bin << shift
      known = shift
      // The next rank may be the minimum of a later bin.
      let next = bin
      if (left + 1 === here)
        do next++
        while (next < end && inBin(bins, next) === 0)
      const beyond = next === end
      if (shift === 0) return [first, beyond ? this.after(all.values, from, to, first) : first + next - bin]
      const many = next === bin || beyond ? here : here + inBin(bins, next)
      if (many >= FEW) continue
      collectWithin(small, first, (beyond ? 1 : next - bin + 1) << shift, all, from, to)
      this.order(many)
      const value = small[left]!
      return [value, beyond ? this.after(all.values, from, to, value) : small[left + 1]!]
    }
  }

  /** Sorts the first of the small values. */
  private order(count: number): void {
    const { small } = this
    for (let i = 1; i < count; i++) {
      const value = small[i]!
      let at = i
      for (; at > 0 && small[at - 1]! > value; at--) small[at] = small[at - 1]!
      small[at] = value
    }
  }

  /** The smallest greater value. */
  private after(values: Values, from: number, to: number, value: number): number {
    let next = Number.POSITIVE_INFINITY
    for (let i = from; i < to; i++) {
      const other = values[i]!
      if (other > value && other < next) next = other
    }
    return next === Number.POSITIVE_INFINITY ? value : next
  }
}
