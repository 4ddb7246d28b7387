import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeGraph } from './graph.ts'
import { type Progress, writeLsa } from './lsa.ts'
import type { IndexFacts } from './search-index.ts'
import { NO_DAY, type Section } from './section.ts'
import { SectionWriter } from './section-writer.ts'
import type { ModelFacts, SentenceModel } from './sentence-model.ts'
import type { VectorCache } from './vector-cache.ts'
import { writeSentences } from './write-sentences.ts'

/** Raised when an index of an older version can no longer be read, or would rank otherwise. */
export const INDEX_VERSION = 2

export interface BuildIndexOptions {
  /** Of the documents, kept with the index. */
  readonly content: string
  /** How many sections there will be, for progress. */
  readonly count?: number
  readonly progress?: Progress
  /** What makes the vectors; a latent semantic model of the sections themselves if not said. */
  readonly sentences?: {
    readonly facts: ModelFacts
    readonly model: SentenceModel
    readonly cache: VectorCache
  }
  /** Vectors of more bytes get a graph. */
  readonly exactBytes?: number
}

/** Builds the search index of sections in a folder. They come in the order in which equal scores are ranked. */
export async function buildIndex(
  folder: string,
  sections: AsyncIterable<Section>,
  { content, count, progress = async () => {}, sentences, exactBytes }: BuildIndexOptions,
): Promise<IndexFacts> {
  await mkdir(folder, { recursive: true })
  const writer = new SectionWriter(folder)
  for await (const section of sections) {
    writer.add(section)
    if (writer.count % 200 === 0) await progress('reading sections', writer.count, count)
  }
  const written = writer.finish()
  const embedded =
    writer.count === 0
      ? null
      : sentences
        ? await writeSentences(folder, written, sentences, progress)
        : await writeLsa(folder, written, progress)
  const graph =
    embedded && (await writeGraph(folder, embedded.facts, embedded.questions, progress, exactBytes))
  await rm(join(folder, 'terms.tmp'))
  const { words, known } = written.sections
  const facts: IndexFacts = {
    version: INDEX_VERSION,
    content,
    sections: words.length,
    passages: written.passages.start.length,
    terms: written.vocabulary.length,
    averageWords: words.length === 0 ? 0 : words.reduce((sum, n) => sum + n, 0) / words.length,
    undated: known.reduce((n, day) => n + (day === NO_DAY ? 1 : 0), 0),
    embedder: embedded?.facts ?? null,
    graph,
    names: written.names,
  }
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(facts)}\n`)
  return facts
}
