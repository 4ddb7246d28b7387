// Indices below are within bounds by construction: checks would cost in the loops.

import type { Query } from '../text/parse-query.ts'
import { functionWords } from '../text/words.ts'
import type { Corpus } from './corpus.ts'
import { type InvertedIndex, PositionBuffer, type Postings } from './inverted-index.ts'
import type { Matches } from './matches.ts'

const none: Matches = { sections: new Uint32Array(0), scores: new Float32Array(0) }

/** `k1` of BM25. */
export const K1 = 1.2
/** A word in the heading counts as this many in the text. */
const HEADING = 3
/** Weight of function words relative to others: they match, but hardly rank. */
const FUNCTION_WORD = 0.01

const rarity = (found: number, sections: number): number =>
  Math.log(1 + (sections - found + 0.5) / (found + 0.5))

/** Inverse document frequency: rarer words weigh more. */
export function weightOf(on: Corpus, text: string): number {
  const at = on.index.find(text)
  const found = at < 0 ? 0 : on.found(at)
  return found === 0 ? 0 : rarity(found, on.sections) * (functionWords.has(text) ? FUNCTION_WORD : 1)
}

/** All sections that match a query, with their BM25 score. */
export function matching(on: Corpus, query: Query): Matches {
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

/** The score of a section with infinitely many occurrences of every word: the maximum that scores are a share of. */
export function highest(on: Corpus, query: Query): number {
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

function term(on: Corpus, text: string): Matches {
  const at = on.index.find(text)
  if (at < 0) return none
  const postings = on.index.postings(at)
  const before = on.scored.get(postings)
  if (before) return before
  const { inText, inHeading } = postings
  const { known, lengthWeights, proseWeights } = on
  const weight = weightOf(on, text) * (K1 + 1)
  const sections = known ? new Uint32Array(on.found(at)) : postings.sections
  const scores = new Float32Array(sections.length)
  let count = 0
  for (let i = 0; i < postings.sections.length; i++) {
    const section = postings.sections[i]!
    if (known && known[section] === 0) continue
    const times = inText[i]! + HEADING * inHeading[i]!
    sections[count] = section
    scores[count++] = ((weight * times) / (times + lengthWeights[section]!)) * proseWeights[section]!
  }
  const matches = { sections, scores }
  on.scored.set(postings, matches)
  return matches
}

/** A phrase counts as often as it occurs, with the rarity of its words together. */
function phrase(on: Corpus, terms: readonly string[]): Matches {
  const { index, known, lengthWeights, proseWeights } = on
  const places = terms.map(text => index.find(text))
  if (places.some(at => at < 0)) return none
  const lists = places.map(at => index.postings(at))
  const weight = terms.reduce((sum, text) => sum + weightOf(on, text), 0) * (K1 + 1)
  const rarest = lists.reduce((best, list) => (list.sections.length < best.sections.length ? list : best))
  const cursors = lists.map(() => 0)
  const matched: number[] = []
  const scores: number[] = []
  for (const section of rarest.sections) {
    if (known && known[section] === 0) continue
    if (!allHave(lists, cursors, section)) continue
    const times = phraseStarts(index, lists, cursors).length
    if (times === 0) continue
    matched.push(section)
    scores.push(((weight * times) / (times + lengthWeights[section]!)) * proseWeights[section]!)
  }
  return { sections: Uint32Array.from(matched), scores: Float32Array.from(scores) }
}

/** Whether every list has the section; moves the cursors to it. */
export function allHave(lists: readonly Postings[], cursors: number[], section: number): boolean {
  for (let j = 0; j < lists.length; j++) {
    const { sections } = lists[j]!
    cursors[j] = seek(sections, section, cursors[j]!)
    if (sections[cursors[j]!] !== section) return false
  }
  return true
}

const starts = new PositionBuffer()
const others = new PositionBuffer()

/** Positions of the first term of consecutive ones in a section; valid until the next phrase is searched. */
export function phraseStarts(
  index: InvertedIndex,
  lists: readonly Postings[],
  at: readonly number[],
): PositionBuffer {
  index.positions(lists[0]!, at[0]!, starts)
  for (let j = 1; j < lists.length && starts.length > 0; j++) {
    index.positions(lists[j]!, at[j]!, others)
    let kept = 0
    let there = 0
    for (let i = 0; i < starts.length; i++) {
      const wanted = starts.values[i]! + j
      while (there < others.length && others.values[there]! < wanted) there++
      if (others.values[there] === wanted && there < others.length) starts.values[kept++] = wanted - j
    }
    starts.length = kept
  }
  return starts
}

/** The first index from `from` on whose value is not below `wanted`. */
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

function anyOf(on: Corpus, parts: readonly Query[]): Matches {
  const said = new Map<string, number>()
  const others: Matches[] = []
  for (const part of parts)
    if (part.kind === 'term') said.set(part.term, (said.get(part.term) ?? 0) + 1)
    else others.push(matching(on, part))
  const count = on.lengthWeights.length
  if (room.sums.length < count) room = roomFor(count)
  const sums = room.sums.subarray(0, count).fill(0)
  for (const { sections, scores } of others) addScores(sums, sections, scores, 1)
  for (const [text, times] of said) {
    const { sections, scores } = term(on, text)
    addScores(sums, sections, scores, times)
  }
  return above(sums)
}

/** Buffers reused between queries: allocating arrays of this size each time would burden the garbage collector. */
const roomFor = (sections: number) => ({
  sums: new Float32Array(sections),
  sections: new Uint32Array(sections),
  scores: new Float32Array(sections),
})
let room = roomFor(0)

// Loops over every section are separate functions, so that the compiler sees the array types.
function addScores(sums: Float32Array, sections: Uint32Array, scores: Float32Array, times: number): void {
  for (let i = 0; i < sections.length; i++) sums[sections[i]!]! += scores[i]! * times
}

/** Sections with a positive sum. */
function above(sums: Float32Array): Matches {
  const { sections, scores } = room
  let count = 0
  for (let section = 0; section < sums.length; section++) {
    const sum = sums[section]!
    sections[count] = section
    scores[count] = sum
    if (sum > 0) count++
  }
  return { sections: sections.slice(0, count), scores: scores.slice(0, count) }
}

/** Lists whose lengths differ by less than this factor are stepped through together. */
const NEAR = 8

function allOf(parts: readonly Matches[]): Matches {
  const [first, ...rest] = [...parts].sort((a, b) => a.sections.length - b.sections.length)
  if (!first) return none
  if (rest.length === 0) return first
  let left = first.sections.length
  if (room.sums.length < left) room = roomFor(left)
  const { sections, scores } = room
  sections.set(first.sections)
  scores.set(first.scores)
  for (const part of rest) left = intersect(sections, scores, left, part)
  return { sections: sections.slice(0, left), scores: scores.slice(0, left) }
}

/** Keeps those of the first `length` sections that another list has too, with the sum of the scores; how many. */
function intersect(sections: Uint32Array, scores: Float32Array, length: number, part: Matches): number {
  const { sections: others, scores: otherScores } = part
  // Of lists of about one length the next is near.
  const isNear = others.length < NEAR * length
  let count = 0
  let at = 0
  for (let i = 0; i < length && at < others.length; i++) {
    const wanted = sections[i]!
    if (isNear) while (at < others.length && others[at]! < wanted) at++
    else at = seek(others, wanted, at)
    if (others[at] !== wanted) continue
    sections[count] = wanted
    scores[count++] = scores[i]! + otherScores[at]!
  }
  return count
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
