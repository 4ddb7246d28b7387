import type { Claim } from './claims.ts'
import type { CompanyFigures } from './company-figures.ts'
import type { CapitalStructure, PlacedClaim } from './recovery-claims.ts'

/** What the notes of a waterfall tell beside its claims. */
interface Noted {
  readonly company: CompanyFigures
  readonly currency: string
  /** Why a multiple of EBITDA gives no value. */
  readonly reason: 'no_statements' | 'stale' | 'no_ebitda' | 'ebitda_not_positive' | null
  readonly finance: FinanceBusiness | null
  readonly isUnexplained: boolean
  readonly isWithLeases: boolean
  /** In EBITDA, in minor units. */
  readonly impairments: number | null
  /** Whether the caller gives EBITDA. */
  readonly isEbitdaGiven: boolean
  readonly isStale: (claim: Claim) => boolean
  readonly isNonGuarantorShareGiven: boolean
  readonly isUnexplainedCounted: boolean
}

/** What was assumed in a waterfall, or is not known. */
export function notesOf(structure: CapitalStructure, noted: Noted): string[] {
  const { company, currency, reason, isUnexplained, isWithLeases, impairments } = noted
  const { placed, left, unmatchedGuarantees, reconciled } = structure
  return [
    `Claims between companies of the group are left out; claims are ${placed.some(isOfFilings) ? 'carrying amounts' : 'principal'}, without accrued interest.`,
    'The value is that of operating companies; what their creditors leave goes to their owners.',
    ...notesOfClaims(structure, noted),
    ...balanceNote(structure, company, currency),
    ...(left.length > 0
      ? [`${count(left.length, 'instrument')} without an amount in the currency of the statements: left out.`]
      : []),
    ...(isUnexplained
      ? [
          noted.isUnexplainedCounted
            ? 'Debt on the balance sheet that no instrument shows is a senior unsecured claim on operating companies.'
            : 'Debt on the balance sheet that no instrument shows is left out.',
        ]
      : []),
    ...(isWithLeases
      ? [
          'Finance leases are a senior unsecured claim on operating companies: what the leased assets are worth is not known.',
        ]
      : []),
    ...(reconciled && reconciled.adjustments !== 0
      ? ['Discounts, premiums and hedge adjustments in the carrying amount of debt are no claims.']
      : []),
    ...(reason === 'ebitda_not_positive' || reason === 'no_ebitda'
      ? ['A multiple of EBITDA gives no value: give enterprise_value, or another ebitda.']
      : []),
    ...(unmatchedGuarantees > 0
      ? [
          `${count(unmatchedGuarantees, 'guarantee')} of instruments that are not among the claims: not applied.`,
        ]
      : []),
    ...(placed.length === 0 && !isWithLeases && !isUnexplained ? ['No claims are known.'] : []),
    ...financeNote(noted.finance, currency),
    ...(noted.isEbitdaGiven || company.ebitda === null ? [] : ebitdaNotes(company)),
    ...(company.ebitda !== null && impairments !== null && impairments > 0
      ? [
          `EBITDA is after impairments of ${millions(impairments)} million ${currency}: \`ebitda\` takes another figure.`,
        ]
      : []),
  ]
}

const ebitdaNotes = ({ is_annualized, is_ebitda_estimated, period_end_date }: CompanyFigures): string[] => [
  ...(is_annualized
    ? [
        `EBITDA is that of less than a year to ${period_end_date}, scaled up to one: \`ebitda\` takes another figure.`,
      ]
    : []),
  ...(is_ebitda_estimated
    ? ['EBITDA is operating income, as no depreciation and amortization is known.']
    : []),
]

