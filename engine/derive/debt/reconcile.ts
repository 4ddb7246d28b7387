import { largest } from '../../base/lists.ts'
import { borrowings, conceptsUnder } from '../statements/borrowings.ts'
import type { Role } from './amounts.ts'
import type { TaggedInstrument } from './tagged-instruments.ts'

/** A tagged figure of the whole company. */
export interface CompanyFigure {
  readonly concept: string
  readonly value: number
}

/** The company's own debt at the balance date. */
export interface CompanyDebt {
  /** Tagged total debt, with finance leases; null where the lines do not cover it. */
  readonly total: number | null
  readonly terms: readonly CompanyFigure[]
  /** Figures under names of the filer. */
  readonly own: readonly CompanyFigure[]
  /** What instruments state in other currencies, added up as tagged: some filers tag the wrong unit. */
  readonly inOtherUnits: CompanyFigure | undefined
  lookup(concept: string): CompanyFigure | undefined
}

/** Which figures of the instruments are added up. */
export type Basis = keyof typeof BASES

/** A line between the sum of the instruments and the tagged total. */
export interface Adjustment {
  readonly item:
    | 'finance_leases'
    | 'unamortized_discount'
    | 'hedge_adjustment'
    | 'line_without_instruments'
    | 'tagged_in_other_unit'
  readonly value: number
  readonly concept: string
}

export interface Reconciliation {
  readonly basis: Basis
  /** The figure of each instrument in the sum, in the order given; null if it has none. */
  readonly counted: readonly (number | null)[]
  readonly sum: number
  readonly adjustments: readonly Adjustment[]
  /** Tagged total less the sum and the adjustments; null without a total. */
  readonly difference: number | null
}

/** The figures that are tried for each instrument, in order. A pair is added up. */
const BASES = {
  carrying_amount: [['whole'], ['noncurrent', 'current'], ['noncurrent'], ['current']],
  carrying_amount_in_parts: [
    ['whole', 'current'],
    ['whole'],
    ['noncurrent', 'current'],
    ['noncurrent'],
    ['current'],
  ],
  amount_owed: [['stated'], ['whole'], ['noncurrent', 'current'], ['noncurrent'], ['current']],
  principal: [['principal'], ['stated'], ['whole'], ['noncurrent', 'current'], ['noncurrent'], ['current']],
  carrying_amount_or_principal: [
    ['whole'],
    ['noncurrent', 'current'],
    ['noncurrent'],
    ['current'],
    ['stated'],
    ['principal'],
  ],
} as const satisfies Record<string, readonly (readonly Role[])[]>

/** Bases of figures that may be before discounts and issuance costs. */
const GROSS: ReadonlySet<string> = new Set([
  'carrying_amount',
  'carrying_amount_in_parts',
  'amount_owed',
  'principal',
])

const { leases, leasesNoncurrent, leasesCurrent, shortTerm, longTerm } = borrowings
const LEASES: ReadonlySet<string> = new Set([leases, leasesNoncurrent, leasesCurrent].flatMap(conceptsUnder))
const leaseLines: readonly (readonly string[])[] = [leases, leasesNoncurrent, leasesCurrent].map(
  conceptsUnder,
)
/** Lines of the company that name a kind of debt, and short-term borrowings; the finest first. */
const LINES: readonly string[] = [
  ...conceptsUnder(shortTerm).slice(1),
  ...conceptsUnder(longTerm).slice(1),
  ...conceptsUnder(borrowings.fromRelatedParties),
  'us-gaap:LoansAndNotesPayable',
  ...conceptsUnder(shortTerm).slice(0, 1),
]
const DISCOUNTS: readonly string[] = [
  'us-gaap:DebtInstrumentUnamortizedDiscountPremiumAndDebtIssuanceCostsNet',
  'us-gaap:DebtInstrumentUnamortizedDiscountPremiumNet',
  'us-gaap:DebtInstrumentUnamortizedDiscount',
  'us-gaap:UnamortizedDebtIssuanceExpense',
  'us-gaap:DeferredFinanceCostsNet',
]
const HEDGES: readonly string[] = ['us-gaap:HedgedLiabilityFairValueHedgeCumulativeIncreaseDecrease']

/** Concepts of the whole company that a reconciliation reads, beside those of its debt. */
export const reconcilingConcepts: readonly string[] = [...LEASES, ...LINES, ...DISCOUNTS, ...HEDGES]

