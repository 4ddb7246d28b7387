import { elementAt } from '../../base/elements.ts'
import { NO_DAY } from '../text/section.ts'
import type { InvertedIndex, Postings } from './inverted-index.ts'
import type { Matches } from './matches.ts'
import type { SectionColumns } from './section-writer.ts'

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

type Columns = Pick<SectionColumns, 'known' | 'words' | 'prose'>

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
  /** Cached: a term's scores are the same in every query. */
  readonly scored = new WeakMap<Postings, Matches>()
  private readonly counts = new Map<number, number>()

  constructor(index: InvertedIndex, { known, words, prose }: Columns, knownBy: number | null) {
    this.index = index
    this.knownBy = knownBy
    this.known =
      knownBy === null ? null : Uint8Array.from(known, day => (day !== NO_DAY && day <= knownBy ? 1 : 0))
    let sections = 0
    let sum = 0
    for (let section = 0; section < words.length; section++) {
      if (this.known && this.known[section] === 0) continue
      sections++
      sum += elementAt(words, section)
    }
    this.sections = sections
    const average = sections === 0 ? 0 : sum / sections
    this.lengthWeights = Float32Array.from(words, length => lengthWeight(length, average))
    this.proseWeights = Float32Array.from(prose, proseWeight)
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
