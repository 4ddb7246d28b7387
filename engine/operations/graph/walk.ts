// Indices below are within bounds by construction: checks would cost in the loops.

import { largest } from '../../base/lists.ts'
import type { Adjacency } from './adjacency.ts'

/** The nodes reached by a walk, by level and then node; without the start. */
export interface Reached {
  readonly nodes: number[]
  /** Steps from the start. */
  readonly levels: number[]
  /** The node from which each was first reached, and the index of the relation. */
  readonly from: number[]
  readonly by: number[]
  /** True if the walk was cut off. */
  readonly truncated: boolean
}

export interface WalkBounds {
  readonly depth: number
  /** Maximum number of nodes to reach. */
  readonly most: number
  /** False for nodes that may be neither returned nor passed through. */
  readonly sees: (node: number) => boolean
  /** True when time is up; checked every few thousand edges. */
  readonly isLate?: () => boolean
}

/** Edges between two checks of the time. */
const PATIENCE = 65_536
/** Maximum number of nodes per level. */
const LEVEL = 2 ** 22

/** Breadth-first search over several relations at once. Every node is reached once, so cycles end. */
export function walk(
  starts: readonly number[],
  relations: readonly Adjacency[],
  { depth, most, sees, isLate = () => false }: WalkBounds,
): Reached {
  const seen = new Uint8Array(
    largest(
      relations.map(({ offsets }) => offsets.length - 1),
      0,
    ),
  )
  for (const start of starts) seen[start] = 1
  const reached: Reached = { nodes: [], levels: [], from: [], by: [], truncated: false }
  let frontier: readonly number[] = starts
  let looked = 0
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const found: number[] = []
    const from: number[] = []
    const by: number[] = []
    for (const node of frontier)
      for (let r = 0; r < relations.length; r++) {
        const { offsets, targets } = relations[r]!
        const end = offsets[node + 1]!
        for (let i = offsets[node]!; i < end; i++) {
          if (++looked % PATIENCE === 0 && isLate()) return { ...reached, truncated: true }
          const target = targets[i]!
          if (seen[target] === 1) continue
          seen[target] = 1
          if (!sees(target)) continue
          found.push(target)
          from.push(node)
          by.push(r)
        }
      }
    // Sorted as one number each: the node, and its predecessor.
    const order = Float64Array.from(found, (node, i) => node * LEVEL + i).sort()
    const next: number[] = []
    for (const key of order) {
      if (reached.nodes.length === most) return { ...reached, truncated: true }
      const i = key % LEVEL
      next.push(found[i]!)
      reached.nodes.push(found[i]!)
      reached.levels.push(level)
      reached.from.push(from[i]!)
      reached.by.push(by[i]!)
    }
    frontier = next
  }
  return reached
}
