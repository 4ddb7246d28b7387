// Indices below are within bounds by construction: checks would cost in the loops.

import { eachToken } from './words.ts'

/** Words per passage: four steps, starting three steps after the previous passage. */
export const PASSAGE_WORDS = 200
const STEPS = 4
const STRIDE = 3
/** Maximum length of a step: for tables and text without blanks. */
const STEP_CHARACTERS = 1000

export interface CutText {
  /** Each word as a token, in order. */
  readonly words: readonly string[]
  readonly passages: readonly Passage[]
}

export interface Passage {
  /** The first word and the one after the last. */
  readonly from: number
  readonly to: number
  /** UTF-16 units of the text. */
  readonly start: number
  readonly end: number
}

/** Cuts a text into passages of about so many words, each beginning with the last quarter of the one before. */
export function cutText(text: string, passageWords = PASSAGE_WORDS): CutText {
  const most = Math.ceil(passageWords / STEPS)
  const words: string[] = []
  const stepWords = [0]
  const stepStarts = [0]
  eachToken(text, (token, start) => {
    const n = words.length
    if (
      n > 0 &&
      (n - stepWords[stepWords.length - 1]! >= most ||
        start - stepStarts[stepStarts.length - 1]! > STEP_CHARACTERS)
    ) {
      stepWords.push(n)
      stepStarts.push(start)
    }
    words.push(token)
  })
  const passages: Passage[] = []
  for (let step = 0; ; step += STRIDE) {
    const next = step + STEPS
    const last = next >= stepWords.length
    passages.push({
      from: stepWords[step]!,
      to: last ? words.length : stepWords[next]!,
      start: stepStarts[step]!,
      end: last ? text.length : stepStarts[next]!,
    })
    if (last) return { words, passages }
  }
}
