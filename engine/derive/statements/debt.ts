import { largest } from '../../base/lists.ts'
import { debtOnBalanceSheet } from './balance-sheet-debt.ts'
import {
  allDebt,
  conceptsUnder,
  dueOf,
  fairValue,
  fromRelatedParties,
  inBankruptcy,
  type Line,
  longTerm,
  noncurrent,
  otherFunding,
  repayments,
  subjectToCompromise,
  withLeases,
} from './borrowings.ts'
import { balances, type Evaluated, evaluate, total } from './concepts.ts'
import {
  type BalanceDate,
  below,
  besidePortion,
  type DebtLines,
  holdsLeases,
  isNear,
  LITTLE,
  onBalanceSheet,
  ROUNDING,
  read,
  readLines,
  type TaggedFigure,
  tagged,
} from './debt-lines.ts'
import { debtTiers, NOT_ON_BALANCE_SHEET, type TotalDebt } from './debt-tiers.ts'
import {
  commonNoncurrent,
  currentLiabilities,
  noncurrentLiabilities,
  otherNoncurrent,
} from './other-liabilities.ts'

type Composed<F> = Omit<TotalDebt<F>, 'gap'>

/** If there is no debt among noncurrent liabilities, the share of them that the other lines may leave unexplained. */
const UNEXPLAINED = 0.02
/** A long-term total this many times the lines shows that lines are missing: discounts explain less. */
const ABOVE_LINES = 1.1
/** Repayments and fair value exceed the carrying amount, but not by these multiples. */
const REPAYMENTS_ABOVE = 2
const FAIR_VALUE_ABOVE = 5

/**
 * Total debt of a balance date in one filing: noncurrent debt, current portion and short-term borrowings, with
 * finance leases and without operating leases. If the tagged lines do not cover the company's borrowings, `gap` says
 * why, and the sum must not be shown as its debt. Where the lines of a balance sheet add up, it is no less than
 * these show.
 */
export function totalDebt<F extends TaggedFigure>(day: BalanceDate<F>): TotalDebt<F> | null {
  const debt = debtOfTags(day)
  if (tagged(subjectToCompromise, day) || tagged(inBankruptcy, day)) return debt
  const shown = debtOnBalanceSheet(day)
  // Notes tell of what a balance sheet has among its other liabilities, such as a current portion.
  if (!shown || (debt?.gap === null && debt.value >= shown.value * (1 - ROUNDING))) return debt
  // No line of the balance sheet is borrowed money: what tags show is outside it.
  if (shown.value === 0 && debt !== null && debt.value !== 0) return debt
  const way = shown.value > 0 ? 'lines of the balance sheet' : 'no line of the balance sheet is debt'
  return { ...shown, tier: debtTiers.composed, way, gap: null }
}

/** Total debt by what tags mean alone. */
function debtOfTags<F extends TaggedFigure>(day: BalanceDate<F>): TotalDebt<F> | null {
  const debt = debtOfLines(day)
  // What stands beside the current portion completes a sum that covers the borrowings; it proves no other.
  const mayBeMore = debt?.gap === null && (day.companyLines.length > 0 || besidePortion(day) !== null)
  const more = mayBeMore ? debtOfLines({ ...day, isPortionApart: true }) : null
  return more?.gap === null ? more : debt
}

function debtOfLines<F extends TaggedFigure>(day: BalanceDate<F>): TotalDebt<F> | null {
  const composed = withInstrumentsBeside(day, composeUnambiguously(day))
  const completed = withCompanyLines(day, composed)
  if (completed) return { ...completed, gap: null }
  if (!composed) return onlyCompanyLines(day)
  const sum = withCurrentCompanyLines(day, composed)
  const gap = gapOf(day, sum)
  if (gap === null) return { ...sum, gap }
  const stated = ownTotal(day, sum.value)
  return stated ? { ...stated, gap: null } : { ...sum, gap }
}

/** A sum with a second possible value; nothing shows which one is right. */
interface Undecided {
  readonly otherwise?: number
}

/**
 * Reads the lines by instrument nested as in the taxonomy or side by side, whichever explains the noncurrent
 * liabilities of the balance sheet.
 */
