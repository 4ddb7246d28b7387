/** Sections that are the agreement itself. */
const agreements: ReadonlySet<string> = new Set(['credit_agreement', 'indenture', 'covenants'])
/** Sections of reports about it. */
const reports: ReadonlySet<string> = new Set(['debt_footnote', 'mda_liquidity', 'mda'])

/** Whether a section is an agreement, or an item of a current report about one: its opening names and dates it. */
export const isOfAgreement = ({ section_type }: Pick<FiledSection, 'section_type'>): boolean =>
  agreements.has(section_type)

const isOtherDebt =
  /^\s*description\s+of\s+(?:(?:certain|our|other|existing|material)\s+){1,3}(?:indebtedness|debt(?!\s+securit)|financing)\b/i

const isTitled = /\b(?:agreement|indenture|amendment|note|guarant(?:y|ee)|waiver|consent)\b/i

/** Notes about what others owe or have issued, or about no obligation to lenders at all. */
const isOfOthers =
  /\b(?:investments?|unconsolidated|equity[\s-]method|affiliates?|joint\s+ventures?|receivables?(?!.*securiti[sz])|loans\s+held|allowance|benefits?|pensions?|postretirement|retirement|fair\s+values?|segments?|income\s+taxes|revenues?)\b/i

/** A note to statements other than that on debt, or statements whose notes are not cut: it may tell of an obligation in passing. */
export const isOtherNote = ({ section_type }: Pick<FiledSection, 'section_type'>): boolean =>
  section_type === 'notes'

/** The discussion outside of its parts on liquidity, where merger agreements and what others owe are told as well. */
export const isDiscussion = ({ section_type }: Pick<FiledSection, 'section_type'>): boolean =>
  section_type === 'mda'

/** Whether a section is an agreement's own text or a report about one; null if it speaks of no debt. */
export function voiceOf({
  section_type,
  doc_type,
  title,
}: Pick<FiledSection, 'section_type' | 'doc_type' | 'title'>): 'agreement' | 'report' | null {
  // An item of a current report describes the agreement that is its exhibit.
  const isItem = /^8-?K/i.test(doc_type) && /^\s*item\b/i.test(title ?? '')
  // A press release tells of an agreement too; an agreement filed as such an exhibit says that it is one.
  const isRelease = /^EX-99/i.test(doc_type) && !isTitled.test(title ?? '')
  if (agreements.has(section_type)) return isItem || isRelease ? 'report' : 'agreement'
  // A chapter of a prospectus about debt other than what is offered.
  if (section_type === 'other' && isOtherDebt.test(title ?? '')) return 'report'
  if (isOtherNote({ section_type })) return isOfOthers.test(title ?? '') ? null : 'report'
  return reports.has(section_type) ? 'report' : null
}

/** A section of a filing as input of extraction rules. */
export interface FiledSection {
  readonly text: string
  readonly title: string | null
  readonly section_type: string
  /** Where `text` begins in the document's text, characters. */
  readonly offset: number
  /** Form or exhibit, `10-K`, `EX-10.1`. */
  readonly doc_type: string
  readonly accession: string | null
  readonly filing_date: string | null
  /** End of the period that the document reports. */
  readonly period_end: string | null
  readonly company_name: string | null
  readonly cik: string | null
  /** The unit of the amounts in the document's balance sheet, `millions`; nothing where it does not say. */
  readonly amounts_in?: string | null
  /** Whether the document has a note on debt. */
  readonly has_debt_note?: boolean
  /** Whether the document's notes on debt state a facility; nothing where that is not known. */
  readonly has_told_facilities?: boolean
}

/**
 * Whether a section tells of the company's debt: a note on debt, or the discussion of liquidity of a report that has none. A
 * quarterly report may have no such note, and tell what it owes in its discussion alone.
 */
export const tellsOfDebt = ({ section_type: type, has_debt_note: hasNote }: FiledSection): boolean =>
  type === 'debt_footnote' || (type === 'mda_liquidity' && hasNote === false)

/** A chapter of a prospectus about debt other than what is offered, as the note on debt of its day: it tells the same. */
export const asNoteOnDebt = (section: FiledSection): FiledSection =>
  section.section_type === 'other' && isOtherDebt.test(section.title ?? '')
    ? { ...section, section_type: 'debt_footnote', period_end: section.period_end ?? section.filing_date }
    : section
