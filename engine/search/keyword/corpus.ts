import { elementAt } from '../../base/elements.ts'
import { NO_DAY } from '../text/section.ts'
import type { InvertedIndex, Postings } from './inverted-index.ts'
import type { Matches } from './matches.ts'
import type { PassageColumns, SectionColumns } from './section-writer.ts'

/** Parameters of BM25 as Robertson and others give them. */
const K1 = 1.2
const B = 0.75

/** Score of a section of pure boilerplate relative to prose with the same words. */
const LEAST_PROSE = 0.2

/** The length term of BM25: `k1 * (1 - b + b * length / average)`. */
export const lengthWeight = (words: number, average: number): number =>
  K1 * (1 - B + (average > 0 ? (B * words) / average : 0))

/** A factor of the score: 1 for prose and tables, lower the more boilerplate a text has. */
export const proseWeight = (percent: number): number => LEAST_PROSE + ((1 - LEAST_PROSE) * percent) / 100

type Columns = Pick<SectionColumns, 'known' | 'words' | 'prose' | 'passagesFrom'>

/**
 * The sections to search and their statistics: all sections, or those known at the close of a day. Later sections
 * never change an earlier day's scores.
 */
export class Corpus {
  readonly index: InvertedIndex
  /** Null for all sections. */
  readonly knownBy: number | null
  /** By section: 1 if it is known; null for all. */
  readonly known: Uint8Array | null
  readonly sections: number
  readonly lengthWeights: Float32Array
  readonly proseWeights: Float32Array
  /** The length term of a passage, by its words. */
  readonly passageWeights: Float64Array
  /** Cached: a term's scores are the same in every query. */
  readonly scored = new WeakMap<Postings, Matches>()
  private readonly counts = new Map<number, number>()

  constructor(
    index: InvertedIndex,
    { known, words, prose, passagesFrom }: Columns,
    { word, end }: Pick<PassageColumns, 'word' | 'end'>,
    knownBy: number | null,
  ) {
    this.index = index
    this.knownBy = knownBy
    this.known =
      knownBy === null ? null : Uint8Array.from(known, day => (day !== NO_DAY && day <= knownBy ? 1 : 0))
    let sections = 0
    let sum = 0
    let passages = 0
    let passageWords = 0
    for (let section = 0; section < words.length; section++) {
      if (this.known && this.known[section] === 0) continue
      sections++
      sum += elementAt(words, section)
      const next = elementAt(passagesFrom, section + 1)
      for (let passage = elementAt(passagesFrom, section); passage < next; passage++) {
        passages++
        passageWords += elementAt(end, passage) - elementAt(word, passage)
      }
    }
    this.sections = sections
    const average = sections === 0 ? 0 : sum / sections
    this.lengthWeights = Float32Array.from(words, length => lengthWeight(length, average))
    this.proseWeights = Float32Array.from(prose, proseWeight)
    const longest = word.reduce((most, from, passage) => Math.max(most, elementAt(end, passage) - from), 0)
    this.passageWeights = Float64Array.from({ length: longest + 1 }, (_, length) =>
      lengthWeight(length, passageWords / Math.max(passages, 1)),
    )
  }

  /** The sections, newest filing first. */
  *newest(): Generator<number> {
    const { known, lengthWeights } = this
    for (let section = 0; section < lengthWeights.length; section++)
      if (!known || known[section] === 1) yield section
  }

  /** Terms in at least so many sections, most frequent first. */
  frequent(least: number, most: number): number[] {
    const { index } = this
    const places = index.frequent(least)
    if (this.known)
      return places
        .filter(place => this.found(place) >= least)
        .sort((a, b) => this.found(b) - this.found(a) || a - b)
        .slice(0, most)
    return places.slice(0, most)
  }

  /** Sections that have a term. */
  found(term: number): number {
    const { known } = this
    if (!known) return this.index.found(term)
    let count = this.counts.get(term)
    if (count === undefined) {
      count = 0
      for (const section of this.index.postings(term).sections) count += elementAt(known, section)
      this.counts.set(term, count)
    }
    return count
  }
}