function composeUnambiguously<F extends TaggedFigure>(day: BalanceDate<F>): (Composed<F> & Undecided) | null {
  const nested = compose(day, false)
  if (!nested || nested.tier % NOT_ON_BALANCE_SHEET !== debtTiers.fromParts) return nested
  const beside = compose(day, true)!
  if (isNear(beside.value, nested.value)) return nested
  const explains = (isBeside: boolean) =>
    provesNoncurrent(day, below(noncurrent, day, isBeside)?.value ?? 0, LITTLE)
  if (explains(false)) return nested
  return explains(true) ? beside : { ...nested, otherwise: beside.value }
}

/**
 * The sum with instruments that stand beside the noncurrent line and not below it, as convertible notes may: the balance
 * sheet proves it with them, and not without.
 */
function withInstrumentsBeside<F extends TaggedFigure>(
  day: BalanceDate<F>,
  sum: (Composed<F> & Undecided) | null,
): (Composed<F> & Undecided) | null {
  const line = tagged(withLeases.noncurrent, day) ?? tagged(noncurrent, day)
  const isLine = sum?.terms.some(({ fact }) => fact.concept === line?.terms[0]?.fact.concept)
  if (!sum || !line || !isLine || provesNoncurrent(day, line.value, LITTLE)) return sum
  const counted = new Set(sum.terms.map(({ fact }) => fact.concept))
  const outside = (parts: Evaluated<F> | null): Evaluated<F> | null =>
    total(
      (parts?.terms ?? [])
        .filter(({ fact }) => !counted.has(fact.concept) && fact.value > 0 && day.onOtherDay(fact.concept))
        .map(({ fact }) => term(fact)),
    )
  const due = outside(below(noncurrent, day))
  const undated = outside(below(longTerm, day))
  for (const parts of [due, undated, total([due, undated])])
    if (parts && provesNoncurrent(day, line.value + parts.value, LITTLE))
      return { ...sum, ...total([sum, parts])!, way: `${sum.way} + instruments beside` }
  return sum
}

/** The lines of the balance sheet, each counted once. */
function compose<F extends TaggedFigure>(day: BalanceDate<F>, isBeside: boolean): Composed<F> | null {
  const lines = readLines(day)
  const reading = chooseLines(day, lines, isBeside)
  const frozen = tagged(inBankruptcy, day)
  const listed = total(reading.parts)
  // All debt may be of before a petition.
  const sum = listed ?? (frozen && { value: 0, terms: [] })
  if (!sum) return null
  const { tier, way } = listed ? reading : { tier: debtTiers.onlyTotal, way: 'no other lines' }
  const worse = evaluate({ first: balanceSheetTotals }, day.lookup) ? 0 : NOT_ON_BALANCE_SHEET
  const { stated } = lines
  if (stated && stated.value > sum.value * (1 + LITTLE))
    return { ...stated, tier: debtTiers.onlyTotal + worse, way: 'total as tagged, above its lines' }
  const related = onBalanceSheet(read(fromRelatedParties, day), day.onOtherDay)
  const all = total([sum, related, frozen]) ?? sum
  const beside = [related && 'notes of related parties', frozen && 'debt subject to compromise']
  return { ...all, tier: tier + worse, way: [way, ...beside.filter(name => name !== null)].join(' + ') }
}

/** The lines that add up to total debt, and the name of this reading. */
interface Reading<F extends TaggedFigure> {
  readonly parts: readonly (Evaluated<F> | null)[]
  readonly tier: number
  readonly way: string
}

