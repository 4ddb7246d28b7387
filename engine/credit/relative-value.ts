// Indices below are within bounds by construction: checks would cost in the loops.

import { cashFlows, cleanPrice } from './bond.ts'
import type { Day } from './calendar.ts'
import type { CurveHistory } from './curve-history.ts'
import {
  type carryNullReasons,
  FEWEST_IN_CELL,
  FEWEST_OBSERVATIONS,
  SHORTEST_YEARS,
  type zNullReasons,
} from './curve-rules.ts'
import { type NelsonSiegel, spreadAt } from './nelson-siegel.ts'
import type { Bond } from './terms.ts'

/** A standard deviation below this, in basis points, gives no z-score: the bond's price is not its own. */
const LEAST_DEVIATION = 0.1

/** Past residuals of bonds as running mean and variance (Welford), one element a bond. */
export class ResidualHistory {
  readonly count: Int32Array
  readonly mean: Float64Array
  readonly #squares: Float64Array

  constructor(bonds: number) {
    this.count = new Int32Array(bonds)
    this.mean = new Float64Array(bonds)
    this.#squares = new Float64Array(bonds)
  }

  add(bond: number, residual: number): void {
    const n = ++this.count[bond]!
    const distance = residual - this.mean[bond]!
    this.mean[bond]! += distance / n
    this.#squares[bond]! += distance * (residual - this.mean[bond]!)
  }

  /** Sample standard deviation; NaN under two observations. */
  deviation(bond: number): number {
    const n = this.count[bond]!
    return n < 2 ? Number.NaN : Math.sqrt(this.#squares[bond]! / (n - 1))
  }
}

export type ZScore = { value: number; reason: null } | { value: null; reason: (typeof zNullReasons)[number] }

/** A residual in standard deviations from the mean of the bond's own past ones. */
export function zScore(residual: number, history: ResidualHistory, bond: number): ZScore {
  if (Number.isNaN(residual)) return { value: null, reason: 'no_residual' }
  if (history.count[bond]! < FEWEST_OBSERVATIONS) return { value: null, reason: 'few_observations' }
  const deviation = history.deviation(bond)
  if (deviation < LEAST_DEVIATION) return { value: null, reason: 'no_variation' }
  return { value: (residual - history.mean[bond]!) / deviation, reason: null }
}

/**
 * The percentile of every residual among those of its cell, 0 the richest and 100 the cheapest, ties in their middle;
 * and the number of residuals in its cell. NaN in cells with fewer than `FEWEST_IN_CELL`, without a cell (-1), and
 * where the residual is NaN.
 */
export function percentilesInCells(
  residual: Float64Array,
  cell: Int32Array,
  cells: number,
): { percentile: Float64Array; size: Int32Array } {
  const start = new Int32Array(cells + 1)
  const counts = (i: number) => cell[i]! >= 0 && !Number.isNaN(residual[i]!)
  for (let i = 0; i < cell.length; i++) if (counts(i)) start[cell[i]! + 1]!++
  for (let c = 0; c < cells; c++) start[c + 1]! += start[c]!
  const values = new Float64Array(start[cells]!)
  const next = start.slice()
  for (let i = 0; i < cell.length; i++) if (counts(i)) values[next[cell[i]!]!++] = residual[i]!
  for (let c = 0; c < cells; c++) values.subarray(start[c]!, start[c + 1]!).sort()
  const percentile = new Float64Array(cell.length).fill(Number.NaN)
  const size = new Int32Array(cell.length)
  for (let i = 0; i < cell.length; i++) {
    if (cell[i]! < 0) continue
    const [from, to] = [start[cell[i]!]!, start[cell[i]! + 1]!]
    size[i] = to - from
    if (!counts(i) || to - from < FEWEST_IN_CELL) continue
    const below = firstNotBelow(values, from, to, residual[i]!)
    const above = firstAbove(values, below, to, residual[i]!)
    percentile[i] = (100 * ((below + above - 1) / 2 - from)) / (to - from - 1)
  }
  return { percentile, size }
}

function firstNotBelow(values: Float64Array, from: number, to: number, value: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function firstAbove(values: Float64Array, from: number, to: number, value: number): number {
  let at = from
  while (at < to && values[at]! === value) at++
  return at
}

/** What a bond earns in a year if no curve moves, in basis points. */
export type CarryAndRoll = {
  /** Yield less the three-month Treasury yield: what holding it earns over its funding. */
  carry: number
  /** Gain in price, of the dirty price, from moving a year down the Treasury curve and the fitted spread curve. */
  rollDown: number
  /** The part of it that the spread curve gives. */
  spreadRollDown: number
}

/** A yielded bond: its terms, yield in percent, settlement and remaining years. */
export type Yielded = { bond: Bond; ytm: number; settle: Day; years: number }

/** The tenor, in years, of the Treasury yield at which a bond is taken to be funded. */
const FUNDING_YEARS = 0.25
const YEAR_DAYS = 365

/**
 * Carry and roll-down over a year: the bond is repriced a year on at its yield, and at its yield less what Treasury
 * curve and spread curve fall between its maturity and a year less. Its residual stays. The Treasury curve is that of
 * `day`, the day of the price.
 */
export function carryAndRoll(
  { bond, ytm, settle, years }: Yielded,
  curve: NelsonSiegel | null,
  treasury: CurveHistory,
  day: Day,
): { value: CarryAndRoll; reason: null } | { value: null; reason: (typeof carryNullReasons)[number] } {
  if (curve === null) return { value: null, reason: 'no_residual' }
  if (years < SHORTEST_YEARS + 1) return { value: null, reason: 'under_two_years' }
  const funding = treasury.interpolateAt(day, FUNDING_YEARS)
  const parFall = treasury.interpolateAt(day, years) - treasury.interpolateAt(day, years - 1)
  if (Number.isNaN(parFall) || Number.isNaN(funding)) return { value: null, reason: 'no_treasury_curve' }
  const spreadFall = (spreadAt(curve, years) - spreadAt(curve, years - 1)) / 100
  const later = settle + YEAR_DAYS
  const dirty = cleanPrice(bond, ytm, settle) + cashFlows(bond, settle).accrued
  const unchanged = cleanPrice(bond, ytm, later)
  const gain = (fall: number) => ((cleanPrice(bond, ytm - fall, later) - unchanged) / dirty) * 10_000
  const value = {
    carry: (ytm - funding) * 100,
    rollDown: gain(parFall + spreadFall),
    spreadRollDown: gain(spreadFall),
  }
  return Number.isFinite(value.rollDown) ? { value, reason: null } : { value: null, reason: 'no_price' }
}
