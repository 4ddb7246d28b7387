// Indices below are within bounds by construction: checks would cost in the loops.

import type { PassageText } from './passage-text.ts'
import { extraOf, unitsOf, type WordPlaces, widthOf, wordEnd } from './words.ts'

const LONGEST = 320
/** Characters shown before the first match. */
const LEAD = 60

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, c => entities[c]!) : text

/** Words of a passage that are marked, in order, in buffers that may be reused. */
export interface Marks {
  readonly count: number
  /** Numbers of the passage's words, ascending. */
  readonly words: Readonly<Uint32Array>
  /** Of each, the number of the term that it matches. */
  readonly terms: Readonly<Uint32Array>
}

export const noMarks: Marks = { count: 0, words: new Uint32Array(0), terms: new Uint32Array(0) }

/** Where the marked words of a passage start and end, in UTF-16 units of the passage and in bytes. Reused by all. */
const placesFor = (count: number) => ({
  starts: new Uint32Array(count),
  ends: new Uint32Array(count),
  startBytes: new Uint32Array(count),
  endBytes: new Uint32Array(count),
})
let places = placesFor(256)

/**
 * The part of a passage with the most matches, at most about 320 characters, as HTML: matching words are in `<b>`,
 * everything else is escaped.
 * @param weights of the terms that marks name, by number
 */
export function snippet(text: PassageText, marks: Marks, weights: readonly number[]): string {
  const isWhole = quote(text, marks, weights)
  return html.end(isWhole)
}

/** The same in UTF-8, valid until the next snippet is made; null if JSON would escape anything in it. */
export function snippetBytes(text: PassageText, marks: Marks, weights: readonly number[]): Buffer | null {
  const isWhole = quote(text, marks, weights)
  return html.endBytes(isWhole)
}

/** Makes the line of `html`; whether it shows the passage to its end. */
function quote(text: PassageText, marks: Marks, weights: readonly number[]): boolean {
  const { bytes: passage, end } = text
  const words = text.wordStarts(marks.count > 0 ? marks.words[marks.count - 1]! : -1, LONGEST)
  const { units, bytes, count } = words
  const marked = findPlaces(passage, end, words, marks)
  const { startBytes, endBytes } = places
  const first = bestStart(marked, marks.terms, weights)
  const begin = first <= LEAD ? -1 : firstFrom(units, count, first - LEAD)
  const isCut = begin >= 0 && begin < count
  const from = isCut ? units[begin]! : 0
  const fromByte = isCut ? bytes[begin]! : text.from
  const isWhole = words.length >= 0 && words.length - from <= LONGEST
  const to = isWhole ? end : endOf(passage, end, words, from, fromByte)
  html.begin(from > 0)
  let at = fromByte
  for (let i = 0; i < marked; i++) {
    const startByte = startBytes[i]!
    if (startByte < fromByte) continue
    if (startByte >= to) break
    const stop = Math.min(endBytes[i]!, to)
    html.add(passage, at, startByte)
    html.addMarked(passage, startByte, stop)
    at = stop
  }
  html.add(passage, at, to)
  return isWhole
}

/** Fills `places` with those of the marked words that the passage has, and returns their number. */
function findPlaces(passage: Buffer, end: number, { units, bytes, count }: WordPlaces, marks: Marks): number {
  if (marks.count > places.starts.length) places = placesFor(marks.count * 2)
  const { starts, ends, startBytes, endBytes } = places
  let found = 0
  for (; found < marks.count; found++) {
    const word = marks.words[found]!
    if (word >= count) break
    const startByte = bytes[word]!
    const endByte = wordEnd(passage, end, startByte)
    starts[found] = units[word]!
    ends[found] = units[word]! + unitsOf(passage, startByte, endByte)
    startBytes[found] = startByte
    endBytes[found] = endByte
  }
  return found
}

/** Where a snippet ends, in bytes: not in the middle of a word, unless the word is longer than the snippet. */
function endOf(
  passage: Buffer,
  end: number,
  { units, bytes, count }: WordPlaces,
  from: number,
  fromByte: number,
): number {
  const word = firstFrom(units, count, from + LONGEST + 1) - 1
  if (word >= 0 && units[word]! > from) return bytes[word]!
  let to = fromByte
  for (let left = LONGEST; to < end; ) {
    const width = widthOf(passage[to]!)
    left -= width - extraOf(width)
    if (left < 0) break
    to += width
  }
  return to
}

const SPACE = 32
const copied = 0
const blank = 1
const markup = 2
const wide = 3
/** Copied, and escaped in JSON. */
const unusual = 4

const BACKSLASH = 92

/** What becomes of a byte in HTML. */
const treatment = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return wide
  if (byte === SPACE || (byte >= 9 && byte <= 13)) return blank
  if (byte < SPACE || byte === BACKSLASH) return unusual
  return String.fromCharCode(byte) in entities ? markup : copied
})

