import type { sectionTypes } from '../schema/vocabulary.ts'

export type SectionType = (typeof sectionTypes)[number]

/** An item prescribed by a form. */
export interface Item {
  /** `1A`; with the part if numbers repeat, `part2item1a`. */
  readonly key: string
  readonly part: 1 | 2 | 3 | 4
  /** `1A`. */
  readonly number: string
  readonly title: string
  /** How filers begin its title. */
  readonly says: RegExp
  readonly type: SectionType
}

type Row = readonly [part: Item['part'], number: string, title: string, says: string, type: SectionType]

const annualRows: readonly Row[] = [
  [1, '1', 'Business', 'business|general', 'business'],
  [1, '1A', 'Risk Factors', 'risk factors', 'risk_factors'],
  [1, '1B', 'Unresolved Staff Comments', 'unresolved', 'other'],
  [1, '1C', 'Cybersecurity', 'cyber', 'other'],
  [1, '2', 'Properties', '(description of )?propert', 'other'],
  [1, '3', 'Legal Proceedings', 'legal', 'other'],
  [
    1,
    '4',
    'Mine Safety Disclosures',
    String.raw`mine safety|submission of matters|\W*(removed and )?reserved`,
    'other',
  ],
  [2, '5', 'Market for Common Equity', 'market (for|price)|.*common (equity|stock)', 'other'],
  [2, '6', 'Selected Financial Data', String.raw`.*selected|\W*(removed and )?reserved`, 'other'],
  [
    2,
    '7',
    "Management's Discussion and Analysis",
    String.raw`management\W?s? (narrative )?discussion|financial review`,
    'mda',
  ],
  [2, '7A', 'Market Risk', 'quantitative|.*market risk', 'other'],
  [2, '8', 'Financial Statements', '(consolidated )?financial statements|.*supplementary data', 'notes'],
  [2, '9', 'Disagreements with Accountants', 'changes in and|disagreements', 'other'],
  [2, '9A', 'Controls and Procedures', '(evaluation of )?(disclosure )?controls', 'other'],
  [2, '9B', 'Other Information', 'other information', 'other'],
  [2, '9C', 'Foreign Jurisdictions', 'disclosures? regarding foreign', 'other'],
  [3, '10', 'Directors and Officers', '(our |information about )?(directors|executive officers)', 'other'],
  [3, '11', 'Executive Compensation', 'executive compensation', 'other'],
  [3, '12', 'Security Ownership', '.*ownership', 'other'],
  [3, '13', 'Certain Relationships', 'certain relationships|.*related (transactions|party)', 'other'],
  [3, '14', 'Accountant Fees', 'principal (accountant|accounting)|.*fees|controls', 'other'],
  // To the end: the summary of item 16, signatures, and statements placed after them.
  [4, '15', 'Exhibits and Schedules', '.*exhibits?|financial statement schedules', 'other'],
]

const quarterlyRows: readonly Row[] = [
  [1, '1', 'Financial Statements', '.*financial (statements|information)', 'notes'],
  [
    1,
    '2',
    "Management's Discussion and Analysis",
    String.raw`management\W?s? (narrative )?discussion`,
    'mda',
  ],
  [1, '3', 'Market Risk', 'quantitative|.*market risk', 'other'],
  [1, '4', 'Controls and Procedures', '(evaluation of )?(disclosure )?controls', 'other'],
  [2, '1', 'Legal Proceedings', 'legal', 'other'],
  [2, '1A', 'Risk Factors', 'risk factors', 'risk_factors'],
  [
    2,
    '2',
    'Unregistered Sales',
    'unregistered|.*(repurchases?|purchases?|sales?) of|changes in securities',
    'other',
  ],
  [2, '3', 'Defaults', 'defaults?', 'other'],
  [
    2,
    '4',
    'Mine Safety Disclosures',
    String.raw`mine safety|submission of matters|\W*(removed and )?reserved`,
    'other',
  ],
  [2, '5', 'Other Information', 'other information', 'other'],
  [2, '6', 'Exhibits', '.*exhibits?', 'other'],
]

/** Form 20-F, the annual report of foreign private issuers. */
const foreignRows: readonly Row[] = [
  [1, '1', 'Directors, Management and Advisers', 'identity of directors', 'other'],
  [1, '2', 'Offer Statistics', 'offer statistics', 'other'],
  [1, '3', 'Key Information', 'key information', 'risk_factors'],
  [1, '4', 'Information on the Company', 'information (on|about) (the )?', 'business'],
  [1, '4A', 'Unresolved Staff Comments', 'unresolved', 'other'],
  [1, '5', 'Operating and Financial Review', 'operating and financial review', 'mda'],
  [1, '6', 'Directors and Employees', 'directors', 'other'],
  [1, '7', 'Major Shareholders', 'major shareholders', 'other'],
  [1, '8', 'Financial Information', 'financial information', 'other'],
  [1, '9', 'The Offer and Listing', '(the )?offer', 'other'],
  [1, '10', 'Additional Information', 'additional information', 'other'],
  [1, '11', 'Market Risk', 'quantitative|.*market risk', 'other'],
  [1, '12', 'Other Securities', 'description of securities', 'other'],
  [2, '13', 'Defaults', 'defaults', 'other'],
  [2, '14', 'Material Modifications', 'material modifications', 'other'],
  [2, '15', 'Controls and Procedures', '(evaluation of )?(disclosure )?controls', 'other'],
  [2, '16', 'Corporate Governance', String.raw`\W*reserved|audit committee`, 'other'],
  [3, '17', 'Financial Statements', '(consolidated )?financial statements', 'other'],
  [3, '18', 'Financial Statements', '(consolidated )?financial statements', 'notes'],
  // To the end: statements placed after the list of exhibits.
  [3, '19', 'Exhibits', '.*exhibits?', 'other'],
]

const item = ([part, number, title, says, type]: Row, key: string): Item => ({
  key,
  part,
  number,
  title,
  says: new RegExp(`^(?:${says})`, 'i'),
  type,
})

const annual = annualRows.map(row => item(row, row[1]))
const foreign = foreignRows.map(row => item(row, row[1]))
const quarterly = quarterlyRows.map(row => item(row, `part${row[0]}item${row[1].toLowerCase()}`))

/** The items of a form in order; null if it prescribes none. */
export function outlineOf(form: string): readonly Item[] | null {
  if (/^10-?K/i.test(form)) return annual
  if (/^10-?Q/i.test(form)) return quarterly
  if (/^20-?F/i.test(form)) return foreign
  return null
}
