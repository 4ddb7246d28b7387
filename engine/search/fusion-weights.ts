/** Weight of each ranking in fusion, from 0 to 1. */
export interface FusionWeights {
  readonly keyword: number
  readonly semantic: number
  /** Mean reciprocal ranks of the sections that known-item queries were made from; null with too few sections. */
  readonly shown: { readonly questions: number; readonly keyword: number; readonly semantic: number } | null
}

export const equalWeights: FusionWeights = { keyword: 1, semantic: 1, shown: null }

/** A ranking counts fully down to this share of the other; below, in proportion. */
const AS_GOOD = 0.5
/** Below this share of the other a ranking is noise and is dropped. */
const USELESS = 0.1

/** Expected reciprocal rank of one section in random order. */
export function chanceOf(sections: number): number {
  let sum = 0
  for (let rank = 1; rank <= sections; rank++) sum += 1 / rank
  return sum / sections
}

/** Weights from both rankings' performance beyond chance. */
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
