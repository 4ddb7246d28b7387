// Indices below are within bounds by construction: checks would cost in the loops.

import { stem } from './stem.ts'

/** Significant characters of a word; the rest of a longer one is ignored. */
const LONGEST = 64

const kinds = { between: 0, word: 1, apostrophe: 2 } as const

/** Per UTF-16 unit whether it belongs to words; surrogates do. */
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
 * Calls back with the position of every word of a text: runs of letters and digits, `company's` being one. Stops when
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

const special = 2

/** Whether a byte is in a word, 1 or 0; `special` where more than the byte decides. */
const byteKinds = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || byte === 39 ? special : /[\da-z]/i.test(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * What two bytes in a row are, the first in the low bits: bit 0 tells a word character, bit 1 that a word starts at the
 * second byte, bit 2 that the second is a word character; `UNCLEAR` where more than the two bytes decides.
 */
let pairKinds: Uint8Array | null = null
const UNCLEAR = 64

function kindsOfPairs(): Uint8Array {
  const made = new Uint8Array(0x10000)
  for (let pair = 0; pair < made.length; pair++) {
    const [first, second] = [byteKinds[pair & 255]!, byteKinds[pair >> 8]!]
    const isUnclear = first === special || second === special
    made[pair] = isUnclear ? UNCLEAR : first | ((second & ~first) << 1) | (second << 2)
  }
  return made
}

/** Bytes of a text that are read. */
const MOST_BYTES = 1 << 16
// Constants of the module, whose length the compiler knows: as fields of the class they took twice as long.
const unitStarts = new Uint32Array(MOST_BYTES / 2 + 1)
const byteStarts = new Uint32Array(MOST_BYTES / 2 + 1)

/** Where words start in a text in UTF-8. */
export interface WordPlaces {
  /** In UTF-16 units. */
  readonly units: Readonly<Uint32Array>
  /** In bytes. */
  readonly bytes: Readonly<Uint32Array>
  readonly count: number
  /** UTF-16 units of the whole text, where it was read to the end; else -1. */
  readonly length: number
}

/** Where words start in UTF-8, in buffers that are reused by all. */
export class WordStarts implements WordPlaces {
  /** In UTF-16 units. */
  readonly units = unitStarts
  /** In bytes. */
  readonly bytes = byteStarts
  count = 0
  /** UTF-16 units of the whole text, where it was read to the end; else -1. */
  length = -1

  /**
   * Finds the words of a part of some bytes as `eachSpan` does: all up to number `last`, and those that begin at most
   * about `more` characters after it. Works on bytes, because most of a passage is never shown, and on two at a time: a
   * place is written for every pair and counted where a word begins, so that no branch depends on the text.
   */
  read(text: Uint8Array, from: number, end: number, last: number, more: number): void {
    classes ??= characterClasses()
    pairKinds ??= kindsOfPairs()
    const size = Math.min(end, from + MOST_BYTES)
    const kindOf = classes
    const kindsOf = pairKinds
    let count = 0
    let farthest = last < 0 ? more : -1
    // Bytes before the first UTF-16 unit, and so far beyond one for each.
    let extra = from
    // Whether the character before is in a word, 1 or 0.
    let before = 0
    let at = from
    while (at < size) {
      const pair = at + 1 < size ? kindsOf[text[at]! | (text[at + 1]! << 8)]! : UNCLEAR
      if (pair === UNCLEAR) {
        const kind = byteKinds[text[at]!]!
        const isIn = kind === special ? inWord(kindOf, text, at, size, before) : kind
        const width = kind === special ? widthOf(text[at]!) : 1
        unitStarts[count] = at - extra
        byteStarts[count] = at
        count += isIn & ~before
        before = isIn
        at += width
        extra += extraOf(width)
      } else {
        // Of two bytes at most one begins a word.
        const second = (pair >> 1) & 1
        unitStarts[count] = at + second - extra
        byteStarts[count] = at + second
        count += (pair & 1 & ~before) | second
        before = pair >> 2
        at += 2
      }
      if (count <= last) continue
      if (farthest < 0) farthest = unitStarts[last]! + more
      if (at - extra > farthest) break
    }
    this.count = count
    this.length = at < end ? -1 : at - extra
  }

  /**
   * The same from steps that were remembered: those of `most` words, numbered from `word` on.
   * @param first 1 where the first word starts at byte `from`, 0 where its step leads to it
   */
  walk(
    steps: Uint16Array,
    word: number,
    most: number,
    first: 0 | 1,
    from: number,
    last: number,
    more: number,
  ): void {
    let byte = from
    let unit = 0
    let count = 0
    if (first === 1) {
      unitStarts[0] = 0
      byteStarts[0] = from
      count = 1
    }
    const known = Math.min(last + 1, most)
    for (; count < known; count++) {
      const step = steps[word + count]!
      byte += step & BYTES_OF_STEP
      unit += (step & BYTES_OF_STEP) - (step >> EXTRA_SHIFT)
      unitStarts[count] = unit
      byteStarts[count] = byte
    }
    const farthest = unit + more
    for (; count < most && unit <= farthest; count++) {
      const step = steps[word + count]!
      byte += step & BYTES_OF_STEP
      unit += (step & BYTES_OF_STEP) - (step >> EXTRA_SHIFT)
      unitStarts[count] = unit
      byteStarts[count] = byte
    }
    this.count = Math.min(count, most)
    this.length = -1
  }
}

/** Bits of a step from word to word for its bytes; above them, how many these are beyond one for each UTF-16 unit. */
export const EXTRA_SHIFT = 12
export const BYTES_OF_STEP = (1 << EXTRA_SHIFT) - 1

/** The end of a word of a text, in bytes. */
export function wordEnd(text: Uint8Array, size: number, start: number): number {
  const kindOf = classes!
  let at = start
  for (let kind = 1; at < size; at += kind === special ? widthOf(text[at]!) : 1) {
    kind = byteKinds[text[at]!]!
    if ((kind === special ? inWord(kindOf, text, at, size, 1) : kind) === 0) break
  }
  return at
}

/** Where the last character of a part of some bytes ends that is there whole. */
export function wholeCharacters(bytes: Uint8Array, from: number, end: number): number {
  let lead = end - 1
  while (lead > from && lead > end - 4 && (bytes[lead]! & 0xc0) === 0x80) lead--
  return lead >= from && lead + widthOf(bytes[lead]!) > end ? lead : end
}

/** Whether a character that is not a plain letter, digit or sign is in a word, 1 or 0. */
function inWord(kindOf: Uint8Array, text: Uint8Array, at: number, size: number, before: number): number {
  const kind = kindAt(kindOf, text, at)
  if (kind !== kinds.apostrophe) return kind === kinds.word ? 1 : 0
  const after = at + widthOf(text[at]!)
  return before === 1 && after < size && kindAt(kindOf, text, after) === kinds.word ? 1 : 0
}

/** Bytes of a character, by its first byte. */
export const widthOf = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)

