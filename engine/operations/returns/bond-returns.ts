import { elementAt } from '../../base/elements.ts'
import { accruedInterest, cashFlows } from '../../credit/bond.ts'
import { type Day, parseDay, settlementDay } from '../../credit/calendar.ts'
import { callsIn } from '../../credit/calls.ts'
import { receivedBy } from '../../credit/options/sinking.ts'
import {
  couponsPaid,
  type Holding,
  matchedFlowsReturn,
  redeemed,
  totalReturn,
  zeroOfDuration,
  zeroReturn,
} from '../../credit/returns.ts'
import type { Bond } from '../../credit/terms.ts'
import type { returnNullReasons, treasuryNullReasons } from '../../schema/resources/returns.ts'
import type { SpotDays } from '../risk/spot-days.ts'
import type { RiskTerms } from '../risk/terms.ts'
import { lastFlow, promised, termsOf } from '../risk/value-bonds.ts'
import { type Periods, pairsOf } from './periods.ts'
import type { PricePoint } from './price-point.ts'
import type { TreasuryMatch } from './return-params.ts'

type NullReason = (typeof returnNullReasons)[number]
type TreasuryNullReason = (typeof treasuryNullReasons)[number]

/** How a bond ended: redeemed at a price, null if no source tells it. */
interface Ending {
  readonly kind: 'matured' | 'called'
  readonly day: Day
  readonly price: number | null
}

/** One period of one bond. Returns are in percent; null with a reason. */
export interface BondPeriod {
  readonly from: Day
  readonly to: Day
  readonly start: PricePoint | null
  readonly end: PricePoint | null
  readonly ending: Ending['kind'] | 'defaulted' | null
  readonly startAccrued: number | null
  readonly endAccrued: number | null
  readonly coupons: number | null
  /** Principal repaid before maturity, per 100 par outstanding at the start. */
  readonly repaid: number | null
  readonly total: number | null
  readonly price: number | null
  readonly reason: NullReason | null
  readonly treasury: number | null
  readonly treasuryReason: TreasuryNullReason | null
  /** Years of the matched zero, of a match by duration. */
  readonly zeroYears: number | null
}

export interface ReturnRules {
  readonly periods: Periods
  readonly maxStaleness: number
  readonly match: TreasuryMatch
  readonly asOf: Day
  readonly spots: SpotDays
}

/** The periods of a bond from its first price to its last or its end, and one after the last price if it goes on. */
export function bondPeriods(
  terms: RiskTerms,
  points: readonly PricePoint[],
  rules: ReturnRules,
): readonly BondPeriod[] {
  const ending = endingOf(terms, rules.asOf)
  return spansOf(points, ending, rules).map(span => returnOver(terms, span, ending, rules))
}

interface Span {
  readonly from: Day
  readonly to: Day
  readonly start: PricePoint | null
  readonly end: PricePoint | null
}

/** Pairs of prices, by price or by period. */
function spansOf(
  points: readonly PricePoint[],
  ending: Ending | null,
  { periods, asOf }: ReturnRules,
): readonly Span[] {
  if (periods.ends === null) return spansByPrice(points, ending, periods, asOf)
  const byEnd = new Map(points.map(point => [point.at, point]))
  const spans = pairsOf(periods.ends).map(([from, to]) => ({
    from,
    to,
    start: byEnd.get(from) ?? null,
    end: byEnd.get(to) ?? null,
  }))
  const isPriced = ({ start, end }: Span) => start !== null || end !== null
  const first = spans.findIndex(({ start }) => start !== null)
  const last = spans.findLastIndex(isPriced)
  return first < 0
    ? []
    : spans.slice(first, last + 1).filter(({ from }) => ending === null || from < ending.day)
}

