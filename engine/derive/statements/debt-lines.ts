import {
  allCurrent,
  allDebt,
  currentPortion,
  financeLeases,
  type Line,
  longTerm,
  noncurrent,
  notesAndLoans,
  shortTerm,
  withLeases,
} from './borrowings.ts'
import type { Calculations } from './calculations.ts'
import { type Evaluated, total } from './concepts.ts'
import { trailingZeros } from './digits.ts'

export interface TaggedFigure {
  readonly concept: string
  readonly value: number
}

/** What one filing says of a balance date. */
export interface BalanceDate<F extends TaggedFigure> {
  lookup(concept: string): F | undefined
  /** Whether the filing tags a concept on another date too, as it does the lines of its balance sheet. */
  onOtherDay(concept: string): boolean
  /** Lines of borrowed money under names that the filer made. */
  readonly companyLines: readonly F[]
  /** The filing's own calculation links, where it has them: they come before the nesting of the taxonomy. */
  readonly calculations?: Calculations | undefined
}

type Tags<F extends TaggedFigure> = Pick<BalanceDate<F>, 'lookup' | 'calculations'>

/** Differences this small are roundings of the parts of a sum. */
export const ROUNDING = 0.001
/** Lines that come this near to the line above them are its parts. */
const ADDED_UP = 0.005
/** What is left out may be this share of a sum that is shown as whole. */
export const LITTLE = 0.01

export const isNear = (a: number, b: number, share = ROUNDING): boolean =>
  Math.abs(a - b) <= share * Math.abs(b)

/**
 * The figure tagged for a line, with the lines below it that the filing's own links set beside it; else the sum of the
 * lines below. Without links the taxonomy's nesting holds, unless lines are read `beside` each other: then those below
 * are added where they do not add up to the line.
 */
export function read<F extends TaggedFigure>(line: Line, tags: Tags<F>, beside = false): Evaluated<F> | null {
  const own = tagged(line, tags)
  const parts = below(line, tags, beside)
  if (!own || !parts) return own ?? parts
  const { calculations } = tags
  if (!calculations) return beside && !isNear(parts.value, own.value, ADDED_UP) ? total([own, parts]) : own
  const concept = own.terms[0]!.fact.concept
  const siblings = line.holds.map(held => {
    const part = tagged(held, tags)
    return part && calculations.areSiblings(part.terms[0]!.fact.concept, concept) ? part : null
  })
  return total([own, ...siblings])
}

export function tagged<F extends TaggedFigure>(line: Line, { lookup }: Tags<F>): Evaluated<F> | null {
  for (const name of line.names) {
    const fact = lookup(name)
    if (fact) return { value: fact.value, terms: [{ fact, sign: 1 }] }
  }
  return null
}

export const below = <F extends TaggedFigure>(
  line: Line,
  tags: Tags<F>,
  beside = false,
): Evaluated<F> | null => total(line.holds.map(held => read(held, tags, beside)))

/** The lines of debt that a balance sheet shows; null for those that it does not. */
export interface DebtLines<F extends TaggedFigure> {
  /** A total of all debt. */
  readonly stated: Evaluated<F> | null
  readonly shortTermTagged: Evaluated<F> | null
  readonly shortTermParts: Evaluated<F> | null
  readonly shortTerm: Evaluated<F> | null
  /** The current portion of long-term debt outside the short-term lines. */
  readonly portion: Evaluated<F> | null
  readonly portionWithLeases: Evaluated<F> | null
  readonly current: CurrentDebt<F>
  readonly currentHasLeases: boolean
  readonly leasesNoncurrent: Evaluated<F> | null
  readonly leasesCurrent: Evaluated<F> | null
  readonly leasesAll: Evaluated<F> | null
  readonly noncurrent: Evaluated<F> | null
  readonly noncurrentWithLeases: Evaluated<F> | null
  readonly longTerm: Evaluated<F> | null
  readonly longTermWithLeases: Evaluated<F> | null
}