/** How many more bytes than UTF-16 units a character of so many bytes takes. */
export const extraOf = (width: number): number => (width === 4 ? 2 : width - 1)

/** UTF-16 units of some bytes. */
export function unitsOf(bytes: Buffer, from: number, to: number): number {
  let units = to - from
  for (let at = from; at < to; at++) if (bytes[at]! >= 0xc0) units -= extraOf(widthOf(bytes[at]!))
  return units
}

/** The kind of a character. */
function kindAt(kindOf: Uint8Array, bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  if (lead < 0x80) return kindOf[lead]!
  if (lead >= 0xf0) return kinds.word
  const second = bytes[at + 1]! & 63
  if (lead < 0xe0) return kindOf[((lead & 31) << 6) | second]!
  return kindOf[((lead & 15) << 12) | (second << 6) | (bytes[at + 2]! & 63)]!
}

/** The same, with the words. */
export function eachWord(text: string, visit: (word: string, start: number, end: number) => void): void {
  eachSpan(text, (start, end) => visit(text.slice(start, Math.min(end, start + LONGEST)), start, end))
}

/**
 * Calls back with the words as tokens of the index. The parts of a number keep the point or comma that joins them: `4.5`
 * is `4.` and `.5`, and neither is found by `4` or `5`.
 */
export function eachToken(text: string, visit: (token: string, start: number) => void): void {
  eachSpan(text, (start, end) => {
    const from = isDigit(text, start) && joins(text, start - 1) ? start - 1 : start
    const to = isDigit(text, end - 1) && joins(text, end) ? end + 1 : end
    visit(text.slice(from, Math.min(to, from + LONGEST)), start)
  })
}

const [POINT, COMMA] = [46, 44]

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** Whether a character is the point or comma inside a number (`4.5`, `1,250`) or the name of a data file (`101.INS`). */
function joins(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if ((code !== POINT && code !== COMMA) || !isDigit(text, at - 1)) return false
  const digits = isDigit(text, at + 1)
  if (code === POINT) return digits || /^[A-Z]{3}(?![\p{L}\p{N}])/u.test(text.slice(at + 1, at + 5))
  return digits && isDigit(text, at + 2) && isDigit(text, at + 3) && !isDigit(text, at + 4)
}

/** Cached terms: most words of a text occurred before. */
let remembered = new Map<string, string>()
const MOST_REMEMBERED = 500_000

/** Words that the stemmer takes for others: `securities` for `secured`, `putative` for `put`. */
const ownStems: ReadonlyMap<string, string> = new Map([
  ['security', 'securiti'],
  ['securities', 'securiti'],
  ['putative', 'putativ'],
])

/** The term under which a word is found: lower case, no accents, no possessive, stemmed. */
export function termOf(word: string): string {
  let term = remembered.get(word)
  if (term !== undefined) return term
  if (remembered.size >= MOST_REMEMBERED) remembered = new Map()
  const plain = folded(word)
  term = ownStems.get(plain) ?? stem(plain)
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
  eachToken(text, token => terms.push(termOf(token)))
  return terms
}

/** Function words: grammar rather than subject. */
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
