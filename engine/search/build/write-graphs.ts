import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../../base/progress.ts'
import type { EmbedderFacts } from '../embed/embedder.ts'
import { fileOf, type GraphFacts, type Graphs, LINKS, native, openGraphs } from '../vectors/graph.ts'
import { PassageVectors } from '../vectors/vectors.ts'
import type { FormerIndex } from './former-index.ts'
import type { Helpers } from './helpers.ts'

/** Bytes of vectors that can be compared one by one in a few milliseconds. Above, graphs are used. */
const EXACT_BYTES = 32 << 20

/**
 * Passages per graph. A graph covers consecutive passages, oldest first, so that few change when filings are added.
 */
const GRAPH_PASSAGES = 1 << 16

/** Passages that the graphs return, whichever page is requested: the first number with enough recall. */
const NEAREST = [300, 600, 1200]

const ENOUGH = 0.95

const QUESTIONS = 100

export interface GraphOptions {
  readonly helpers: Helpers
  readonly former: FormerIndex | null
  readonly progress: Progress
  readonly exactBytes?: number | undefined
  readonly graphPassages?: number | undefined
}

/**
 * Builds graphs (HNSW) over the vectors of a folder if there are many. Discards graphs with too little recall.
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

/** Recall of the graphs at ten; passages as close as the tenth count as found. */
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
