import { type DefaultRowOf, derived, integer, nullable, number, onRequest, pick, text } from '../column.ts'
import { documents as loaded } from '../datasets/documents.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** Where a section is in its filing; returned only when named. */
const placeColumns = {
  exhibit: onRequest(loaded.columns.exhibit),
  item: onRequest(loaded.columns.item),
  within: onRequest(loaded.columns.within),
  first_page: onRequest(loaded.columns.first_page),
  text_offset: onRequest(loaded.columns.text_offset),
  source_offset: onRequest(loaded.columns.source_offset),
  source_length: onRequest(loaded.columns.source_length),
}

export const documents = resource({
  name: 'documents',
  doc: 'Sections of filings.',
  table: 'documents',
  row: 'DocumentSection',
  columns: {
    id: text('Id of the section.'),
    ...companyColumns,
    ...pick(
      loaded.columns,
      'doc_type',
      'accession',
      'filing_date',
      'period_end_date',
      'section_type',
      'section_title',
    ),
    content: onRequest(text('Text of the section.')),
    content_length: derived(integer('Characters of the text.', { unit: 'characters' })),
    page_count: nullable(integer('Pages.')),
    source_url: nullable(text('URL of the filing.')),
    ...placeColumns,
    source: onRequest(nullable(text('File and position it came from.'))),
    ...linkColumns,
  },
  key: ['id'],
  sort: ['-filing_date', 'ticker', 'id'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    doc_type: anyOf('doc_type'),
    section_type: anyOf('section_type'),
    filed_after: atLeast('filing_date', { doc: 'Filed on or after this day.' }),
    filed_before: atMost('filing_date', { doc: 'Filed on or before this day.' }),
  },
  limit: { default: 50, max: 100 },
})

/** A section as a search hit. */
export const hitColumns = {
  ...pick(
    documents.columns,
    'id',
    'ticker',
    'company_name',
    'doc_type',
    'accession',
    'filing_date',
    'period_end_date',
    'section_type',
    'section_title',
  ),
  snippet: text('HTML of the best matching passage; matches are in `<b>`, everything else is escaped.'),
  relevance_score: derived(
    nullable(number('Relevance from 0 to 1, falling with rank; null in semantic mode.', { unit: 'score' })),
  ),
  semantic_score: derived(
    nullable(
      number('Cosine of the nearest passage; null in keyword mode, and if none is near.', {
        unit: 'cosine',
      }),
    ),
  ),
  'ranks.keyword': derived(nullable(integer('Rank by keywords, in hybrid mode.'))),
  'ranks.semantic': derived(nullable(integer('Rank by meaning, in hybrid mode.'))),
  copies: derived(
    integer(
      'Number of near-copies by the same company in filings of the same form that this hit represents.',
    ),
  ),
  ...pick(documents.columns, 'content', 'content_length', 'page_count', 'source_url', 'source', 'known_from'),
  ...placeColumns,
}

export interface DocumentHit extends DefaultRowOf<typeof hitColumns> {}
