import type { Matches } from './keyword/matches.ts'

export interface Collapsed {
  readonly matches: Matches
  /** By place among these matches: the place among those given. */
  readonly places: readonly number[]
  /** By section: how many others it stands for. */
  readonly copies: ReadonlyMap<number, number>
}

/**
 * Near-copies as one match: the one of the highest score, the newest of equals; in an order by day the first of that order.
 * @param original by section, newest first: the section it is a near-copy of
 */
export function collapseCopies(
  { sections, scores }: Matches,
  original: Uint32Array,
  order: 'relevance' | 'newest' | 'oldest',
): Collapsed {
  const chosen = new Map<number, number>()
  const counts = new Map<number, number>()
  for (let place = 0; place < sections.length; place++) {
    const of = original[sections[place]!]!
    const before = chosen.get(of)
    counts.set(of, (counts.get(of) ?? -1) + 1)
    if (
      before === undefined ||
      order === 'oldest' ||
      (order === 'relevance' && scores[place]! > scores[before]!)
    )
      chosen.set(of, place)
  }
  const places = [...chosen.values()].sort((a, b) => a - b)
  const copies = new Map<number, number>()
  for (const place of places) {
    const section = sections[place]!
    copies.set(section, counts.get(original[section]!)!)
  }
  return {
    matches: {
      sections: Uint32Array.from(places, place => sections[place]!),
      scores: Float32Array.from(places, place => scores[place]!),
    },
    places,
    copies,
  }
}
