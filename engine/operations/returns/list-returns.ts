import type { RiskTerms } from '../risk/terms.ts'
import type { BondPeriod } from './bond-returns.ts'
import type { Weighting } from './return-params.ts'

/** Least share of the weights, in percent, that a return of a list stands on. */
export const LEAST_COVERED = 50

/** A bond of a list with its period. */
export interface Member {
  readonly id: string
  readonly terms: Pick<RiskTerms, 'outstanding'>
  readonly period: BondPeriod
}

/** One period of a list, in percent. */
export interface ListPeriod {
  readonly bonds: number
  readonly total: number | null
  readonly price: number | null
  readonly treasury: number | null
  readonly excess: number | null
  readonly covered: number | null
  readonly matched: number | null
  readonly turnover: number | null
  readonly reason: 'low_coverage' | 'no_start_price' | null
}

/** The weight of a bond at the start of a period; null if its size is unknown or it has no price. */
function weightOf({ terms, period }: Member, weighting: Weighting): number | null {
  if (period.start === null) return null
  if (weighting === 'equal') return 1
  if (terms.outstanding === null || !(terms.outstanding > 0)) return null
  if (weighting === 'par') return terms.outstanding
  return (terms.outstanding * (period.start.clean + (period.startAccrued ?? 0))) / 100
}

/** What the proceeds of redeemed bonds are held in until the next rebalancing. */
const CASH = ''

/**
 * Periods of a list that is rebalanced to its weights at the start of each. Bonds without a return in a period are
 * left out of it. Turnover is half the sum of the changes of all weights, from those that the last period left.
 */
export function listPeriods(
  byPeriod: readonly (readonly Member[])[],
  weighting: Weighting,
): readonly ListPeriod[] {
  let drifted: ReadonlyMap<string, number> | null = null
  return byPeriod.map(members => {
    const weighed = members.flatMap(member => {
      const weight = weightOf(member, weighting)
      return weight === null ? [] : [{ ...member, weight }]
    })
    const held = weighed.filter(({ period }) => period.total !== null)
    const all = sum(weighed.map(({ weight }) => weight))
    const whole = sum(held.map(({ weight }) => weight))
    const covered = all === 0 ? null : (100 * whole) / all
    if (covered === null || covered < LEAST_COVERED) {
      drifted = null
      const reason = covered === null ? 'no_start_price' : 'low_coverage'
      return { ...nothing, bonds: held.length, covered, reason }
    }
    const mean = (value: (period: BondPeriod) => number, of: typeof held = held, weights = whole) =>
      sum(of.map(({ weight, period }) => weight * value(period))) / weights
    const total = mean(period => period.total as number)
    const matched = held.filter(({ period }) => period.treasury !== null)
    const matchedWeight = sum(matched.map(({ weight }) => weight))
    const hasTreasuries = matchedWeight * 100 >= LEAST_COVERED * all
    const treasury = (of: BondPeriod) => of.treasury as number
    const turnover = drifted && turnoverOf(drifted, new Map(held.map(m => [m.id, m.weight / whole])))
    drifted = driftedFrom(held, whole, total)
    return {
      bonds: held.length,
      total,
      price: mean(period => period.price as number),
      treasury: hasTreasuries ? mean(treasury, matched, matchedWeight) : null,
      excess: hasTreasuries
        ? mean(period => (period.total as number) - treasury(period), matched, matchedWeight)
        : null,
      covered,
      matched: (100 * matchedWeight) / all,
      turnover,
      reason: null,
    }
  })
}

const nothing = {
  total: null,
  price: null,
  treasury: null,
  excess: null,
  matched: null,
  turnover: null,
} as const

/** The weights that a period leaves, of a list that returned `total` percent. */
function driftedFrom(
  held: readonly (Member & { weight: number })[],
  whole: number,
  total: number,
): ReadonlyMap<string, number> {
  const left = new Map<string, number>()
  for (const { id, weight, period } of held) {
    const share = ((weight / whole) * (1 + (period.total as number) / 100)) / (1 + total / 100)
    const isRedeemed = period.ending === 'matured' || period.ending === 'called'
    const key = isRedeemed ? CASH : id
    left.set(key, (left.get(key) ?? 0) + share)
  }
  return left
}

function turnoverOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  const ids = new Set([...before.keys(), ...after.keys()])
  return 50 * sum([...ids].map(id => Math.abs((after.get(id) ?? 0) - (before.get(id) ?? 0))))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
