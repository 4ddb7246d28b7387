// Indices below are within bounds by construction: checks would cost in the loops.

import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { HierarchicalNSW } from 'hnswlib-node'
import type { Report } from '../../base/progress.ts'
import { VectorFiles } from './vector-files.ts'

export const fileOf = (graph: number): string => `graph.${graph}.bin`

export const LINKS = 16

const EFFORT_OF_BUILDING = 100

/** Passages between two progress reports. */
const REPORTED = 512

/** Graph parameters, and recall measured when the index was built. */
export interface GraphFacts {
  readonly links: number
  /** Number of graphs. */
  readonly graphs: number
  readonly nearest: number
  /** Share of the ten nearest passages that the graphs find, over queries made of passages' own words. */
  readonly recall_at_10: number
}

/** The native part is optional: without it all vectors are compared. */
export const native = async (): Promise<typeof HierarchicalNSW | null> =>
  import('hnswlib-node').then(
    module => module.default.HierarchicalNSW,
    () => null,
  )

/** Fingerprints of the graphs' vectors, for reuse. */
export interface Graphs {
  readonly facts: GraphFacts
  /** By graph: its passages, and the SHA-256 of their vectors. */
  readonly parts: readonly GraphPart[]
}

interface GraphPart {
  readonly passages: number
  readonly vectors: string
}

/** A job: links passages to their nearest neighbours, last passage first. */
export async function linkPassages(
  {
    folder,
    file,
    wide,
    from,
    to,
  }: {
    folder: string
    file: string
    wide: number
    from: number
    to: number
  },
  report: Report,
): Promise<void> {
  const graph = new (await native())!('ip', wide)
  graph.initIndex(to - from, LINKS, EFFORT_OF_BUILDING, 100)
  const vectors = new VectorFiles(folder, wide)
  try {
    for (let done = 0; done < to - from; done++) {
      graph.addPoint(Array.from(vectors.unit(to - 1 - done)), done)
      if (done % REPORTED !== 0) continue
      report(done)
      await setImmediate()
    }
  } finally {
    vectors.close()
  }
  graph.writeIndexSync(join(folder, file))
}

/** The nearest passages and their cosines, nearest first. */
export type Nearest = (query: Float32Array) => { passages: readonly number[]; cosines: readonly number[] }

/** Opens the graphs of a folder; null without the native part. */
export async function openGraphs(
  folder: string,
  wide: number,
  { graphs: count, nearest }: Pick<GraphFacts, 'graphs' | 'nearest'>,
): Promise<Nearest | null> {
  const Graph = await native()
  if (!Graph) return null
  const graphs = Array.from({ length: count }, (_, i) => {
    const graph = new Graph('ip', wide)
    graph.readIndexSync(join(folder, fileOf(i)))
    return graph
  })
  // The nearest overall are spread over several graphs, so none is asked for all of them.
  const each = Math.ceil(nearest / Math.sqrt(count))
  for (const graph of graphs) graph.setEf(each)
  const sizes = graphs.map(graph => graph.getCurrentCount())
  const passages = sizes.reduce((sum, size) => sum + size, 0)
  return query => {
    const unit = unitOf(query)
    const found: { passage: number; cosine: number }[] = []
    let last = passages - 1
    for (const [i, graph] of graphs.entries()) {
      const { neighbors, distances } = graph.searchKnn(unit, Math.min(each, sizes[i]!))
      for (const [n, neighbor] of neighbors.entries())
        found.push({ passage: last - neighbor, cosine: 1 - distances[n]! })
      last -= sizes[i]!
    }
    const best = found.sort((a, b) => b.cosine - a.cosine || a.passage - b.passage).slice(0, nearest)
    return { passages: best.map(b => b.passage), cosines: best.map(b => b.cosine) }
  }
}

function unitOf(vector: Float32Array): number[] {
  const length = Math.hypot(...vector) || 1
  return Array.from(vector, value => value / length)
}
