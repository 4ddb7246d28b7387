import { createHash } from 'node:crypto'
import type { FiledSection } from './filed-section.ts'

/**
 * The id of a fact that documents repeat over the years: equal for the same company, instrument and kind, so that a
 * later document replaces an earlier one. Without a known company it belongs to its filing alone.
 */
export const recordId = (section: FiledSection, ...kind: readonly (string | null | undefined)[]): string =>
  createHash('sha256')
    .update([section.cik ?? section.company_name ?? section.accession, ...kind].map(v => v ?? '').join('\n'))
    .digest('hex')
    .slice(0, 32)
