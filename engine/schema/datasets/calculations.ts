import { number, text } from '../column.ts'
import { dataset } from '../dataset.ts'

/** The role of links that are found by adding up the lines of a balance sheet. */
export const BALANCE_SHEET = 'balance sheet'

/** The last line of a balance sheet: nothing else adds up to it. */
export const SHEET_TOTALS = ['us-gaap:LiabilitiesAndStockholdersEquity', 'ifrs-full:EquityAndLiabilities']
/** Totals of a balance sheet that hold every borrowing. */
export const WHOLE_LIABILITIES = [...SHEET_TOTALS, 'us-gaap:Liabilities', 'ifrs-full:Liabilities']

/** A filing as its facts tell of it. */
export interface FilingOfFacts {
  readonly accession: string | null
  readonly cik: string | null
  readonly form: string | null
  readonly report_date: string | null
  readonly filed_date: string | null
}

/** The `document` of links that are found by adding up a filing's balance sheet: its accession number, else what its facts share. */
export const sheetOf = ({ accession, cik, form, report_date, filed_date }: FilingOfFacts): string =>
  accession ?? [cik, form, report_date, filed_date].filter(part => part !== null).join(' ')

/** The same of rows of `facts`. */
export const sheetOfSql = (fact: string): string =>
  `coalesce(${fact}.accession, concat_ws(' ', ${fact}.cik, ${fact}.form, ${fact}.report_date, ${fact}.filed_date))`

export const calculations = dataset({
  name: 'calculations',
  doc: 'Calculation links of filings: which figures of a filing add up to which total, as its linkbase says or as the lines of its balance sheet add up.',
  columns: {
    document: text(
      'Name that the files of one filing share, `acme-20241231` of `acme-20241231_cal.xml`; its accession number, else company, form and days, for links that are found by adding up a balance sheet.',
    ),
    role: text(
      'Statement or note, as the URI of its role; `balance sheet` where the links are found by adding up its lines.',
    ),
    parent: text('Concept of the total, `us-gaap:Liabilities`.'),
    child: text('Concept of the part.'),
    weight: number('1 if the part is added, -1 if it is subtracted.'),
  },
  key: ['document', 'role', 'parent', 'child'],
  known: [],
  reference: true,
})
