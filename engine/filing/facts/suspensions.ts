import { clauseAt } from './clauses.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import { MOST_SENTENCE, type Protection } from './protection.ts'
import type { Reading } from './reading.ts'

const GRADE = 'investment[- ]grade'
// `will not be subject to Sections 4.06 through 4.10 (the "Suspended Covenants")`; `most of the covenants will be suspended`.
const suspended = everyWords(
  String.raw`\b(?:shall|will) (?:no longer|not) be (?:subject|required to comply with)\b[^.;]{0,60}?\b(?:covenants?|sections?)\b|\b(?:covenants?|restrictions|limitations|sections?)\b[^;]{0,240}?\b(?:(?:shall|will|are|is|be)(?: also)? (?:be )?(?:automatically )?suspended|(?:shall|will) (?:cease to (?:apply|be in effect)|no longer (?:apply|be applicable|be in effect)|fall away)|cease to apply)\b|\bsuspension of (?:(?:certain|most|many|some|substantially all|all) (?:of )?)?(?:(?:these|those|the|such) )?(?:covenants|restrictions|limitations)\b`,
)
const rated = words(
  String.raw`\b${GRADE}\b[^.;]{0,60}\b(?:ratings?|status|rated)\b|\brated ${GRADE}\b|\bratings? (?:of|that (?:is|are)) ${GRADE}\b|\b(?:achieves?|receives?|attains?|obtains?|has|have) (?:an? )?${GRADE}\b`,
)
const isOver = words(String.raw`\b(?:(?:were|was|had been) suspended|reinstated|would be|not be suspended)\b`)

/** Covenants that do not apply while the notes are rated investment grade. */
export function suspensionsIn({ flat, clauses, isContract }: Reading): Protection[] {
  return [...flat.matchAll(suspended)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    const sentence = flat.slice(from, to)
    if (!rated.test(sentence) || isOver.test(sentence)) return []
    return {
      covenant_name: 'Covenant Suspension' as const,
      rule: 'suspension' as const,
      putPricePct: null,
      threshold: null,
      confidence: isContract ? 0.9 : 0.8,
      from,
      to,
      clause: clauseAt(clauses, match.index),
    }
  })
}
