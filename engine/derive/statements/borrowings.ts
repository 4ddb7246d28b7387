/**
 * Every element of us-gaap and ifrs-full for borrowed money, and their nesting: a line includes the lines below it,
 * as in the taxonomies' calculation links. Leases are separate.
 *
 * Not borrowings here: deposits and customers' money, trade payables and supplier finance, repurchase agreements and
 * federal funds (unless inside a short-term total that the company tags), operating leases, facility amounts, fair
 * values and discounts.
 */
export interface Line {
  /** The same line under several names: newer and older elements, us-gaap and ifrs-full. */
  readonly names: readonly string[]
  readonly holds: readonly Line[]
}

const taxonomy =
  (prefix: string) =>
  (...names: readonly string[]): readonly string[] =>
    names.map(name => `${prefix}:${name}`)
const gaap = taxonomy('us-gaap')
const ifrs = taxonomy('ifrs-full')

const line = (names: readonly string[], ...holds: readonly Line[]): Line => ({ names, holds })
const each = (names: readonly string[]): Line[] => names.map(name => line([name]))

/** Notes and loans due within a year. */
export const currentNotesAndLoans = line(
  gaap('NotesAndLoansPayableCurrent'),
  line(
    gaap('NotesPayableCurrent'),
    ...each(
      gaap(
        'MediumtermNotesCurrent',
        'ConvertibleNotesPayableCurrent',
        'NotesPayableToBankCurrent',
        'SeniorNotesCurrent',
        'JuniorSubordinatedNotesCurrent',
        'OtherNotesPayableCurrent',
      ),
    ),
  ),
  line(gaap('LoansPayableCurrent'), ...each(gaap('LoansPayableToBankCurrent', 'OtherLoansPayableCurrent'))),
)

/** Long-term debt that is due within a year, without leases. */
export const currentPortion = line(
  [
    ...gaap('LongTermDebtCurrent'),
    ...ifrs('CurrentPortionOfNoncurrentBorrowings', 'CurrentPortionOfLongtermBorrowings'),
  ],
  ...each(
    gaap(
      'SecuredDebtCurrent',
      'UnsecuredDebtCurrent',
      'SubordinatedDebtCurrent',
      'ConvertibleDebtCurrent',
      'ConvertibleSubordinatedDebtCurrent',
      'LongTermCommercialPaperCurrent',
      'LongTermConstructionLoanCurrent',
      'LongtermTransitionBondCurrent',
      'LongtermPollutionControlBondCurrent',
      'JuniorSubordinatedDebentureOwedToUnconsolidatedSubsidiaryTrustCurrent',
      'SpecialAssessmentBondCurrent',
      'FederalHomeLoanBankAdvancesCurrent',
      'OtherLongTermDebtCurrent',
      'LinesOfCreditCurrent',
    ),
  ),
  currentNotesAndLoans,
)

/** Borrowings that were short-term from the start. */
export const shortTerm = line(
  [...gaap('ShortTermBorrowings'), ...ifrs('ShorttermBorrowings', 'CurrentBorrowings')],
  ...each(
    gaap(
      'BankOverdrafts',
      'CommercialPaper',
      'CommercialPaperCurrent',
      'BridgeLoan',
      'ConstructionLoan',
      'ShortTermBankLoansAndNotesPayable',
      'ShortTermNonBankLoansAndNotesPayable',
      'WarehouseAgreementBorrowings',
      'FederalHomeLoanBankAdvancesShortTerm',
      'OtherShortTermBorrowings',
    ),
  ),
)

/** All current borrowings in one line; by instrument too for IFRS filers. */
export const allCurrent = line(
  [...gaap('DebtCurrent'), ...ifrs('CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings')],
  ...each(
    ifrs(
      'CurrentBondsIssuedAndCurrentPortionOfNoncurrentBondsIssued',
      'CurrentCommercialPapersIssuedAndCurrentPortionOfNoncurrentCommercialPapersIssued',
      'CurrentNotesAndDebenturesIssuedAndCurrentPortionOfNoncurrentNotesAndDebenturesIssued',
      'OtherCurrentBorrowingsAndCurrentPortionOfOtherNoncurrentBorrowings',
    ),
  ),
  line(
    ifrs('CurrentLoansReceivedAndCurrentPortionOfNoncurrentLoansReceived'),
    ...each(
      ifrs(
        'CurrentSecuredBankLoansReceivedAndCurrentPortionOfNoncurrentSecuredBankLoansReceived',
        'CurrentUnsecuredBankLoansReceivedAndCurrentPortionOfNoncurrentUnsecuredBankLoansReceived',
      ),
    ),
  ),
)

