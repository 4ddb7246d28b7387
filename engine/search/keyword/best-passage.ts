// Indices below are within bounds by construction: checks would cost in the loops.

import { elementAt } from '../../base/elements.ts'
import { type Query, wordsAndPhrases } from '../text/parse-query.ts'
import type { Marks } from '../text/snippet.ts'
import { functionWords } from '../text/words.ts'
import { type Corpus, proseWeight } from './corpus.ts'
import { type InvertedIndex, PositionBuffer, type Postings } from './inverted-index.ts'
import { BODY } from './inverted-writer.ts'
import { allHave, phraseStarts, weightOf } from './keyword.ts'
import type { PassageColumns, SectionColumns } from './section-writer.ts'
import type { WeighedPair } from './word-pairs.ts'

/** Words and phrases by which a passage is chosen, rarest first. */
const MOST_CHOSEN_BY = 64
/** More than the words and phrases of any query: the factor by which a word and its term are packed into one number. */
const MOST_TERMS = 2048

/** A word or phrase by which a passage is chosen, and which a snippet marks. */
interface Sought {
  readonly key: string
  /** Its index among all that the query looks for. */
  readonly at: number
  /** Index terms: one, or several in order for a phrase. */
  readonly places: readonly number[]
  /** Of a pair of words side by side: their numbers, and how many words the second comes after the first. */
  readonly pair: { readonly first: number; readonly second: number; readonly apart: number } | null
  readonly weight: number
}

/** What a query looks for in a section's passages. */
export interface SoughtTerms {
  /** By number, of all that are marked. */
  readonly weights: readonly number[]
  /** The words and phrases that are marked. */
  readonly marked: readonly Sought[]
  /** These, then the pairs of words that stand side by side in the query. */
  readonly all: readonly Sought[]
  /** Those by which a passage is chosen, pairs after their words. */
  readonly chosenBy: readonly Sought[]
  /** The length term of a passage, by its words, as of the day of the query. */
  readonly lengthWeights: Float64Array
}

/** Function words are dropped unless they are in a phrase or there are no others. */
export function soughtTerms(corpus: Corpus, query: Query, pairs: readonly WeighedPair[]): SoughtTerms {
  const { words, phrases } = wordsAndPhrases(query)
  const isTelling = (term: string) => !functionWords.has(term)
  const hasTelling = [...words.keys()].some(isTelling)
  const marked: Sought[] = []
  const add = (key: string, terms: readonly string[], times: number) => {
    const weight = terms.reduce((sum, term) => sum + weightOf(corpus, term), 0) * times
    const places = terms.map(term => corpus.index.find(term))
    if (weight > 0 && places.every(place => place >= 0))
      marked.push({ key, at: marked.length, places, pair: null, weight })
  }
  for (const [term, times] of words)
    if (isTelling(term) || (!hasTelling && phrases.size === 0)) add(term, [term], times)
  for (const [key, { terms, times }] of phrases) add(key, terms, times)
  const some = marked.filter(({ key, places }) => places.length > 1 || isTelling(key))
  const chosenBy = (some.length > 0 ? some : [...marked])
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_CHOSEN_BY)
  const numberOf = (place: number) =>
    chosenBy.find(({ places }) => places.length === 1 && places[0] === place)?.at ?? -1
  const together: Sought[] = []
  for (const { places, apart, weight } of pairs) {
    const pair = { first: numberOf(places[0]), second: numberOf(places[1]), apart }
    if (pair.first >= 0 && pair.second >= 0)
      together.push({ key: '', at: marked.length + together.length, places, pair, weight })
  }
  return {
    weights: marked.map(({ weight }) => weight),
    marked,
    all: [...marked, ...together],
    chosenBy: [...chosenBy, ...together],
    lengthWeights: corpus.passageWeights,
  }
}

export interface Lead {
  readonly passage: number
  readonly score: number
}

/** The best passage of a section, with its matches as in `Marks`, packed: kept for as long as its query. */
export interface RankedPassage extends Lead {
  /** Null where the query has more words than a passage is chosen by. */
  readonly packed: readonly number[] | null
}

/** A passage, and the matched words in it; valid until the next one is looked for. */
export interface MarkedPassage {
  readonly passage: number
  readonly marks: Marks
}

type Sections = Pick<SectionColumns, 'passagesFrom'>

/** Where a section has a word or phrase. */
class Occurrences {
  readonly positions = new PositionBuffer()
  isFound = false
  /** 1 if it is in the heading. */
  inHeading = 0

  /** Where a second word stands so many words after a first. */
  together(first: Occurrences, second: Occurrences, apart: number): void {
    const { positions } = this
    this.isFound = false
    positions.length = 0
    if (!first.isFound || !second.isFound) return
    if (first.positions.length > positions.values.length)
      positions.values = new Uint32Array(first.positions.length * 2)
    const { values: others, length } = second.positions
    let there = 0
    for (let i = 0; i < first.positions.length; i++) {
      const wanted = elementAt(first.positions.values, i) + apart
      while (there < length && elementAt(others, there) < wanted) there++
      if (there === length) break
      if (others[there] === wanted) positions.values[positions.length++] = wanted - apart
    }
    this.isFound = positions.length > 0
    this.inHeading = this.isFound && elementAt(positions.values, 0) < BODY ? 1 : 0
  }
}

