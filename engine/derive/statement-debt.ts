import { debt, type Evaluated, evaluate, type Formula, total } from './concepts.ts'

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
 */
export function totalDebt<F extends { readonly value: number }>(
  lookup: (concept: string) => F | undefined,
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
  const portion = get(debt.currentPortion)
  const leasesNoncurrent = get(debt.leasesNoncurrent)
  const leasesCurrent = get(debt.leasesCurrent)
  const leasesAll =
    leasesNoncurrent || leasesCurrent ? total([leasesNoncurrent, leasesCurrent]) : get(debt.leases)
  const current = allCurrent ? [allCurrent] : [portionWithLeases ?? portion, shortTerm]
  const currentHasLeases = allCurrent !== null || portionWithLeases !== null

  const withLeases = get(debt.noncurrentWithLeases)
  if (withLeases) {
    // A total with leases that is exactly the two lines says that the current line has its leases too.
    const complete = [debt.longTermWithLeases, debt.totals].some(
      concepts => get(concepts)?.value === withLeases.value + (portion?.value ?? 0),
    )
    const leases = currentHasLeases || complete ? null : leasesCurrent
    return answer([withLeases, ...current, leases], COMPOSED, 'noncurrent debt and leases + current')
  }

  const noncurrent = get(debt.noncurrent)
  if (noncurrent) {
    const leases = currentHasLeases ? (leasesNoncurrent ?? null) : leasesAll
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

  const stated = get(debt.totals)
  if (stated) return answer([stated], ONLY_TOTAL, 'total as tagged')

  const unclassified = get(debt.unclassified)
  if (unclassified) return answer([unclassified, shortTerm, leasesAll], ONLY_TOTAL, 'unclassified debt')

  return answer(current, ONLY_CURRENT, 'current debt: no noncurrent debt is tagged')
}