/** Long-term debt that is due after more than a year, without leases. */
export const noncurrent = line(
  [
    ...gaap('LongTermDebtNoncurrent'),
    ...ifrs('NoncurrentPortionOfNoncurrentBorrowings', 'NoncurrentBorrowings', 'LongtermBorrowings'),
  ],
  ...each(
    gaap(
      'LongTermLineOfCredit',
      'CommercialPaperNoncurrent',
      'ConstructionLoanNoncurrent',
      'SecuredLongTermDebt',
      'SubordinatedLongTermDebt',
      'UnsecuredLongTermDebt',
      'ConvertibleDebtNoncurrent',
      'ConvertibleSubordinatedDebtNoncurrent',
      'LongTermTransitionBond',
      'LongTermPollutionControlBond',
      'JuniorSubordinatedDebentureOwedToUnconsolidatedSubsidiaryTrustNoncurrent',
      'SpecialAssessmentBondNoncurrent',
      'LongtermFederalHomeLoanBankAdvancesNoncurrent',
      'OtherLongTermDebtNoncurrent',
    ),
  ),
  line(
    gaap('LongTermNotesAndLoans'),
    line(
      gaap('LongTermNotesPayable'),
      ...each(
        gaap(
          'MediumtermNotesNoncurrent',
          'JuniorSubordinatedLongTermNotes',
          'SeniorLongTermNotes',
          'ConvertibleLongTermNotesPayable',
          'NotesPayableToBankNoncurrent',
          'OtherLongTermNotesPayable',
        ),
      ),
    ),
    line(gaap('LongTermLoansPayable'), ...each(gaap('LongTermLoansFromBank', 'OtherLoansPayableLongTerm'))),
  ),
  ...each(
    ifrs(
      'NoncurrentPortionOfNoncurrentBondsIssued',
      'NoncurrentPortionOfNoncurrentCommercialPapersIssued',
      'NoncurrentPortionOfNoncurrentNotesAndDebenturesIssued',
      'NoncurrentPortionOfOtherNoncurrentBorrowings',
    ),
  ),
  line(
    ifrs('NoncurrentPortionOfNoncurrentLoansReceived'),
    ...each(
      ifrs(
        'NoncurrentPortionOfNoncurrentSecuredBankLoansReceived',
        'NoncurrentPortionOfNoncurrentUnsecuredBankLoansReceived',
      ),
    ),
  ),
)

/** Long-term debt including its current portion; its lines state no maturity. */
export const longTerm = line(
  gaap('LongTermDebt'),
  ...each(
    gaap(
      'SecuredDebt',
      'UnsecuredDebt',
      'SubordinatedDebt',
      'ConvertibleDebt',
      'ConvertibleSubordinatedDebt',
      'JuniorSubordinatedDebentureOwedToUnconsolidatedSubsidiaryTrust',
      'LineOfCredit',
      'LongTermCommercialPaperCurrentAndNoncurrent',
      'LongTermConstructionLoan',
      'LongtermTransitionBond',
      'LongtermPollutionControlBond',
      'SpecialAssessmentBond',
      'FederalHomeLoanBankAdvancesLongTerm',
      'OtherLongTermDebt',
      'OtherBorrowings',
    ),
  ),
  line(gaap('AdvancesFromFederalHomeLoanBanks', 'AdvanceFromFederalHomeLoanBank')),
  line(
    gaap('NotesAndLoansPayable'),
    line(
      gaap('NotesPayable'),
      ...each(
        gaap(
          'MediumtermNotes',
          'ConvertibleNotesPayable',
          'NotesPayableToBank',
          'SeniorNotes',
          'JuniorSubordinatedNotes',
          'OtherNotesPayable',
        ),
      ),
    ),
    line(gaap('LoansPayable'), ...each(gaap('LoansPayableToBank', 'OtherLoansPayable'))),
  ),
  ...each(ifrs('BondsIssued', 'CommercialPapersIssued', 'NotesAndDebenturesIssued', 'OtherBorrowings')),
  line(ifrs('LoansReceived'), ...each(ifrs('SecuredBankLoansReceived', 'UnsecuredBankLoansReceived'))),
)