function notesOfClaims({ placed }: CapitalStructure, { isStale, isNonGuarantorShareGiven }: Noted): string[] {
  const assumedRank = placed.filter(({ isRankAssumed }) => isRankAssumed).length
  const assumedLevel = placed.filter(({ isLevelAssumed }) => isLevelAssumed).length
  const apart = placed.filter(({ isAtNonGuarantor }) => isAtNonGuarantor).length
  const general = placed.filter(
    ({ claimClass, collateral }) => collateral === null && /_lien$/.test(claimClass),
  ).length
  const [oldest] = placed.flatMap(({ claim }) => (isStale(claim) ? claim.balance_date! : [])).sort()
  return [
    ...(placed.some(({ claim }) => claim.is_reconciled === false)
      ? ['There is no tagged total debt to compare the claims with: some may be missing.']
      : []),
    ...(oldest === undefined
      ? []
      : [`Claims are of ${oldest}, longer ago than max_age: they may have been repaid since.`]),
    ...(assumedRank > 0
      ? [`The rank of ${count(assumedRank, 'claim')} is not known: senior unsecured is assumed.`]
      : []),
    ...(assumedLevel > 0
      ? [
          `The issuer of ${count(assumedLevel, 'claim')} is not placed in the group: operating companies are assumed.`,
        ]
      : []),
    ...(general > 0
      ? [
          `${count(general, 'secured claim')} without valued collateral: a lien on all assets of the level is assumed.`,
        ]
      : []),
    ...(apart > 0 && !isNonGuarantorShareGiven
      ? [
          `${count(apart, 'claim')} of subsidiaries that guarantee nothing, or without recourse, rank with operating companies: their share of the value is not known (non_guarantor_percent).`,
        ]
      : []),
  ]
}

/** Claims of an earlier balance than the statements do not add up to their total debt. */
function balanceNote(
  { placed }: CapitalStructure,
  { total_debt, period_end_date }: CompanyFigures,
  currency: string,
): string[] {
  const newest = placed
    .flatMap(({ claim }) => claim.balance_date ?? [])
    .sort()
    .at(-1)
  if (newest === undefined || total_debt === null || period_end_date === null || newest >= period_end_date)
    return []
  const owed = placed.reduce((sum, { amount }) => sum + amount, 0)
  return [
    `Claims are those of ${newest}, ${millions(owed)} million ${currency}; total debt of ${period_end_date} is ${millions(total_debt)} million.`,
  ]
}

const isOfFilings = ({ claim }: PlacedClaim): boolean => claim.from === 'instruments'

/** A finance business inside an industrial company: it lends to customers and lets to them, and owes most of the debt. */
export interface FinanceBusiness {
  /** Its debt, in minor units. */
  readonly amount: number
  readonly balance_date: string | null
  /** Its companies, and their claims in the waterfall; none where claims do not name who owes them. */
  readonly issuers: readonly string[]
  readonly claims: number
  /** What these claims come to. */
  readonly claimed: number
}

/** How an issuer of a finance business is called. A company that only issues bonds for its group may be called so too. */
const FINANCE = /\b(?:financ\w*|credit|acceptance|leasing|capital)\b/i
/** But `Company Excluding Ford Credit`. */
const WITHOUT = /\b(?:excluding|except|without|other than)\b/i
/** Claims that are those of the finance business come to its debt, within this share. */
const NEAR = 0.1

/**
 * The finance business of a company whose statements say what it owes without it, and the claims on it: those on issuers that
 * are called so, where together they come to its debt.
 */
export function financeBusinessOf(
  { placed }: CapitalStructure,
  { total_debt, debt_excluding_finance, period_end_date }: CompanyFigures,
): FinanceBusiness | null {
  const amount = (total_debt ?? 0) - (debt_excluding_finance ?? total_debt ?? 0)
  if (amount <= 0) return null
  const own = placed.filter(
    ({ claim: { issuer_name: name } }) => name !== null && FINANCE.test(name) && !WITHOUT.test(name),
  )
  const claimed = own.reduce((sum, claim) => sum + claim.amount, 0)
  const isIts = Math.abs(claimed - amount) <= NEAR * amount
  return {
    amount,
    balance_date: period_end_date,
    issuers: isIts ? [...new Set(own.map(({ claim }) => claim.issuer_name!))].sort() : [],
    claims: isIts ? own.length : 0,
    claimed: isIts ? claimed : 0,
  }
}

/** A multiple of EBITDA is no value of loans and leases to customers, and who lent on them is paid out of them first. */
function financeNote(finance: FinanceBusiness | null, currency: string): string[] {
  if (finance === null) return []
  const { amount, balance_date, issuers, claims, claimed } = finance
  return [
    `Debt${balance_date === null ? '' : ` of ${balance_date}`} includes ${millions(amount)} million ${currency} of a finance business, repaid out of its loans and leases to customers: EBITDA does not value those (enterprise_value).`,
    ...(issuers.length === 0
      ? []
      : [
          `${count(claims, 'claim')} of ${millions(claimed)} million ${currency} on ${issuers.join(', ')}, the finance business: paid here from the value of the whole group, with those on its parent.`,
        ]),
  ]
}

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`
const millions = (amount: number): string => Math.round(amount / 1e8).toLocaleString('en-US')
