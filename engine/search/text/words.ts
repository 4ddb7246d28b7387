import { stem } from './stem.ts'

/** Characters of a word that tell it from others; the rest of a longer one is not looked at. */
const LONGEST = 64

const kinds = { between: 0, word: 1, apostrophe: 2 } as const

/** Per UTF-16 unit whether it belongs to words; halves of pairs do. */
let classes: Uint8Array | null = null

function characterClasses(): Uint8Array {
  const made = new Uint8Array(0x10000)
  for (let c = 0; c < made.length; c++)
    made[c] =
      (c >= 0xd800 && c <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(c))
        ? kinds.word
        : kinds.between
  for (const c of "'’") made[c.charCodeAt(0)] = kinds.apostrophe
  return made
}

/**
 * Calls back with where every word of a text stands: runs of letters and digits, `company's` one of them. Ends where it is
 * told false.
 */
export function eachSpan(text: string, visit: (start: number, end: number) => unknown): void {
  classes ??= characterClasses()
  const { length } = text
  for (let at = 0; at < length; ) {
    if (classes[text.charCodeAt(at)] !== kinds.word) {
      at++
      continue
    }
    const start = at++
    while (at < length) {
      const kind = classes[text.charCodeAt(at)]
      if (kind === kinds.word) at++
      else if (kind === kinds.apostrophe && classes[text.charCodeAt(at + 1)] === kinds.word) at += 2
      else break
    }
    if (visit(start, at) === false) return
  }
}

/** Where words stand, in memory that is used again. */
export class WordSpans {
  starts = new Uint32Array(1024)
  ends = new Uint32Array(1024)
  count = 0

  /**
   * Reads words as `eachSpan` does: all up to number `last`, and those that begin at most `more` characters after it. A loop of its
   * own, because a call back for every word takes several times as long.
   */
  read(text: string, last: number, more: number): void {
    classes ??= characterClasses()
    const kindOf = classes
    const { length } = text
    let { starts, ends } = this
    let count = 0
    let farthest = more
    for (let at = 0; at < length; ) {
      if (kindOf[text.charCodeAt(at)] !== kinds.word) {
        at++
        continue
      }
      const start = at++
      while (at < length) {
        const kind = kindOf[text.charCodeAt(at)]
        if (kind === kinds.word) at++
        else if (kind === kinds.apostrophe && kindOf[text.charCodeAt(at + 1)] === kinds.word) at += 2
        else break
      }
      if (count === starts.length) {
        this.starts = new Uint32Array(2 * count)
        this.ends = new Uint32Array(2 * count)
        this.starts.set(starts)
        this.ends.set(ends)
        starts = this.starts
        ends = this.ends
      }
      starts[count] = start
      ends[count] = at
      if (count === last) farthest = start + more
      count++
      if (count > last && start > farthest) break
    }
    this.count = count
  }
}

/** The same, with the words. */
export function eachWord(text: string, visit: (word: string, start: number, end: number) => void): void {
  eachSpan(text, (start, end) => visit(text.slice(start, Math.min(end, start + LONGEST)), start, end))
}

/** Remembered terms: most words of a text were met before. */
let remembered = new Map<string, string>()
const MOST_REMEMBERED = 500_000

/** The term a word is found by: small letters, no accents, no possessive, stemmed. */
export function termOf(word: string): string {
  let term = remembered.get(word)
  if (term !== undefined) return term
  if (remembered.size >= MOST_REMEMBERED) remembered = new Map()
  term = stem(folded(word))
  remembered.set(word, term)
  return term
}

function folded(word: string): string {
  let text = word
  if (/[^\x20-\x7e]/.test(text))
    text = text
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .replaceAll('’', "'")
  text = text.toLowerCase()
  return text.includes("'") ? text.replace(/'s$/, '').replaceAll("'", '') : text
}

/** The terms of a text in order. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  eachWord(text, word => terms.push(termOf(word)))
  return terms
}

/** Words that carry a question's grammar and not its subject. */
export const functionWords: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am among an and any are as at be because been before ' +
    'being below between both but by can could did do does doing down during each either else etc ever ' +
    'every few for from further had has have having he her here hers herself him himself his how ' +
    'however i if in into is it its itself just may me might more most much must my myself neither no ' +
    'nor not of off on once only or other our ours ourselves out over own per same shall she should ' +
    'since so some still such than that the their theirs them themselves then there these they this ' +
    'those through thus to too under until up upon us very was we were what when where whether which ' +
    'while who whom whose why will with within without would yet you your yours'
  )
    .split(' ')
    .map(termOf),
)