/** The postings of what a query looks for, by its number. */
interface SoughtPostings {
  readonly all: readonly Sought[]
  readonly lists: readonly (readonly Postings[])[]
  /** Of words: all positions, where they are read whole. */
  readonly positions: readonly (Uint8Array | null)[]
}

/** Finds a section's passages that match a query. */
export class BestPassage {
  private readonly index: InvertedIndex
  private readonly sections: Sections
  private readonly passages: PassageColumns
  /**
   * By passage: its words, and the percent of it that is prose. Sections that match are scattered, so what a passage takes
   * here decides how long the memory is waited for.
   */
  private readonly lengths: Uint16Array | Uint32Array
  private readonly prose: Uint8Array
  /** By percent. */
  private readonly proseWeights = Float64Array.from({ length: 101 }, (_, percent) => proseWeight(percent))
  private scores = new Float64Array(64)
  private times = new Uint32Array(64)
  /** Passages of which `times` is not 0: few of the many that a long section has. */
  private touched = new Uint32Array(64)
  /** By word of a passage: one more than the number of the term it matches. All zero between passages. */
  private marked = new Uint32Array(256)
  private readonly marks = { count: 0, words: new Uint32Array(256), terms: new Uint32Array(256) }
  /** Of each word and phrase in the section looked at last: read once, to choose the passage and to mark it. */
  private readonly occurrences: Occurrences[] = []
  /** Of the query looked at last: its hits are looked at one after the other. */
  private postings: SoughtPostings = { all: [], lists: [], positions: [] }

