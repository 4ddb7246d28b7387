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
}

/** Breadth first over several relations at once; every node is reached once, so that cycles end. */
export function walk(
  starts: readonly number[],
  relations: readonly Adjacency[],
  { depth, most, sees }: WalkBounds,
): Reached {
  const seen = new Set(starts)
  const reached: Reached & { truncated: boolean } = {
    nodes: [],
    levels: [],
    from: [],
    by: [],
    truncated: false,
  }
  let frontier = [...starts]
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const found: { node: number; from: number; by: number }[] = []
    for (const node of frontier)
      for (const [by, { offsets, targets }] of relations.entries())
        for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
          const target = targets[i]!
          if (seen.has(target)) continue
          seen.add(target)
          if (sees(target)) found.push({ node: target, from: node, by })
        }
    found.sort((a, b) => a.node - b.node)
    for (const { node, from, by } of found) {
      if (reached.nodes.length === most) return { ...reached, truncated: true }
      reached.nodes.push(node)
      reached.levels.push(level)
      reached.from.push(from)
      reached.by.push(by)
    }
    frontier = found.map(f => f.node)
  }
  return reached
}
