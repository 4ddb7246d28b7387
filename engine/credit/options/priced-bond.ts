// Indices below are within bounds by construction: checks would cost in the loops.

import type { Day } from '../calendar.ts'
import { type SpotCurve, spotRate } from '../curve.ts'
import type { Bond } from '../terms.ts'
import type { HullWhite, Lattice, LevelTerms } from './lattice.ts'
import { movedDiscount, type PromisedFlows, principalAt, type RateMove, unmoved } from './promised.ts'
import { accruedOn, type ExerciseRight, exercisesAhead } from './rights.ts'

/** A bond ready to be valued again and again, at spreads and after moves of the curve. */
export interface PricedBond {
  readonly accrued: number
  /** Dirty, per 100 par; the spread in decimals over spot rates, both compounded twice a year. */
  dirty(spread: number, move?: RateMove): number
}

/** The bond without options: its flows discounted. Floating flows follow the move. */
export const withoutOptions = (
  flows: PromisedFlows | ((move: RateMove) => PromisedFlows),
  curve: SpotCurve,
): PricedBond => {
  const still = typeof flows === 'function' ? flows(unmoved) : flows
  return {
    accrued: still.accrued,
    dirty(spread, move = unmoved) {
      const { settle, days, amounts } = typeof flows === 'function' && move !== unmoved ? flows(move) : still
      let value = 0
      for (let i = 0; i < days.length; i++)
        value += amounts[i]! * movedDiscount(curve, (days[i]! - settle) / 365, spread, move)
      return value
    },
  }
}

export interface LatticeModel extends HullWhite {
  /** About so many steps from settlement to maturity. */
  readonly steps: number
}

export interface OptionTerms {
  readonly bond: Bond
  readonly flows: PromisedFlows
  readonly calls: ExerciseRight | null
  readonly puts: ExerciseRight | null
}

/** Arrays that bonds reuse one after the other: a bond is valid until the next one is laid out. */
export interface LatticeScratch extends LevelTerms {
  readonly lattice: Lattice
  payment: Float64Array
  ceiling: Float64Array
  floor: Float64Array
  growth: Float64Array
  discount: Float64Array
}

export const latticeScratch = (lattice: Lattice): LatticeScratch => ({
  lattice,
  payment: new Float64Array(0),
  ceiling: new Float64Array(0),
  floor: new Float64Array(0),
  growth: new Float64Array(0),
  discount: new Float64Array(0),
})

/**
 * The bond with its options, on a lattice calibrated to the curve. Levels fall on every payment and exercise date. Null
 * if no option is ahead. Exercise on a coupon day is after the coupon.
 */
export function withOptions(
  { bond, flows, calls, puts }: OptionTerms,
  curve: SpotCurve,
  { steps, ...model }: LatticeModel,
  scratch: LatticeScratch,
): PricedBond | null {
  const { settle, days } = flows
  const maturity = days.at(-1)!
  const callsAhead = calls === null ? [] : exercisesAhead(calls, settle, maturity)
  const putsAhead = puts === null ? [] : exercisesAhead(puts, settle, maturity)
  if (callsAhead.length === 0 && putsAhead.length === 0) return null
  const events = [...new Set([...days, ...callsAhead.map(c => c.day), ...putsAhead.map(p => p.day)])].sort(
    (a, b) => a - b,
  )
  const { lattice } = scratch
  const levels = lattice.layOut(
    events.map(day => day - settle),
    steps,
    model,
  )
  reserve(scratch, lattice.steps + 1)
  const { payment, ceiling, floor, growth, discount } = scratch
  const size = lattice.steps + 1
  payment.fill(0, 0, size)
  ceiling.fill(Number.POSITIVE_INFINITY, 0, size)
  floor.fill(Number.NEGATIVE_INFINITY, 0, size)
  const levelOf = new Map(events.map((day, i) => [day, levels[i]!]))
  for (const [i, day] of days.entries()) payment[levelOf.get(day)!] = flows.amounts[i]!
  const accrual = accrualByLevel(bond, flows, levelOf, lattice)
  if (calls !== null) setPrices(ceiling, calls, callsAhead, levelOf, lattice.steps, accrual)
  if (puts !== null) setPrices(floor, puts, putsAhead, levelOf, lattice.steps, accrual)
  for (let i = 0; i < size; i++) growth[i] = Math.exp(spotRate(curve, lattice.years[i]!) / 200)
  return {
    accrued: flows.accrued,
    dirty(spread, move = unmoved) {
      for (let i = 0; i < size; i++) {
        const years = lattice.years[i]!
        const moved = growth[i]! + (spread + move(years)) / 2
        discount[i] = Math.exp(-2 * years * Math.log(Math.max(moved, 1e-4)))
      }
      return lattice.value(discount, scratch)
    },
  }
}

function reserve(scratch: LatticeScratch, size: number): void {
  if (scratch.payment.length >= size) return
  for (const name of ['payment', 'ceiling', 'floor', 'growth', 'discount'] as const)
    scratch[name] = new Float64Array(2 * size)
}

interface Accrual {
  /** Per 100 par at settlement, after the level's payment. */
  readonly accrued: Float64Array
  readonly balance: Float64Array
}

/** Accrued interest and par outstanding at every level: exact on event days, even between them. */
function accrualByLevel(
  bond: Bond,
  flows: PromisedFlows,
  levelOf: ReadonlyMap<Day, number>,
  { steps, years }: Lattice,
): Accrual {
  const accrued = new Float64Array(steps + 1)
  const balance = new Float64Array(steps + 1)
  const events = [...levelOf.keys()]
  const onDays = accruedOn(bond, flows.settle, events)
  let [at, from, started] = [0, 0, flows.accrued]
  for (const [n, day] of events.entries()) {
    const to = levelOf.get(day)!
    const share = flows.balances[at]! / 100
    const isPaid = day === flows.days[at]
    const ended = isPaid ? (flows.amounts[at]! - principalAt(flows, at)) / share : onDays[n]!
    const [start, end] = [years[from]!, years[to]!]
    for (let i = from; i < to; i++) {
      balance[i] = share
      accrued[i] = share * (started + ((ended - started) * (years[i]! - start)) / (end - start))
    }
    if (isPaid) at = Math.min(at + 1, flows.days.length - 1)
    ;[from, started] = [to, isPaid ? 0 : ended]
  }
  return { accrued, balance }
}

/** Dirty redemption prices at the levels where a right can be exercised. */
function setPrices(
  prices: Float64Array,
  { style }: ExerciseRight,
  ahead: readonly { readonly day: Day; readonly price: number }[],
  levelOf: ReadonlyMap<Day, number>,
  steps: number,
  { accrued, balance }: Accrual,
): void {
  for (const [n, { day, price }] of ahead.entries()) {
    const from = levelOf.get(day)!
    const next = ahead[n + 1]
    const to = style !== 'american' ? from + 1 : next ? levelOf.get(next.day)! : steps
    for (let i = from; i < to; i++) prices[i] = price * balance[i]! + accrued[i]!
  }
}