  constructor(index: InvertedIndex, sections: Sections, passages: PassageColumns) {
    this.index = index
    this.sections = sections
    this.passages = passages
    const { word, end } = passages
    const lengths = Uint32Array.from(word, (from, p) => elementAt(end, p) - from)
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0)
    this.lengths = longest < 1 << 16 ? Uint16Array.from(lengths) : lengths
    this.prose = Uint8Array.from(passages.prose)
  }

  /** The passage of a section with the highest BM25; the first if only the heading matches. */
  of(section: number, sought: SoughtTerms): Lead {
    this.read(section, sought.chosenBy, sought.all)
    return this.chosen(section, sought, null)
  }

  /** The same with its matches, of which the words have just been read. */
  ranked(section: number, sought: SoughtTerms): RankedPassage {
    const { all, marked, chosenBy } = sought
    const { passage, score } = this.of(section, sought)
    if (chosenBy.length < all.length) return { passage, score, packed: null }
    this.mark(passage, marked)
    const { count, words, terms } = this.marks
    const packed: number[] = new Array(count)
    for (let i = 0; i < count; i++) packed[i] = words[i]! * MOST_TERMS + terms[i]!
    return { passage, score, packed }
  }

  /** A ranked passage with its matches. */
  unpacked({ passage, packed }: RankedPassage & { packed: readonly number[] }): MarkedPassage {
    const count = packed.length
    this.fitMarks(count)
    const { marks } = this
    for (const [i, value] of packed.entries()) {
      marks.words[i] = value / MOST_TERMS
      marks.terms[i] = value % MOST_TERMS
    }
    marks.count = count
    return { passage, marks }
  }

  /** The same passage, unless it is known, with its matches; `otherwise` if only the heading matches. */
  withMarks(
    section: number,
    sought: SoughtTerms,
    otherwise: number | null,
    known: number | null,
  ): MarkedPassage {
    const { all, marked } = sought
    this.read(section, all, all)
    const first = elementAt(this.sections.passagesFrom, section)
    const isOnly = this.sections.passagesFrom[section + 1] === first + 1
    const passage = isOnly ? first : (known ?? this.chosen(section, sought, otherwise).passage)
    this.mark(passage, marked)
    return { passage, marks: this.marks }
  }

  private chosen(section: number, { chosenBy, lengthWeights }: SoughtTerms, otherwise: number | null): Lead {
    const { lengths, prose, proseWeights } = this
    const { word } = this.passages
    const first = this.sections.passagesFrom[section]!
    const count = this.sections.passagesFrom[section + 1]! - first
    if (count > this.scores.length) {
      this.scores = new Float64Array(count * 2)
      this.times = new Uint32Array(count * 2)
      this.touched = new Uint32Array(count * 2)
    }
    const { scores, times, touched } = this
    scores.fill(0, 0, count)
    let isSaid = false
    for (const sought of chosenBy) {
      const { isFound, inHeading, positions } = this.occurrences[sought.at]!
      if (!isFound) continue
      const { values, length } = positions
      let found = 0
      // A heading counts for every passage.
      if (inHeading === 1)
        for (; found < count; found++) {
          times[found] = 1
          touched[found] = found
        }
      let at = 0
      // The last passage that begins at or before a word, and earlier ones that contain it.
      let p = 0
      while (at < length && values[at]! < BODY) at++
      if (at < length) isSaid = true
      for (; at < length; at++) {
        const position = values[at]! - BODY
        while (p + 1 < count && word[first + p + 1]! <= position) p++
        for (let q = p; q >= 0 && word[first + q]! + lengths[first + q]! > position; q--)
          if (times[q]!++ === 0) touched[found++] = q
      }
      const { weight } = sought
      for (let i = 0; i < found; i++) {
        p = touched[i]!
        const n = times[p]!
        times[p] = 0
        const at = first + p
        scores[p]! += ((weight * n) / (n + lengthWeights[lengths[at]!]!)) * proseWeights[prose[at]!]!
      }
    }
    let chosen = isSaid || otherwise === null ? 0 : otherwise - first
    if (isSaid) for (let p = 1; p < count; p++) if (scores[p]! > scores[chosen]! + 1e-9) chosen = p
    return { passage: first + chosen, score: scores[chosen]! }
  }

  /** Fills `marks` with the matched words of a passage; of several terms at a word the last counts. */
  private mark(passage: number, sought: readonly Sought[]): void {
    const from = this.passages.word[passage]! + BODY
    const to = from + elementAt(this.lengths, passage)
    this.fitMarks(to - from)
    const { marked, marks } = this
    const { words, terms } = marks
    let count = 0
    for (const { at, places } of sought) {
      const { isFound, positions } = this.occurrences[at]!
      if (!isFound) continue
      const { values, length } = positions
      for (let i = firstFrom(values, length, from - places.length + 1); i < length && values[i]! < to; i++)
        for (let j = 0; j < places.length; j++) {
          const position = values[i]! + j
          if (position < from || position >= to) continue
          if (marked[position - from] === 0) words[count++] = position - from
          marked[position - from] = at + 1
        }
    }
    sortFirst(words, count)
    for (let i = 0; i < count; i++) {
      terms[i] = marked[words[i]!]! - 1
      marked[words[i]!] = 0
    }
    marks.count = count
  }

  /** Makes room for the matches of so many words. */
  private fitMarks(words: number): void {
    if (words <= this.marked.length) return
    this.marked = new Uint32Array(words * 2)
    this.marks.words = new Uint32Array(words * 2)
    this.marks.terms = new Uint32Array(words * 2)
  }

  private read(section: number, wanted: readonly Sought[], all: readonly Sought[]): void {
    if (this.postings.all !== all) {
      const lists = all.map(({ places, pair }) =>
        pair ? [] : places.map(place => this.index.postings(place)),
      )
      const positions = lists.map(list =>
        list.length === 1 ? this.index.wholePositions(list[0]!.term) : null,
      )
      this.postings = { all, lists, positions }
      while (this.occurrences.length < all.length) this.occurrences.push(new Occurrences())
    }
    for (const { at, pair } of wanted)
      if (pair)
        elementAt(this.occurrences, at).together(
          elementAt(this.occurrences, pair.first),
          elementAt(this.occurrences, pair.second),
          pair.apart,
        )
      else
        this.readOccurrences(
          section,
          elementAt(this.postings.lists, at),
          elementAt(this.postings.positions, at),
          elementAt(this.occurrences, at),
        )
  }

  private readOccurrences(
    section: number,
    lists: readonly Postings[],
    whole: Uint8Array | null,
    into: Occurrences,
  ): void {
    const { index } = this
    into.isFound = false
    if (lists.length === 1) {
      const postings = lists[0]!
      const at = indexOf(postings.sections, section)
      if (at < 0) return
      if (whole) into.positions.decode(whole, postings.positionsFrom[at]!, postings.positionsFrom[at + 1]!)
      else index.positions(postings, at, into.positions)
      into.isFound = true
      into.inHeading = postings.inHeading[at]!
      return
    }
    const at = lists.map(() => 0)
    if (!allHave(lists, at, section)) return
    const starts = phraseStarts(index, lists, at)
    if (starts.length === 0) return
    into.positions.copy(starts)
    into.isFound = true
    into.inHeading = starts.values[0]! < BODY ? 1 : 0
  }
}

/** The index of one of some ascending numbers; -1 if it is not among them. */
function indexOf(sorted: Uint32Array, wanted: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const value = sorted[middle]!
    if (value === wanted) return middle
    if (value < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Few are sorted in place: a call of the built-in sort takes longer. */
const FEW = 24

/** Sorts the first of some numbers. */
function sortFirst(values: Uint32Array, count: number): void {
  if (count > FEW) {
    values.subarray(0, count).sort()
    return
  }
  for (let i = 1; i < count; i++) {
    const value = values[i]!
    let at = i
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!
    values[at] = value
  }
}

/** The index of the first of some ascending numbers that is not smaller. */
function firstFrom(sorted: Uint32Array, length: number, least: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}
