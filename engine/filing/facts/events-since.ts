import type { FiledSection } from './filed-section.ts'
import type { InstrumentLine } from './instrument-line.ts'

const isSince = /\bsubsequent\s+(?:events?|financings?)\b|\bevents?\s+(?:subsequent\s+to|after)\b/i

/** What a report of agreements is titled. */
const AGREED = 'Item 1.01'

/**
 * What a note on events since the report's day tells, as a current report of the day of filing tells it: an agreement that was
 * entered into, notes that were issued.
 */
export function toldSince(
  section: FiledSection,
  read: (report: FiledSection) => InstrumentLine[],
): InstrumentLine[] {
  const { section_type, title, filing_date, period_end } = section
  const isNote = section_type === 'notes' && isSince.test(title ?? '')
  if (!isNote || filing_date === null || period_end === null || filing_date <= period_end) return []
  const report = {
    ...section,
    section_type: 'other',
    doc_type: '8-K',
    title: AGREED,
    period_end: filing_date,
  }
  return read(report).map(line => ({ ...line, evidence_section: title ?? section_type }))
}
