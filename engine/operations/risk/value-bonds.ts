import { bond } from '../../credit/bond.ts'
import { addMonths, type Day, settlementDay } from '../../credit/calendar.ts'
import { callsIn } from '../../credit/calls.ts'
import { parYieldAt, type SpotCurve } from '../../credit/curve.ts'
import type { CurveHistory } from '../../credit/curve-history.ts'
import { Lattice } from '../../credit/options/lattice.ts'
import { spreadOfPrice } from '../../credit/options/measures.ts'
import {
  type LatticeModel,
  latticeScratch,
  type PricedBond,
  withOptions,
  withoutOptions,
} from '../../credit/options/priced-bond.ts'
import { type FixedFlows, floatingFlows, promisedFlows } from '../../credit/options/promised.ts'
import { type ExerciseRight, type ExerciseStyle, exercisesAhead } from '../../credit/options/rights.ts'
import { type Repayment, repaymentsIn, sinkingFlows } from '../../credit/options/sinking.ts'
import type { Bond, Frequency, Redemption } from '../../credit/terms.ts'
import type { SpotDays } from './spot-days.ts'
import { type FiledCalls, ownSchedule, type RiskTerms } from './terms.ts'

/** Where the call terms that are used come from. */
export const optionSources = ['bond', 'instrument', 'given', 'none', 'unknown'] as const
export type OptionSource = (typeof optionSources)[number]

/** What a caller sets in place of what the lake knows. */
export interface RiskAssumptions {
  readonly model: LatticeModel
  readonly exercise: ExerciseStyle
  readonly calls?: readonly Redemption[] | undefined
  readonly puts?: readonly Redemption[] | undefined
  /** Clean. */
  readonly price?: number | undefined
  /** In decimals, to price the bond at. */
  readonly oas?: number | undefined
}

/** A bond that is worth its price at a spread, ready to be valued after moves of the curve. */
export interface ValuedBond {
  readonly settle: Day
  readonly curveDay: Day
  readonly curve: SpotCurve
  readonly clean: number
  /** With its options, or without where there are none or they are not known. */
  readonly priced: PricedBond
  readonly straight: PricedBond
  /** In decimals: the option-adjusted spread, or the Z-spread where options are not known. */
  readonly spread: number
  readonly zSpread: number | null
  readonly flowsTo: Day
  readonly options: OptionSource
  readonly calls: readonly Redemption[]
  readonly puts: readonly Redemption[]
  /** Steps of the lattice; null without one. */
  readonly steps: number | null
}

export type Valuation =
  | { readonly valued: ValuedBond; readonly reason: null }
  | { readonly valued: null; readonly reason: string }

const none = (reason: string): Valuation => ({ valued: null, reason })

/**
 * Values bonds one after the other on one lattice: a valuation is good until the next, as it shares its arrays. At the
 * day of its latest price; at the as-of day where a price or spread is given.
 */
export function bondValuer(
  { history: curves, spots }: { readonly history: CurveHistory; readonly spots: SpotDays },
  asOf: Day,
) {
  const scratch = latticeScratch(new Lattice())

  return (terms: RiskTerms, filed: FiledCalls | undefined, given: RiskAssumptions): Valuation => {
    const isGiven = given.price !== undefined || given.oas !== undefined
    const missing = termsMissing(terms) ?? (isGiven ? null : priceMissing(terms))
    if (missing !== null) return none(missing)
    const day = isGiven ? asOf : terms.price_day!
    const settle = settlementDay(day)
    const flowsTo = lastFlow(terms)
    if (settle >= flowsTo) return none('matured')
    const par = curves.at(day)
    const curve = spots.on(day)
    if (par === null || curve === null) return none('no_curve')
    if (parYieldAt(par, (flowsTo - settle) / 365.25) === null) return none('outside_curve')

    const rights = rightsOf(terms, filed, given)
    if (typeof rights === 'string') return none(rights)
    const flows = terms.rate_structure === 'floating' ? null : promised(terms, settle)
    if (flows === null && terms.rate_structure !== 'floating') return none('unusable_sinking_schedule')
    const straight = flows === null ? floatingNote(terms, settle, curve) : withoutOptions(flows, curve)
    const ahead = (right: ExerciseRight | null) =>
      right === null ? [] : exercisesAhead(right, settle, flowsTo)
    const [calls, puts] = [ahead(rights.calls), ahead(rights.puts)]
    const hasOptions = calls.length + puts.length > 0
    if (hasOptions && flows === null) return none('floating_with_option')
    const laidOut =
      hasOptions && flows !== null
        ? withOptions({ bond: termsOf(terms), flows, ...rights }, curve, given.model, scratch)
        : null
    const priced = laidOut ?? straight
    const clean =
      given.oas === undefined ? (given.price ?? terms.price!) : priced.dirty(given.oas) - priced.accrued
    const dirty = clean + priced.accrued
    const spread = given.oas ?? spreadOfPrice(priced, dirty)
    if (spread === null || !(dirty > 0)) return none('no_solution')
    return {
      reason: null,
      valued: {
        settle,
        curveDay: par.day,
        curve,
        clean,
        priced,
        straight,
        spread,
        zSpread: laidOut === null ? spread : spreadOfPrice(straight, dirty),
        flowsTo,
        options: rights.source,
        calls,
        puts,
        steps: laidOut === null ? null : scratch.lattice.steps,
      },
    }
  }
}

