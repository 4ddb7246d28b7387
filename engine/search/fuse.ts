import { elementAt } from '../base/elements.ts'

/**
 * Weighted reciprocal rank fusion: a section scores weight / (k + rank) in each ranking that contains it.
 * @param weights of the rankings, in their order
 */
export function fuse(
  rankings: readonly (readonly number[])[],
  weights: readonly number[] = rankings.map(() => 1),
  k = 60,
): Map<number, number> {
  const scores = new Map<number, number>()
  for (const [r, ranked] of rankings.entries())
    for (const [i, section] of ranked.entries())
      scores.set(section, (scores.get(section) ?? 0) + elementAt(weights, r) / (k + i + 1))
  return scores
}
