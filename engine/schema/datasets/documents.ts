import { date, integer, nullable, oneOf, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { sectionTypes } from '../vocabulary.ts'
import { issuerColumns, issuerIdentifiers } from './shared.ts'

export const documents = dataset({
  name: 'documents',
  doc: 'Sections of filings.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuerColumns,
    doc_type: text('Form, `10-K`.'),
    accession: nullable(text('Accession number of the filing.')),
    filing_date: nullable(date('Filing date.')),
    period_end_date: nullable(date('Period of the report.')),
    section_type: oneOf(sectionTypes, 'Type of the section.'),
    section_title: nullable(text('Title of the section.')),
    content: text('Text of the section.'),
    page_count: nullable(integer('Pages.')),
    source_url: nullable(text('URL of the filing.')),
    exhibit: nullable(text('Exhibit that contains it, `EX-10.1`; null for the filing itself.')),
    item: nullable(text('Item of the form that it is or is in: `7A`, `part1item2`, `1.01`.')),
    within: nullable(
      oneOf(sectionTypes, 'Section that contains it, as MD&A contains the liquidity discussion.'),
    ),
    first_page: nullable(integer('Page of the document on which it begins.')),
    text_offset: nullable(integer('Where it begins in the text of its document.', { unit: 'characters' })),
    source_offset: nullable(integer('Where it begins in the source as filed.', { unit: 'characters' })),
    source_length: nullable(integer('Its length in the source, including markup.', { unit: 'characters' })),
  },
  key: ['id', 'ticker', 'cik', 'company_name', 'accession', 'section_type', 'section_title'],
  needsOneOf: [...issuerIdentifiers, 'accession'],
  known: ['filing_date'],
  filed: 'filing_date',
  checks: [
    {
      sql: 'length(content) <= 500000',
      says: 'content is longer than 500,000 characters: split the section',
    },
  ],
})