/** The figure of an instrument on a basis, at the balance date. */
export function amountOn(basis: Basis, { facts, day }: TaggedInstrument): number | null {
  for (const roles of BASES[basis]) {
    const values = roles
      .map(role => facts.get(role))
      .map(fact => (fact?.end === day ? fact.value : undefined))
    if (values.every(value => value !== undefined))
      return values.reduce((sum: number, value) => sum + value!, 0)
  }
  return null
}

/** Adds the instruments up on each basis and keeps the sum nearest to the tagged total. */
export function reconcile(instruments: readonly TaggedInstrument[], company: CompanyDebt): Reconciliation {
  const readings = (Object.keys(BASES) as Basis[]).flatMap(basis =>
    (GROSS.has(basis) ? [false, true] : [false]).map(isGross =>
      withoutRepeats(instruments, {
        company,
        basis,
        isGross,
        counted: instruments.map(each => (each.standing === 'counted' ? amountOn(basis, each) : null)),
      }),
    ),
  )
  const adding = readings.filter(({ counted }) => counted.some(value => value !== null))
  return nearest(adding.length > 0 ? adding : readings)
}

/** The first of those whose difference is smallest. */
const nearest = (readings: readonly Reconciliation[]): Reconciliation =>
  readings.reduce((best, each) =>
    Math.abs(each.difference ?? 0) < Math.abs(best.difference ?? 0) * 0.999 ? each : best,
  )

interface Reading {
  readonly company: CompanyDebt
  readonly basis: Basis
  readonly isGross: boolean
  readonly counted: readonly (number | null)[]
}

/** A line fits into a difference that it exceeds by no more than this share of total debt. */
const FITS = 0.01

const added = (values: readonly (number | null)[]): number =>
  values.reduce((sum: number, value) => sum + (value ?? 0), 0)

/** The nearer of two readings: lines without instruments fill the difference before or after the adjustment of hedged debt. */
function read(instruments: readonly TaggedInstrument[], reading: Reading): Reconciliation {
  const hedge = hedgeOf(reading.company)
  const before = readLines(instruments, reading)
  return hedge && reading.company.total !== null
    ? nearest([before, readLines(instruments, reading, hedge)])
    : before
}

/** The cumulative adjustment of hedged debt, under the shared name or the filer's own. */
const hedgeOf = ({ lookup, own }: CompanyDebt): CompanyFigure | undefined =>
  HEDGES.map(concept => lookup(concept)).find(figure => figure) ??
  own.find(
    ({ concept }) => !concept.startsWith('us-gaap:') && /debt.{0,60}fairvaluehedgeadjustment/i.test(concept),
  )

function readLines(
  instruments: readonly TaggedInstrument[],
  { company, basis, isGross, counted }: Reading,
  hedge?: CompanyFigure,
): Reconciliation {
  const sum = added(counted)
  const { total, terms } = company
  const adjustments: Adjustment[] = terms
    .filter(({ concept }) => LEASES.has(concept))
    .map(({ concept, value }) => ({ item: 'finance_leases', value, concept }))
  const left = () => (total === null ? null : total - sum - added(adjustments.map(({ value }) => value)))
  if (isGross)
    for (const each of discounts(company, instruments))
      adjustments.push(isPremium(each, left()) ? opposite(each) : each)
  if (hedge) adjustments.push({ item: 'hedge_adjustment', value: hedge.value, concept: hedge.concept })
  const addIfItFits = (item: Adjustment['item'], figure: CompanyFigure | undefined): boolean => {
    const gap = left()
    if (!figure || gap === null || figure.value <= 0 || figure.value > gap + FITS * total!) return false
    adjustments.push({ item, value: figure.value, concept: figure.concept })
    return true
  }
  if (adjustments.every(({ item }) => item !== 'finance_leases')) addLeases(company, addIfItFits)
  addLines(instruments, counted, company, addIfItFits)
  addIfItFits('tagged_in_other_unit', company.inOtherUnits)
  const other = hedge ? undefined : hedgeOf(company)
  const gap = left()
  if (other && gap !== null && Math.abs(gap - other.value) < Math.abs(gap))
    adjustments.push({ item: 'hedge_adjustment', value: other.value, concept: other.concept })
  return { basis, counted, sum, adjustments, difference: left() }
}

/** More groups of figures than this are not tried in all combinations. */
const MOST_GROUPS = 8
/** Figures of a debt table may exceed the tagged total by discounts and hedges of this share. */
const ABOVE = 0.02

/**
 * Texts repeat figures of the debt table under other names and concepts. If all together exceed the tagged total,
 * groups of figures alike in concept and axes are left out that bring the sum down to it.
 */
