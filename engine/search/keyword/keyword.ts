import type { Query } from '../text/parse-query.ts'
import { functionWords } from '../text/words.ts'
import type { InvertedIndex, Postings } from './inverted-index.ts'

/** Sections that match, ascending, and how well. */
export interface Matches {
  readonly sections: Uint32Array
  readonly scores: Float32Array
}

const none: Matches = { sections: new Uint32Array(0), scores: new Float32Array(0) }

/** BM25 as Robertson and others have it; a word in the heading counts as this many of the text. */
const K1 = 1.2
const B = 0.75
const HEADING = 3
/** What `the` counts beside other words: sections are found by it, and hardly ranked. */
const FUNCTION_WORD = 0.01

/** What BM25 needs to know of a text's length: `k1 * (1 - b + b * length / average)`. */
export const lengthWeight = (words: number, average: number): number =>
  K1 * (1 - B + (average > 0 ? (B * words) / average : 0))

export const lengthWeights = (words: Uint32Array, average: number): Float32Array =>
  Float32Array.from(words, length => lengthWeight(length, average))

export interface Searched {
  readonly index: InvertedIndex
  readonly sections: number
  readonly lengthWeights: Float32Array
}

const rarity = (found: number, sections: number): number =>
  Math.log(1 + (sections - found + 0.5) / (found + 0.5))

/** What a word is worth: more, the fewer sections have it. */
export function weightOf({ index, sections }: Pick<Searched, 'index' | 'sections'>, text: string): number {
  const at = index.find(text)
  return at < 0 ? 0 : rarity(index.found(at), sections) * (functionWords.has(text) ? FUNCTION_WORD : 1)
}

/** All sections that match a query, with their BM25 score. */
export function matching(on: Searched, query: Query): Matches {
  switch (query.kind) {
    case 'term':
      return term(on, query.term)
    case 'phrase':
      return phrase(on, query.terms)
    case 'or':
      return anyOf(on, query.any)
    case 'and': {
      const all = query.all.map(part => matching(on, part))
      return query.without.reduce((left, part) => without(left, matching(on, part)), allOf(all))
    }
  }
}

/** The score of a section in which every word were said without end: what scores are shares of. */
export function highest(on: Searched, query: Query): number {
  const sum = (parts: readonly Query[]) => parts.reduce((total, part) => total + highest(on, part), 0)
  switch (query.kind) {
    case 'term':
      return weightOf(on, query.term) * (K1 + 1)
    case 'phrase':
      return query.terms.reduce((total, term) => total + weightOf(on, term), 0) * (K1 + 1)
    case 'or':
      return sum(query.any)
    case 'and':
      return sum(query.all)
  }
}

function term(on: Searched, text: string): Matches {
  const at = on.index.find(text)
  if (at < 0) return none
  const postings = on.index.postings(at)
  const before = scored.get(postings)
  if (before) return before
  const { sections, inText, inHeading } = postings
  const weight = weightOf(on, text) * (K1 + 1)
  const scores = new Float32Array(sections.length)
  for (let i = 0; i < scores.length; i++) {
    const times = inText[i]! + HEADING * inHeading[i]!
    scores[i] = (weight * times) / (times + on.lengthWeights[sections[i]!]!)
  }
  const matches = { sections, scores }
  scored.set(postings, matches)
  return matches
}

/** Scores of postings that are kept in memory: a term's are the same for every query. */
const scored = new WeakMap<Postings, Matches>()

/** A phrase counts as often as it is said, with the rarity of its words together. */
function phrase(on: Searched, terms: readonly string[]): Matches {
  const { index, lengthWeights } = on
  const found = terms.map(text => index.find(text))
  if (found.some(at => at < 0)) return none
  const lists = found.map(at => index.postings(at))
  const weight = terms.reduce((sum, text) => sum + weightOf(on, text), 0) * (K1 + 1)
  const rarest = lists.reduce((best, list) => (list.sections.length < best.sections.length ? list : best))
  const cursors = lists.map(() => 0)
  const matched: number[] = []
  const scores: number[] = []
  for (const section of rarest.sections) {
    let everywhere = true
    for (const [j, list] of lists.entries()) {
      cursors[j] = seek(list.sections, section, cursors[j]!)
      if (list.sections[cursors[j]!] !== section) everywhere = false
    }
    if (!everywhere) continue
    const times = said(index, lists, cursors)
    if (times === 0) continue
    matched.push(section)
    scores.push((weight * times) / (times + lengthWeights[section]!))
  }
  return { sections: Uint32Array.from(matched), scores: Float32Array.from(scores) }
}

/** How often the terms stand one after the other in a section. */
function said(index: InvertedIndex, lists: readonly Postings[], at: readonly number[]): number {
  let starts = new Set(index.positions(lists[0]!, at[0]!))
  for (let j = 1; j < lists.length && starts.size > 0; j++) {
    const here = new Set(index.positions(lists[j]!, at[j]!))
    starts = new Set([...starts].filter(position => here.has(position + j)))
  }
  return starts.size
}

/** The first place from `from` on whose value is not below `wanted`. */
export function seek(sorted: Uint32Array, wanted: number, from: number): number {
  let low = from
  let step = 1
  while (low + step < sorted.length && sorted[low + step]! < wanted) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, sorted.length)
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

function anyOf(on: Searched, parts: readonly Query[]): Matches {
  const sums = new Float32Array(on.sections)
  const add = ({ sections, scores }: Matches, times: number) => addScores(sums, sections, scores, times)
  const said = new Map<string, number>()
  for (const part of parts)
    if (part.kind === 'term') said.set(part.term, (said.get(part.term) ?? 0) + 1)
    else add(matching(on, part), 1)
  for (const [text, times] of said) add(term(on, text), times)
  return above(sums)
}

// Loops over every section stand in functions of their own, where the compiler sees what the arrays are.
function addScores(sums: Float32Array, sections: Uint32Array, scores: Float32Array, times: number): void {
  for (let i = 0; i < sections.length; i++) sums[sections[i]!]! += scores[i]! * times
}

/** Sections whose sum is above zero. */
function above(sums: Float32Array): Matches {
  const sections = new Uint32Array(sums.length)
  const scores = new Float32Array(sums.length)
  let count = 0
  for (let section = 0; section < sums.length; section++) {
    const sum = sums[section]!
    sections[count] = section
    scores[count] = sum
    if (sum > 0) count++
  }
  return { sections: sections.slice(0, count), scores: scores.slice(0, count) }
}

function allOf(parts: readonly Matches[]): Matches {
  const [first, ...rest] = [...parts].sort((a, b) => a.sections.length - b.sections.length)
  if (!first) return none
  let { sections, scores } = first
  for (const part of rest) {
    const kept = new Uint32Array(sections.length)
    const sums = new Float32Array(sections.length)
    let count = 0
    let at = 0
    for (let i = 0; i < sections.length && at < part.sections.length; i++) {
      at = seek(part.sections, sections[i]!, at)
      if (part.sections[at] !== sections[i]) continue
      kept[count] = sections[i]!
      sums[count++] = scores[i]! + part.scores[at]!
    }
    sections = kept.subarray(0, count)
    scores = sums.subarray(0, count)
  }
  return { sections, scores }
}

function without(left: Matches, right: Matches): Matches {
  let at = 0
  const keep = left.sections.reduce<number[]>((kept, section, i) => {
    at = seek(right.sections, section, at)
    if (right.sections[at] !== section) kept.push(i)
    return kept
  }, [])
  return {
    sections: Uint32Array.from(keep, i => left.sections[i]!),
    scores: Float32Array.from(keep, i => left.scores[i]!),
  }
}
