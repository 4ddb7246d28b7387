// Indices below are within bounds by construction: checks would cost in the loops.

import type { Matches } from './keyword/matches.ts'

export interface Collapsed {
  readonly matches: Matches
  /** Indexes, among the given matches, of those kept; null where all are. */
  readonly places: Uint32Array | null
  /** For each, how many others it stands for; null for none. */
  readonly copies: Uint32Array | null
}

/** By original: the index chosen so far plus one, and a count. All zero between queries. */
let chosen = new Uint32Array(0)
let counts = new Uint32Array(0)
/** What is left: new arrays for each query would burden the garbage collector. */
const roomFor = (sections: number) => ({
  places: new Uint32Array(sections),
  copies: new Uint32Array(sections),
  sections: new Uint32Array(sections),
  scores: new Float32Array(sections),
})
let room = roomFor(0)

/** By section: 1 if it is a near-copy or has some. Most are not, and need no counting. */
export function groupedSections(original: Uint32Array): Uint8Array {
  const grouped = new Uint8Array(original.length)
  for (let section = 0; section < original.length; section++)
    if (original[section] !== section) {
      grouped[section] = 1
      grouped[original[section]!] = 1
    }
  return grouped
}

/**
 * Merges near-copies into one match: the highest score, the newest on ties; sorted by day, the first in that order.
 * What it returns is valid until the next call.
 * @param original by section, newest first: the section it is a near-copy of
 * @param grouped by section, from `groupedSections`
 */
export function collapseCopies(
  matches: Matches,
  original: Uint32Array,
  grouped: Uint8Array,
  order: 'relevance' | 'newest' | 'oldest',
): Collapsed {
  const { sections, scores } = matches
  if (chosen.length < original.length) {
    chosen = new Uint32Array(original.length)
    counts = new Uint32Array(original.length)
    room = roomFor(original.length)
  }
  // Indexes of matches that are in a group.
  const inGroups: number[] = []
  let dropped = 0
  for (let place = 0; place < sections.length; place++) {
    const section = sections[place]!
    if (grouped[section] === 0) continue
    inGroups.push(place)
    const of = original[section]!
    const before = chosen[of]!
    counts[of]!++
    if (before !== 0) dropped++
    if (before === 0 || order === 'oldest' || (order === 'relevance' && scores[place]! > scores[before - 1]!))
      chosen[of] = place + 1
  }
  const merged =
    dropped === 0 ? { matches, places: null, copies: null } : kept(matches, inGroups, original, dropped)
  for (const place of inGroups) {
    const of = original[sections[place]!]!
    chosen[of] = 0
    counts[of] = 0
  }
  return merged
}

/** The matches without those that another of their group stands for. */
function kept(
  { sections, scores }: Matches,
  inGroups: readonly number[],
  original: Uint32Array,
  dropped: number,
): Collapsed {
  const count = sections.length - dropped
  const places = room.places.subarray(0, count)
  const copies = room.copies.subarray(0, count).fill(0)
  const left = { sections: room.sections.subarray(0, count), scores: room.scores.subarray(0, count) }
  let at = 0
  let next = 0
  for (let place = 0; place < sections.length; place++) {
    const section = sections[place]!
    if (inGroups[next] === place) {
      next++
      const of = original[section]!
      if (chosen[of] !== place + 1) continue
      copies[at] = counts[of]! - 1
    }
    places[at] = place
    left.sections[at] = section
    left.scores[at++] = scores[place]!
  }
  return { matches: left, places, copies }
}
