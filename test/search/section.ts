import type { Section } from '../../engine/search/text/section.ts'

/** A section of a filing that nothing is known of but its text, and what more is said. */
export const section = (id: number, content: string, more: Partial<Section> = {}): Section => ({
  id: String(id),
  ticker: null,
  company_name: null,
  company_id: null,
  coverage: 'standard',
  doc_type: '10-K',
  section_type: 'notes',
  section_title: null,
  filing_date: null,
  known_from: null,
  content,
  shown: { id: String(id) },
  ...more,
})