function withoutRepeats(instruments: readonly TaggedInstrument[], reading: Reading): Reconciliation {
  const whole = read(instruments, reading)
  const { total } = reading.company
  if (total === null || whole.difference === null || whole.difference >= -ABOVE * total) return whole
  const shapes = [...new Set(instruments.filter((_, i) => reading.counted[i]).map(({ shape }) => shape))]
  if (shapes.length < 2 || shapes.length > MOST_GROUPS) return whole
  const others: Reconciliation[] = []
  for (let left = 1; left < (1 << shapes.length) - 1; left++) {
    const counted = reading.counted.map((value, i) =>
      left & (1 << shapes.indexOf(instruments[i]!.shape)) && value !== null && value !== 0 ? null : value,
    )
    others.push(read(instruments, { ...reading, counted }))
  }
  const near = others.filter(({ difference }) => Math.abs(difference!) <= CLOSE * total)
  const best = near.length > 0 ? leavingOutFewest(near) : nearest([whole, ...others])
  return Math.abs(best.difference!) <= ABOVE * total ? best : whole
}

/** Sums this near to the tagged total, as a share of it, are told apart by how much they leave out. */
const CLOSE = 0.002

/** A text repeats few figures: of sums that are all near, the one of most instruments, and of these the nearest. */
function leavingOutFewest(readings: readonly Reconciliation[]): Reconciliation {
  const sizes = readings.map(({ counted }) => counted.filter(value => value !== null).length)
  const most = largest(sizes)
  return nearest(readings.filter((_, i) => sizes[i] === most))
}

type AddIfItFits = (item: Adjustment['item'], figure: CompanyFigure | undefined) => boolean

/** Finance leases inside a line of debt and leases. */
function addLeases({ lookup }: CompanyDebt, add: AddIfItFits): void {
  const [all, ...parts] = leaseLines.map(names => names.map(name => lookup(name)).find(figure => figure))
  if (!add('finance_leases', all)) for (const part of parts) add('finance_leases', part)
}

/** Lines of the balance sheet or its notes that no instrument stands for. */
function addLines(
  instruments: readonly TaggedInstrument[],
  counted: readonly (number | null)[],
  { lookup }: CompanyDebt,
  add: AddIfItFits,
): void {
  const those = instruments.filter((_, i) => counted[i] !== null && counted[i] !== 0)
  const covered = new Set(those.flatMap(({ facts }) => [...facts.values()].map(({ concept }) => concept)))
  const hasPaper = those.some(({ named }) => named.type === 'commercial_paper')
  for (const concept of LINES)
    if (!covered.has(concept) && !(hasPaper && /CommercialPaper/.test(concept)))
      add('line_without_instruments', lookup(concept))
}

/** A discount tagged as negative may be a premium: then it fills the gap. */
const isPremium = ({ value }: Adjustment, gap: number | null): boolean =>
  value > 0 && gap !== null && Math.abs(gap + value) < Math.abs(gap - value)
const opposite = (each: Adjustment): Adjustment => ({ ...each, value: -each.value })

/** Discounts and issuance costs, as negative amounts; premiums net of them as positive ones. */
function discounts({ lookup, own }: CompanyDebt, instruments: readonly TaggedInstrument[]): Adjustment[] {
  const found = DISCOUNTS.map(concept => lookup(concept))
  const [all, net, discount, costs, deferred] = found
  const one = (figure: CompanyFigure | undefined, isNet: boolean): Adjustment[] =>
    figure
      ? [
          {
            item: 'unamortized_discount',
            value: isNet ? -figure.value : -Math.abs(figure.value),
            concept: figure.concept,
          },
        ]
      : []
  if (all) return one(all, true)
  const standard = [...one(net, true), ...(net ? [] : one(discount, false)), ...one(costs ?? deferred, false)]
  if (standard.length > 0) return standard
  const filers = one(
    own.find(({ concept }) => isOwnDiscount(concept)),
    false,
  )
  if (filers.length > 0) return filers
  const ofInstruments = (isCounted: boolean) =>
    instruments
      .filter(({ standing }) => (standing === 'counted') === isCounted)
      .flatMap(each => each.discounts)
  const tagged = ofInstruments(true)
  return (tagged.length > 0 ? tagged : ofInstruments(false)).flatMap(fact => one(fact, false))
}

/** Whether a filer's own element means the discount and costs that its debt is stated before. */
export const isOwnDiscount = (concept: string): boolean =>
  !concept.startsWith('us-gaap:') &&
  /(?:debt|notes?).{0,60}(?:discount|issuancecosts|premium)/i.test(concept) &&
  !/amorti[sz]ation|extinguish|net(?:of|discount)/i.test(concept)