/** Why terms give no cash flows. */
function termsMissing({ status, is_active, currency, rate_structure, ...terms }: RiskTerms): string | null {
  if (status === 'defaulted') return 'defaulted'
  if (!is_active) return status === 'retired' ? 'retired' : 'matured'
  if (currency !== 'USD') return 'not_usd'
  if (terms.maturity === null || rate_structure === null) return 'no_terms'
  if (rate_structure === 'floating') {
    if (terms.sinking_schedule !== null) return 'floating_with_sinking'
    return terms.margin === null ? 'no_margin' : null
  }
  return terms.coupon === null ? 'no_terms' : null
}

/** Why there is no price to work from: none, or one without a reliable yield. */
function priceMissing({ price, yield_null_because: reason, rate_structure }: RiskTerms): string | null {
  if (price === null) return 'no_price'
  return rate_structure === 'floating' && reason === 'floating' ? null : reason
}

/** The day of the last payment valued: the last fixed one of a fixed-to-float bond, as in its yield. */
export const lastFlow = ({ rate_structure, last_fixed, maturity }: RiskTerms): Day =>
  rate_structure === 'fixed_to_float' ? (last_fixed ?? maturity!) : maturity!

/** The bond of terms that have a coupon and a maturity. */
export const termsOf = (terms: RiskTerms): Bond =>
  bond({
    coupon: terms.coupon!,
    maturity: lastFlow(terms),
    accrualStart: terms.accrual,
    firstCoupon: terms.first_coupon,
    ...(terms.frequency && { frequency: terms.frequency as Frequency }),
    ...(terms.day_count && { dayCount: terms.day_count }),
  })

/** The repayments of a bond before maturity; null if its schedule cannot be read. */
const repaymentsOf = ({ sinking_schedule }: RiskTerms): readonly Repayment[] | null =>
  sinking_schedule === null ? [] : repaymentsIn(sinking_schedule)

/** The flows of fixed coupons, with repayments before maturity; null if these do not fit the bond. */
export function promised(terms: RiskTerms, settle: Day): FixedFlows | null {
  const repayments = repaymentsOf(terms)
  if (repayments === null) return null
  const bond = termsOf(terms)
  return repayments.length === 0 ? promisedFlows(bond, settle) : sinkingFlows(bond, settle, repayments)
}

function floatingNote(terms: RiskTerms, settle: Day, curve: SpotCurve): PricedBond {
  const maturity = terms.maturity!
  const note = {
    maturity,
    frequency: (terms.frequency ?? 4) as Frequency,
    quotedMarginBps: terms.margin!,
    floorBps: terms.floor,
  }
  const isMonthEnd = addMonths(maturity, 0, true) === maturity
  const index = { settle, curve, currentCouponPct: null }
  return withoutOptions(move => floatingFlows(note, index, isMonthEnd, move), curve)
}

interface Rights {
  readonly calls: ExerciseRight | null
  readonly puts: ExerciseRight | null
  readonly source: OptionSource
}

/**
 * The calls and puts used, or why none can be: a bond known to have options on days that no source tells. One of which
 * only a make-whole call is known, which is left out, is valued to maturity.
 */
function rightsOf(terms: RiskTerms, filed: FiledCalls | undefined, given: RiskAssumptions): Rights | string {
  const right = (style: ExerciseStyle, dates: readonly Redemption[]) =>
    dates.length === 0 ? null : { style, dates }
  const putDates = given.puts ?? (terms.put_schedule === null ? [] : callsIn(terms.put_schedule))
  if (putDates === null) return 'no_put_schedule'
  const puts = right('bermudan', putDates)
  const from = (source: OptionSource, dates: readonly Redemption[]): Rights => ({
    calls: right(given.exercise, dates),
    puts,
    source,
  })
  if (given.calls !== undefined) return from('given', given.calls)
  const schedule = ownSchedule(terms)
  const own = schedule === null ? null : callsIn(schedule)
  if (own !== null) return from('bond', own)
  if (filed?.dates && terms.callable !== false) return from('instrument', filed.dates)
  if ((terms.callable ?? filed?.callable) && terms.make_whole_bps === null) return 'no_call_schedule'
  return from((terms.callable ?? filed?.callable) === false ? 'none' : 'unknown', [])
}
