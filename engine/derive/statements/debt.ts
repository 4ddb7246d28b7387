import {
  allCurrent,
  allDebt,
  currentPortion,
  dueOf,
  fairValue,
  financeLeases,
  fromRelatedParties,
  type Line,
  longTerm,
  noncurrent,
  notesAndLoans,
  otherFunding,
  repayments,
  shortTerm,
  withLeases,
} from './borrowings.ts'
import type { Calculations } from './calculations.ts'
import { balances, type Evaluated, evaluate, total } from './concepts.ts'
import { trailingZeros } from './digits.ts'
import {
  commonNoncurrent,
  currentLiabilities,
  noncurrentLiabilities,
  otherNoncurrent,
} from './other-liabilities.ts'

interface TaggedFigure {
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

/** How far a way of reading total debt is from the balance sheet's own lines. */
export const debtTiers = {
  composed: 0,
  fromParts: 1,
  onlyTotal: 2,
  onlyCurrent: 3,
  companyLines: 4,
  overAxis: 5,
} as const
/** Added where the filing shows no balance sheet of that day: notes may hold only some of the lines. */
const NOT_ON_BALANCE_SHEET = 8
const flags = [
  null,
  'lines_by_instrument',
  'total_as_tagged',
  'current_debt_only',
  'company_lines',
  'summed_over_axis',
] as const

/** The flags of a figure of total debt that was read in such a way. */
export const debtFlags = (tier: number): (string | null)[] => [
  flags[tier % NOT_ON_BALANCE_SHEET]!,
  tier >= NOT_ON_BALANCE_SHEET ? 'not_on_a_balance_sheet' : null,
]

export interface TotalDebt<F> extends Evaluated<F> {
  readonly tier: number
  readonly way: string
  /** Why the lines do not cover the company's borrowings; null where they do. */
  readonly gap: string | null
}

type Composed<F> = Omit<TotalDebt<F>, 'gap'>

/** Differences this small are roundings of the parts of a sum. */
const ROUNDING = 0.001
/** Lines that come this near to the line above them are its parts. */
const ADDED_UP = 0.005
/** What is left out may be this share of a sum that is shown as whole. */
const LITTLE = 0.01
/** Noncurrent liabilities that the lines leave unexplained, as a share of all, where there is no debt among them. */
const UNEXPLAINED = 0.02
/** A long-term total above the lines by more than discounts make them differ shows that lines are missing. */
const ABOVE_LINES = 1.1
/** Repayments and fair value come to more than the carrying amount, but not to so many times of it. */
const REPAYMENTS_ABOVE = 2
const FAIR_VALUE_ABOVE = 5

const isNear = (a: number, b: number, share = ROUNDING): boolean => Math.abs(a - b) <= share * Math.abs(b)

/**
 * The figure tagged for a line, with the lines below it that the filing's own links set beside it; else the sum of the
 * lines below. Without links the taxonomy's nesting holds, unless lines are read `beside` each other: then those below
 * are added where they do not add up to the line.
 */
function read<F extends TaggedFigure>(line: Line, tags: Tags<F>, beside = false): Evaluated<F> | null {
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

function tagged<F extends TaggedFigure>(line: Line, { lookup }: Tags<F>): Evaluated<F> | null {
  for (const name of line.names) {
    const fact = lookup(name)
    if (fact) return { value: fact.value, terms: [{ fact, sign: 1 }] }
  }
  return null
}

const below = <F extends TaggedFigure>(line: Line, tags: Tags<F>, beside = false): Evaluated<F> | null =>
  total(line.holds.map(held => read(held, tags, beside)))

/**
 * Total debt of a balance date in one filing: noncurrent debt, current portion and short-term borrowings, with
 * finance leases and without operating leases. Where the lines tagged do not cover the company's borrowings, `gap`
 * says why, and the sum is not to be shown as its debt.
 */
export function totalDebt<F extends TaggedFigure>(day: BalanceDate<F>): TotalDebt<F> | null {
  const composed = composeOneWay(day)
  const completed = withCompanyLines(day, composed)
  if (completed) return { ...completed, gap: null }
  if (!composed) return onlyCompanyLines(day)
  const gap = gapOf(day, composed)
  if (gap === null) return { ...composed, gap }
  const stated = ownTotal(day, composed.value)
  return stated ? { ...stated, gap: null } : { ...composed, gap }
}

/** A sum of lines that can be read in two ways, which nothing decides between. */
interface Undecided {
  readonly otherwise?: number
}

/**
 * The lines by instrument as the taxonomy nests them, or side by side, whichever leaves no gap in the noncurrent
 * liabilities of the balance sheet.
 */
function composeOneWay<F extends TaggedFigure>(day: BalanceDate<F>): (Composed<F> & Undecided) | null {
  const nested = compose(day, false)
  if (!nested || nested.tier % NOT_ON_BALANCE_SHEET !== debtTiers.fromParts) return nested
  const beside = compose(day, true)!
  if (isNear(beside.value, nested.value)) return nested
  const explains = (isBeside: boolean) =>
    provesNoncurrent(day, below(noncurrent, day, isBeside)?.value ?? 0, LITTLE)
  if (explains(false)) return nested
  return explains(true) ? beside : { ...nested, otherwise: beside.value }
}

/** The lines of the balance sheet, each counted once. */
function compose<F extends TaggedFigure>(day: BalanceDate<F>, isBeside: boolean): Composed<F> | null {
  const { lookup, onOtherDay } = day
  const get = (line: Line) => read(line, day)
  const stated = tagged(allDebt, day)
  const worse = evaluate({ first: balanceSheetTotals }, lookup) ? 0 : NOT_ON_BALANCE_SHEET
  const related = onBalanceSheet(get(fromRelatedParties), onOtherDay)
  const answer = (parts: readonly (Evaluated<F> | null)[], tier: number, way: string): Composed<F> | null => {
    const sum = total(parts)
    if (!sum) return null
    const above = stated && stated.value > sum.value * (1 + LITTLE) ? stated : null
    if (above) return { ...above, tier: debtTiers.onlyTotal + worse, way: 'total as tagged, above its lines' }
    const all = total([sum, related])!
    return { ...all, tier: tier + worse, way: related ? `${way} + notes of related parties` : way }
  }

  const shortTermTagged = tagged(shortTerm, day)
  const shortTermParts = below(shortTerm, day)
  const shortTermLines = shortTermTagged ?? tagged(notesAndLoans, day) ?? shortTermParts
  const portionWithLeases = get(withLeases.currentPortion)
  const leasesNoncurrent = get(financeLeases.noncurrent)
  const leasesCurrent = get(financeLeases.current)
  const leasesAll =
    leasesNoncurrent || leasesCurrent ? total([leasesNoncurrent, leasesCurrent]) : get(financeLeases.all)
  const noncurrentTagged = tagged(noncurrent, day) ?? tagged(withLeases.noncurrent, day)
  const portion = portionOutside(get(currentPortion), {
    shortTerm: shortTermLines,
    parts: shortTermParts,
    noncurrent: noncurrentTagged?.value ?? null,
    total: stated?.value ?? null,
    onOtherDay,
    calculations: day.calculations,
  })
  const current = currentDebt(get(allCurrent), portionWithLeases ?? portion, shortTermLines)
  const currentHasLeases = current.isOneLine || portionWithLeases !== null

  // A total with leases that is exactly the lines without them says that the lines have their leases inside.
  const holdsLeases = (line: number) => {
    const whole = line + (portion?.value ?? 0)
    return [get(withLeases.longTerm), stated].some(
      figure => figure && [whole, whole + (shortTermLines?.value ?? 0)].includes(figure.value),
    )
  }

  const plain = tagged(noncurrent, day)
  const leased = tagged(withLeases.noncurrent, day)
  const whole = tagged(longTerm, day)
  // The same figure tagged both ways beside finance leases of its own leaves those out, whatever its name says.
  const namesake = leasesAll !== null && plain !== null && plain.value === leased?.value
  if (leased && !namesake) {
    const leases = currentHasLeases || holdsLeases(leased.value) ? null : leasesCurrent
    return answer(
      [leased, ...current.lines, leases],
      debtTiers.composed,
      'noncurrent debt and leases + current',
    )
  }

  const isOneInstrument =
    plain &&
    whole &&
    whole.value > ABOVE_LINES * total([plain, ...current.lines])!.value &&
    whole.terms.every(({ fact }) => onOtherDay(fact.concept))
  if (plain && !isOneInstrument) {
    const leases = holdsLeases(plain.value) ? null : currentHasLeases ? leasesNoncurrent : leasesAll
    return answer(
      [plain, ...current.lines, leases],
      debtTiers.composed,
      'noncurrent debt + current + finance leases',
    )
  }

  const longTermWithLeases = get(withLeases.longTerm)
  if (longTermWithLeases)
    return answer(
      [longTermWithLeases, shortTermLines],
      debtTiers.composed,
      'long-term debt and leases + short-term borrowings',
    )

  if (whole) {
    // Beside a line of all current debt, and without one for the noncurrent, the tag is used for the noncurrent.
    const beside = current.isOneLine && !portion && !portionWithLeases ? current.lines : [shortTermLines]
    const leases = beside === current.lines ? leasesNoncurrent : leasesAll
    return answer(
      [whole, ...beside, leases],
      debtTiers.composed,
      'long-term debt + short-term borrowings + finance leases',
    )
  }

  const parts = below(noncurrent, day, isBeside)
  if (parts)
    return answer(
      [parts, ...current.lines, leasesAll],
      debtTiers.fromParts,
      'noncurrent lines by instrument + current',
    )

  if (stated) return answer([stated], debtTiers.onlyTotal, 'total as tagged')

  const instruments = below(longTerm, day, isBeside)
  if (instruments) {
    const beside = current.isOneLine ? current.lines : [shortTermTagged ?? shortTermParts]
    return answer([instruments, ...beside, leasesAll], debtTiers.fromParts, 'lines by instrument')
  }

  return answer(current.lines, debtTiers.onlyCurrent, 'current debt: no noncurrent debt is tagged')
}

const balanceSheetTotals = ['Assets', 'ifrs-full:Assets', 'LiabilitiesAndStockholdersEquity']

function onBalanceSheet<F extends TaggedFigure>(
  figure: Evaluated<F> | null,
  onOtherDay: (concept: string) => boolean,
): Evaluated<F> | null {
  return figure?.terms.every(({ fact }) => onOtherDay(fact.concept)) ? figure : null
}

/** Current debt: the one line for all of it, unless it is smaller than what it would have to hold. */
function currentDebt<F extends TaggedFigure>(
  all: Evaluated<F> | null,
  portion: Evaluated<F> | null,
  shortTerm: Evaluated<F> | null,
): { readonly lines: readonly (Evaluated<F> | null)[]; readonly isOneLine: boolean } {
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

/** All debt as the filing itself totals it, where that is more than the lines come to. */
function ownTotal<F extends TaggedFigure>(day: BalanceDate<F>, lines: number): Composed<F> | null {
  const stated = tagged(allDebt, day)
  return stated && stated.value >= lines
    ? { ...stated, tier: debtTiers.onlyTotal, way: 'total as tagged' }
    : null
}

/** Why a sum of lines does not cover the company's borrowings; null where it does. */
function gapOf<F extends TaggedFigure>(day: BalanceDate<F>, sum: Composed<F> & Undecided): string | null {
  const tier = sum.tier % NOT_ON_BALANCE_SHEET
  if (sum.otherwise !== undefined)
    return `a line may hold the lines tagged beside it or not: debt is ${millions(sum.value)} or ${millions(sum.otherwise)}`
  if (sum.tier === tier + NOT_ON_BALANCE_SHEET && tier !== debtTiers.composed && tier !== debtTiers.onlyTotal)
    return 'only some lines of debt are tagged for this day, outside a balance sheet'
  if (tier === debtTiers.onlyCurrent && !provesNoncurrent(day, 0))
    return 'only current debt is tagged, and the balance sheet does not show that there is no other'
  if (tier === debtTiers.fromParts) {
    const names = unread(day, sum)
    if (names.length > 0 && !provesNoncurrent(day, below(noncurrent, day)?.value ?? 0))
      return `the lines tagged leave out borrowings under other names: ${names.join(', ')}`
  }
  return toldInNotes(day, sum.value)
}

const millions = (value: number): string =>
  `${(value / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} million`

/** Lines of the balance sheet that mean borrowed money and are not part of a sum: the filer's own, and by instrument. */
function unread<F extends TaggedFigure>(day: BalanceDate<F>, sum: Composed<F>): string[] {
  const { onOtherDay, companyLines, calculations } = day
  const own = companyLines
    .filter(fact => onOtherDay(fact.concept) && Math.abs(fact.value) > LITTLE * Math.abs(sum.value))
    // The same figure under a name of the filer's own.
    .filter(
      fact => !isNear(fact.value, sum.value) && !sum.terms.some(term => isNear(fact.value, term.fact.value)),
    )
    .filter(fact => !sum.terms.some(term => calculations?.isWithin(fact.concept, term.fact.concept)))
    .map(fact => fact.concept)
  const byInstrument = below(longTerm, day)
  const isLarger = byInstrument !== null && byInstrument.value > sum.value * (1 + LITTLE)
  const more = isLarger ? byInstrument.terms.filter(({ fact }) => onOtherDay(fact.concept)) : []
  return [...own, ...more.map(({ fact }) => fact.concept)]
}

/** What notes say of debt that a sum of lines is far too small for. */
function toldInNotes<F extends TaggedFigure>(day: BalanceDate<F>, lines: number): string | null {
  const repaid = total(repayments.map(year => tagged(year, day)))
  const worth = tagged(fairValue, day)
  const than = (name: string, value: number) =>
    `the lines tagged come to ${millions(lines)}, ${name} in the notes to ${millions(value)}`
  if (repaid && repaid.value > REPAYMENTS_ABOVE * lines) return than('repayments', repaid.value)
  return worth && worth.value > FAIR_VALUE_ABOVE * lines ? than('the fair value of debt', worth.value) : null
}

/** Noncurrent debt as its line says, leases in or out, else as the lines by instrument add up. */
export const noncurrentDebt = <F extends TaggedFigure>(day: BalanceDate<F>): number =>
  (tagged(withLeases.noncurrent, day) ?? read(noncurrent, day))?.value ?? 0

/** Whether noncurrent liabilities are explained by the other lines of the balance sheet and so much debt. */
export function provesNoncurrent<F extends TaggedFigure>(
  day: BalanceDate<F>,
  debt: number,
  share = UNEXPLAINED,
): boolean {
  const { lookup, onOtherDay } = day
  const liabilities = balances.total_liabilities
    .map(({ formula }) => evaluate(formula, lookup))
    .find(figure => figure !== null)
  const current = tagged(currentLiabilities, day)
  const all =
    liabilities && current ? liabilities.value - current.value : tagged(noncurrentLiabilities, day)?.value
  if (all === undefined || all <= 0) return false
  const left = (lines: readonly Line[]) =>
    all - (total(lines.map(line => onBalanceSheet(read(line, day), onOtherDay)))?.value ?? 0)
  // Notes tell parts of other liabilities too: without those the sum has to be exact.
  return (
    Math.abs(left(otherNoncurrent) - debt) <= share * all ||
    Math.abs(left(commonNoncurrent) - debt) <= ROUNDING * all
  )
}

/** Lines of the balance sheet under names that the filer made, where there are no others and nothing proves them. */
function onlyCompanyLines<F extends TaggedFigure>({
  companyLines,
  onOtherDay,
}: BalanceDate<F>): TotalDebt<F> | null {
  const lines = companyLines.filter(fact => onOtherDay(fact.concept) && fact.value !== 0)
  const sum = total(lines.map((fact): Evaluated<F> => ({ value: fact.value, terms: [{ fact, sign: 1 }] })))
  return (
    sum && {
      ...sum,
      tier: debtTiers.companyLines,
      way: 'lines under names of the filer',
      gap: 'debt is tagged only under names of the filer, which nothing on its balance sheet proves to be all of it',
    }
  )
}

/**
 * Lines under names that the filer made, with the standard ones beside them, where arithmetic shows that they are all
 * of its debt: they are what other noncurrent liabilities leave, or add up to a total of the filer's own.
 */
function withCompanyLines<F extends TaggedFigure>(
  day: BalanceDate<F>,
  composed: Composed<F> | null,
): Composed<F> | null {
  const { onOtherDay } = day
  if (composed && composed.tier % NOT_ON_BALANCE_SHEET === debtTiers.composed) return null
  const made = day.companyLines.filter(fact => onOtherDay(fact.concept) && fact.value !== 0)
  const sums = made.filter(fact => /total/i.test(fact.concept))
  const lines = made.filter(fact => !sums.includes(fact))
  if (lines.length === 0) return null
  const term = (fact: F): Evaluated<F> => ({ value: fact.value, terms: [{ fact, sign: 1 }] })
  const answer = (): Composed<F> => ({
    ...total([composed, ...lines.map(term)])!,
    tier: debtTiers.companyLines,
    way: 'lines under names of the filer',
  })
  const later = lines.filter(fact => dueOf(fact.concept) !== 'current')
  const noncurrentLines = total([below(noncurrent, day), ...later.map(term)])
  if (noncurrentLines && provesNoncurrent(day, noncurrentLines.value, LITTLE)) return answer()
  const all = answer().value
  const funding = read(otherFunding, day)?.value ?? 0
  return sums.some(({ value }) => isNear(all, value) || isNear(all + funding, value)) ? answer() : null
}
