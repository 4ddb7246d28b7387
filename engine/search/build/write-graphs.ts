import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { elementAt } from '../../base/elements.ts'
import type { Progress } from '../../base/progress.ts'
import type { EmbedderFacts } from '../embed/embedder.ts'
import { fileOf, type GraphFacts, type Graphs, LINKS, native, openGraphs } from '../vectors/graph.ts'
import { EXACT_BYTES, type VectorIndex, type VectorIndexFacts } from '../vectors/vector-index.ts'
import { PassageVectors } from '../vectors/vectors.ts'
import type { FormerIndex } from './former-index.ts'
import type { Helpers } from './helpers.ts'

/** Passages that one graph leads to. A graph is of the next so many, the oldest first, so that few change when filings are added. */
const GRAPH_PASSAGES = 1 << 16

/** Passages that the graphs return, whichever page is requested: the first number with enough recall. */
const NEAREST = [300, 600, 1200]

const ENOUGH = 0.95

const QUESTIONS = 100

export interface GraphOptions {
  readonly helpers: Helpers
  readonly former: FormerIndex | null
  readonly progress: Progress
  readonly vectorIndex?: VectorIndex | undefined
  readonly exactBytes?: number | undefined
  readonly graphPassages?: number | undefined
}

export interface WrittenGraphs {
  readonly vectorIndex: VectorIndexFacts
  /** Null where all vectors are compared. */
  readonly graphs: Graphs | null
}

/**
 * Builds graphs (HNSW) over the vectors of a folder if there are many. Discards graphs with too little recall.
 * @param questions vectors to measure recall with
 */
export async function writeGraphs(
  folder: string,
  { informative }: EmbedderFacts,
  questions: readonly Float32Array[],
  {
    helpers,
    former,
    progress,
    vectorIndex: chosen = 'auto',
    exactBytes = EXACT_BYTES,
    graphPassages = GRAPH_PASSAGES,
  }: GraphOptions,
): Promise<WrittenGraphs> {
  const exact = (because: VectorIndexFacts['because'], measured = {}): WrittenGraphs => ({
    vectorIndex: { chosen, used: 'exact', because, ...measured },
    graphs: null,
  })
  if (chosen === 'exact') return exact('chosen')
  const vectors = new PassageVectors(folder, informative)
  const { count } = vectors
  if (count === 0) return exact('no_passages')
  if (chosen === 'auto' && count * informative <= exactBytes) return exact('few_vectors')
  if (!(await native())) return exact('not_installed')
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
      const part = elementAt(parts, i)
      const same = former?.facts.graphs?.findIndex(
        ({ passages, vectors }) => passages === part.passages && vectors === part.vectors,
      )
      if (former && same !== undefined && same >= 0) former.copy(fileOf(same), folder, fileOf(i))
      else await helpers.run('link', { folder, file: fileOf(i), wide: informative, from, to }, reporting(i))
      await reporting(i)(to - from)
    }),
  )
  let recall = 0
  for (const nearest of NEAREST) {
    recall = await recallAt10(folder, informative, { graphs: parts.length, nearest }, vectors, questions)
    const isLast = nearest === NEAREST.at(-1)
    if (recall < ENOUGH && !(isLast && chosen === 'hnsw')) continue
    const recall_at_10 = rounded(recall)
    const facts = { links: LINKS, graphs: parts.length, nearest, recall_at_10 }
    const because = chosen === 'hnsw' ? 'chosen' : 'many_vectors'
    return { vectorIndex: { chosen, used: 'hnsw', because, recall_at_10 }, graphs: { facts, parts } }
  }
  for (const i of parts.keys()) await rm(join(folder, fileOf(i)))
  return exact('low_recall', { recall_at_10: rounded(recall) })
}

const rounded = (share: number): number => Math.round(share * 1e4) / 1e4

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
