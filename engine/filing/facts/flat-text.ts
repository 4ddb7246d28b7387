/** `3/8` of a rate as `.375`, as long as `8 3/8%` leaves room for. */
const decimals = (fraction: string, above: string, below: string): string => {
  const value = Number(above) / Number(below)
  return value < 1 ? value.toFixed(fraction.length).slice(1, 1 + fraction.length) : fraction
}

/**
 * Normalised text: plain quotes and dashes, line ends and cell bars as blanks, rates without fractions, with the same length
 * as the source, so that positions agree.
 */
export const flatten = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\s|]/g, ' ')
    .replace(/(?<=\b\d{1,2})[ -](\d{1,2})\/(2|4|8|16|32)(?= {0,3}(?:%|percent\b))/g, decimals)

/** The cells of a line of a table, empty ones too. */
export const cellsOf = (line: string): string[] => line.split('|').map(cell => flatten(cell).trim())

/** The cells of a line of a table that are not empty. */
export const filledCellsOf = (line: string): string[] => cellsOf(line).filter(cell => cell !== '')

/** Longest run of blanks within a phrase: a page break, but not an empty page. */
const MOST_BLANKS = 200

/** `a ?b c` is `a`, blanks or none, `b`, blanks, `c`. */
const spaced = (pattern: string): string =>
  pattern.replaceAll(' ?', `\\s{0,${MOST_BLANKS}}`).replaceAll(' ', `\\s{1,${MOST_BLANKS}}`)

/** A pattern written with single blanks, each matching any run of blanks. */
export const words = (pattern: string): RegExp => new RegExp(spaced(pattern), 'i')

/** The same with the global flag. */
export const everyWords = (pattern: string): RegExp => new RegExp(spaced(pattern), 'gi')

/** Where the last match of a global pattern ends; -1 if there is none. */
export const lastEnd = (text: string, every: RegExp): number =>
  [...text.matchAll(every)].reduce((_, match) => match.index + match[0].length, -1)

/** Abbreviations after which a capital does not begin a sentence: `No. 4`, `U.S. Dollars`. */
const ABBREVIATED = /(?:\b(?:no|nos|inc|corp|co|ltd|sec|art|mr|ms|dr|vs|cf|viz|etc)|(?<!&)\b[A-Z])$/i

/** The sentence around a position, as `[from, to)`, at most `most` characters to either side. */
export function sentenceAround(flat: string, at: number, most = 1200): readonly [number, number] {
  const least = Math.max(0, at - most)
  let from = least === 0 ? 0 : flat.indexOf(' ', least)
  for (let i = at - 1; i > least; i--)
    if (endsSentence(flat, i)) {
      from = i + 1
      break
    }
  const last = Math.min(flat.length, at + most)
  let to = last
  for (let i = at; i < last; i++)
    if (endsSentence(flat, i)) {
      to = i + 1
      break
    }
  while (from < at && flat[from] === ' ') from++
  return [from, to]
}

/** The sentence before a position at which another begins; empty at the start of a text. */
export function sentenceBefore(flat: string, from: number): string {
  const end = flat.slice(0, from).trimEnd().length
  return end < 2 ? '' : flat.slice(sentenceAround(flat, end - 2)[0], end)
}

const item = /[;.:]\s+(?:(?:or|and)\s+)?(?=\((?:[a-z]{1,3}|\d{1,2})\)|[•·]|\d{1,2}\.\s)/g

const markers =
  /(?<=[,;:]\s{1,3}(?:and\s{1,3}|or\s{1,3})?|\bincluding\s{1,3})\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)(?=\s)/g

/** A sentence up to a place in its numbered list, without the items before: `including: (1) …, (2) a ratio`. */
export function withoutEarlierItems(lead: string): string {
  const all = [...lead.matchAll(markers)]
  const [first, last] = [all[0], all.at(-1)]
  return first && last && /[1ai]/.test(first[0]) ? lead.slice(0, first.index) + lead.slice(last.index) : lead
}

/** Where the lettered item that contains a position begins, `; or (e) any Indebtedness`; else the position `or`. */
export function itemAround(flat: string, at: number, or: number): number {
  const start = lastEnd(flat.slice(or, at + 1), item)
  return start < 0 ? or : or + start
}

/** A full stop before white space and a sentence start, not after an abbreviation or number. */
function endsSentence(flat: string, i: number): boolean {
  if (flat[i] !== '.') return false
  const after = /^["')\]]*(?:\s+["'([]*([^\s"'([]|$)|$)/.exec(flat.slice(i + 1, i + 60))
  if (!after) return /^["')\]]*\s{20}/.test(flat.slice(i + 1, i + 30))
  // `… of the Company. (b) No Loan Party will …`: a lettered paragraph begins a sentence.
  const begins =
    !/[a-z]/.test(after[1] ?? '') ||
    (after[0].includes('(') && /^\s+\([a-z]{1,3}\)\s*[A-Z]/.test(flat.slice(i + 1, i + 40)))
  return begins && !ABBREVIATED.test(flat.slice(Math.max(0, i - 5), i))
}

/** One line of at most the given number of characters, cut between words. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/[\s|]+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.lastIndexOf(' ', most - 1)
  return `${line.slice(0, cut > most / 2 ? cut : most - 1)}…`
}

/** Whether a position is in a row of a table. */
export function isInRow(text: string, at: number): boolean {
  const end = text.indexOf('\n', at)
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end).includes('|')
}
