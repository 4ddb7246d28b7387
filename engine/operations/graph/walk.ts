// Indices below are within bounds by construction: checks would cost in the loops.

import type { Adjacency } from './adjacency.ts'

/** What a walk reached, in the order of level and then of nodes; the start is not among it. */
export interface Reached {
  readonly nodes: number[]
  /** Steps from the start. */
  readonly levels: number[]
  /** The node that each was first reached from, and the position of the relation it was reached by. */
  readonly from: number[]
  readonly by: number[]
  /** True where there was more than the walk may return. */
  readonly truncated: boolean
}

export interface WalkBounds {
  readonly depth: number
  /** Most nodes to reach. */
  readonly most: number
  /** False for nodes that may be neither returned nor walked through. */
  readonly sees: (node: number) => boolean
  /** True when there is no more time; asked every some thousand edges. */
  readonly isLate?: () => boolean
}

/** Edges looked at before the time is asked again. */
const PATIENCE = 65_536
/** A level holds fewer nodes than this. */
const LEVEL = 2 ** 22

/** Breadth first over several relations at once; every node is reached once, so that cycles end. */
export function walk(
  starts: readonly number[],
  relations: readonly Adjacency[],
  { depth, most, sees, isLate = () => false }: WalkBounds,
): Reached {
  const seen = new Uint8Array(Math.max(0, ...relations.map(({ offsets }) => offsets.length - 1)))
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
    // Sorted as one number each: the node, and where it was found.
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
