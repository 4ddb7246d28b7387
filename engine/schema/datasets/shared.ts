import { integer, nullable, shaped, text } from '../column.ts'
import type { Dataset } from '../dataset.ts'

/** The columns by which rows name their company; at least one is required, and the build matches it. */
export const issuerColumns = {
  ticker: nullable(shaped('ticker', 'Ticker of the company.', { example: 'AAPL' })),
  cik: nullable(shaped('cik', 'SEC central index key, 10 digits.')),
  company_name: nullable(text('Name of the company as the source writes it.')),
}

export const issuerIdentifiers = ['ticker', 'cik', 'company_name'] as const

export const namesIssuer = ({ columns }: Dataset): boolean =>
  issuerIdentifiers.every(name => columns[name] === issuerColumns[name])

/** How rows say which instrument they are about. */
export const instrumentColumns = {
  bond_id: nullable(text("The source's own id of the instrument, if it has no CUSIP or ISIN.")),
  cusip: nullable(shaped('cusip', 'CUSIP, 9 characters.')),
  isin: nullable(shaped('isin', 'ISIN, 12 characters.')),
}

export const instrumentIdentifiers = ['cusip', 'isin', 'bond_id'] as const

/** The words of a document from which a fact was read. */
export const evidenceFields = {
  evidence: nullable(text('Quotation from the document.')),
  evidence_section: nullable(text('Section or clause of the quotation.')),
  evidence_offset: nullable(
    integer('Where the quotation begins in the text of the document.', { unit: 'characters' }),
  ),
  rule: nullable(text('Extraction rule.')),
  accession: nullable(text('Accession number of the filing.')),
}
