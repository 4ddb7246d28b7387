import { groupOf } from '../../base/elements.ts'
import { oneLine } from './flat-text.ts'

const NAME = String.raw`(?:(?:[A-Z$\d][\w.,%&'\u2019$-]{0,30}|and|of)\s{1,3}){0,9}(?:Notes(?:\sPayable)?|Facility|Facilities|Loans?|Credit\sAgreement|Loan\sAgreement|Indentures?|Debentures|Bonds|Revolver|Line[\s-]of[\s-]Credit|(?:Receivables|Securitization)\sProgram)(?:,?\s[Dd]ue\s\d{4})?`
/** `Holdings Credit Facility \u2013 On October 24, 2017, \u2026`, `Liberty Bank Facility. Since 2008, \u2026`: what a paragraph calls its subject. */
const runIn = new RegExp(
  String.raw`^\W{0,4}(?:${NAME}[.:]\s{1,4})?(?<name>${NAME})(?:\s{1,3}\([^()]{2,60}\))?(?:\s{0,3}[:\u2013\u2014]\s|\.\s{1,4}(?=[A-Z])|\s-{1,2}\s)`,
)
/** A line above paragraphs that is such a name alone. */
const line = new RegExp(String.raw`^\W{0,4}(?:\(\w\)\s)?(?<name>${NAME})(?:\s{1,3}\([^()]{2,60}\))?\W{0,4}$`)
/** Longest head, and how far above a sentence it is looked for. */
const LONGEST = 140
const MOST_ABOVE = 6000

/** What a name says that any of its kind could be called. */
const generic =
  /^(?:(?:amended|new|credit|term|revolving|secured|unsecured|bank)\s+){0,3}(?:facility|facilities|loans?|notes|agreement|loan\s+agreement)$/i
const isGeneric = (name: string): boolean => generic.test(name)

/** The instrument that the paragraph of a sentence names, where the sentence names none or only a kind. */
export function toldByHead(source: string, sentence: number, named: string | null): string | null {
  if (named !== null && !isGeneric(named)) return null
  const head = headOfParagraph(source, sentence)
  return head === null || (named !== null && isGeneric(head)) ? null : head
}

/** The instrument that the paragraph of a sentence names before its words; null if none. */
function headOfParagraph(source: string, sentence: number): string | null {
  const at = pastHeads(source, sentence)
  const own = nameOf(runIn.exec(source.slice(at, at + 2 * LONGEST)))
  if (own !== null) return own
  const begins = source.slice(0, at + 2).lastIndexOf('\n\n')
  return nameOf(runIn.exec(source.slice(begins < 0 ? 0 : begins + 2).slice(0, 2 * LONGEST)))
}

/** The instrument that the nearest head above a sentence names; null if that names none. */
export function headAbove(source: string, sentence: number): string | null {
  const at = pastHeads(source, sentence)
  const whole = source.slice(Math.max(0, at - MOST_ABOVE), at)
  // What stands above a table is about the table.
  const above = whole.slice(whole.lastIndexOf('|') + 1)
  const head = above.split(/\n{2,}/).findLast(text => isHead(text.trim()))
  return head === undefined ? null : nameOf(line.exec(head.trim().slice(0, LONGEST)))
}

/** Where a sentence begins past the heads that run into it, having no full stop. */
function pastHeads(source: string, sentence: number): number {
  let at = sentence
  for (;;) {
    const ends = source.indexOf('\n\n', at)
    if (ends < 0 || ends - at > LONGEST || !isHead(source.slice(at, ends).trim())) return at
    at = ends + 2
  }
}

const isHead = (text: string): boolean =>
  text.length > 2 && text.length <= LONGEST && /^[\W\d]{0,6}[A-Z]/.test(text) && !/[.;,|]$|\|/.test(text)

/** The name of a head as a sentence would say it. */
function nameOf(match: RegExpExecArray | null): string | null {
  return match && oneLine(groupOf(match, 'name'), 120).replace(/^(?:The|Our|On|In)\s/, '')
}
