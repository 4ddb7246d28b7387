import { elementAt } from '../base/elements.ts'

// A heading of a list of companies, `List of Significant Subsidiaries of the Registrant (as of December 31, 2023)`: a
// lead, qualifiers, a noun, and what may follow it. A single pattern could split the same words in many ways, so the
// parts are matched one after the other, each at all possible positions at once.
const SEPARATORS = /\W*/y
const LEAD = /(?:list|names?|schedule) of|legal|entity|company|corporate|corporation/iy
const NARROWING =
  /the |all |active |significant |principal |direct|indirect|and|consolidated|unconsolidated|domestic|foreign|u\.?s\.?|non-u\.?s\.?|wholly|majority|partially|-?owned|other|operating|international|material|guarantor|affiliated|variable interest|subsidiary| |,/iy
const NOUN =
  /(?:subsidiar(?:y|ies)|names?|entit(?:y|ies)|compan(?:y|ies)|affiliates?|guarantors?|issuers?)\b/iy
const FOLLOWING =
  / (?:of|names?|legal|consolidated|affiliated|variable interest|vies?|guarantors?|issuers?|registrant|and|the|or|company|companies|subsidiar(?:y|ies)|entit(?:y|ies))/iy
const DATED = / (?:as of|at) /iy
/** Where a pattern matched at one position ends; null if it does not match there. */
function endAt(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

/** Whether a line is a heading of a list of companies, and not a company. */
export const isListHeading = (text: string): boolean =>
  mayEndAfter(text, nounEnds(text, narrowingStarts(text)))

/** Where qualifiers may begin: after a separator, with or without a lead. */
function narrowingStarts(text: string): number[] {
  const start = endAt(SEPARATORS, text, 0)!
  const lead = endAt(LEAD, text, start)
  return lead === null ? [start] : [start, endAt(SEPARATORS, text, lead)!]
}

/** Where a noun after any number of qualifiers ends. */
function nounEnds(text: string, starts: readonly number[]): Set<number> {
  const ends = new Set<number>()
  const seen = new Set<number>()
  for (const start of starts)
    for (let at: number | null = start; at !== null && !seen.has(at); at = endAt(NARROWING, text, at)) {
      seen.add(at)
      const end = endAt(NOUN, text, at)
      if (end !== null) ends.add(end)
    }
  return ends
}

/** Whether only permitted trailing words, a date or brackets follow one of the positions. */
function mayEndAfter(text: string, places: ReadonlySet<number>): boolean {
  const end = lastWordEnd(text)
  const reached = new Set(places)
  const brackets = new Set<number>()
  // A set is iterated in insertion order, including members added on the way.
  for (const at of reached) {
    if (at >= end || endAt(DATED, text, at) !== null) return true
    // A bracket may close at any later closing bracket. If one of them is reached, so are the later ones.
    if (text.startsWith(' (', at))
      for (let close = text.indexOf(')', at); close >= 0; close = text.indexOf(')', close + 1)) {
        if (brackets.has(close)) break
        brackets.add(close)
        reached.add(close + 1)
      }
    const next = endAt(FOLLOWING, text, at)
    if (next !== null) reached.add(next)
  }
  return false
}

/** Where the last word of a text ends. */
function lastWordEnd(text: string): number {
  let end = text.length
  while (end > 0 && !/\w/.test(elementAt(text, end - 1))) end--
  return end
}
