import { debt, type Evaluated, evaluate, type Formula, total } from './concepts.ts'
import { trailingZeros } from './digits.ts'

interface TaggedFigure {
  readonly concept: string
  readonly value: number
}

/** How far a way of reading total debt is from the balance sheet's own lines. */
const COMPOSED = 0
const FROM_PARTS = 1
const ONLY_TOTAL = 2
const ONLY_CURRENT = 3
/** Added where the filing shows no balance sheet of that day: notes may hold only some of the lines. */
const NOT_ON_BALANCE_SHEET = 4

/**
 * Total debt of a balance sheet day in one filing: noncurrent debt, current portion and short-term borrowings, with
 * finance leases and without operating leases. Lines that are not tagged count as nothing once a noncurrent line is.
 * `onOtherDay` tells whether the filing tags a concept on another balance date too, as it does the lines of its
 * balance sheet.
 */
export function totalDebt<F extends TaggedFigure>(
  lookup: (concept: string) => F | undefined,
  onOtherDay: (concept: string) => boolean = () => false,
): (Evaluated<F> & { tier: number; way: string }) | null {
  const get = (concepts: readonly Formula[]) => evaluate({ first: concepts }, lookup)
  const worse = get(['Assets', 'ifrs-full:Assets', 'LiabilitiesAndStockholdersEquity'])
    ? 0
    : NOT_ON_BALANCE_SHEET
  const answer = (
    parts: readonly (Evaluated<F> | null)[],
    tier: number,
    way: string,
  ): (Evaluated<F> & { tier: number; way: string }) | null => {
    const sum = total(parts)
    return sum && { ...sum, tier: tier + worse, way }
  }

  const shortTerm = get(debt.shortTerm) ?? evaluate({ any: debt.shortTermParts }, lookup)
  const allCurrent = get(debt.current)
  const portionWithLeases = get(debt.currentPortionWithLeases)
  const portion = portionOutside(get(debt.currentPortion), shortTerm, onOtherDay)
  const leasesNoncurrent = get(debt.leasesNoncurrent)
  const leasesCurrent = get(debt.leasesCurrent)
  const leasesAll =
    leasesNoncurrent || leasesCurrent ? total([leasesNoncurrent, leasesCurrent]) : get(debt.leases)
  const current = allCurrent ? [allCurrent] : [portionWithLeases ?? portion, shortTerm]
  const currentHasLeases = allCurrent !== null || portionWithLeases !== null

  // A total with leases that is exactly the lines without them says that the lines have their leases inside.
  const stated = get(debt.totals)
  const holdsLeases = (line: number) => {
    const whole = line + (portion?.value ?? 0)
    return [get(debt.longTermWithLeases), stated].some(
      tagged => tagged && [whole, whole + (shortTerm?.value ?? 0)].includes(tagged.value),
    )
  }

  const noncurrent = get(debt.noncurrent)
  const withLeases = get(debt.noncurrentWithLeases)
  // The same figure tagged both ways beside finance leases of its own leaves those out, whatever its name says.
  const namesake = leasesAll !== null && noncurrent !== null && noncurrent.value === withLeases?.value
  if (withLeases && !namesake) {
    const leases = currentHasLeases || holdsLeases(withLeases.value) ? null : leasesCurrent
    return answer([withLeases, ...current, leases], COMPOSED, 'noncurrent debt and leases + current')
  }

  if (noncurrent) {
    const leases = holdsLeases(noncurrent.value)
      ? null
      : currentHasLeases
        ? (leasesNoncurrent ?? null)
        : leasesAll
    return answer([noncurrent, ...current, leases], COMPOSED, 'noncurrent debt + current + finance leases')
  }

  const longTermWithLeases = get(debt.longTermWithLeases)
  if (longTermWithLeases)
    return answer(
      [longTermWithLeases, shortTerm],
      COMPOSED,
      'long-term debt and leases + short-term borrowings',
    )

  const longTerm = get(debt.longTerm)
  if (longTerm) {
    // Beside a line of all current debt, and without one for the noncurrent, the tag is used for the noncurrent.
    const beside = allCurrent && !portion && !portionWithLeases ? allCurrent : shortTerm
    const leases = beside === allCurrent && allCurrent ? (leasesNoncurrent ?? null) : leasesAll
    return answer(
      [longTerm, beside, leases],
      COMPOSED,
      'long-term debt + short-term borrowings + finance leases',
    )
  }

  const parts = evaluate({ any: debt.noncurrentParts }, lookup)
  if (parts)
    return answer([parts, ...current, leasesAll], FROM_PARTS, 'noncurrent lines by instrument + current')

  if (stated) return answer([stated], ONLY_TOTAL, 'total as tagged')

  const unclassified = get(debt.unclassified)
  if (unclassified) return answer([unclassified, shortTerm, leasesAll], ONLY_TOTAL, 'unclassified debt')

  return answer(current, ONLY_CURRENT, 'current debt: no noncurrent debt is tagged')
}

/**
 * The current portion of long-term debt that short-term borrowings do not hold already. Where the balance sheet has one
 * line for all current debt, notes tell the part of it in round figures (`$2.3 billion`) and for this day only.
 */
function portionOutside<F extends TaggedFigure>(
  portion: Evaluated<F> | null,
  shortTerm: Evaluated<F> | null,
  onOtherDay: (concept: string) => boolean,
): Evaluated<F> | null {
  if (!portion || shortTerm?.terms.length !== 1 || portion.value > shortTerm.value) return portion
  const isNote = trailingZeros(portion.value) >= trailingZeros(shortTerm.value) + 2
  return isNote && !portion.terms.some(({ fact }) => onOtherDay(fact.concept)) ? null : portion
}
