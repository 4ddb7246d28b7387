import type { PricedBond } from './priced-bond.ts'
import type { RateMove } from './promised.ts'

/** A move of the Treasury curve, in decimals: a parallel shift, and a twist about a pivot. */
export interface CurveScenario {
  readonly shift: number
  /** Rise of the 30-year spot rate less the 2-year one; negative flattens. */
  readonly twist: number
  /** Tenor in years that a twist leaves. */
  readonly pivot: number
}

/** The tenors between which a twist is linear in years; it is held beyond them. */
const TWIST_FROM = 2
const TWIST_TO = 30

const within = (years: number): number => Math.min(Math.max(years, TWIST_FROM), TWIST_TO)

/** The move of a spot rate by tenor. */
function curveMove({ shift, twist, pivot }: CurveScenario): RateMove {
  const slope = twist / (TWIST_TO - TWIST_FROM)
  return years => shift + slope * (within(years) - within(pivot))
}

/** What a scenario does to a bond, as shares of its dirty price today. */
export interface ScenarioEffect {
  /** Dirty, per 100 par, after both moves. */
  readonly dirty: number
  readonly full: number
  /** The curve alone, and the spread alone. */
  readonly rates: number
  readonly spread: number
  /** By duration and convexity along the scenario. */
  readonly estimate: number
}

/** Moves by this share of a scenario, and at least this far in decimals, give its durations. */
const SMALL_SHARE = 0.1
const LEAST_MOVE = 0.001

/**
 * A bond valued in full after a move of the curve and a shock of its spread, beside the estimate by duration and
 * convexity: first and second differences along the scenario.
 */
export function scenarioEffect(
  bond: PricedBond,
  spread: number,
  scenario: CurveScenario,
  shock: number,
): ScenarioEffect {
  const value = bond.dirty(spread)
  const move = curveMove(scenario)
  const share = (dirty: number) => dirty / value - 1
  const hasMove = scenario.shift !== 0 || scenario.twist !== 0
  const after = (times: number) => bond.dirty(spread + times * shock, years => times * move(years))
  const dirty = after(1)
  const size = Math.max(Math.abs(move(TWIST_FROM)), Math.abs(move(TWIST_TO)), Math.abs(shock))
  return {
    dirty,
    full: share(dirty),
    rates: hasMove ? share(bond.dirty(spread, move)) : 0,
    spread: shock === 0 ? 0 : share(bond.dirty(spread + shock)),
    estimate: size === 0 ? 0 : estimated(after, value, size),
  }
}

/** The second-order estimate of a move of that size, from small moves to both sides. */
function estimated(at: (times: number) => number, value: number, size: number): number {
  const h = Math.max(SMALL_SHARE, LEAST_MOVE / size)
  const [up, down] = [at(h), at(-h)]
  return ((up - down) / (2 * h) + (up + down - 2 * value) / (2 * h * h)) / value
}
