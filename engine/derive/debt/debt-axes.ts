import { localName } from '../statements/axes.ts'

/** Axes whose members are debt: an instrument, or a class of instruments. The first names the instrument best. */
const DEBT_AXES = [
  'DebtInstrument',
  'LineOfCreditFacility',
  'LongtermDebtType',
  'ShortTermDebtType',
  'CreditFacility',
  'DebtType',
]
/** Axes of other things that some filers give their debt: it is debt where the figure can be of nothing else. */
const OTHER_AXES =
  /^(?:FinancialInstrument|TypeOfArrangement|[A-Za-z]{0,60}(?:Notes?Payable|Loans?Payable|PromissoryNotes?|ConvertibleNotes?|LoanType|LoanAgreement|CreditAgreement|Borrowings?)[A-Za-z]{0,30})$/
/** Concepts that state terms or balances of the filer's own debt. */
const OF_DEBT =
  /^us-gaap:(?:DebtInstrument(?:FaceAmount|CarryingAmount|InterestRate|BasisSpread|Unamortized|UnusedBorrowing)|NotesPayable|LongTermDebt|LongTermNotesPayable|ConvertibleNotesPayable|ConvertibleDebt|SecuredDebt|UnsecuredDebt|NotesAndLoansPayable|LoansPayable|OtherNotesPayable|LineOfCredit|LinesOfCredit|ShortTermBorrowings|LongTermLineOfCredit|SeniorNotes)/

/** The contract or place of a figure, without which it means the same. */
const NEUTRAL_AXES = new Set(['ConsolidationItems', 'BalanceSheetLocation', 'StatementScenario'])
/** The legal entity or business that owes the debt. */
const ENTITY_AXES = /^(?:LegalEntity|ConsolidatedEntities|.*Segments?|BusinessGroup)$/
/** Columns of guarantor statements: they repeat every balance. */
const COLUMNS =
  /guarantor|eliminat|consolidat|nonrecourse|parentcompany|parentissuer|subsidiariesmember|otherentities|coissuer/i

export interface Member {
  readonly axis: string
  /** With its taxonomy: `sjm:SeniorNotesDueMarch2030Member`. */
  readonly member: string
}

export interface DebtDimensions {
  /** Members of debt axes, in the order of the axes. */
  readonly debt: readonly Member[]
  /** `minimum` or `maximum` of a range over several instruments. */
  readonly range: 'minimum' | 'maximum' | null
  /** Reference of a floating rate. */
  readonly index: string | null
  readonly entity: string | null
}

/**
 * The debt that a figure is about; null if it is about no debt, or only a part of the company or of time. An axis of
 * other things counts for a concept of debt alone, with a member of the filer.
 */
export function debtDimensions(dimensions: string, concept: string): DebtDimensions | null {
  const debt: Member[] = []
  let range: DebtDimensions['range'] = null
  let index: string | null = null
  let entity: string | null = null
  for (const pair of dimensions.split(';')) {
    const at = pair.indexOf('=')
    if (at < 1) return null
    const axis = localName(pair.slice(0, at), 'Axis')
    const member = pair.slice(at + 1)
    const name = localName(member, 'Member')
    if (DEBT_AXES.includes(axis)) debt.push({ axis, member })
    else if (OTHER_AXES.test(axis) && OF_DEBT.test(concept) && !/FairValue/.test(concept)) {
      if (isShared(member)) return null
      debt.push({ axis, member })
    } else if (axis === 'Range')
      range = name === 'Minimum' ? 'minimum' : name === 'Maximum' ? 'maximum' : null
    else if (/^(?:VariableRate|[A-Za-z]{0,30}ReferenceRate)$/.test(axis)) index = member
    else if (ENTITY_AXES.test(axis)) {
      if (isColumn(member)) return null
      entity = member
    } else if (!NEUTRAL_AXES.has(axis)) return null
  }
  if (debt.length === 0) return null
  debt.sort((a, b) => rankOf(a.axis) - rankOf(b.axis) || (a.member < b.member ? -1 : 1))
  return { debt, range, index, entity }
}

/** `vz:TelephoneSubsidiariesMember` names who owes a line of its table; others are nobody in particular, and a column is called after guarantors. */
const isOfSubsidiaries =
  /^(?!us-gaap:|srt:)[\w-]{1,20}:(?!Non|All|Guarant|Other)[A-Z][A-Za-z]{2,40}SubsidiariesMember$/
const isColumn = (member: string): boolean =>
  COLUMNS.test(member) && !(isOfSubsidiaries.test(member) && !/guarantor|consolidat|eliminat/i.test(member))

const rankOf = (axis: string): number => {
  const at = DEBT_AXES.indexOf(axis)
  return at < 0 ? DEBT_AXES.length : at
}

/** SQL: whether `dimensions` name a member of a debt axis, or of one that may be. */
export const hasDebtAxis = `(regexp_matches(dimensions, '(^|;|:)(${DEBT_AXES.join('|')})(Axis)?=')
  OR (regexp_matches(concept, '${OF_DEBT.source}') AND regexp_matches(dimensions, '(^|;|:)${OTHER_AXES.source.slice(1, -1)}(Axis)?=')))`

/** Members of the shared taxonomies name a kind of debt, others an instrument of the filer. */
export const isShared = (member: string): boolean => /^(?:us-gaap|srt|ifrs-full|invest):/.test(member)

const INDICES: readonly (readonly [RegExp, string])[] = [
  [/sofr|SecuredOvernightFinanc/i, 'SOFR'],
  [/libor|LondonInterbank/i, 'LIBOR'],
  [/euribor|EuroInterbank/i, 'EURIBOR'],
  [/tibor|TokyoInter/i, 'TIBOR'],
  [/torf/i, 'TORF'],
  [/hibor|HongKongInter/i, 'HIBOR'],
  [/sonia|SterlingOvernight/i, 'SONIA'],
  [/prime/i, 'prime rate'],
  [/FederalFunds|FedFunds/i, 'federal funds rate'],
  [/BaseRate/i, 'base rate'],
  [/eurodollar/i, 'eurodollar rate'],
]

/** The desk's name of a reference rate; null if the member names none. */
export const indexOf = (member: string): string | null =>
  INDICES.find(([pattern]) => pattern.test(member))?.[1] ?? null
