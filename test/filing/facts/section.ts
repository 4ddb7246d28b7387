import type { FiledSection } from '../../../engine/filing/facts/filed-section.ts'

/** A section of a made-up agreement, or of a report when `section_type` says so. */
export const section = (text: string, more: Partial<FiledSection> = {}): FiledSection => ({
  text,
  title: null,
  section_type: 'credit_agreement',
  offset: 0,
  doc_type: 'EX-10.1',
  accession: '0000000000-25-000001',
  filing_date: '2025-03-31',
  period_end: '2024-12-31',
  company_name: 'Alfa Corp',
  cik: '0000000001',
  ...more,
})
