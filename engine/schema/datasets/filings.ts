import { boolean, date, nullable, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'

export const filings = dataset({
  name: 'filings',
  doc: 'Filings of companies, without their text.',
  columns: {
    cik: shaped('cik', 'SEC central index key of the filer, 10 digits.'),
    company_name: nullable(text('Name of the filer.')),
    accession: text('Accession number, with dashes.'),
    form: text('Form, `10-K`.'),
    filed_date: date('Filing date.'),
    report_date: nullable(date('Period of the report.')),
    accepted: nullable(text('Acceptance stamp as the source writes it; its time zone is not reliable.')),
    primary_document: nullable(text('File name of the main document.')),
    items: nullable(text('Items of an 8-K.')),
    is_xbrl: nullable(boolean('Has XBRL.')),
    source_url: nullable(text('URL of the filing.')),
  },
  key: ['accession', 'cik'],
  known: ['filed_date'],
  visible: [{ names: 'companies', by: ['cik'] }],
})
