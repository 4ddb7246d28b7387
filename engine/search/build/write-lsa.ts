// Indices below are within bounds by construction: checks would cost in the loops.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Progress } from '../../base/progress.ts'
import { DIMENSIONS, type EmbedderFacts } from '../embed/embedder.ts'
import { latentDirections, type SparseRows } from '../embed/latent.ts'
import { bagsWhere, DIRECTIONS, dampened, folded, MODEL, readDirections } from '../embed/lsa.ts'
import { writeArrays } from '../files/array-file.ts'
import { ByteWriter } from '../files/byte-writer.ts'
import type { Written } from '../keyword/section-writer.ts'
import { type Bag, TermsFile } from '../keyword/terms-file.ts'
import { functionWords } from '../text/words.ts'
import { VectorWriter } from '../vectors/vector-files.ts'
import type { Reuse } from './former-index.ts'
import type { Helpers } from './helpers.ts'

/**
 * Stored dimensions, and the maximum used as a share of passages and terms: more add noise, pull cosines apart, and
 * worsen the ranking.
 */
const INFORMATIVE = 224

const LEAST_INFORMATIVE = 16

const SHARE = 1 / 3

/** Strong directions weigh slightly more than weak ones, which keeps related texts above the minimum cosine. */
const STRENGTH = 1 / 8

/** Passages the model is trained on, and terms in it. */
const MOST_TRAINED = 10_000

const MOST_TERMS = 60_000

/** What an embedder wrote, and vectors of plausible queries to measure with. */
export interface Embedded {
  readonly facts: EmbedderFacts
  readonly questions: readonly Float32Array[]
}

/** Words of a passage that make up such a query. */
const QUESTIONS = 100

const WORDS_OF_A_QUESTION = 6

/** Passages embedded at a time. */
const PLACED_AT_ONCE = 8192

/**
 * Passages to sample training from, oldest first: all of few; of many, as many as the last quarter of a doubling, so
 * that new filings seldom change the model.
 */
export function learntFrom(count: number): number {
  if (count <= MOST_TRAINED) return count
  const quarter = 2 ** (Math.floor(Math.log2(count)) - 2)
  return Math.floor(count / quarter) * quarter
}

/**
 * Latent semantic analysis: weighted passage words, projected on their strongest directions. Trains on an even sample
 * of the oldest passages, then writes every passage's vector. A model of the same sample, and its vectors of
 * unchanged sections, are reused from the former index.
 */
export async function writeLsa(
  folder: string,
  written: Written,
  {
    helpers,
    reuse,
    progress,
    rowNormalised = false,
  }: { helpers: Helpers; reuse: Reuse | null; progress: Progress; rowNormalised?: boolean | undefined },
): Promise<Embedded> {
  const { sections, passages, vocabulary } = written
  const terms = new TermsFile(folder, sections, passages)
  try {
    await progress('learning what words mean')
    const sample = sampled(terms, sections.passagesFrom)
    const { rowOf, words, worths } = knownTerms(sample, vocabulary)
    const matrix = weighted(sample, rowOf, worths, rowNormalised)
    const used = Math.max(LEAST_INFORMATIVE, Math.floor(Math.min(sample.length, words.length) * SHARE))
    const rank = INFORMATIVE
    const learnt = digestOf(words, matrix)
    const known = reuse?.former.facts.embedder?.learnt === learnt ? reuse : null
    if (known) known.former.copy(DIRECTIONS, folder)
    else {
      const { directions, strengths } = await latentDirections(
        matrix,
        { used: Math.min(used, rank), rank },
        async (step, steps) => progress('learning what words mean', step, steps),
      )
      for (const [row, worth] of worths.entries())
        for (let j = 0; j < rank; j++) directions[row * rank + j]! *= worth * strengths[j]! ** STRENGTH
      const writer = new ByteWriter(join(folder, DIRECTIONS))
      writer.bytes(new Uint8Array(directions.buffer))
      writer.close()
    }
    writeArrays(join(folder, MODEL), { rowOf })
    await placePassages(folder, sections.passagesFrom, rank, { helpers, reuse: known, progress })

    const count = passages.start.length
    const step = Math.ceil(count / QUESTIONS)
    const directions = readDirections(folder)
    const questions = [...bagsWhere(terms, sections.passagesFrom, p => (p + 1) % step === 0)].map(bag => {
      const from = bag.size >> 1
      return folded([...bag].slice(from, from + WORDS_OF_A_QUESTION), rowOf, directions, rank)
    })
    return { facts: { name: 'lsa', dimensions: DIMENSIONS, informative: rank, learnt }, questions }
  } finally {
    terms.close()
  }
}

