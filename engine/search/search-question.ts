import type { RankedPassage, SoughtTerms } from './keyword/best-passage.ts'
import type { Matches } from './keyword/matches.ts'
import type { PairScores } from './keyword/word-pairs.ts'
import type { Mode } from './modes.ts'
import type { SectionFilter } from './section-filter.ts'

export interface SearchQuestion {
  readonly text: string
  readonly mode: Mode
  readonly filter: SectionFilter
  readonly order: 'relevance' | 'newest' | 'oldest'
  readonly limit: number | null
  readonly offset: number
  /** Near-copies by the same filer are one hit. */
  readonly collapse?: boolean
}

export interface Hit {
  readonly section: number
  /** Other sections that match and are near-copies of this one, where they are one hit. */
  readonly copies: number
  /** 0 to 1, in keyword and hybrid modes. */
  readonly relevance: number | null
  /** Cosine, where the passages were compared and found near. */
  readonly cosine: number | null
  readonly bm25: number | null
  /** BM25 of its best passage, where the section was ranked by it. */
  readonly bestPassage: number | null
  /** From 1 on, in hybrid mode. */
  readonly keywordRank: number | null
  readonly semanticRank: number | null
  /** Among the sections that have the words of the query side by side, from 1 on, in hybrid mode. */
  readonly phraseRank: number | null
  /** The passage nearest in meaning. */
  readonly passage: number | null
}

export interface SearchResult {
  readonly total: number
  readonly hits: readonly Hit[]
  /** Whether such sections were ranked too. */
  readonly hasPhrases: boolean
  readonly warnings: readonly string[]
  /** What the words were read as. */
  readonly query: PreparedQuery | null
}

/** A query, and what is worked out of it once for all its pages. */
export interface PreparedQuery {
  readonly matches: Matches
  /** Whether it is one phrase, which all matches have. */
  readonly isPhrase: boolean
  /** What words side by side add to the scores of matches. */
  readonly pairs: PairScores
  /** The highest score that a section could have. */
  readonly ceiling: number
  readonly sought: SoughtTerms
  /** The best passage of sections that were ranked by it. */
  readonly passages: Map<number, RankedPassage>
  /** By section, in keyword mode. Null until it is asked again: most queries never are, and what is kept costs the garbage collector. */
  snippets: Map<number, string> | null
}