export function readLines<F extends TaggedFigure>(day: BalanceDate<F>): DebtLines<F> {
  const get = (line: Line) => read(line, day)
  const stated = tagged(allDebt, day)
  const shortTermTagged = tagged(shortTerm, day)
  const shortTermParts = below(shortTerm, day)
  const shortTermLines = shortTermTagged ?? tagged(notesAndLoans, day) ?? shortTermParts
  const portionWithLeases = get(withLeases.currentPortion)
  const leasesNoncurrent = get(financeLeases.noncurrent)
  const leasesCurrent = get(financeLeases.current)
  const noncurrentTagged = tagged(noncurrent, day)
  const noncurrentWithLeases = tagged(withLeases.noncurrent, day)
  const portion = portionOutside(get(currentPortion), {
    shortTerm: shortTermLines,
    parts: shortTermParts,
    noncurrent: (noncurrentTagged ?? noncurrentWithLeases)?.value ?? null,
    total: stated?.value ?? null,
    onOtherDay: day.onOtherDay,
    calculations: day.calculations,
  })
  const current = currentDebt(get(allCurrent), portionWithLeases ?? portion, shortTermLines)
  return {
    stated,
    shortTermTagged,
    shortTermParts,
    shortTerm: shortTermLines,
    portion,
    portionWithLeases,
    current,
    currentHasLeases: current.isOneLine || portionWithLeases !== null,
    leasesNoncurrent,
    leasesCurrent,
    leasesAll:
      leasesNoncurrent || leasesCurrent ? total([leasesNoncurrent, leasesCurrent]) : get(financeLeases.all),
    noncurrent: noncurrentTagged,
    noncurrentWithLeases,
    longTerm: tagged(longTerm, day),
    longTermWithLeases: get(withLeases.longTerm),
  }
}

/** A total with leases that is exactly the lines without them says that the lines have their leases inside. */
export function holdsLeases<F extends TaggedFigure>(
  { portion, shortTerm, stated, longTermWithLeases }: DebtLines<F>,
  line: number,
): boolean {
  const whole = line + (portion?.value ?? 0)
  return [longTermWithLeases, stated].some(
    figure => figure && [whole, whole + (shortTerm?.value ?? 0)].includes(figure.value),
  )
}

/** A figure, where its lines stand in a balance sheet. */
export function onBalanceSheet<F extends TaggedFigure>(
  figure: Evaluated<F> | null,
  onOtherDay: (concept: string) => boolean,
): Evaluated<F> | null {
  return figure?.terms.every(({ fact }) => onOtherDay(fact.concept)) ? figure : null
}

interface CurrentDebt<F extends TaggedFigure> {
  readonly lines: readonly (Evaluated<F> | null)[]
  readonly isOneLine: boolean
}

/** Current debt: the one line for all of it, unless it is smaller than what it would have to hold. */
function currentDebt<F extends TaggedFigure>(
  all: Evaluated<F> | null,
  portion: Evaluated<F> | null,
  shortTerm: Evaluated<F> | null,
): CurrentDebt<F> {
  const least = Math.max(portion?.value ?? 0, shortTerm?.value ?? 0)
  if (all && all.value >= least * (1 - LITTLE)) return { lines: [all], isOneLine: true }
  return { lines: [portion, shortTerm], isOneLine: false }
}

/**
 * The current portion of long-term debt that short-term borrowings do not hold already. One line for all current debt
 * may be tagged as short-term borrowings: the portion is then the same figure, or the rest beside the other short-term
 * lines, or the filing's links put it there, or the total tagged leaves no room for both, or a note tells it in round
 * figures and for this day only.
 */
function portionOutside<F extends TaggedFigure>(
  portion: Evaluated<F> | null,
  beside: {
    readonly shortTerm: Evaluated<F> | null
    readonly parts: Evaluated<F> | null
    readonly noncurrent: number | null
    readonly total: number | null
    readonly onOtherDay: (concept: string) => boolean
    readonly calculations: Calculations | undefined
  },
): Evaluated<F> | null {
  const { shortTerm, parts, noncurrent, total, onOtherDay, calculations } = beside
  if (!portion || shortTerm?.terms.length !== 1 || portion.value > shortTerm.value) return portion
  if (portion.value === 0) return portion
  const [line] = shortTerm.terms
  if (
    calculations &&
    portion.terms.every(({ fact }) => calculations.isWithin(fact.concept, line!.fact.concept))
  )
    return null
  if (portion.value === shortTerm.value) return null
  if (parts && isNear(portion.value + parts.value, shortTerm.value)) return null
  if (total !== null && noncurrent !== null && portion.value > 2 * LITTLE * total) {
    const once = noncurrent + shortTerm.value
    if (isNear(once, total) && !isNear(once + portion.value, total)) return null
  }
  const isNote = trailingZeros(portion.value) >= trailingZeros(shortTerm.value) + 2
  return isNote && !portion.terms.some(({ fact }) => onOtherDay(fact.concept)) ? null : portion
}
