import { join } from 'node:path'
import type { HierarchicalNSW } from 'hnswlib-node'
import type { EmbedderFacts } from './embedder.ts'
import type { Progress } from './lsa.ts'
import { PassageVectors } from './vectors.ts'

/** Bytes of vectors that are compared one by one in a few milliseconds. Above, a graph leads to the nearest. */
const EXACT_BYTES = 16 << 20
const FILE = 'graph.bin'

const LINKS = 16
const EFFORT_OF_BUILDING = 100
/** Passages that the graph leads to, whichever page is asked for: the first number that finds enough. */
const NEAREST = [300, 600, 1200]
const ENOUGH = 0.99

const QUESTIONS = 100

/** How passages are compared, and what was measured of it when the index was built. */
export interface GraphFacts {
  readonly links: number
  readonly nearest: number
  /** Share of the ten nearest passages that the graph finds, over questions made of the passages' own words. */
  readonly recall_at_10: number
}

/** The native part is optional: without it, or where it does not load, all vectors are compared. */
const native = async (): Promise<typeof HierarchicalNSW | null> =>
  import('hnswlib-node').then(
    module => module.default.HierarchicalNSW,
    () => null,
  )

/**
 * Builds a graph (HNSW) over the vectors of a folder where there are many. One that misses too much is not kept.
 * @param questions vectors to measure recall with
 */
export async function writeGraph(
  folder: string,
  { informative }: EmbedderFacts,
  questions: readonly Float32Array[],
  progress: Progress,
  exactBytes = EXACT_BYTES,
): Promise<GraphFacts | null> {
  const vectors = new PassageVectors(folder, informative)
  if (vectors.count * informative <= exactBytes) return null
  const Graph = await native()
  if (!Graph) return null
  const graph = new Graph('ip', informative)
  graph.initIndex(vectors.count, LINKS, EFFORT_OF_BUILDING, 100)
  for (let p = 0; p < vectors.count; p++) {
    graph.addPoint(vectors.unit(p), p)
    if (p % 500 === 0) await progress('linking passages to their nearest', p, vectors.count)
  }
  for (const nearest of NEAREST) {
    const recall = recallAt10(graph, nearest, vectors, questions.slice(0, QUESTIONS))
    if (recall < ENOUGH) continue
    graph.writeIndexSync(join(folder, FILE))
    return { links: LINKS, nearest, recall_at_10: Math.round(recall * 1e4) / 1e4 }
  }
  return null
}

/** Share of the ten nearest that the graph finds; passages as near as the tenth are as good as it. */
function recallAt10(
  graph: HierarchicalNSW,
  nearest: number,
  vectors: PassageVectors,
  questions: readonly Float32Array[],
): number {
  graph.setEf(nearest)
  let found = 0
  let wanted = 0
  for (const question of questions) {
    const near = graph.searchKnn(unitOf(question), Math.min(nearest, vectors.count)).neighbors.slice(0, 10)
    const cosines = vectors.cosines(question)
    const tenth = cosines.toSorted().at(-near.length) ?? 0
    found += near.filter(p => cosines[p]! >= tenth - 1e-4).length
    wanted += near.length
  }
  return wanted === 0 ? 1 : found / wanted
}

/** The nearest passages and their cosines, nearest first. */
export type Nearest = (query: Float32Array) => { passages: readonly number[]; cosines: readonly number[] }

/** Opens the graph of a folder; null where there is none, or the native part is missing. */
export async function openGraph(
  folder: string,
  { informative }: EmbedderFacts,
  facts: GraphFacts | null,
): Promise<Nearest | null> {
  if (!facts) return null
  const Graph = await native()
  if (!Graph) return null
  const graph = new Graph('ip', informative)
  graph.readIndexSync(join(folder, FILE))
  graph.setEf(facts.nearest)
  return query => {
    const { neighbors, distances } = graph.searchKnn(
      unitOf(query),
      Math.min(facts.nearest, graph.getCurrentCount()),
    )
    return { passages: neighbors, cosines: distances.map(d => 1 - d) }
  }
}

function unitOf(vector: Float32Array): number[] {
  const length = Math.hypot(...vector) || 1
  return Array.from(vector, value => value / length)
}