function chooseLines<F extends TaggedFigure>(
  day: BalanceDate<F>,
  lines: DebtLines<F>,
  isBeside: boolean,
): Reading<F> {
  const { stated, current, currentHasLeases, leasesNoncurrent, leasesCurrent, leasesAll } = lines
  const { noncurrent: plain, noncurrentWithLeases: leased, longTerm: whole, shortTerm: shortLines } = lines
  // If both tags have the same figure and finance leases are tagged separately, the figure excludes leases, whatever
  // its name says.
  const namesake = leasesAll !== null && plain !== null && plain.value === leased?.value
  if (leased && !namesake) {
    const leases = currentHasLeases || holdsLeases(lines, leased.value) ? null : leasesCurrent
    const way = 'noncurrent debt and leases + current'
    return { parts: [leased, ...current.lines, leases], tier: debtTiers.composed, way }
  }

  if (plain && !isOneInstrument(day, lines)) {
    const beside = currentHasLeases ? leasesNoncurrent : leasesAll
    const leases = holdsLeases(lines, plain.value) ? null : beside
    const way = 'noncurrent debt + current + finance leases'
    return { parts: [plain, ...current.lines, leases], tier: debtTiers.composed, way }
  }

  if (lines.longTermWithLeases) {
    const way = 'long-term debt and leases + short-term borrowings'
    return { parts: [lines.longTermWithLeases, shortLines], tier: debtTiers.composed, way }
  }

  if (whole) {
    // If current debt is one line and noncurrent debt has none, this tag is used for the noncurrent part.
    const isNoncurrent = current.isOneLine && !lines.portion && !lines.portionWithLeases
    const leases = currentHasLeases ? leasesNoncurrent : leasesAll
    const parts = isNoncurrent ? [...current.lines, leases] : [shortLines, leasesAll]
    const way = 'long-term debt + short-term borrowings + finance leases'
    return { parts: [whole, ...parts], tier: debtTiers.composed, way }
  }

  const byInstrument = below(noncurrent, day, isBeside)
  if (byInstrument) {
    const way = 'noncurrent lines by instrument + current'
    return { parts: [byInstrument, ...current.lines, leasesAll], tier: debtTiers.fromParts, way }
  }

  if (stated) return { parts: [stated], tier: debtTiers.onlyTotal, way: 'total as tagged' }

  const instruments = below(longTerm, day, isBeside)
  if (instruments) {
    const beside = current.isOneLine ? current.lines : [lines.shortTermTagged ?? lines.shortTermParts]
    const parts = [instruments, ...beside, leasesAll]
    return { parts, tier: debtTiers.fromParts, way: 'lines by instrument' }
  }

  const way = 'current debt: no noncurrent debt is tagged'
  return { parts: current.lines, tier: debtTiers.onlyCurrent, way }
}

/** Whether the noncurrent line is only one of several instruments: notes show far more long-term debt. */
function isOneInstrument<F extends TaggedFigure>(
  { onOtherDay }: BalanceDate<F>,
  { noncurrent: plain, longTerm: whole, current }: DebtLines<F>,
): boolean {
  const shown = total([plain, ...current.lines])
  return (
    whole !== null &&
    shown !== null &&
    whole.value > ABOVE_LINES * shown.value &&
    whole.terms.every(({ fact }) => onOtherDay(fact.concept))
  )
}

const balanceSheetTotals = ['Assets', 'ifrs-full:Assets', 'LiabilitiesAndStockholdersEquity']

/** The filing's own total of all debt, if it is at least the sum of the lines. */
function ownTotal<F extends TaggedFigure>(day: BalanceDate<F>, lines: number): Composed<F> | null {
  const stated = tagged(allDebt, day)
  return stated && stated.value >= lines
    ? { ...stated, tier: debtTiers.onlyTotal, way: 'total as tagged' }
    : null
}

/** Why a sum of lines does not cover the company's borrowings; null if it does. */
function gapOf<F extends TaggedFigure>(day: BalanceDate<F>, sum: Composed<F> & Undecided): string | null {
  const tier = sum.tier % NOT_ON_BALANCE_SHEET
  const frozen = tagged(subjectToCompromise, day)?.value ?? 0
  // Some filers tag debt with a negative sign.
  if (frozen > LITTLE * Math.abs(sum.value) && !tagged(inBankruptcy, day))
    return `the company is in bankruptcy: its liabilities subject to compromise, ${millions(frozen)}, hold debt that no line shows`
  if (sum.otherwise !== undefined)
    return `a line may hold the lines tagged beside it or not: debt is ${millions(sum.value)} or ${millions(sum.otherwise)}`
  if (sum.tier === tier + NOT_ON_BALANCE_SHEET && tier !== debtTiers.composed && tier !== debtTiers.onlyTotal)
    return 'only some lines of debt are tagged for this day, outside a balance sheet'
  if (tier === debtTiers.onlyCurrent && !provesNoncurrent(day, 0))
    return 'only current debt is tagged, and the balance sheet does not show that there is no other'
  const apart = largerThanAll(day, sum)
  if (apart) return `the lines tagged leave out borrowings under other names: ${apart}`
  if (tier === debtTiers.fromParts) {
    const names = unread(day, sum)
    if (names.length > 0 && !provesNoncurrent(day, below(noncurrent, day)?.value ?? 0))
      return `the lines tagged leave out borrowings under other names: ${names.join(', ')}`
  }
  return contradictedByNotes(day, sum.value)
}

