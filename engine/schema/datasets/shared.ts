import { integer, nullable, shaped, text } from '../column.ts'
import type { Dataset } from '../dataset.ts'

/** How rows of several datasets say which company they are about; at least one of them, matched at build. */
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
  bond_id: nullable(text("The source's own id of the instrument, where it has no CUSIP or ISIN.")),
  cusip: nullable(shaped('cusip', 'CUSIP, 9 characters.')),
  isin: nullable(shaped('isin', 'ISIN, 12 characters.')),
}

export const instrumentIdentifiers = ['cusip', 'isin', 'bond_id'] as const

/** The words of a document that a fact was read from. */
export const evidenceFields = {
  evidence: nullable(text('Words of the document that say it.')),
  evidence_section: nullable(text('Section or clause that the words stand in.')),
  evidence_offset: nullable(
    integer('Where the words begin in the text of the document.', { unit: 'characters' }),
  ),
  rule: nullable(text('Rule of extraction that read it.')),
  accession: nullable(text('Accession number of the filing.')),
}