/** Money borrowed from related parties, which the taxonomy separates from other debt. */
export const fromRelatedParties = line(
  gaap('NotesPayableRelatedPartiesCurrentAndNoncurrent'),
  ...each(
    gaap(
      'NotesPayableRelatedPartiesClassifiedCurrent',
      'NotesPayableRelatedPartiesNoncurrent',
      'RelatedPartyDebtCurrent',
      'RelatedPartyDebtNoncurrent',
    ),
  ),
)

/** Debt of before a petition for bankruptcy, which leaves the other lines; with the interest accrued until then. */
export const inBankruptcy = line(gaap('LiabilitiesSubjectToCompromiseDebtAndAccruedInterest'))
/** All liabilities of before the petition: debt is most of them, unless a line of its own says how much. */
export const subjectToCompromise = line(gaap('LiabilitiesSubjectToCompromise'))

/** Debt including finance leases. */
export const withLeases = {
  noncurrent: line(gaap('LongTermDebtAndCapitalLeaseObligations')),
  currentPortion: line(gaap('LongTermDebtAndCapitalLeaseObligationsCurrent')),
  longTerm: line(gaap('LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities')),
} as const

export const financeLeases = {
  noncurrent: line(gaap('FinanceLeaseLiabilityNoncurrent', 'CapitalLeaseObligationsNoncurrent')),
  current: line(gaap('FinanceLeaseLiabilityCurrent', 'CapitalLeaseObligationsCurrent')),
  all: line(gaap('FinanceLeaseLiability', 'CapitalLeaseObligations')),
} as const

/** All debt, with or without short-term borrowings and finance leases. */
export const allDebt = line([
  ...gaap('DebtAndCapitalLeaseObligations', 'DebtLongtermAndShorttermCombinedAmount'),
  ...ifrs('Borrowings'),
])

/** Tagged by some filers for short-term borrowings beside long-term debt, by others for all notes and loans. */
export const notesAndLoans = line(gaap('NotesAndLoansPayable'))

export const fairValue = line(gaap('LongTermDebtFairValue', 'DebtInstrumentFairValue'))

/** Repayments in each year after the balance date, from the maturity table of an annual report. */
export const repayments: readonly Line[] = [
  ['InNextTwelveMonths', 'InNextRollingTwelveMonths', 'RemainderOfFiscalYear'],
  ['InYearTwo', 'InRollingYearTwo'],
  ['InYearThree', 'InRollingYearThree'],
  ['InYearFour', 'InRollingYearFour'],
  ['InYearFive', 'InRollingYearFive'],
  ['AfterYearFive', 'InRollingAfterYearFive'],
].map(years => line(gaap(...years.map(year => `LongTermDebtMaturitiesRepaymentsOfPrincipal${year}`))))

/** A bank's funding of trading and lending, included in some totals of borrowed funds but not debt here. */
export const otherFunding = line(
  gaap('FederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchase'),
  ...each(gaap('FederalFundsPurchased', 'SecuritiesSoldUnderAgreementsToRepurchase')),
)

/** The role of each line in total debt, as the documentation lists them. */
export const borrowings = {
  allDebt,
  noncurrent,
  noncurrentWithLeases: withLeases.noncurrent,
  allCurrent,
  currentPortion,
  currentPortionWithLeases: withLeases.currentPortion,
  shortTerm,
  longTerm,
  longTermWithLeases: withLeases.longTerm,
  notesAndLoans,
  fromRelatedParties,
  inBankruptcy,
  leasesNoncurrent: financeLeases.noncurrent,
  leasesCurrent: financeLeases.current,
  leases: financeLeases.all,
} as const

