// Indices below are within bounds by construction: checks would cost in the loops.

import { type Query, wordsAndPhrases } from '../text/parse-query.ts'
import { functionWords } from '../text/words.ts'
import { type Corpus, lengthWeight, proseWeight } from './corpus.ts'
import { type InvertedIndex, PositionBuffer, type Postings } from './inverted-index.ts'
import { BODY } from './inverted-writer.ts'
import { allHave, phraseStarts, seek, weightOf } from './keyword.ts'
import type { PassageColumns, SectionColumns } from './section-writer.ts'

/** Words and phrases by which a passage is chosen, rarest first. */
const MOST_CHOSEN_BY = 64

/** A word or phrase by which a passage is chosen, and which a snippet marks. */
interface Sought {
  readonly key: string
  /** Index terms: one, or several in order for a phrase. */
  readonly places: readonly number[]
  readonly weight: number
}

/** What a query looks for in a section's passages. */
export interface SoughtTerms {
  readonly weights: ReadonlyMap<string, number>
  readonly all: readonly Sought[]
  /** Those by which a passage is chosen. */
  readonly chosenBy: readonly Sought[]
}

export const nothingSought: SoughtTerms = { weights: new Map(), all: [], chosenBy: [] }

/** Function words are dropped unless they are in a phrase or there are no others. */
export function soughtTerms(corpus: Corpus, query: Query): SoughtTerms {
  const { words, phrases } = wordsAndPhrases(query)
  const isTelling = (term: string) => !functionWords.has(term)
  const hasTelling = [...words.keys()].some(isTelling)
  const all: Sought[] = []
  const add = (key: string, terms: readonly string[], times: number) => {
    const weight = terms.reduce((sum, term) => sum + weightOf(corpus, term), 0) * times
    const places = terms.map(term => corpus.index.find(term))
    if (weight > 0 && places.every(place => place >= 0)) all.push({ key, places, weight })
  }
  for (const [term, times] of words)
    if (isTelling(term) || (!hasTelling && phrases.size === 0)) add(term, [term], times)
  for (const [key, { terms, times }] of phrases) add(key, terms, times)
  const some = all.filter(({ key, places }) => places.length > 1 || isTelling(key))
  const chosenBy = (some.length > 0 ? some : [...all])
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_CHOSEN_BY)
  return { weights: new Map(all.map(({ key, weight }) => [key, weight])), all, chosenBy }
}

export interface Lead {
  readonly passage: number
  readonly score: number
}

type Sections = Pick<SectionColumns, 'passagesFrom'>

const positions = new PositionBuffer()

/** Finds a section's passages that match a query. */
export class BestPassage {
  private readonly index: InvertedIndex
  private readonly sections: Sections
  private readonly passages: PassageColumns
  /** Of a passage, on average. */
  private readonly averageWords: number
  private scores = new Float64Array(64)
  private times = new Uint32Array(64)

  constructor(index: InvertedIndex, sections: Sections, passages: PassageColumns) {
    this.index = index
    this.sections = sections
    this.passages = passages
    const { word, end } = passages
    this.averageWords = word.reduce((sum, from, p) => sum + end[p]! - from, 0) / Math.max(word.length, 1)
  }

  /** The passage of a section with the highest BM25; `otherwise` if only the heading matches. */
  of(section: number, { chosenBy }: SoughtTerms, otherwise: number | null): Lead {
    const { word, end, prose } = this.passages
    const first = this.sections.passagesFrom[section]!
    const count = this.sections.passagesFrom[section + 1]! - first
    if (count > this.scores.length) {
      this.scores = new Float64Array(count * 2)
      this.times = new Uint32Array(count * 2)
    }
    const { scores, times } = this
    scores.fill(0, 0, count)
    let isSaid = false
    for (const sought of chosenBy) {
      const found = this.positionsIn(section, sought)
      if (!found) continue
      const { values, length } = found.positions
      times.fill(found.inHeading, 0, count)
      let at = 0
      // The last passage that begins at or before a word, and earlier ones that contain it.
      let p = 0
      while (at < length && values[at]! < BODY) at++
      if (at < length) isSaid = true
      for (; at < length; at++) {
        const position = values[at]! - BODY
        while (p + 1 < count && word[first + p + 1]! <= position) p++
        for (let q = p; q >= 0 && end[first + q]! > position; q--) times[q]!++
      }
      for (p = 0; p < count; p++) {
        const n = times[p]!
        if (n === 0) continue
        const words = end[first + p]! - word[first + p]!
        scores[p]! +=
          ((sought.weight * n) / (n + lengthWeight(words, this.averageWords))) *
          proseWeight(prose[first + p]!)
      }
    }
    let chosen = isSaid || otherwise === null ? 0 : otherwise - first
    if (isSaid) for (let p = 1; p < count; p++) if (scores[p]! > scores[chosen]! + 1e-9) chosen = p
    return { passage: first + chosen, score: scores[chosen]! }
  }

  /** The matched terms of a passage, by word number in it. */
  marks(section: number, passage: number, { all }: SoughtTerms): Map<number, string> {
    const marks = new Map<number, string>()
    const from = this.passages.word[passage]! + BODY
    const to = this.passages.end[passage]! + BODY
    for (const sought of all) {
      const found = this.positionsIn(section, sought)
      if (!found) continue
      const { values, length } = found.positions
      for (let i = 0; i < length; i++)
        for (let j = 0; j < sought.places.length; j++) {
          const position = values[i]! + j
          if (position >= from && position < to) marks.set(position - from, sought.key)
        }
    }
    return marks
  }

  /** The matching positions of a section, valid until the next lookup, and whether its heading matches: 1 or 0. */
  private positionsIn(
    section: number,
    { places }: Sought,
  ): { positions: PositionBuffer; inHeading: number } | null {
    const { index } = this
    if (places.length === 1) {
      const postings = index.postings(places[0]!)
      const at = seek(postings.sections, section, 0)
      if (postings.sections[at] !== section) return null
      index.positions(postings, at, positions)
      return { positions, inHeading: postings.inHeading[at]! }
    }
    const lists = places.map((place): Postings => index.postings(place))
    const at = lists.map(() => 0)
    if (!allHave(lists, at, section)) return null
    const starts = phraseStarts(index, lists, at)
    if (starts.length === 0) return null
    return { positions: starts, inHeading: starts.values[0]! < BODY ? 1 : 0 }
  }
}
