import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { HierarchicalNSW } from 'hnswlib-node'
import type { EmbedderFacts } from '../embed/embedder.ts'
import type { FormerIndex } from '../build/former-index.ts'
import type { Helpers, Report } from '../build/helpers.ts'
import type { Progress } from '../embed/lsa.ts'
import { VectorFiles } from './vector-files.ts'
import { PassageVectors } from './vectors.ts'

/** Bytes of vectors that are compared one by one in a few milliseconds. Above, graphs lead to the nearest. */
const EXACT_BYTES = 32 << 20
/** Passages that one graph leads to. A graph is of the next so many, the oldest first, so that few change when filings are added. */
const GRAPH_PASSAGES = 1 << 16
const fileOf = (graph: number): string => `graph.${graph}.bin`

const LINKS = 16
const EFFORT_OF_BUILDING = 100
/** Passages that the graphs lead to, whichever page is asked for: the first number that finds enough. */
const NEAREST = [300, 600, 1200]
const ENOUGH = 0.95

/** Passages between two reports. */
const REPORTED = 512

const QUESTIONS = 100

/** How passages are compared, and what was measured of it when the index was built. */
export interface GraphFacts {
  readonly links: number
  /** How many graphs the passages are parted into. */
  readonly graphs: number
  readonly nearest: number
  /** Share of the ten nearest passages that the graphs find, over questions made of the passages' own words. */
  readonly recall_at_10: number
}

/** The native part is optional: without it, or where it does not load, all vectors are compared. */
const native = async (): Promise<typeof HierarchicalNSW | null> =>
  import('hnswlib-node').then(
    module => module.default.HierarchicalNSW,
    () => null,
  )

export interface GraphOptions {
  readonly helpers: Helpers
  readonly former: FormerIndex | null
  readonly progress: Progress
  readonly exactBytes?: number | undefined
  readonly graphPassages?: number | undefined
}

/** What the graphs are of, by the bytes of their vectors: graphs of the same are the same. */
export interface Graphs {
  readonly facts: GraphFacts
  /** By graph: its passages, and the SHA-256 of their vectors. */
  readonly parts: readonly GraphPart[]
}

interface GraphPart {
  readonly passages: number
  readonly vectors: string
}

/**
 * Builds graphs (HNSW) over the vectors of a folder where there are many. Those that miss too much are not kept.
 * @param questions vectors to measure recall with
 */
export async function writeGraphs(
  folder: string,
  { informative }: EmbedderFacts,
  questions: readonly Float32Array[],
  { helpers, former, progress, exactBytes = EXACT_BYTES, graphPassages = GRAPH_PASSAGES }: GraphOptions,
): Promise<Graphs | null> {
  const vectors = new PassageVectors(folder, informative)
  const { count } = vectors
  if (count * informative <= exactBytes || !(await native())) return null
  const ranges = Array.from({ length: Math.ceil(count / graphPassages) }, (_, i) => ({
    from: Math.max(0, count - (i + 1) * graphPassages),
    to: count - i * graphPassages,
  }))
  const parts = ranges.map(({ from, to }) => ({ passages: to - from, vectors: vectors.digest(from, to) }))
  const linked = ranges.map(() => 0)
  const reporting = (i: number) => async (done: number) => {
    linked[i] = done
    await progress(
      'linking passages to their nearest',
      linked.reduce((sum, n) => sum + n, 0),
      count,
    )
  }
  await progress('linking passages to their nearest')
  await Promise.all(
    ranges.map(async ({ from, to }, i) => {
      const part = parts[i]!
      const same = former?.facts.graphs?.findIndex(
        ({ passages, vectors }) => passages === part.passages && vectors === part.vectors,
      )
      if (former && same !== undefined && same >= 0) former.copy(fileOf(same), folder, fileOf(i))
      else await helpers.run('link', { folder, file: fileOf(i), wide: informative, from, to }, reporting(i))
      await reporting(i)(to - from)
    }),
  )
  for (const nearest of NEAREST) {
    const recall = await recallAt10(
      folder,
      informative,
      { graphs: parts.length, nearest },
      vectors,
      questions,
    )
    if (recall < ENOUGH) continue
    const facts = {
      links: LINKS,
      graphs: parts.length,
      nearest,
      recall_at_10: Math.round(recall * 1e4) / 1e4,
    }
    return { facts, parts }
  }
  for (const i of parts.keys()) await rm(join(folder, fileOf(i)))
  return null
}

/** A job: links passages to their nearest, the last of them first. */
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

/** Share of the ten nearest that the graphs find; passages as near as the tenth are as good as it. */
async function recallAt10(
  folder: string,
  wide: number,
  how: Pick<GraphFacts, 'graphs' | 'nearest'>,
  vectors: PassageVectors,
  questions: readonly Float32Array[],
): Promise<number> {
  const nearest = await openGraphs(folder, wide, how)
  let found = 0
  let wanted = 0
  for (const question of questions.slice(0, QUESTIONS)) {
    const near = nearest!(question).cosines.slice(0, 10)
    const tenth = vectors.best(question, near.length).cosines.at(-1) ?? 0
    found += near.filter(cosine => cosine >= tenth - 1e-4).length
    wanted += near.length
  }
  return wanted === 0 ? 1 : found / wanted
}

/** The nearest passages and their cosines, nearest first. */
export type Nearest = (query: Float32Array) => { passages: readonly number[]; cosines: readonly number[] }

/** Opens the graphs of a folder; null where the native part is missing. */
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
  // The nearest of all lie in several graphs: no graph is asked for all of them.
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
