import { groupOf } from '../base/elements.ts'

/** What is read of a filing: periodic and current reports, exhibits with debt or entities in them, prospectuses. */
const TAKEN =
  /^(10-?K(T|SB|405)?|10-?Q(T|SB)?|8-?K(12B|12G3|15D5)?|20-F|40-F|6-K|424B\d|424A|FWP|S-\d|F-\d|S-3ASR|F-3ASR)(\/A)?$|^EX-(1|2|4|10|21|22|99)(\.|$)/i

/** `filing` is the form of the filing that an exhibit belongs to, if known. */
export const isSupportedForm = (type: string, filing: string | null): boolean =>
  TAKEN.test(type.trim()) || isSubsidiaryList(type, filing)

/** Exhibit 21, and Exhibit 8 of a foreign issuer's annual report; of a registration it is an opinion on taxes. */
export const isSubsidiaryList = (type: string, filing: string | null): boolean =>
  /^EX-21(\.|$)/i.test(type.trim()) || (/^EX-8(\.|$)/i.test(type.trim()) && /^20-?F/i.test(filing ?? ''))

/** `10k` and `Form 10-K` as `10-K`; `ex21_1` as `EX-21.1`; null if the text is not a form's name. */
export function formNamed(text: string): string | null {
  const match = /^(?:form\s*)?(10|8|6|20|40)-?\s?(K|Q|F)(T|SB|405)?(\/A|A)?$/i.exec(text.trim())
  if (match)
    return `${match[1]}-${groupOf(match, 2).toUpperCase()}${match[3]?.toUpperCase() ?? ''}${match[4] ? '/A' : ''}`
  const exhibit = /^(?:exhibit|ex)[-_. ]?(\d{1,3})(?:[._-]?(\d{1,3}))?$/i.exec(text.trim())
  if (exhibit) return `EX-${exhibit[1]}${exhibit[2] ? `.${exhibit[2]}` : ''}`
  return /^(424B\d|FWP)$/i.test(text.trim()) ? text.trim().toUpperCase() : null
}

export const isExhibit = (type: string): boolean => /^EX-/i.test(type)
