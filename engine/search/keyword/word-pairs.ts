// Indices below are within bounds by construction: checks would cost in the loops.

import { elementAt } from '../../base/elements.ts'
import type { WordPair } from '../text/parse-query.ts'
import { amongBest, bestScores } from './best-scores.ts'
import type { Corpus } from './corpus.ts'
import { type InvertedIndex, PositionBuffer, type Postings } from './inverted-index.ts'
import { BODY } from './inverted-writer.ts'
import { K1, seek, weightOf } from './keyword.ts'
import type { Matches } from './matches.ts'

/** What two words side by side weigh, as a share of what they weigh as words. */
const SIDE_BY_SIDE = 0.25
/** Pairs of a query that count, the rarest. */
const MOST_PAIRS = 8
/** Sections in which they are looked for: at least so many of the best by the words. */
export const LOOKED_AT = 200

/** A pair of words that sections have, with what it weighs where they stand as in the query. */
export interface WeighedPair {
  readonly places: readonly [number, number]
  readonly apart: number
  readonly weight: number
}

/** The pairs that count, the rarest first. */
function weighed(on: Corpus, pairs: readonly WordPair[]): WeighedPair[] {
  return pairs
    .map(({ terms: [a, b], apart }): WeighedPair => {
      const [first, second] = [weightOf(on, a), weightOf(on, b)]
      const weight = first > 0 && second > 0 ? SIDE_BY_SIDE * (first + second) : 0
      return { places: [on.index.find(a), on.index.find(b)], apart, weight }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_PAIRS)
}

const nothing: Matches = { sections: new Uint32Array(0), scores: new Float32Array(0) }

/** The best of some matches in order, with their scores. */
export interface Best {
  readonly places: readonly number[]
  readonly scores: readonly number[]
}

/** What the words of a query that stand side by side in a section add to its score. */
export class PairScores {
  readonly pairs: readonly WeighedPair[]
  /** The most that they can add, together. */
  readonly highest: number
  private readonly on: Corpus
  /** Whether they are all that the query has. */
  private readonly areAll: boolean
  /** What they add to the sections looked at last: another page of the query looks at the same. */
  private last: Matches = nothing

  constructor(on: Corpus, pairs: readonly WordPair[]) {
    this.on = on
    this.pairs = weighed(on, pairs)
    this.areAll = pairs.length > 0 && this.pairs.length === pairs.length
    this.highest = this.pairs.reduce((sum, { weight }) => sum + weight, 0) * (K1 + 1)
  }

  /**
   * The best `count` of some matches. Pairs are looked for in the best few hundred by the words, and only order these: the
   * others follow in their order.
   */
  best(matches: Matches, count: number): Best {
    const { scores } = matches
    if (this.pairs.length === 0) {
      const places = bestScores(matches, count)
      return { places, scores: places.map(place => elementAt(scores, place)) }
    }
    const looked = amongBest(matches, LOOKED_AT)
    const totals = this.totals(of(matches, looked))
    const order = bestScores({ sections: looked, scores: totals }, count)
    const rest = count > looked.length ? bestScores(matches, count).slice(looked.length) : []
    return {
      places: [...order.map(i => elementAt(looked, i)), ...rest],
      scores: [...order.map(i => elementAt(totals, i)), ...rest.map(place => elementAt(scores, place))],
    }
  }

  /** Those of some sections that have every pair: the query as it is written. */
  withAll(sections: readonly number[]): number[] {
    if (!this.areAll) return []
    const counters = this.counters()
    return sections.filter(section =>
      counters.every(counter => {
        counter.rewind()
        return counter.times(section) > 0
      }),
    )
  }

  /** What the pairs add to the score of a section. */
  of(section: number): number {
    return this.added(this.counters(), section)
  }

  /** Made for each use: they hold postings, of which the index decides how long they stay in memory. */
  private counters(): PairCounter[] {
    return this.pairs.map(pair => new PairCounter(this.on.index, pair))
  }

  /** The scores of some matches with what the pairs add. */
  private totals({ sections, scores }: Matches): Float32Array {
    const { last } = this
    const counters = this.counters()
    const added = new Float32Array(sections.length)
    const totals = scores.slice()
    let j = 0
    for (const [i, section] of sections.entries()) {
      while (j < last.sections.length && elementAt(last.sections, j) < section) j++
      const sum = last.sections[j] === section ? elementAt(last.scores, j) : this.added(counters, section)
      added[i] = sum
      // As rounded: the next page reads it from there.
      totals[i] = elementAt(scores, i) + elementAt(added, i)
    }
    this.last = { sections, scores: added }
    return totals
  }

  private added(counters: readonly PairCounter[], section: number): number {
    const length = elementAt(this.on.lengthWeights, section)
    let sum = 0
    for (const [i, { weight }] of this.pairs.entries()) {
      const times = elementAt(counters, i).times(section)
      if (times > 0) sum += (weight * times) / (times + length)
    }
    return sum * (K1 + 1) * elementAt(this.on.proseWeights, section)
  }
}

/** Some of the matches. */
const of = ({ sections, scores }: Matches, places: Uint32Array): Matches => ({
  sections: places.map(place => elementAt(sections, place)),
  scores: Float32Array.from(places, place => elementAt(scores, place)),
})

/** Counts how often a second word comes so many words after a first one, at least 1. */
class PairCounter {
  private readonly index: InvertedIndex
  private readonly first: Postings
  private readonly second: Postings
  private readonly wholeFirst: Uint8Array | null
  private readonly wholeSecond: Uint8Array | null
  private readonly apart: number

  /** Where the section before was in the postings. */
  private i = 0
  private j = 0

  constructor(index: InvertedIndex, { places, apart }: WeighedPair) {
    this.index = index
    this.first = index.postings(places[0])
    this.second = index.postings(places[1])
    this.wholeFirst = index.wholePositions(places[0])
    this.wholeSecond = index.wholePositions(places[1])
    this.apart = apart
  }

  rewind(): void {
    this.i = 0
    this.j = 0
  }

  /** How often they stand so in a section after the one before; all of them in the heading count once. */
  times(section: number): number {
    const { first, second, wholeFirst, wholeSecond, apart } = this
    this.i = seek(first.sections, section, this.i)
    this.j = seek(second.sections, section, this.j)
    const { i, j } = this
    if (first.sections[i] !== section || second.sections[j] !== section) return 0
    let a = elementAt(first.positionsFrom, i)
    let b = elementAt(second.positionsFrom, j)
    let endA = elementAt(first.positionsFrom, i + 1)
    let endB = elementAt(second.positionsFrom, j + 1)
    const firsts = wholeFirst ?? this.index.readPositions(first.term, a, endA)
    const seconds = wholeSecond ?? this.index.readPositions(second.term, b, endB)
    if (!wholeFirst) [a, endA] = [0, firsts.length]
    if (!wholeSecond) [b, endB] = [0, seconds.length]
    return endA - a < endB - b
      ? timesApart(firsts, a, endA, seconds, b, endB, apart)
      : timesApart(seconds, b, endB, firsts, a, endA, -apart)
  }
}

/** Words of a section up to which their positions are marked rather than merged. */
const MOST_MARKED = 1 << 16
/** By position: the number of the last section that has the first word there, from 1 to 255. */
const marks = new Uint8Array(MOST_MARKED)
let mark = 0

/**
 * How many positions of a longer list come so many words after one of a shorter. The few are marked and the many looked up:
 * to merge them takes twice as long, since which of two lists goes on cannot be foreseen.
 */
function timesApart(
  few: Uint8Array,
  fewFrom: number,
  endOfFew: number,
  many: Uint8Array,
  manyFrom: number,
  endOfMany: number,
  apart: number,
): number {
  if (++mark === 256) {
    marks.fill(0)
    mark = 1
  }
  let last = 0
  for (let at = fewFrom, position = apart; at < endOfFew; ) {
    for (let byte = 128, shift = 0; byte > 127; shift += 7) {
      byte = few[at++]!
      position += (byte & 127) << shift
    }
    if (position < 0) continue
    if (position >= MOST_MARKED)
      return mergedTimesApart(few.subarray(fewFrom, endOfFew), many.subarray(manyFrom, endOfMany), apart)
    marks[position] = mark
    last = position
  }
  let inText = 0
  let inHeading = 0
  for (let at = manyFrom, position = 0; at < endOfMany; ) {
    for (let byte = 128, shift = 0; byte > 127; shift += 7) {
      byte = many[at++]!
      position += (byte & 127) << shift
    }
    if (position > last) break
    if (marks[position] !== mark) continue
    if (position < BODY) inHeading = 1
    else inText++
  }
  return inText + inHeading
}

const merged = [new PositionBuffer(), new PositionBuffer()] as const

/** The same in a longer section. */
function mergedTimesApart(few: Uint8Array, many: Uint8Array, apart: number): number {
  const [before, after] = merged
  before.decode(few, 0, few.length)
  after.decode(many, 0, many.length)
  let [inText, inHeading, j] = [0, 0, 0]
  for (let i = 0; i < before.length; i++) {
    const wanted = elementAt(before.values, i) + apart
    while (j < after.length && elementAt(after.values, j) < wanted) j++
    if (j === after.length) break
    if (after.values[j] !== wanted) continue
    if (wanted < BODY) inHeading = 1
    else inText++
  }
  return inText + inHeading
}
