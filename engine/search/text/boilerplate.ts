/** A range of UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Maximum length of a list entry; longer lines are prose or tables. */
const LONGEST_ENTRY = 600
/** Minimum lines of a list, and other lines allowed between two of them: a title, a wrapped entry. */
const FEWEST_ENTRIES = 3
const WIDEST_GAP = 2

// at most 600 characters: kindOf
const exhibitNumber =
  /^[\s|*†‡+#(]{0,8}(?:exhibit\s{1,3})?\(?\d{1,3}(?:[.-]\d{1,3}[a-z]?|\.[a-z]{3})?\)?[*†‡+#]{0,4}(?=[\s|(]|$)/i
// at most 600 characters: kindOf
const exhibitName =
  /\b(?:agreement|indenture|certificat|by-?laws|consent|power of attorney|form of|plan\b|policy|letter|subsidiaries|description of|section 1350|rule 13a|amendment|incorporated (?:herein )?by reference|filed herewith|furnished herewith)/i
// at most 600 characters: kindOf
const dataFile = /\b(?:XBRL|linkbase|interactive data file|taxonomy extension)\b/i
// at most 600 characters: kindOf
const clause = /\b(?:shall|must|agrees?|hereby|may not|will not)\b/i
// at most 600 characters: kindOf
const reference =
  /\bincorporated (?:herein )?by reference (?:to|from) exhibit\b|\((?:filed|furnished) herewith\)/i
// at most 600 characters: kindOf
const leader = /(?:\.{4}|(?:\. ){4})[. ]{0,200}[a-z]{0,2}-?\d{1,3}\s{0,9}$/i
// at most 600 characters: kindOf
const contentsEntry =
  /^[\s|]{0,8}(?:item|section|article|part|note|schedule|annex|appendix)\s{1,3}[\dIVX]{1,5}(?:\.\d{1,3})?[A-C]?\b[^$%]*[\s|][a-z]{0,2}-?\d{1,3}[\s|]{0,9}$/i
// at most 600 characters: kindOf
const statementsEntry =
  /^[\s|]{0,8}(?:consolidated (?:statements?|balance sheets?)|notes to (?:the )?(?:condensed )?consolidated|reports? of independent|index to)\b[^$%]*[\s|][a-z]{0,2}-?\d{1,3}[\s|]{0,9}$/i
// at most 600 characters: kindOf
const consent =
  /\bconsents? to the (?:incorporation by reference|use|inclusion)\b|\bregistration statements?\b.{0,60}\bnos?\.? ?333-\d/i
// at most 600 characters: kindOf
const certification =
  /\bI have reviewed this (?:annual |quarterly )?report\b|^\W{0,8}(?:\w{1,2}\W{1,4})?based on my knowledge,|\bother certifying officer|\bdesigned such (?:disclosure controls|internal control)|\bevaluated the effectiveness of the registrant|\bdisclosed in this report any change in the registrant|\bfully complies with the requirements of section 13\b/i
// at most 600 characters: kindOf
const signed = /\/s\/|pursuant to the requirements of (?:section|the securities)|thereunto duly authorized/i
// at most 600 characters: kindOf
const signatureLine = /^[\s|*]{0,8}(?:by|name|title|its|dated?|signatures?)\s{0,3}(?::|$)/i

type Kind = 'entry' | 'minor' | 'text'

function kindOf(line: string): Kind {
  if (line.length > LONGEST_ENTRY) return 'text'
  if (dataFile.test(line) || reference.test(line) || signed.test(line) || leader.test(line)) return 'entry'
  if (exhibitNumber.test(line) && exhibitName.test(line) && !clause.test(line)) return 'entry'
  if (consent.test(line) || certification.test(line)) return 'entry'
  if (line.length <= 200 && (contentsEntry.test(line) || statementsEntry.test(line))) return 'entry'
  return signatureLine.test(line) ? 'minor' : 'text'
}

/**
 * Exhibit lists, contents pages, signatures, auditors' consents and officers' certifications in a text: at least three
 * lines of the kind, close together. Such lines mention many subjects and say nothing about them.
 */
export function boilerplate(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  let end = 0
  let lines = 0
  let entries = 0
  let gap = 0
  const close = () => {
    if (lines >= FEWEST_ENTRIES && entries > 0) spans.push({ start, end })
    lines = 0
    entries = 0
  }
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, next)
    if (line.length > 1 && line.trim() !== '') {
      const kind = kindOf(line)
      if (kind !== 'text') {
        if (lines === 0) start = at
        lines++
        if (kind === 'entry') entries++
        end = next
        gap = 0
      } else if (++gap > WIDEST_GAP || line.length > LONGEST_ENTRY) close()
    }
    at = next
  }
  close()
  return spans
}

/** Percent of a range outside the spans. */
export function prosePercent(spans: readonly Span[], start: number, end: number): number {
  if (end <= start) return 100
  let inside = 0
  for (const span of spans) inside += Math.max(0, Math.min(end, span.end) - Math.max(start, span.start))
  return Math.round(100 - (100 * inside) / (end - start))
}