/** From each price to the next; the last to the end of the bond. */
function spansByPrice(
  points: readonly PricePoint[],
  ending: Ending | null,
  periods: Periods,
  asOf: Day,
): readonly Span[] {
  const [from, to] = [parseDay(periods.from), parseDay(periods.to)]
  const first = Math.max(
    0,
    points.findLastIndex(({ day }) => day <= from),
  )
  const spans: Span[] = points.slice(first + 1).map((end, i) => {
    const start = elementAt(points, first + i)
    return { from: start.day, to: end.day, start, end }
  })
  const last = points.at(-1)
  if (last && ending !== null && ending.day > last.day && ending.day <= Math.min(asOf, to))
    spans.push({ from: last.day, to: ending.day, start: last, end: null })
  return spans
}

/** How the bond has ended by a day: retired before maturity at the call price then in force, or matured at par. */
function endingOf({ retired_from, maturity, call_schedule }: RiskTerms, asOf: Day): Ending | null {
  if (retired_from !== null && (maturity === null || retired_from < maturity)) {
    const calls = call_schedule === null ? [] : (callsIn(call_schedule) ?? [])
    const inForce = calls.filter(({ day }) => day <= retired_from).at(-1)
    return { kind: 'called', day: retired_from, price: inForce?.price ?? null }
  }
  return maturity !== null && maturity <= asOf ? { kind: 'matured', day: maturity, price: 100 } : null
}

const none = {
  ending: null,
  startAccrued: null,
  endAccrued: null,
  coupons: null,
  repaid: null,
  total: null,
  price: null,
  treasury: null,
  treasuryReason: 'no_return',
  zeroYears: null,
} as const

function returnOver(terms: RiskTerms, span: Span, ending: Ending | null, rules: ReturnRules): BondPeriod {
  const without = (reason: NullReason, more: Partial<BondPeriod> = {}): BondPeriod => ({
    ...span,
    ...none,
    reason,
    ...more,
  })
  const { start } = span
  if (start === null) return without('no_start_price')
  const ends = ending !== null && ending.day <= span.to ? ending : null
  if (ends === null && span.end === null) return without('no_end_price')
  if (ends === null) {
    const end = span.end as PricePoint
    const price = 100 * (end.clean / start.clean - 1)
    if (rules.periods.ends === null && end.day - start.day > rules.maxStaleness)
      return without('gap', { price })
    return betweenPrices(terms, { ...span, start, end }, price, rules)
  }
  const kind = ends.kind
  const redemption = { at: ends.day, day: ends.day, duration: null, source: 'redemption', isFlat: false }
  if (start.isFlat || terms.status === 'defaulted') return without('defaulted_at_maturity')
  if (ends.price === null) return without('redemption_price_unknown', { ending: kind })
  const end = { ...redemption, clean: ends.price }
  const price = 100 * (end.clean / start.clean - 1)
  if (rules.periods.ends === null && ends.day - start.day > rules.maxStaleness)
    return without('gap', { end, ending: kind, price })
  const missing = termsMissing(terms, ends.day)
  if (missing !== null) return without(missing, { end, ending: kind, price })
  const bond = termsOf(terms)
  const settle = settlementDay(start.day)
  if (settle >= ends.day) return without('no_start_price', { end, ending: kind, price })
  const held = redeemed(bond, ends.day, ends.price)
  return formed({ ...span, start, end }, { terms, bond, settle, held, price, ending: kind, rules })
}

type PricedSpan = Span & { readonly start: PricePoint; readonly end: PricePoint }

function betweenPrices(terms: RiskTerms, span: PricedSpan, price: number, rules: ReturnRules): BondPeriod {
  const { start, end } = span
  // A trade in a bond's last days would settle after its maturity.
  const settle = Math.min(settlementDay(end.day), terms.maturity ?? Number.POSITIVE_INFINITY)
  const ending = end.isFlat ? 'defaulted' : null
  if (start.isFlat && end.isFlat)
    return {
      ...span,
      ...none,
      ending,
      reason: null,
      startAccrued: 0,
      endAccrued: 0,
      coupons: 0,
      repaid: 0,
      total: price,
      price,
      treasuryReason: 'no_duration',
    }
  const missing = termsMissing(terms, settle)
  if (missing !== null) return { ...span, ...none, ending, reason: missing, price }
  const bond = termsOf(terms)
  const held = { settle, clean: end.clean, accrued: end.isFlat ? 0 : accruedInterest(bond, settle) }
  return formed(span, { terms, bond, settle: settlementDay(start.day), held, price, ending, rules })
}

