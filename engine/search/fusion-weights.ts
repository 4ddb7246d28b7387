/** What each ranking counts when the two are fused, from 0 to 1. */
export interface FusionWeights {
  readonly keyword: number
  readonly semantic: number
  /** Mean reciprocal ranks of the sections that questions were made of; null where there are too few sections to tell. */
  readonly shown: { readonly questions: number; readonly keyword: number; readonly semantic: number } | null
}

export const equalWeights: FusionWeights = { keyword: 1, semantic: 1, shown: null }

/** A ranking this far behind the other counts as much as it; below, less. */
const AS_GOOD = 0.5
/** What shows less than this of the other is left out: it is noise. */
const USELESS = 0.1

/** Mean reciprocal rank of one section among so many in random order. */
export function chanceOf(sections: number): number {
  let sum = 0
  for (let rank = 1; rank <= sections; rank++) sum += 1 / rank
  return sum / sections
}

/** Weights by what both rankings show beyond chance. */
export function fusionWeights(
  sections: number,
  shown: { readonly questions: number; readonly keyword: number; readonly semantic: number },
): FusionWeights {
  const chance = chanceOf(sections)
  const skill = (rank: number) => Math.max(0, rank - chance)
  const best = Math.max(skill(shown.keyword), skill(shown.semantic))
  if (best === 0) return { ...equalWeights, shown }
  const weight = (rank: number) => {
    const share = skill(rank) / best
    return share < USELESS ? 0 : Math.round(100 * Math.min(1, share / AS_GOOD)) / 100
  }
  return { keyword: weight(shown.keyword), semantic: weight(shown.semantic), shown }
}
