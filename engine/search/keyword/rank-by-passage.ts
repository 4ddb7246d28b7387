import { elementAt } from '../../base/elements.ts'
import type { Best } from './word-pairs.ts'

/** How many of the best matches are ordered by their best passage too. */
export const MOST_RANKED = 50

/** A match in its final order. */
export interface RankedMatch {
  /** Its index among the matches. */
  readonly place: number
  /** Half its score and half that of its best passage, where this was read. */
  readonly score: number
  /** Score of its best passage, at most that of the query; null beyond the first. */
  readonly passage: number | null
}

/**
 * The best matches in their final order. A long section may have the words of a query far apart, so the first are ordered
 * by the section and its best passage in equal parts. Those beyond keep their order, below the first.
 * @param best at least `MOST_RANKED`, if there are so many
 */
export function rankByPassage(
  { places, scores }: Best,
  passageScore: (place: number, score: number) => number,
): RankedMatch[] {
  const first = places.slice(0, MOST_RANKED).map((place, i): RankedMatch => {
    const score = elementAt(scores, i)
    const passage = passageScore(place, score)
    return { place, score: (score + passage) / 2, passage }
  })
  first.sort((a, b) => b.score - a.score)
  const rest = places
    .slice(MOST_RANKED)
    .map((place, i) => ({ place, score: elementAt(scores, MOST_RANKED + i) / 2, passage: null }))
  return [...first, ...rest]
}
