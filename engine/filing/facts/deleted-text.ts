import { groupOf } from '../../base/elements.ts'
import { everyWords } from './flat-text.ts'

// `by deleting "3.50 to 1.00" and replacing it with "4.00 to 1.00"`, `by replacing "X" with "Y"`.
const deleted = everyWords(
  String.raw`\b(?:delet(?:e|es|ed|ing)|strik(?:e|es|ing)|replac(?:e|es|ing)|substituting for)\b(?: therefrom| thereof)?[^".;]{0,80}"(?<gone>[^"]{1,2500})"`,
)

/** The text with what an amendment quotes as deleted or replaced blanked out, preserving positions. */
export function withoutDeleted(flat: string): string {
  let out = ''
  let past = 0
  for (const match of flat.matchAll(deleted)) {
    const gone = groupOf(match, 'gone')
    const from = match.index + match[0].length - 1 - gone.length
    const lead = match[0].slice(0, match[0].length - gone.length - 2)
    // `is deleted and replaced with "…"` quotes what applies from now on.
    if (/\b(?:with|by|as\s+follows|in\s+lieu\s+thereof)\s*(?::\s*)?$/i.test(lead)) continue
    out += flat.slice(past, from) + ' '.repeat(gone.length)
    past = from + gone.length
  }
  return out + flat.slice(past)
}