/** An instrument due after a year that is larger than all debt of a sum that should hold it; null if there is none. */
function largerThanAll<F extends TaggedFigure>(day: BalanceDate<F>, sum: Composed<F>): string | null {
  if (sum.tier !== debtTiers.composed) return null
  const larger = below(noncurrent, day)?.terms.find(
    ({ fact }) => Math.abs(fact.value) > ABOVE_LINES * Math.abs(sum.value) && day.onOtherDay(fact.concept),
  )
  return larger?.fact.concept ?? null
}

const millions = (value: number): string =>
  `${(value / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} million`

/** Balance sheet lines of borrowed money that are not part of a sum: the filer's own, and those by instrument. */
function unread<F extends TaggedFigure>(day: BalanceDate<F>, sum: Composed<F>): string[] {
  const { onOtherDay, companyLines, calculations } = day
  const own = companyLines
    .filter(fact => onOtherDay(fact.concept) && Math.abs(fact.value) > LITTLE * Math.abs(sum.value))
    // A filer may tag the same figure under a name of its own.
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

/** A reason if figures in the notes show that a sum of lines is far too small; else null. */
function contradictedByNotes<F extends TaggedFigure>(day: BalanceDate<F>, lines: number): string | null {
  const repaid = total(repayments.map(year => tagged(year, day)))
  const worth = tagged(fairValue, day)
  const than = (name: string, value: number) =>
    `the lines tagged come to ${millions(lines)}, ${name} in the notes to ${millions(value)}`
  if (repaid && repaid.value > REPAYMENTS_ABOVE * lines) return than('repayments', repaid.value)
  return worth && worth.value > FAIR_VALUE_ABOVE * lines ? than('the fair value of debt', worth.value) : null
}

/**
 * Noncurrent debt: the tagged line, with leases if they are tagged with it, else the sum of the lines by instrument.
 */
export const noncurrentDebt = <F extends TaggedFigure>(day: BalanceDate<F>): number =>
  (tagged(withLeases.noncurrent, day) ?? read(noncurrent, day))?.value ?? 0

/** Whether `debt` and the other lines of the balance sheet add up to its noncurrent liabilities. */
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
  // Notes also tag parts of other liabilities: without those parts the sum must be exact.
  return (
    Math.abs(left(otherNoncurrent) - debt) <= share * all ||
    Math.abs(left(commonNoncurrent) - debt) <= ROUNDING * all
  )
}

/**
 * The sum of balance sheet lines under the filer's own names, where there are no standard ones; nothing proves it
 * complete.
 */
function onlyCompanyLines<F extends TaggedFigure>(day: BalanceDate<F>): TotalDebt<F> | null {
  const sum = total(linesOfFiler(day).map(term))
  return (
    sum && {
      ...sum,
      tier: debtTiers.companyLines,
      way: 'lines under names of the filer',
      gap: 'debt is tagged only under names of the filer, which nothing on its balance sheet proves to be all of it',
    }
  )
}

/** Lines of the balance sheet under the filer's own names, each figure once. */
const linesOfFiler = <F extends TaggedFigure>({ companyLines, onOtherDay }: BalanceDate<F>): F[] =>
  companyLines
    .filter(fact => onOtherDay(fact.concept) && fact.value !== 0)
    .filter((fact, i, all) => all.findIndex(({ value }) => value === fact.value) === i)

const isTotal = ({ concept }: TaggedFigure): boolean => /total/i.test(concept)

const term = <F extends TaggedFigure>(fact: F): Evaluated<F> => ({
  value: fact.value,
  terms: [{ fact, sign: 1 }],
})

/**
 * Lines under the filer's own names together with the standard ones, if arithmetic proves that they are all of its
 * debt: they equal noncurrent liabilities less the other lines, or add up to a total of the filer.
 */
