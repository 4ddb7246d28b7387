import { WHOLE_LIABILITIES } from '../../schema/datasets/calculations.ts'
import {
  borrowings,
  conceptsUnder,
  financeLeases,
  isCompanyLine,
  type Line,
  otherFunding,
  repayments,
  withLeases,
} from './borrowings.ts'
import type { Calculations } from './calculations.ts'
import { type Evaluated, total } from './concepts.ts'
import { type BalanceDate, holdsLeases, readLines, type TaggedFigure } from './debt-lines.ts'

/** Totals that tell nothing where their lines are not known. */
const TOTAL = /:(?:(?:Current|Noncurrent)?Liabilities|Liabilities(?:Current|Noncurrent)?)$/

const concepts = (lines: readonly Line[]): ReadonlySet<string> => new Set(lines.flatMap(conceptsUnder))

// Some balance sheets show what is due within a year by the concept of the notes.
const standard = concepts([...Object.values(borrowings), ...repayments.slice(0, 1)])
const funding = concepts([otherFunding])
const leased = concepts([...Object.values(withLeases), ...Object.values(financeLeases)])

/** Words of lines that may be borrowed money: a balance sheet with one that is not known to be is not used. */
const MAY_BE_BORROWED =
  /debt|borrow|debenture|loan|mortgage|bond|notes?(?!s?receivable)|commercialpaper|credit(?:facilit|agreement|line)|lines?ofcredit|advances|capitallease|financelease|financing|trustpreferred|subordinated/i
/** Words of lines that are none, though they name a debt: what is owed on it, owned, or only promised. */
const NOT_BORROWED =
  /interest(?:and[a-z]{1,20})?payable|accruedinterest|deposit|receivable|deferred|tax|notyetpurchased|soldshort|loanedsecurities|securitiesloaned|advancesfrom(?:joint|partner)|tradingliabilit|derivative|allowance|unfunded|guarant|customer|operatinglease|policy|policies|stock|equity|shares|contingenc/i

/**
 * Debt as the lines of a balance sheet show it, where they add up to all liabilities: each line of borrowed money counts once, and
 * a total of them instead of its parts unless it also holds what a bank funds its trading with. Zero if no line is borrowed money, with
 * the liabilities as evidence. Null without such a balance sheet of the day, or if a line may be borrowed money and nothing says so.
 */
export function debtOnBalanceSheet<F extends TaggedFigure>(day: BalanceDate<F>): Evaluated<F> | null {
  const { balanceSheet } = day
  const root = balanceSheet && WHOLE_LIABILITIES.find(concept => balanceSheet.partsOf(concept).length > 0)
  const whole = root === undefined ? undefined : day.lookup(root)
  if (!balanceSheet || root === undefined || !whole) return null
  const sheet = linesUnder(root, balanceSheet)
  if (sheet === null) return null
  const figures = sheet.borrowed.flatMap(concept => {
    const fact = day.lookup(concept) ?? day.companyLines.find(line => line.concept === concept)
    return fact ? [{ value: fact.value, terms: [{ fact, sign: 1 as const }] }] : []
  })
  const sum = total(figures) ?? { value: 0, terms: [] }
  if (sum.value < 0 || (sum.value === 0 && sheet.hasFunding)) return null
  const leases = leasesBeside(day, sheet.borrowed, sum.value)
  if (sum.value === 0 && !leases) return { value: 0, terms: [...sum.terms, { fact: whole, sign: 0 }] }
  return total([sum, leases])
}

/** The lines of borrowed money under a total, and whether a bank's funding is beside them; null if not all lines are known. */
function linesUnder(
  root: string,
  sheet: Calculations,
): { readonly borrowed: readonly string[]; readonly hasFunding: boolean } | null {
  const borrowed: string[] = []
  let hasFunding = false
  const passed = new Set<string>()
  const isKnown = (concept: string): boolean => {
    if (passed.has(concept)) return true
    passed.add(concept)
    const parts = sheet.partsOf(concept)
    if (isBorrowed(concept) && !parts.some(part => funding.has(part))) {
      borrowed.push(concept)
      return true
    }
    if (parts.length > 0) return parts.every(isKnown)
    hasFunding ||= funding.has(concept)
    return !TOTAL.test(concept) && (!MAY_BE_BORROWED.test(concept) || isNone(concept))
  }
  return isKnown(root) ? { borrowed, hasFunding } : null
}

const isBorrowed = (concept: string): boolean => standard.has(concept) || isCompanyLine(concept)
const isNone = (concept: string): boolean => funding.has(concept) || NOT_BORROWED.test(concept)

/** Finance leases of the notes, unless the lines of the balance sheet show or hold them. */
function leasesBeside<F extends TaggedFigure>(
  day: BalanceDate<F>,
  borrowed: readonly string[],
  sum: number,
): Evaluated<F> | null {
  const lines = readLines(day)
  const shown = borrowed.filter(concept => leased.has(concept) || /lease/i.test(concept))
  const isCurrent = (concept: string) => /(?<!non)current/i.test(concept)
  const hasCurrent = lines.currentHasLeases || shown.some(isCurrent)
  const hasLater = shown.some(concept => !isCurrent(concept))
  if (hasCurrent && hasLater) return null
  if (hasLater) return lines.leasesCurrent
  if (hasCurrent) return lines.leasesNoncurrent
  const current = (lines.portion?.value ?? 0) + (lines.shortTerm?.value ?? 0)
  return holdsLeases(lines, sum - current) ? null : lines.leasesAll
}
