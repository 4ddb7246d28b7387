// Indices below are within bounds by construction: checks would cost in the loops.

import type { Day } from './calendar.ts'
import { type CurvePoint, FEWEST_CURVE_POINTS, isWithinReach, linear, type ParCurve } from './curve.ts'

/** A day without a curve uses the last one no older than this. */
export const OLDEST_CURVE_DAYS = 7

/** Par yields by day: ascending `days`, one row per tenor, tenors ascending within a day. */
export type CurveRows = { day: ArrayLike<number>; tenorYears: ArrayLike<number>; ratePct: ArrayLike<number> }

/** Every day's par curve, with lookups fast enough to run per price. A day with a single point has no curve. */
export class CurveHistory {
  /** The days that have a curve, ascending. */
  readonly days: Int32Array
  readonly #starts: Int32Array
  readonly #tenorYears: Float64Array
  readonly #ratePct: Float64Array
  #cursor = 0

  constructor(rows: CurveRows) {
    const days: number[] = []
    const starts: number[] = []
    const tenorYears: number[] = []
    const ratePct: number[] = []
    /** Removes the last day if it has too few points for a curve. */
    const dropThin = () => {
      const start = starts.at(-1)
      if (start === undefined || tenorYears.length - start >= FEWEST_CURVE_POINTS) return
      days.pop()
      starts.pop()
      tenorYears.length = start
      ratePct.length = start
    }
    for (let i = 0; i < rows.day.length; i++) {
      const [day, years, rate] = [rows.day[i]!, rows.tenorYears[i]!, rows.ratePct[i]!]
      if (!Number.isFinite(rate)) continue
      const newest = days.at(-1)
      if (newest !== undefined && (day < newest || (day === newest && years <= tenorYears.at(-1)!)))
        throw new RangeError('curve rows must rise by day, and by tenor within a day')
      if (day !== newest) {
        dropThin()
        days.push(day)
        starts.push(tenorYears.length)
      }
      tenorYears.push(years)
      ratePct.push(rate)
    }
    dropThin()
    this.days = Int32Array.from(days)
    this.#starts = Int32Array.from([...starts, tenorYears.length])
    this.#tenorYears = Float64Array.from(tenorYears)
    this.#ratePct = Float64Array.from(ratePct)
  }

  /** Index of the last curve at or before the day that is not too old, or -1. */
  #find(day: Day): number {
    const { days } = this
    let at = this.#cursor
    // Prices usually come sorted by day, so the last result is tried first.
    if (!(days[at]! <= day && (at + 1 === days.length || days[at + 1]! > day))) {
      let [low, high] = [0, days.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (days[middle]! <= day) low = middle + 1
        else high = middle
      }
      at = low - 1
    }
    if (at < 0) return -1
    this.#cursor = at
    return day - days[at]! <= OLDEST_CURVE_DAYS ? at : -1
  }

  /** The day of the curve used for a day: the last at or before it, at most 7 days old; else null. */
  servingDay(day: Day): Day | null {
    const at = this.#find(day)
    return at < 0 ? null : this.days[at]!
  }

  /** The last curve at or before the day, at most 7 days old, with its day; else null. */
  at(day: Day): (ParCurve & { day: Day }) | null {
    const at = this.#find(day)
    if (at < 0) return null
    const [from, to] = [this.#starts[at]!, this.#starts[at + 1]!]
    return {
      day: this.days[at]!,
      tenorYears: [...this.#tenorYears.subarray(from, to)],
      ratePct: [...this.#ratePct.subarray(from, to)],
    }
  }

  /** Tenors, in years, of the curve used for the day; empty if there is none. */
  tenorsAt(day: Day): number[] {
    return this.at(day)?.tenorYears.slice() ?? []
  }

  /** Par yield in percent at a maturity in years on a day; NaN where no curve exists or reaches that far. */
  interpolateAt(day: Day, years: number): number {
    const at = this.#find(day)
    if (at < 0) return Number.NaN
    const [from, to] = [this.#starts[at]!, this.#starts[at + 1]!]
    if (!isWithinReach(this.#tenorYears, from, to, years)) return Number.NaN
    return linear(this.#tenorYears, this.#ratePct, from, to, years)
  }

  /** As `interpolateAt`, with whether the maturity is outside that day's tenors. */
  pointAt(day: Day, years: number): CurvePoint | null {
    const at = this.#find(day)
    const ratePct = this.interpolateAt(day, years)
    if (at < 0 || Number.isNaN(ratePct)) return null
    const [first, last] = [this.#tenorYears[this.#starts[at]!]!, this.#tenorYears[this.#starts[at + 1]! - 1]!]
    return { ratePct, isExtrapolated: years < first || years > last }
  }
}