function withCompanyLines<F extends TaggedFigure>(
  day: BalanceDate<F>,
  composed: Composed<F> | null,
): Composed<F> | null {
  if (composed && composed.tier % NOT_ON_BALANCE_SHEET === debtTiers.composed)
    return withNoncurrentCompanyLines(day, composed)
  const made = linesOfFiler(day)
  const sums = made.filter(isTotal)
  const lines = made.filter(fact => !isTotal(fact))
  if (lines.length === 0) return null
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

/**
 * Standard lines and noncurrent ones of the filer, with its current ones, if the balance sheet proves that its
 * noncurrent debt is all of these and not the standard line alone.
 */
function withNoncurrentCompanyLines<F extends TaggedFigure>(
  day: BalanceDate<F>,
  composed: Composed<F>,
): Composed<F> | null {
  const made = besides(day, composed).filter(fact => !isTotal(fact))
  const later = made.filter(fact => dueOf(fact.concept) !== 'current')
  const standard = noncurrentDebt(day)
  if (later.length === 0 || provesNoncurrent(day, standard, LITTLE)) return null
  const all = later.reduce((sum, { value }) => sum + value, standard)
  return provesNoncurrent(day, all, LITTLE) ? added(composed, made) : null
}

/**
 * The sum with current lines under the filer's own names, where no standard line of current debt has an amount. Where
 * the sum has long-term debt of any maturity, its current portion is inside. Beside a standard current portion stand lines
 * that are larger, so not inside it, if no short-term line is tagged.
 */
function withCurrentCompanyLines<F extends TaggedFigure>(
  day: BalanceDate<F>,
  sum: Composed<F> & Undecided,
): Composed<F> & Undecided {
  const { current, shortTerm } = readLines(day)
  const tier = sum.tier % NOT_ON_BALANCE_SHEET
  const portion = largest(
    current.lines.map(line => Math.abs(line?.value ?? 0)),
    0,
  )
  const hasShortTerm = current.isOneLine || (shortTerm !== null && shortTerm.value !== 0)
  if (hasShortTerm || (tier !== debtTiers.composed && tier !== debtTiers.fromParts)) return sum
  const isWhole = sum.terms.some(({ fact }) => anyMaturity.has(fact.concept))
  const own = besides(day, sum).filter(fact => fact.value > 0 && isCurrent(day, fact))
  const lines = portion
    ? own.filter(fact => day.isPortionApart && isBesidePortion(fact, portion, own))
    : own.filter(fact => !isWhole || !PORTION.test(fact.concept))
  const most = largest(lines.map(({ value }) => value))
  const others = lines.reduce((total, { value }) => total + value, -most)
  // One of them may be the total of the others.
  const chosen = isNear(most, others) ? lines.filter(({ value }) => value === most) : lines
  const limit = tagged(currentLiabilities, day)?.value ?? Number.POSITIVE_INFINITY
  return chosen.length === 0 || chosen.reduce((total, { value }) => total + value, portion) > limit
    ? sum
    : added(sum, chosen)
}

/**
 * Whether a line under the filer's own name is due within a year: its name says so, or it says nothing and the noncurrent
 * liabilities add up without it.
 */
const isCurrent = <F extends TaggedFigure>(day: BalanceDate<F>, { concept }: F): boolean => {
  const due = dueOf(concept)
  if (due !== null) return due === 'current'
  return NOTES_OR_LOANS.test(concept) && provesNoncurrent(day, noncurrentDebt(day), LITTLE)
}

/** Whether a line can be no part of the current portion of long-term debt, and is no total of it and another line. */
const isBesidePortion = <F extends TaggedFigure>(fact: F, portion: number, own: readonly F[]): boolean =>
  fact.value > portion * (1 + LITTLE) &&
  !PORTION.test(fact.concept) &&
  !isTotal(fact) &&
  !own.some(other => other !== fact && isNear(other.value + portion, fact.value))

/** Lines under the filer's own names that repeat no figure of a sum and are no part of one. */
const besides = <F extends TaggedFigure>(day: BalanceDate<F>, sum: Composed<F>): F[] =>
  linesOfFiler(day).filter(
    ({ concept, value }) =>
      !isNear(value, sum.value) &&
      !sum.terms.some(
        ({ fact }) => isNear(value, fact.value) || day.calculations?.isWithin(concept, fact.concept),
      ),
  )

const added = <F extends TaggedFigure, S extends Composed<F>>(sum: S, lines: readonly F[]): S => ({
  ...sum,
  ...total([sum, ...lines.map(term)])!,
  way: `${sum.way} + lines under names of the filer`,
})

const anyMaturity: ReadonlySet<string> = new Set(
  [longTerm, withLeases.longTerm].flatMap(line => conceptsUnder(line)),
)
const PORTION = /long-?term|maturit|portion|instal/i
const NOTES_OR_LOANS = /:(?:notes|loans)(?:and(?:notes|loans))?payable$/i