/** Why terms give no interest up to a day. */
function termsMissing(terms: RiskTerms, to: Day): 'floating' | 'no_terms' | null {
  if (terms.rate_structure === 'floating') return 'floating'
  if (terms.rate_structure === null || terms.coupon === null || terms.maturity === null) return 'no_terms'
  return to > lastFlow(terms) ? (terms.rate_structure === 'fixed_to_float' ? 'floating' : 'no_terms') : null
}

interface Formed {
  readonly terms: RiskTerms
  readonly bond: Bond
  /** Settlement of the start. */
  readonly settle: Day
  readonly held: Holding
  readonly price: number
  readonly ending: BondPeriod['ending']
  readonly rules: ReturnRules
}

/** A bond in default pays no coupons and has no accrued interest. */
function formed(span: PricedSpan, { terms, bond, settle, held, price, ending, rules }: Formed): BondPeriod {
  const { start, end } = span
  const bought = { settle, clean: start.clean, accrued: start.isFlat ? 0 : accruedInterest(bond, settle) }
  const flows = terms.sinking_schedule === null ? null : promised(terms, settle)
  if (terms.sinking_schedule !== null && flows === null)
    return { ...span, ...none, ending, reason: 'unusable_sinking_schedule', price }
  const received =
    start.isFlat || end.isFlat
      ? { coupons: 0, repaid: 0 }
      : flows === null
        ? { coupons: couponsPaid(bond, settle, held.settle), repaid: 0 }
        : receivedBy(flows, held.settle)
  const total = totalReturn(bought, held, received)
  const base = {
    ...span,
    ...none,
    ending,
    reason: null,
    startAccrued: bought.accrued,
    endAccrued: held.accrued,
    ...received,
    total,
    price,
  }
  const paid = () => flows ?? cashFlows(bond, settle)
  return { ...base, ...treasuryOf(terms, bond, { span, paid, from: settle, to: held.settle, rules }) }
}

interface Matched {
  readonly span: PricedSpan
  /** What the bond promises after the settlement of the start. */
  readonly paid: () => { readonly days: readonly Day[]; readonly amounts: readonly number[] }
  readonly from: Day
  readonly to: Day
  readonly rules: ReturnRules
}

function treasuryOf(
  { currency }: RiskTerms,
  bond: Bond,
  { span, paid, from, to, rules }: Matched,
): Pick<BondPeriod, 'treasury' | 'treasuryReason' | 'zeroYears'> {
  const without = (treasuryReason: TreasuryNullReason) => ({
    treasury: null,
    treasuryReason,
    zeroYears: null,
  })
  const { start, end } = span
  const { spots, match } = rules
  if (currency !== 'USD') return without('not_usd')
  if (start.isFlat || (match === 'duration' && start.duration === null)) return without('no_duration')
  const [before, after] = [spots.on(start.day), spots.on(end.day)]
  if (before === null || after === null) return without('no_curve')
  if (match === 'cash_flows') {
    if (!spots.reaches(start.day, (bond.maturity - from) / 365.25)) return without('outside_curve')
    const [bought, held] = [
      { settle: from, curve: before },
      { settle: to, curve: after },
    ]
    return { treasury: matchedFlowsReturn(paid(), bought, held), treasuryReason: null, zeroYears: null }
  }
  const zeroYears = zeroOfDuration(before, start.duration as number)
  if (!spots.reaches(start.day, zeroYears)) return without('outside_curve')
  return {
    treasury: zeroReturn(before, after, zeroYears, (to - from) / 365),
    treasuryReason: null,
    zeroYears,
  }
}
