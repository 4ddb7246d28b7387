// Indices below are within bounds by construction: checks would cost in the loops.

import type { Matches } from './keyword/matches.ts'

export interface Collapsed {
  readonly matches: Matches
  /** Indexes, among the given matches, of those kept. */
  readonly places: Uint32Array
  /** For each, how many others it stands for. */
  readonly copies: Uint32Array
}

/** By original: the index chosen so far plus one, and a count. All zero between queries. */
let chosen = new Uint32Array(0)
let counts = new Uint32Array(0)

/**
 * Merges near-copies into one match: the highest score, the newest on ties; sorted by day, the first in that order.
 * @param original by section, newest first: the section it is a near-copy of
 */
export function collapseCopies(
  { sections, scores }: Matches,
  original: Uint32Array,
  order: 'relevance' | 'newest' | 'oldest',
): Collapsed {
  if (chosen.length < original.length) {
    chosen = new Uint32Array(original.length)
    counts = new Uint32Array(original.length)
  }
  let groups = 0
  for (let place = 0; place < sections.length; place++) {
    const of = original[sections[place]!]!
    const before = chosen[of]!
    counts[of]!++
    if (before === 0) groups++
    else if (order === 'newest' || (order === 'relevance' && scores[place]! <= scores[before - 1]!)) continue
    chosen[of] = place + 1
  }
  const places = new Uint32Array(groups)
  const copies = new Uint32Array(groups)
  const kept = { sections: new Uint32Array(groups), scores: new Float32Array(groups) }
  let at = 0
  for (let place = 0; place < sections.length; place++) {
    const section = sections[place]!
    const of = original[section]!
    if (chosen[of] !== place + 1) continue
    places[at] = place
    copies[at] = counts[of]! - 1
    kept.sections[at] = section
    kept.scores[at++] = scores[place]!
  }
  for (let place = 0; place < sections.length; place++) {
    const of = original[sections[place]!]!
    chosen[of] = 0
    counts[of] = 0
  }
  return { matches: kept, places, copies }
}