const [MARK, UNMARK] = [Buffer.from('<b>'), Buffer.from('</b>')]

const ELLIPSIS = Buffer.from('…')
/** Bytes at the start of the line for an ellipsis and a blank. */
const START = 4

/** The line that is made: at most LONGEST units, each escaped, and the tags of as many marks. */
const line = Buffer.alloc(1 << 14)
line.set(ELLIPSIS)
line[START - 1] = SPACE

/** One line of HTML with escaped markup, white space collapsed and trimmed. Made of bytes, and decoded once. */
class HtmlLine {
  private length = START
  private isAscii = true
  private isUnusual = false
  private isCut = false
  /** Whether the line ends with a blank, or has not begun. */
  private isBlank = true

  /** @param isCut whether something stands before what is shown */
  begin(isCut: boolean): void {
    this.length = START
    this.isAscii = true
    this.isUnusual = false
    this.isCut = isCut
    this.isBlank = true
  }

  add(text: Buffer, from: number, to: number): void {
    let { length, isBlank } = this
    for (let at = from; at < to; ) {
      const byte = text[at]!
      const how = treatment[byte]!
      if (how === copied) {
        line[length++] = byte
        isBlank = false
        at++
        continue
      }
      const width = how === wide ? widthOf(byte) : 1
      if (how === blank || (how === wide && isWideSpace(text, at))) {
        if (!isBlank) line[length++] = SPACE
        isBlank = true
      } else {
        isBlank = false
        if (how === unusual) {
          this.isUnusual = true
          line[length++] = byte
        } else if (how === markup)
          length += line.write(entities[String.fromCharCode(byte)]!, length, 'latin1')
        else {
          this.isAscii = false
          for (let i = 0; i < width; i++) line[length++] = text[at + i]!
        }
      }
      at += width
    }
    this.length = length
    this.isBlank = isBlank
  }

  addMarked(text: Buffer, from: number, to: number): void {
    this.tag(MARK)
    this.add(text, from, to)
    this.tag(UNMARK)
  }

  /** @param isWhole whether nothing stands after what is shown */
  end(isWhole: boolean): string {
    this.trim()
    const shown = line.toString(this.isAscii ? 'latin1' : 'utf8', START, this.length)
    return `${this.isCut ? '… ' : ''}${shown}${isWhole ? '' : ' …'}`
  }

  endBytes(isWhole: boolean): Buffer | null {
    if (this.isUnusual) return null
    this.trim()
    if (!isWhole) {
      line[this.length++] = SPACE
      for (const byte of ELLIPSIS) line[this.length++] = byte
    }
    return line.subarray(this.isCut ? 0 : START, this.length)
  }

  private trim(): void {
    if (this.length > START && line[this.length - 1] === SPACE) this.length--
  }

  private tag(tag: Buffer): void {
    for (let i = 0; i < tag.length; i++) line[this.length++] = tag[i]!
  }
}

const html = new HtmlLine()

/** White space beyond ASCII of two and three bytes. */
const wideSpaces: ReadonlySet<number> = new Set(
  [
    ...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  ].map(space => space.charCodeAt(0)),
)

function isWideSpace(bytes: Buffer, at: number): boolean {
  const lead = bytes[at]!
  const second = bytes[at + 1]! & 63
  if (lead < 0xe0) return wideSpaces.has(((lead & 31) << 6) | second)
  return lead < 0xf0 && wideSpaces.has(((lead & 15) << 12) | (second << 6) | (bytes[at + 2]! & 63))
}

/** The index of the first of some ascending numbers that is not smaller; their count if there is none. */
function firstFrom(sorted: WordPlaces['units'], count: number, least: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/** By term: how often it is between two matches. All zero between calls. */
let inside = new Uint32Array(64)

/** The match, of the first `count` places, from which a snippet covers the most distinct terms; 0 if there is none. */
function bestStart(count: number, terms: Readonly<Uint32Array>, weights: readonly number[]): number {
  if (weights.length > inside.length) inside = new Uint32Array(weights.length * 2)
  const { starts, ends } = places
  let best = 0
  let most = -1
  let sum = 0
  let end = 0
  for (let i = 0; i < count; i++) {
    const start = starts[i]!
    for (; end < count && ends[end]! - start <= LONGEST - LEAD; end++) {
      const entering = terms[end]!
      const worth = weights[entering]!
      sum += inside[entering]!++ === 0 ? worth : worth / 20
    }
    if (sum > most + 1e-9) {
      most = sum
      best = start
    }
    if (i < end) {
      const leaving = terms[i]!
      const worth = weights[leaving]!
      sum -= --inside[leaving]! === 0 ? worth : worth / 20
    }
  }
  return best
}
