import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { elementAt, firstOf } from '../../base/elements.ts'
import type { Progress } from '../../base/progress.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { ModelFacts, SentenceModel } from '../embed/sentence-model.ts'
import { equalWeights } from '../fusion-weights.ts'
import { INDEX_VERSION, type IndexFacts } from '../index-facts.ts'
import { HASH_WORDS, type Read, SectionWriter, Vocabulary } from '../keyword/section-writer.ts'
import type { CutSection, SectionText } from '../text/cut-sections.ts'
import { headingOf, NO_DAY, type Section } from '../text/section.ts'
import type { VectorCache } from '../vectors/vector-cache.ts'
import type { VectorIndex } from '../vectors/vector-index.ts'
import { FormerIndex } from './former-index.ts'
import { Helpers } from './helpers.ts'

import { measureRankings } from './known-items.ts'
import { writeGraphs } from './write-graphs.ts'
import { writeLsa } from './write-lsa.ts'
import { writeSentences } from './write-sentences.ts'

export interface BuildIndexOptions {
  /** Fingerprint of the documents, kept with the index. */
  readonly content: string
  /** The number of sections, for progress. */
  readonly count?: number
  readonly progress?: Progress
  /** Computes the vectors; default a latent semantic model of the sections. */
  readonly sentences?: {
    readonly facts: ModelFacts
    readonly model: SentenceModel
    readonly cache: VectorCache
  }
  /** Folder of an index whose work is reused. The written files are the same without it. */
  readonly former?: string | null
  /** Helper processes; default none. The written files are the same with any number. */
  readonly helpers?: number
  /** How vectors are searched; `auto` if not said. */
  readonly vectorIndex?: VectorIndex
  /** Vectors of more bytes get graphs under `auto`. */
  readonly exactBytes?: number
  /** Passages per graph. */
  readonly graphPassages?: number
  /** Experimental constants; an index with other ones is not reused. */
  readonly trial?: Trial
}

export interface Trial {
  readonly passageWords?: number
  readonly rowNormalised?: boolean
}

/** Builds the search index of sections in a folder. Sections come in the order in which ties are ranked. */
export async function buildIndex(
  folder: string,
  sections: AsyncIterable<Section>,
  {
    content,
    count,
    progress = async () => {},
    sentences,
    former: from,
    helpers: size = 0,
    trial = {},
    ...graphs
  }: BuildIndexOptions,
): Promise<IndexFacts> {
  await mkdir(folder, { recursive: true })
  const helpers = new Helpers(size)
  const former = from ? new FormerIndex(from) : null
  try {
    const writer = new SectionWriter(folder)
    const places: number[] = []
    for await (const { read, cut, vocabulary, place } of cutInOrder(sections, { helpers, former, trial })) {
      writer.add(read, cut, vocabulary)
      places.push(place)
      if (writer.count % 200 === 0) await progress('reading sections', writer.count, count)
    }
    const written = writer.finish()
    const reuse = former && { former, sections: Int32Array.from(places) }
    const embedded =
      writer.count === 0
        ? null
        : sentences
          ? await writeSentences(folder, written, sentences, helpers, progress)
          : await writeLsa(folder, written, { helpers, reuse, progress, rowNormalised: trial.rowNormalised })
    const { vectorIndex = 'auto' } = graphs
    const led =
      embedded &&
      (await writeGraphs(folder, embedded.facts, embedded.questions, {
        helpers,
        former,
        progress,
        ...graphs,
      }))
    const { words, known, original } = written.sections
    const facts: IndexFacts = {
      version: INDEX_VERSION,
      content,
      sections: words.length,
      passages: written.passages.start.length,
      terms: written.vocabulary.length,
      averageWords: words.length === 0 ? 0 : words.reduce((sum, n) => sum + n, 0) / words.length,
      undated: known.reduce((n, day) => n + (day === NO_DAY ? 1 : 0), 0),
      copies: original.reduce((n, of, section) => n + (of === section ? 0 : 1), 0),
      weights: equalWeights,
      embedder: embedded?.facts ?? null,
      vectorIndex: led?.vectorIndex ?? { chosen: vectorIndex, used: 'exact', because: 'no_passages' },
      graph: led?.graphs?.facts ?? null,
      graphs: led?.graphs?.parts ?? null,
      names: written.names,
    }
    const write = (facts: IndexFacts) => writeFile(join(folder, 'index.json'), `${JSON.stringify(facts)}\n`)
    await write(facts)
    await progress('asking for what is known')
    const weights = await measureRankings(folder, sentences ? questionsOf(sentences.model) : null)
    await write({ ...facts, weights })
    return { ...facts, weights }
  } finally {
    helpers.close()
    former?.close()
  }
}

const questionsOf = (model: SentenceModel): Embedder => ({
  wide: model.wide,
  query: async text => firstOf(await model.embed([text])),
  close: () => {},
})

/** Characters cut into passages at a time. */
const CUT_AT_ONCE = 1 << 18

interface Batch {
  readonly reads: Read[]
  /** By section: the same one in the former index, or -1 if it has to be cut. */
  readonly places: number[]
  readonly uncut: SectionText[]
}

/** Every section with its terms and passages, in order: from helpers, or from the former index. */
async function* cutInOrder(
  sections: AsyncIterable<Section>,
  { helpers, former, trial }: { helpers: Helpers; former: FormerIndex | null; trial: Trial },
): AsyncGenerator<{ read: Read; cut: CutSection; vocabulary: Vocabulary; place: number }> {
  const { passageWords } = trial
  const cutBatch = ({ uncut }: Batch) =>
    uncut.length > 0 ? helpers.run('cut', { sections: uncut, passageWords }) : null
  for await (const [{ reads, places }, cut] of helpers.inOrder(batchesOf(sections, former), cutBatch)) {
    const vocabulary = new Vocabulary(cut?.vocabulary ?? [])
    let next = 0
    for (const [i, read] of reads.entries()) {
      const place = elementAt(places, i)
      if (former && place >= 0) yield { read, place, cut: former.cut(place), vocabulary: former.vocabulary }
      else yield { read, place, cut: elementAt(cut!.sections, next++), vocabulary }
    }
  }
}

async function* batchesOf(
  sections: AsyncIterable<Section>,
  former: FormerIndex | null,
): AsyncGenerator<Batch> {
  let batch: Batch = { reads: [], places: [], uncut: [] }
  let characters = 0
  for await (const section of sections) {
    const text = section.content.toWellFormed()
    const heading = headingOf(section).toWellFormed()
    const hash = hashOf(heading, text)
    const place = former?.find(hash) ?? -1
    batch.reads.push({ section, text, hash })
    batch.places.push(place)
    if (place < 0) batch.uncut.push({ heading, text })
    characters += text.length
    if (characters < CUT_AT_ONCE) continue
    yield batch
    batch = { reads: [], places: [], uncut: [] }
    characters = 0
  }
  yield batch
}

function hashOf(heading: string, text: string): Uint32Array {
  const hash = createHash('sha256').update(JSON.stringify(heading)).update('\n').update(text).digest()
  return Uint32Array.from({ length: HASH_WORDS }, (_, i) => hash.readUInt32LE(i * 4))
}
