/** Reciprocal rank fusion: a section scores 1 / (k + rank) in each ranking that found it. */
export function fuse(rankings: readonly (readonly number[])[], k = 60): Map<number, number> {
  const scores = new Map<number, number>()
  for (const ranked of rankings)
    for (const [i, section] of ranked.entries())
      scores.set(section, (scores.get(section) ?? 0) + 1 / (k + i + 1))
  return scores
}
