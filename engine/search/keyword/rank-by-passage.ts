import { elementAt } from '../../base/elements.ts'
import { bestScores } from './best-scores.ts'
import type { Matches } from './matches.ts'

/** How many of the best matches are ordered by their best passage too. */
const MOST_RANKED = 50

/** A match in its final order. */
export interface RankedMatch {
  /** Its index among the matches. */
  readonly place: number
  /** Half its BM25 and half that of its best passage, where this was read. */
  readonly score: number
  /** BM25 of its best passage, at most that of the query; null beyond the first. */
  readonly passage: number | null
}

/**
 * The best `count` matches, best first. A long section may have the words of a query far apart, so the first are ordered
 * by the section and its best passage in equal parts. Those beyond keep their order, below the first.
 */
export function rankByPassage(
  matches: Matches,
  count: number,
  passageScore: (section: number, score: number) => number,
): RankedMatch[] {
  if (count <= 0) return []
  const places = bestScores(matches, Math.max(count, MOST_RANKED))
  const first = places.slice(0, MOST_RANKED).map((place): RankedMatch => {
    const score = elementAt(matches.scores, place)
    const passage = passageScore(elementAt(matches.sections, place), score)
    return { place, score: (score + passage) / 2, passage }
  })
  first.sort((a, b) => b.score - a.score)
  const rest = places
    .slice(MOST_RANKED, count)
    .map(place => ({ place, score: elementAt(matches.scores, place) / 2, passage: null }))
  return [...first, ...rest].slice(0, count)
}
