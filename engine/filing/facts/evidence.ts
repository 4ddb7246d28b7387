import type { Clause } from './clauses.ts'
import type { FiledSection } from './filed-section.ts'

/** Maximum characters of a quotation. */
export const MOST_EVIDENCE = 2000

/** The quotation at a position: exact, with its clause and its offset in the document. */
export function quoted(section: FiledSection, from: number, to: number, clause: Clause | null) {
  const start = from + (section.text.slice(from).length - section.text.slice(from).trimStart().length)
  const end = Math.min(to, start + MOST_EVIDENCE)
  const evidence = section.text.slice(start, end).trimEnd()
  const heading = clause && [clause.within, clause.heading].filter(Boolean).join(' ')
  return {
    evidence,
    evidence_section: heading || section.title || section.section_type,
    evidence_offset: section.offset + start,
  }
}
