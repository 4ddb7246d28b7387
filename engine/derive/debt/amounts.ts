import { borrowings, conceptsUnder, isCompanyLine } from '../statements/borrowings.ts'

/** What a figure of an instrument says. */
export type Role =
  | 'whole'
  | 'noncurrent'
  | 'current'
  | 'stated'
  | 'principal'
  | 'commitment'
  | 'undrawn'
  | 'coupon'
  | 'effective_rate'
  | 'margin'
  | 'floor'
  | 'discount'
  | 'fair_value'

const { noncurrent, noncurrentWithLeases, allCurrent, currentPortion, currentPortionWithLeases } = borrowings
const { shortTerm, longTerm, longTermWithLeases, notesAndLoans, fromRelatedParties, allDebt } = borrowings

const gaap = (...names: readonly string[]): string[] => names.map(name => `us-gaap:${name}`)

/** Concepts by what they say of one instrument, with those that say it best first. */
const roles: Readonly<Record<Role, readonly string[]>> = {
  whole: [longTermWithLeases, longTerm, allDebt, notesAndLoans, shortTerm, fromRelatedParties].flatMap(
    conceptsUnder,
  ),
  noncurrent: [noncurrentWithLeases, noncurrent].flatMap(conceptsUnder),
  current: [allCurrent, currentPortionWithLeases, currentPortion].flatMap(conceptsUnder),
  // Filers tag the amount owed under it, before or after discounts.
  stated: gaap('DebtInstrumentCarryingAmount'),
  principal: gaap('DebtInstrumentFaceAmount'),
  // What lenders have committed; the maximum may count what they could be asked to add.
  commitment: gaap(
    'LineOfCreditFacilityCurrentBorrowingCapacity',
    'LineOfCreditFacilityMaximumBorrowingCapacity',
  ),
  undrawn: gaap(
    'LineOfCreditFacilityRemainingBorrowingCapacity',
    'DebtInstrumentUnusedBorrowingCapacityAmount',
  ),
  coupon: gaap('DebtInstrumentInterestRateStatedPercentage'),
  effective_rate: gaap('DebtInstrumentInterestRateEffectivePercentage'),
  margin: gaap('DebtInstrumentBasisSpreadOnVariableRate1', 'DebtInstrumentBasisSpreadOnVariableRate'),
  floor: gaap('DebtInstrumentFloorInterestRate'),
  discount: gaap(
    'DebtInstrumentUnamortizedDiscountPremiumAndDebtIssuanceCostsNet',
    'DebtInstrumentUnamortizedDiscountPremiumNet',
    'DebtInstrumentUnamortizedDiscount',
    'DebtInstrumentUnamortizedPremium',
    'UnamortizedDebtIssuanceExpense',
    'DeferredFinanceCostsNet',
    'DebtIssuanceCostsNet',
  ),
  fair_value: gaap('LongTermDebtFairValue', 'DebtInstrumentFairValue'),
}

const roleOf = new Map<string, Role>()
for (const [role, concepts] of Object.entries(roles) as [Role, readonly string[]][])
  for (const concept of concepts) if (!roleOf.has(concept)) roleOf.set(concept, role)

/** Every shared concept that says something of an instrument. */
export const instrumentConcepts: readonly string[] = [...roleOf.keys()]

/** The order in which concepts of one role are tried. */
export const preference = (role: Role, concept: string): number => {
  const at = roles[role].indexOf(concept)
  // A filer's own name of a commitment tells it from the maximum that it could be increased to.
  return at >= 0 ? at : role === 'commitment' ? -1 : roles[role].length
}

const NET = /(?:debt|notes|borrowings?|obligations?)net/i
const GROSS = /(?:debt|notes|borrow|loans?|obligations?)[a-z]{0,60}(?:gross|principal|facevalue|faceamount)/i

/** `LineOfCreditFacilityMaximumCommitmentAmount`, by a filer's own name. */
const COMMITMENT =
  /^(?!us-gaap:)[\w-]{1,20}:LineOfCredit(?:Facility)?(?:Maximum|Total|Current|Aggregate)?Commitments?(?:Amount)?$/i
const OTHER = /repay|proceeds|maturit|capacity|convert|interest|receivable|investment|derivative/i

/** What a concept says of an instrument; null if nothing that is read. */
export function roleOfConcept(concept: string): Role | null {
  const role = roleOf.get(concept)
  if (role) return role
  // `OutstandingDebtAsDefinedByFacility` is a figure of a covenant.
  if (/asdefined|covenant/i.test(concept)) return null
  if (isCompanyLine(concept))
    return /current/i.test(concept) && !/noncurrent|(?:and|including)current/i.test(concept)
      ? 'current'
      : 'whole'
  if (COMMITMENT.test(concept)) return 'commitment'
  // at most 300 characters: a longer name is not an element
  const [prefix, name = ''] = concept.split(':')
  if (prefix === 'us-gaap' || name.length > 300 || OTHER.test(name)) return null
  if (NET.test(name)) return 'whole'
  return GROSS.test(name) ? 'stated' : null
}

export const isAmount = (role: Role): boolean =>
  role === 'whole' || role === 'noncurrent' || role === 'current' || role === 'stated' || role === 'principal'
