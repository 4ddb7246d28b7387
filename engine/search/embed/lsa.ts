// Indices below are within bounds by construction: checks would cost in the loops.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArrays, readInto } from '../files/array-file.ts'
import type { InvertedIndex } from '../keyword/inverted-index.ts'
import type { PassageColumns, SectionColumns } from '../keyword/section-writer.ts'
import { type Bag, TermsFile } from '../keyword/terms-file.ts'
import { termsOf } from '../text/words.ts'
import { numbersOf } from '../vectors/vector-files.ts'
import type { Embedder, EmbedderFacts } from './embedder.ts'

export const DIRECTIONS = 'directions.bin'

export const MODEL = 'model.arrays'

interface Model extends Record<string, Int32Array> {
  /** By term number: its row among the directions, -1 if unknown. */
  rowOf: Int32Array
}

export const dampened = (times: number): number => Math.log1p(times)

/** Word counts of the wanted passages, newest first; sections without any are not read. */
export function* bagsWhere(
  terms: TermsFile,
  passagesFrom: Uint32Array,
  wanted: (passage: number) => boolean,
): Generator<Bag> {
  for (let section = 0; section + 1 < passagesFrom.length; section++)
    for (let p = passagesFrom[section]!; p < passagesFrom[section + 1]!; p++)
      if (wanted(p)) {
        yield* terms.bags(section, wanted)
        break
      }
}

/** A job: the vectors of the passages of some sections. */
export function embedSections({
  folder,
  from,
  to,
  wide,
}: {
  folder: string
  from: number
  to: number
  wide: number
}): Int16Array {
  const { rowOf, directions, sections, passages } = readModel(folder)
  const terms = new TermsFile(folder, sections, passages)
  try {
    const count = sections.passagesFrom[to]! - sections.passagesFrom[from]!
    const vectors = new Int16Array(count * wide)
    let done = 0
    for (let section = from; section < to; section++)
      for (const bag of terms.bags(section))
        vectors.set(numbersOf(folded(bag, rowOf, directions, wide)), done++ * wide)
    return vectors
  } finally {
    terms.close()
  }
}

const readModel = (folder: string) => ({
  rowOf: readArrays<Model>(join(folder, MODEL)).rowOf,
  directions: readDirections(folder),
  sections: readArrays<SectionColumns>(join(folder, 'sections.arrays')),
  passages: readArrays<PassageColumns>(join(folder, 'passages.arrays')),
})

export function readDirections(folder: string): Float32Array {
  const bytes = readFileSync(join(folder, DIRECTIONS))
  return new Float32Array(new Uint8Array(bytes).buffer)
}

/** The vector of some words in the space of the directions. */
export function folded(
  bag: Iterable<readonly [number, number]>,
  rowOf: Int32Array,
  directions: Float32Array,
  rank: number,
): Float32Array {
  const vector = new Float32Array(rank)
  for (const [term, times] of bag) {
    const row = rowOf[term]!
    if (row < 0) continue
    const weight = dampened(times)
    for (let j = 0; j < rank; j++) vector[j]! += weight * directions[row * rank + j]!
  }
  return vector
}

/** Maps queries into the space of the passages. */
export class LsaEmbedder implements Embedder {
  readonly wide: number
  private readonly index: InvertedIndex
  private readonly rowOf: Int32Array
  private readonly directions: number

  constructor(folder: string, index: InvertedIndex, { informative }: EmbedderFacts) {
    this.index = index
    this.wide = informative
    this.rowOf = readArrays<Model>(join(folder, MODEL)).rowOf
    this.directions = openSync(join(folder, DIRECTIONS), 'r')
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
