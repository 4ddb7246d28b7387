// Indices below are within bounds by construction: checks would cost in the loops.

import type { PricedBond } from './priced-bond.ts'
import type { RateMove } from './promised.ts'

/** Smallest and largest spread that is searched, in decimals. */
const LEAST_SPREAD = -1
const MOST_SPREAD = 20
const MOST_ITERATIONS = 100

/**
 * The spread in decimals at which a bond is worth its dirty price; null if none is. The secant method on the log price,
 * which is nearly straight in the spread, within a bracket.
 */
export function spreadOfPrice(bond: PricedBond, dirty: number, guess = 0.01): number | null {
  if (!(dirty > 0) || !Number.isFinite(dirty)) return null
  const target = Math.log(dirty)
  const missAt = (spread: number) => Math.log(bond.dirty(spread)) - target
  let [low, high] = [LEAST_SPREAD, MOST_SPREAD]
  let [before, at] = [guess, guess + 0.001]
  let missBefore = missAt(before)
  if (Math.abs(missBefore) < 1e-13) return before
  if (missBefore > 0) low = before
  else high = before
  for (let n = 0; n < MOST_ITERATIONS; n++) {
    const miss = missAt(at)
    if (miss > 0) low = at
    else high = at
    const secant = at - (miss * (at - before)) / (miss - missBefore)
    if (Math.abs(miss) < 1e-13 || Math.abs(secant - at) < 1e-11) return Number.isFinite(secant) ? secant : at
    ;[before, missBefore] = [at, miss]
    at = secant > low && secant < high ? secant : (low + high) / 2
    if (high - low < 1e-12) return null
  }
  return null
}

export interface EffectiveRisk {
  /** Years: relative fall in dirty price per unit rise of all spot rates, at a constant spread. */
  readonly duration: number
  /** Years squared. */
  readonly convexity: number
}

/** Duration and convexity from two revaluations, with spot rates moved by plus and minus the shift (decimals). */
export function effectiveRisk(bond: PricedBond, spread: number, shift: number): EffectiveRisk {
  const [value, up, down] = [
    bond.dirty(spread),
    bond.dirty(spread, () => shift),
    bond.dirty(spread, () => -shift),
  ]
  return {
    duration: (down - up) / (2 * shift * value),
    convexity: (down + up - 2 * value) / (shift * shift * value),
  }
}

/** Years: relative fall in dirty price per unit rise of the spread. Differs from the effective one where coupons float. */
export const spreadDuration = (bond: PricedBond, spread: number, shift: number): number =>
  (bond.dirty(spread - shift) - bond.dirty(spread + shift)) / (2 * shift * bond.dirty(spread))

/** Tenors in years at which spot rates are moved one at a time. */
export const KEY_TENORS = [0.25, 0.5, 1, 2, 3, 5, 7, 10, 20, 30] as const

/**
 * The move of the key tenors before `count` by one and of the rest by nothing: linear between them, held beyond the
 * first and last. The difference of two adjacent moves is the triangular bump of a tenor.
 */
export function movedUpTo(tenors: readonly number[], count: number): RateMove {
  if (count === 0) return () => 0
  const [last, next] = [tenors[count - 1]!, tenors[count]]
  if (next === undefined) return () => 1
  return years => (years <= last ? 1 : years >= next ? 0 : (next - years) / (next - last))
}

/**
 * Years, by tenor: the duration to a triangular bump of the spot rates around it. The tenors move one after the other
 * from a fall of the shift to a rise, from the shortest up and from the longest down, and the mean of both is taken: so
 * the durations sum to the effective one, which moves all of them, also where options make the price bend.
 */
export function keyRateDurations(
  bond: PricedBond,
  spread: number,
  shift: number,
  tenors: readonly number[] = KEY_TENORS,
): number[] {
  const value = bond.dirty(spread)
  const counts = [...tenors.keys(), tenors.length]
  const fromShortest = counts.map(count => {
    const moved = movedUpTo(tenors, count)
    return bond.dirty(spread, years => shift * (2 * moved(years) - 1))
  })
  const fromLongest = counts.map(count => {
    const moved = movedUpTo(tenors, count)
    return bond.dirty(spread, years => shift * (1 - 2 * moved(years)))
  })
  const rise = (prices: readonly number[], key: number) => prices[key + 1]! - prices[key]!
  return tenors.map((_, key) => (rise(fromLongest, key) - rise(fromShortest, key)) / (4 * shift * value))
}
