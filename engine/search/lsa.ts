import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readArrays, readInto, writeArrays } from './array-file.ts'
import { ByteWriter } from './byte-writer.ts'
import { DIMENSIONS, type Embedder, type EmbedderFacts } from './embedder.ts'
import type { InvertedIndex } from './inverted-index.ts'
import { latentDirections, type SparseRows } from './latent.ts'
import { readBags } from './read-bags.ts'
import type { Bag, Written } from './section-writer.ts'
import { putBytes, VECTORS } from './vectors.ts'
import { functionWords, termsOf } from './words.ts'

/**
 * Dimensions stored, and of those the share of passages and terms that is used at most: more carry noise and pull cosines
 * apart, which makes ranking worse.
 */
const INFORMATIVE = 224
const LEAST_INFORMATIVE = 16
const SHARE = 1 / 3
/** Strong directions count a little more than weak ones: what is near in meaning stays above the least cosine. */
const STRENGTH = 1 / 8
/** Passages the model is trained on, and terms it knows. */
const MOST_TRAINED = 10_000
const MOST_TERMS = 60_000

export type Progress = (label: string, done?: number, total?: number) => Promise<void>

interface Model extends Record<string, Int32Array> {
  /** By term number: its row among the directions, -1 where it is not known. */
  rowOf: Int32Array
}

/** What an embedder has written, and vectors of questions as people might ask them, to measure with. */
export interface Embedded {
  readonly facts: EmbedderFacts
  readonly questions: readonly Float32Array[]
}

/** Words of a passage that make a question to measure with. */
const QUESTIONS = 100
const WORDS_OF_A_QUESTION = 6

const dampened = (times: number): number => Math.log1p(times)

/**
 * Latent semantic analysis: the words of the passages, weighted, projected on their strongest directions. Trains on a sample that is
 * spread evenly over the passages, then writes the vector of every passage.
 */
export async function writeLsa(folder: string, written: Written, progress: Progress): Promise<Embedded> {
  const count = written.passages.start.length
  const stride = Math.max(1, count / MOST_TRAINED)
  const sample: Bag[] = []
  let p = 0
  for (const bag of readBags(folder, written)) {
    if (p++ === Math.floor(sample.length * stride)) sample.push(bag)
    if (p % 10_000 === 0) await progress('learning what words mean', p, count)
  }
  const { rowOf, terms, worths } = knownTerms(sample, written.vocabulary)
  const used = Math.max(LEAST_INFORMATIVE, Math.floor(Math.min(sample.length, terms) * SHARE))
  const rank = INFORMATIVE
  const { directions, strengths } = await latentDirections(
    weighted(sample, rowOf, worths, terms),
    { used: Math.min(used, rank), rank },
    async (step, steps) => progress('learning what words mean', step, steps),
  )
  for (let row = 0; row < terms; row++)
    for (let j = 0; j < rank; j++) directions[row * rank + j]! *= worths[row]! * strengths[j]! ** STRENGTH
  const writer = new ByteWriter(join(folder, 'directions.bin'))
  writer.bytes(new Uint8Array(directions.buffer))
  writer.close()
  writeArrays(join(folder, 'model.arrays'), { rowOf })

  const vectors = new ByteWriter(join(folder, VECTORS))
  const lengths = new Float32Array(count)
  const questions: Float32Array[] = []
  const bytes = new Int8Array(rank)
  const vectorOf = (bag: Iterable<readonly [number, number]>): Float32Array => {
    const vector = new Float32Array(rank)
    for (const [term, times] of bag) {
      const row = rowOf[term]!
      if (row < 0) continue
      const weight = dampened(times)
      for (let j = 0; j < rank; j++) vector[j]! += weight * directions[row * rank + j]!
    }
    return vector
  }
  let done = 0
  for (const bag of readBags(folder, written)) {
    bytes.fill(0)
    lengths[done++] = putBytes(vectorOf(bag), bytes, 0)
    vectors.bytes(new Uint8Array(bytes.buffer))
    if (done % Math.ceil(count / QUESTIONS) === 0)
      questions.push(vectorOf([...bag].slice(bag.size >> 1, (bag.size >> 1) + WORDS_OF_A_QUESTION)))
    if (done % 5000 === 0) await progress('placing passages by meaning', done, count)
  }
  vectors.close()
  writeArrays(join(folder, 'vector-lengths.arrays'), { lengths })
  return { facts: { name: 'lsa', dimensions: DIMENSIONS, informative: rank }, questions }
}

/**
 * Terms of at least two passages, the more frequent ones where there are too many, and what each is worth: 1 less the
 * entropy of where it stands, 0 for a term spread evenly over all passages (Dumais, 1991).
 */
function knownTerms(sample: readonly Bag[], vocabulary: readonly string[]) {
  const found = new Uint32Array(vocabulary.length)
  for (const bag of sample) for (const term of bag.keys()) found[term]!++
  const least = sample.length < 50 ? 1 : 2
  const known = Array.from(found.keys()).filter(
    term => found[term]! >= least && !functionWords.has(vocabulary[term]!),
  )
  const chosen =
    known.length <= MOST_TERMS
      ? known
      : known
          .sort((a, b) => found[b]! - found[a]! || a - b)
          .slice(0, MOST_TERMS)
          .sort((a, b) => a - b)
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
  return { rowOf, terms: chosen.length, worths }
}

function weighted(
  sample: readonly Bag[],
  rowOf: Int32Array,
  worths: Float32Array,
  width: number,
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
    starts[i + 1] = values.length
  }
  return { starts, columns: Uint32Array.from(columns), values: Float32Array.from(values), width }
}

/** Folds queries into the space of the passages. */
export class LsaEmbedder implements Embedder {
  readonly wide: number
  private readonly index: InvertedIndex
  private readonly rowOf: Int32Array
  private readonly directions: number

  constructor(folder: string, index: InvertedIndex, { informative }: EmbedderFacts) {
    this.index = index
    this.wide = informative
    this.rowOf = readArrays<Model>(join(folder, 'model.arrays')).rowOf
    this.directions = openSync(join(folder, 'directions.bin'), 'r')
  }

  async query(text: string): Promise<Float32Array | null> {
    const times = new Map<string, number>()
    for (const term of termsOf(text)) times.set(term, (times.get(term) ?? 0) + 1)
    const vector = new Float32Array(this.wide)
    const direction = new Float32Array(this.wide)
    let known = false
    for (const [term, n] of times) {
      const at = this.index.find(term)
      const row = at < 0 ? -1 : this.rowOf[this.index.numberOf(at)]!
      if (row < 0) continue
      known = true
      readInto(this.directions, new Uint8Array(direction.buffer), row * this.wide * 4)
      for (let j = 0; j < this.wide; j++) vector[j]! += dampened(n) * direction[j]!
    }
    return known ? vector : null
  }

  close(): void {
    closeSync(this.directions)
  }
}