/** Word counts of passages, spread evenly over those sampled. */
function sampled(terms: TermsFile, passagesFrom: Uint32Array): Bag[] {
  const count = passagesFrom.at(-1)!
  const from = learntFrom(count)
  const size = Math.min(from, MOST_TRAINED)
  const chosen = new Set(Array.from({ length: size }, (_, i) => count - 1 - Math.floor((i * from) / size)))
  return [...bagsWhere(terms, passagesFrom, p => chosen.has(p))]
}

/** Identifies the training sample: the same sample gives the same directions. */
function digestOf(words: readonly string[], { starts, columns, values }: SparseRows): string {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const { buffer } of [starts, columns, values]) hash.update(new Uint8Array(buffer as ArrayBuffer))
  return hash.digest('hex')
}

/** Writes every passage's vector: unchanged sections' from the former index, the others' from helpers. */
async function placePassages(
  folder: string,
  passagesFrom: Uint32Array,
  wide: number,
  { helpers, reuse, progress }: { helpers: Helpers; reuse: Reuse | null; progress: Progress },
): Promise<void> {
  const count = passagesFrom.at(-1)!
  const pieces = piecesOf(passagesFrom, section => reuse !== null && reuse.sections[section]! >= 0)
  const place = ({ from, to, known }: Piece): Int16Array[] | Promise<Int16Array[]> =>
    known
      ? Array.from(reuse!.sections.subarray(from, to), section => reuse!.former.vectors(section))
      : helpers.run('place', { folder, from, to, wide }).then(placed => [placed])
  const vectors = new VectorWriter(folder, wide, count)
  for await (const [{ to }, placed] of helpers.inOrder(pieces, place)) {
    for (const part of placed) vectors.add(part)
    await progress('placing passages by meaning', passagesFrom[to]!, count)
  }
  vectors.close()
}

interface Piece {
  readonly from: number
  readonly to: number
  readonly known: boolean
}

/**
 * Ranges of sections that are all reused or all new, each with a bounded number of passages unless it is one section.
 */
function* piecesOf(passagesFrom: Uint32Array, isKnown: (section: number) => boolean): Generator<Piece> {
  const sections = passagesFrom.length - 1
  for (let from = 0, to = 0; from < sections; from = to) {
    const known = isKnown(from)
    for (to++; to < sections; to++)
      if (isKnown(to) !== known || passagesFrom[to + 1]! - passagesFrom[from]! > PLACED_AT_ONCE) break
    yield { from, to, known }
  }
}

/**
 * Terms of at least two passages, the more frequent ones if there are too many, with their weight: 1 less the entropy
 * of their distribution, 0 for a term spread evenly over all passages (Dumais, 1991).
 */
function knownTerms(sample: readonly Bag[], vocabulary: readonly string[]) {
  const found = new Uint32Array(vocabulary.length)
  for (const bag of sample) for (const term of bag.keys()) found[term]!++
  const least = sample.length < 50 ? 1 : 2
  // In the sample's order: term numbers change with every filing.
  const known = [...new Set(sample.flatMap(bag => [...bag.keys()]))].filter(
    term => found[term]! >= least && !functionWords.has(vocabulary[term]!),
  )
  const chosen =
    known.length <= MOST_TERMS ? known : known.sort((a, b) => found[b]! - found[a]!).slice(0, MOST_TERMS)
  const rowOf = new Int32Array(vocabulary.length).fill(-1)
  for (const [row, term] of chosen.entries()) rowOf[term] = row
  const said = new Float64Array(chosen.length)
  const spread = new Float64Array(chosen.length)
  for (const bag of sample)
    for (const [term, times] of bag) {
      const row = rowOf[term]!
      if (row < 0) continue
      said[row]! += times
      spread[row]! += times * Math.log(times)
    }
  // The entropy of shares p = times / said: ln(said) - sum of times * ln(times) / said.
  const most = Math.log(Math.max(sample.length, 2))
  const worths = Float32Array.from(
    chosen,
    (_, row) => 1 - (Math.log(said[row]!) - spread[row]! / said[row]!) / most,
  )
  return { rowOf, words: chosen.map(term => vocabulary[term]!), worths }
}

/** Normalised rows count alike, however long the passage. */
function weighted(
  sample: readonly Bag[],
  rowOf: Int32Array,
  worths: Float32Array,
  rowNormalised: boolean,
): SparseRows {
  const starts = new Uint32Array(sample.length + 1)
  const columns: number[] = []
  const values: number[] = []
  for (const [i, bag] of sample.entries()) {
    for (const [term, times] of bag) {
      const row = rowOf[term]!
      if (row < 0) continue
      columns.push(row)
      values.push(dampened(times) * worths[row]!)
    }
    const from = starts[i]!
    let square = 0
    for (let e = from; e < values.length; e++) square += values[e]! ** 2
    const length = rowNormalised ? Math.sqrt(square) || 1 : 1
    for (let e = from; e < values.length; e++) values[e]! /= length
    starts[i + 1] = values.length
  }
  return {
    starts,
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
    width: worths.length,
  }
}
