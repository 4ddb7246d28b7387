// Indices below are within bounds by construction: checks would cost in the loops.

import type { Matches } from './matches.ts'

/** Indexes in `matches` of the best `count`, best first; ties in section order. */
export function bestScores(matches: Matches, count: number): number[] {
  const { scores } = matches
  if (count >= scores.length) return inOrder(scores, Uint32Array.from(scores.keys()))
  // A heap for few of many. For many, those that cannot be among them are dropped by the first bits of their score.
  return count < FEW ? bestFew(scores, count) : bestMany(matches, count)
}

const FEW = 200

function bestFew(scores: Float32Array, count: number): number[] {
  const worse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b)
  if (count <= 0) return []
  // A heap of the best so far, with the worst on top.
  const heap = new Uint32Array(count)
  let size = 0
  for (let place = 0; place < scores.length; place++) {
    if (size < count) {
      let at = size++
      while (at > 0 && worse(place, heap[(at - 1) >> 1]!)) {
        heap[at] = heap[(at - 1) >> 1]!
        at = (at - 1) >> 1
      }
      heap[at] = place
    } else if (worse(heap[0]!, place)) {
      let at = 0
      for (;;) {
        let child = at * 2 + 1
        if (child >= count) break
        if (child + 1 < count && worse(heap[child + 1]!, heap[child]!)) child++
        if (!worse(heap[child]!, place)) break
        heap[at] = heap[child]!
        at = child
      }
      heap[at] = place
    }
  }
  return inOrder(scores, heap)
}

/** The first bits of a score, in 64 steps from one power of two to the next. */
const SHIFT = 17
const sizes = new Uint32Array(1 << (32 - SHIFT))

/**
 * Indexes in `matches` of the best, at least `count` of them, ascending: all of a score above some value, which is a little
 * below that of the last wanted.
 */
export function amongBest({ scores }: Matches, count: number): Uint32Array {
  if (count >= scores.length) return Uint32Array.from(scores.keys())
  // Scores are positive, so their bits sort as they do.
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length)
  let least = 0
  for (let place = 0; place < bits.length; place++) {
    const group = bits[place]! >>> SHIFT
    sizes[group]!++
    if (group > least) least = group
  }
  let taken = sizes[least]!
  while (taken < count) taken += sizes[--least]!
  const places = new Uint32Array(taken)
  let at = 0
  for (let place = 0; place < bits.length; place++) {
    const group = bits[place]! >>> SHIFT
    sizes[group] = 0
    if (group >= least) places[at++] = place
  }
  return places
}

function bestMany(matches: Matches, count: number): number[] {
  return inOrder(matches.scores, amongBest(matches, count)).slice(0, count)
}

const MOST_NUMBERED = 2 ** 20

/** Sorts as numbers if score bits and reversed index fit into one. */
function inOrder(scores: Float32Array, places: Uint32Array): number[] {
  if (scores.length > MOST_NUMBERED)
    return Array.from(places).sort((a, b) => scores[b]! - scores[a]! || a - b)
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length)
  const keys = new Float64Array(places.length)
  for (let i = 0; i < keys.length; i++)
    keys[i] = bits[places[i]!]! * MOST_NUMBERED + (MOST_NUMBERED - 1 - places[i]!)
  keys.sort()
  const sorted: number[] = new Array(keys.length)
  for (let i = 0; i < keys.length; i++)
    sorted[i] = MOST_NUMBERED - 1 - (keys[keys.length - 1 - i]! % MOST_NUMBERED)
  return sorted
}