/** Every concept of a line and the lines below it. */
export const conceptsUnder = ({ names, holds }: Line): string[] => [...names, ...holds.flatMap(conceptsUnder)]

/** Words in names of borrowed money; valid for RE2 too. */
export const borrowedName =
  'debt|borrow|debenture|commercialpaper|overdraft|creditfacility|termloan|bankloan|(?:senior|subordinated|convertible|mediumterm|mortgage)notes|(?:notes?|loans?|mortgages?|bonds?)(?:and[a-z]{1,20})?payable|(?:transition|recovery|mortgage|revenue|pollutioncontrol|senior|junior|convertible)bonds?|collateralfinancing|consumernotes|homeloanbanks?advances|advancesfromfederalhomeloan|trustpreferredsecurities'
const BORROWED = new RegExp(borrowedName, 'i')
const NOT_BORROWED =
  /receivable|bookoverdraft|availableforsale|heldtomaturity|debtsecurities|marketable|discount|premium|unamorti[sz]ed|issu(?:ance|e)cost|financecost|deferred|fairvalue|interest|proceeds|repayment|maturit|faceamount|facevalue|principal|gross|covenant|capacity|maximum|available|unused|remaining|investment|asset|allowance|reserve|guarant|letters?ofcredit|conver(?:sion|ted)|exclu|service|extinguish|percent|rate$|hedg|derivative|adjustment|tax|ratio|escrow|collateral|warrant|basis|threshold|commitment|lender|accounts?payable|equity/i

/** Shared taxonomies: any other prefix marks a filer's own element. */
const SHARED =
  /^(?:us-gaap|ifrs-full|dei|srt|invest|ecd|country|currency|exch|naics|sic|stpr|cyd|rxp|vip|oef|rr|cef|ffd|snj|sbs)$/

/** Parts of names that say what secures a line or what is not in it: `CollateralizedByReceivables`, `ExcludingCurrentMaturities`. */
const QUALIFIERS = [
  // at most 300 characters: `isCompanyLine`
  /(?:collaterali[sz]ed|secured|backed)by.*$/i,
  // at most 300 characters: `isCompanyLine`
  /(?:exclud(?:ing|es)|exclusiveof|netof|less)(?:amounts?)?(?:current|commercialpaper|due|capitallease|financelease)[a-z]*$/i,
]
/** Parts of names of borrowed money that would mean something else by themselves. */
const OF_BORROWINGS =
  /collateral(?=financing)|assetbacked(?=commercialpaper)|federalreserve|andfairvaluehedges?$/gi
const CURRENT_MATURITIES = /(current|withinoneyear)maturit(?:y|ies)|maturities(?=withinoneyear)/i

/** Whether a filer's own element means borrowed money, by its name. */
export function isCompanyLine(concept: string): boolean {
  const [prefix = '', name = ''] = concept.split(':')
  // at most 300 characters: a longer name is not an element
  if (SHARED.test(prefix) || name.length > 300) return false
  const line = QUALIFIERS.reduce((text, words) => text.replace(words, ''), name)
  return (
    BORROWED.test(line) &&
    !NOT_BORROWED.test(line.replace(CURRENT_MATURITIES, '$1').replaceAll(OF_BORROWINGS, ''))
  )
}

/** When a filer's own line falls due, by its name; null if it does not say, or if it is debt of any maturity. */
export function dueOf(concept: string): 'current' | 'noncurrent' | null {
  if (/(?:exclud(?:ing|es)|exclusiveof|netof|less)(?:amounts?)?(?:current|due)/i.test(concept))
    return 'noncurrent'
  if (/:long-?term[a-z]{0,100}including(?:the)?current/i.test(concept) && !/short-?term/i.test(concept))
    return null
  if (/within(?:one|a)year|(?<!non-?)current|short-?term/i.test(concept)) return 'current'
  return /non-?current|long-?term|after(?:one|a)year/i.test(concept) ? 'noncurrent' : null
}
