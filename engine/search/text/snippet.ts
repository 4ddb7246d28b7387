// Indices below are within bounds by construction: checks would cost in the loops.

import { WordSpans } from './words.ts'

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

interface Place {
  readonly start: number
  readonly end: number
  readonly term: string
}

/**
 * The part of a passage with the most matches, at most about 320 characters, as HTML: matching words are in `<b>`,
 * everything else is escaped.
 * @param passage UTF-8, whose last character may have been cut
 * @param said matched terms by the number of the passage's word
 * @param weights of the matched terms
 */
export function snippet(
  passage: Buffer,
  said: ReadonlyMap<number, string>,
  weights: ReadonlyMap<string, number>,
): string {
  const marked = Array.from(said.keys()).sort((a, b) => a - b)
  spans.read(passage, passage.length, marked.at(-1) ?? -1, LONGEST)
  const { starts, ends, startBytes, count } = spans
  const places: Place[] = []
  for (const word of marked)
    if (word < count) places.push({ start: starts[word]!, end: ends[word]!, term: said.get(word)! })
  const first = bestStart(places, weights)
  const begin = first <= LEAD ? -1 : firstFrom(starts, count, first - LEAD)
  const from = begin < 0 ? 0 : starts[begin]!
  const { text, isLast } = decoded(passage, begin < 0 ? 0 : startBytes[begin]!)
  let to = from + LONGEST
  const isWhole = isLast && to >= from + text.length
  if (isWhole) to = from + text.length
  else {
    // Not in the middle of a word, unless it is longer than the snippet.
    const cut = lastUpTo(starts, count, to)
    if (cut !== undefined && cut > from) to = cut
  }
  const html = new HtmlLine(from > 0 ? '… ' : '')
  let at = from
  for (const { start, end } of places) {
    if (start < from || start >= to) continue
    const stop = Math.min(end, to)
    html.add(text, at - from, start - from)
    html.addMarked(text, start - from, stop - from)
    at = stop
  }
  html.add(text, at - from, to - from)
  return `${html.text()}${isWhole ? '' : ' …'}`
}

/** Enough bytes for all characters shown: at most three per UTF-16 unit, plus one more character. */
const SHOWN_BYTES = 3 * LONGEST + 4

/** At least what is shown from a byte on, and whether that is everything. */
function decoded(passage: Buffer, from: number): { text: string; isLast: boolean } {
  const isLast = passage.length - from <= SHOWN_BYTES
  const text = passage.toString('utf8', from, isLast ? passage.length : from + SHOWN_BYTES)
  return { text: isLast && text.endsWith('\ufffd') ? text.replace(/(?<!\ufffd)\ufffd+$/, '') : text, isLast }
}

const SPACE = 32

/** One line of HTML with escaped markup, white space collapsed and trimmed, in one pass over what is shown. */
class HtmlLine {
  private line: string
  /** Whether the line ends with a blank, or has not begun. */
  private isBlank = true

  /** @param begin empty, or text that ends with a blank */
  constructor(begin: string) {
    this.line = begin
  }

  add(text: string, from: number, to: number): void {
    let clean = from
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      const isSpace = code <= SPACE ? isAsciiSpace(code) : code > 127 && isWideSpace(code)
      if (!isSpace) {
        this.isBlank = false
        if (code > 62 || !isMarkup(code)) continue
      } else if (code === SPACE && !this.isBlank) {
        this.isBlank = true
        continue
      }
      this.line += text.slice(clean, at)
      clean = at + 1
      if (!isSpace) this.line += entities[text[at]!]
      else if (!this.isBlank) {
        this.line += ' '
        this.isBlank = true
      }
    }
    this.line += text.slice(clean, to)
  }

  addMarked(text: string, from: number, to: number): void {
    this.line += '<b>'
    this.add(text, from, to)
    this.line += '</b>'
  }

  text(): string {
    return this.line.trimEnd()
  }
}

const isAsciiSpace = (code: number): boolean => code === SPACE || (code >= 9 && code <= 13)
const isWideSpace = (code: number): boolean =>
  code === 0xa0 || code === 0xfeff || (code >= 0x1680 && /\s/.test(String.fromCharCode(code)))
const isMarkup = (code: number): boolean =>
  code === 34 || code === 38 || code === 39 || code === 60 || code === 62

const spans = new WordSpans()

/** The index of the first of some ascending numbers that is not smaller; -1 if there is none. */
function firstFrom(sorted: Uint32Array, count: number, least: number): number {
  for (let i = 0; i < count; i++) if (sorted[i]! >= least) return i
  return -1
}

/** The last of some ascending numbers that is not larger. */
function lastUpTo(sorted: Uint32Array, count: number, most: number): number | undefined {
  for (let i = count - 1; i >= 0; i--) if (sorted[i]! <= most) return sorted[i]!
  return undefined
}

/** The match from which a snippet covers the most distinct terms. */
function bestStart(places: readonly Place[], weights: ReadonlyMap<string, number>): number {
  const keys: string[] = []
  const worth: number[] = []
  const inside: number[] = []
  const keyOf = places.map(({ term }) => {
    const before = keys.indexOf(term)
    if (before >= 0) return before
    worth.push(weights.get(term)!)
    inside.push(0)
    return keys.push(term) - 1
  })
  let best = 0
  let most = -1
  let sum = 0
  let end = 0
  for (let i = 0; i < places.length; i++) {
    const { start } = places[i]!
    for (; end < places.length && places[end]!.end - start <= LONGEST - LEAD; end++) {
      const entering = keyOf[end]!
      sum += inside[entering]!++ === 0 ? worth[entering]! : worth[entering]! / 20
    }
    if (sum > most + 1e-9) {
      most = sum
      best = start
    }
    if (i < end) {
      const leaving = keyOf[i]!
      sum -= --inside[leaving]! === 0 ? worth[leaving]! : worth[leaving]! / 20
    }
  }
  return best
}
