import {
  allCurrent,
  allDebt,
  currentNotesAndLoans,
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

/** The figures of one filing for a balance date. */
export interface BalanceDate<F extends TaggedFigure> {
  lookup(concept: string): F | undefined
  /** Whether the filing tags a concept on another date too, as it does for balance sheet lines. */
  onOtherDay(concept: string): boolean
  /** Lines of borrowed money under the filer's own names. */
  readonly companyLines: readonly F[]
  /** The filing's own calculation links, if it has them; they take precedence over the taxonomy's nesting. */
  readonly calculations?: Calculations | undefined
  /** The links of the filing's balance sheet: which lines add up to its liabilities. */
  readonly balanceSheet?: Calculations | undefined
  /** Whether lines that are too large to be inside the current portion of long-term debt are read beside it. */
  readonly isPortionApart?: boolean
}

type Tags<F extends TaggedFigure> = Pick<BalanceDate<F>, 'lookup' | 'calculations'>

/** Relative tolerance for rounding of the parts of a sum. */
export const ROUNDING = 0.001
/** Relative tolerance within which lines are the parts of the line above them. */
const ADDED_UP = 0.005
/** Share of a sum that may be missing from it. */
export const LITTLE = 0.01

export const isNear = (a: number, b: number, share = ROUNDING): boolean =>
  Math.abs(a - b) <= share * Math.abs(b)

/**
 * The figure tagged for a line, plus the lines below it that are its siblings in the filing's own links; without a
 * figure, the sum of the lines below. Filings without links follow the taxonomy's nesting; with `beside`, lines below
 * that do not add up to the line are added to it.
 */
export function read<F extends TaggedFigure>(line: Line, tags: Tags<F>, beside = false): Evaluated<F> | null {
  const own = tagged(line, tags)
  const parts = below(line, tags, beside)
  if (!own || !parts) return own ?? parts
  const { calculations } = tags
  if (!calculations) return beside && !isNear(parts.value, own.value, ADDED_UP) ? total([own, parts]) : own
  const concept = own.terms[0]!.fact.concept
  const siblings = line.holds.map(child => {
    const part = tagged(child, tags)
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
): Evaluated<F> | null => total(line.holds.map(part => read(part, tags, beside)))

/** The lines of debt on a balance sheet; null for those it does not have. */
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
  const shortTermLines =
    shortTermTagged ??
    tagged(notesAndLoans, day) ??
    total([shortTermParts, day.isPortionApart ? besidePortion(day) : null])
  const portionWithLeases = get(withLeases.currentPortion)
  const leasesNoncurrent = get(financeLeases.noncurrent)
  const leasesCurrent = get(financeLeases.current)
  const noncurrentTagged = unlessZeroAbove(tagged(noncurrent, day), below(noncurrent, day))
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
    currentHasLeases:
      portionWithLeases !== null || (current.isOneLine && !areLeasesOutside(day, current, leasesCurrent)),
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

/**
 * Notes and loans on the balance sheet that the taxonomy nests in the current portion of long-term debt, but that are larger than
 * the line of it: they stand beside it, as short-term borrowings do.
 */
export function besidePortion<F extends TaggedFigure>(day: BalanceDate<F>): Evaluated<F> | null {
  const portion = onBalanceSheet(tagged(currentPortion, day), day.onOtherDay)
  const notes = onBalanceSheet(read(currentNotesAndLoans, day), day.onOtherDay)
  const [line] = portion?.terms ?? []
  if (!portion || !line || !notes || notes.value <= portion.value * (1 + LITTLE)) return null
  const isWithin = notes.terms.some(({ fact }) => day.calculations?.isWithin(fact.concept, line.fact.concept))
  return isWithin ? null : notes
}

/** A line tagged as zero beside lines below it that are not holds none of them. */
const unlessZeroAbove = <F extends TaggedFigure>(line: Evaluated<F> | null, parts: Evaluated<F> | null) =>
  line?.value === 0 && parts !== null && parts.value > 0 ? null : line

/** Whether lines include leases: a total with leases is exactly the sum of the lines. */
export function holdsLeases<F extends TaggedFigure>(
  { portion, shortTerm, stated, longTermWithLeases }: DebtLines<F>,
  line: number,
): boolean {
  const whole = line + (portion?.value ?? 0)
  return [longTermWithLeases, stated].some(
    figure => figure && [whole, whole + (shortTerm?.value ?? 0)].includes(figure.value),
  )
}

/** A figure, if all its lines are on a balance sheet. */
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

/** Current debt: the single line for all of it, unless that is smaller than one of its parts. */
function currentDebt<F extends TaggedFigure>(
  all: Evaluated<F> | null,
  portion: Evaluated<F> | null,
  shortTerm: Evaluated<F> | null,
): CurrentDebt<F> {
  const least = Math.max(portion?.value ?? 0, shortTerm?.value ?? 0)
  if (all && all.value >= least * (1 - LITTLE)) return { lines: [all], isOneLine: true }
  return { lines: [portion, shortTerm], isOneLine: false }
}

/** Whether a line under the filer's own name is the sum of the single line of current debt and current leases. */
function areLeasesOutside<F extends TaggedFigure>(
  { companyLines, onOtherDay }: BalanceDate<F>,
  { lines }: CurrentDebt<F>,
  leases: Evaluated<F> | null,
): boolean {
  if (!leases || leases.value === 0) return false
  const both = lines.reduce((sum, line) => sum + (line?.value ?? 0), leases.value)
  return companyLines.some(({ concept, value }) => onOtherDay(concept) && isNear(value, both))
}

/**
 * The current portion of long-term debt, unless short-term borrowings include it. Some filers tag all current debt as
 * short-term borrowings. The portion is then included if it equals that figure, or completes the other short-term
 * lines, or the filing's links say so, or the tagged total has no room for both, or it appears only in a note,
 * rounded and for this day.
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
