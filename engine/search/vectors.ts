import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readArrays, readInto } from './array-file.ts'
import { DotProducts } from './dot-products.ts'
import { type Matches, seek } from './keyword.ts'

/** Cosines below this are no match. */
export const LEAST_COSINE = 0.3

const LARGEST_BYTE = 127
/** The largest number of a query: products of 768 of them with bytes still fit 32 bits. */
const LARGEST_OF_QUERY = 8191

export const VECTORS = 'vectors.bin'

/** One vector of a file, at length one. */
export function readUnit(file: number, passage: number, wide: number): Float32Array {
  const bytes = new Int8Array(wide)
  readInto(file, new Uint8Array(bytes.buffer), passage * wide)
  const length = Math.sqrt(bytes.reduce((square, byte) => square + byte * byte, 0)) || 1
  return Float32Array.from(bytes, value => value / length)
}

/** A vector as signed bytes, in proportion to its largest part. Returns its length in them. */
export function putBytes(vector: Float32Array, into: Int8Array, at: number): number {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return 0
  let square = 0
  for (let i = 0; i < vector.length; i++) {
    const byte = Math.round((vector[i]! / largest) * LARGEST_BYTE)
    into[at + i] = byte
    square += byte * byte
  }
  return Math.sqrt(square)
}

export interface SemanticMatches extends Matches {
  /** The passage that speaks for each section. */
  readonly passages: Uint32Array
}

interface Lengths extends Record<string, Float32Array> {
  lengths: Float32Array
}

/** The vectors of all passages, in memory, compared one by one: every section is found, and the cosines are exact. */
export class PassageVectors {
  private readonly products: DotProducts
  private readonly lengths: Float32Array
  private readonly wide: number

  constructor(folder: string, wide: number) {
    this.wide = wide
    this.lengths = readArrays<Lengths>(join(folder, 'vector-lengths.arrays')).lengths
    this.products = new DotProducts(this.lengths.length, wide)
    const file = openSync(join(folder, VECTORS), 'r')
    try {
      readInto(file, new Uint8Array(this.products.vectors.buffer, 0, this.products.vectors.length), 0)
    } finally {
      closeSync(file)
    }
  }

  get count(): number {
    return this.lengths.length
  }

  /** Tells the vectors of some passages from others. */
  digest(from: number, to: number): string {
    const bytes = this.products.vectors.subarray(from * this.wide, to * this.wide)
    return createHash('sha256').update(bytes).digest('hex')
  }

  /** The cosine of every passage with a query. */
  cosines(query: Float32Array): Float32Array {
    const asked = new Int16Array(this.wide)
    const length = putQuery(query, asked) || 1
    this.products.ask(asked)
    const products = this.products.of(0, this.count)
    return this.lengths.map((own, p) => (own === 0 ? 0 : products[p]! / (own * length)))
  }

  /**
   * Sections whose best passage has a cosine of at least 0.3 with a query. A filter is looked at first: what it leaves
   * out is not compared.
   */
  nearest(query: Float32Array, passagesFrom: Uint32Array, allowed: Uint8Array | null): SemanticMatches {
    const count = passagesFrom.length - 1
    const sections = new Uint32Array(count)
    const scores = new Float32Array(count)
    const passages = new Uint32Array(count)
    let found = 0
    const asked = new Int16Array(this.wide)
    const length = putQuery(query, asked)
    if (length === 0) return { sections: sections.slice(0, 0), scores: scores.slice(0, 0), passages }
    this.products.ask(asked)
    const { lengths } = this
    // A little below, so that rounding leaves out nothing; what is left is divided and compared exactly.
    const least = LEAST_COSINE * length * (1 - 1e-9)
    for (let from = 0; from < count; ) {
      let to = from
      if (allowed) {
        while (from < count && allowed[from] === 0) from++
        for (to = from; to < count && allowed[to] === 1; ) to++
      } else to = count
      if (from === to) break
      const products = this.products.of(passagesFrom[from]!, passagesFrom[to]!)
      for (let section = from; section < to; section++) {
        let best = 0
        let at = 0
        const end = passagesFrom[section + 1]!
        for (let p = passagesFrom[section]!; p < end; p++) {
          const product = products[p]!
          if (product < lengths[p]! * least) continue
          const cosine = product / (lengths[p]! * length)
          if (cosine > best) {
            best = cosine
            at = p
          }
        }
        if (best < LEAST_COSINE) continue
        sections[found] = section
        scores[found] = Math.min(best, 1)
        passages[found++] = at
      }
      from = to
    }
    return {
      sections: sections.slice(0, found),
      scores: scores.slice(0, found),
      passages: passages.slice(0, found),
    }
  }
}

/** Sections that the nearest passages belong to, of those that are near enough. */
export function sectionsOf(
  nearest: { passages: readonly number[]; cosines: readonly number[] },
  passagesFrom: Uint32Array,
): SemanticMatches {
  const best = new Map<number, { cosine: number; passage: number }>()
  for (const [i, passage] of nearest.passages.entries()) {
    const cosine = Math.min(nearest.cosines[i]!, 1)
    if (cosine < LEAST_COSINE) continue
    const section = seek(passagesFrom, passage + 1, 0) - 1
    if (cosine > (best.get(section)?.cosine ?? 0)) best.set(section, { cosine, passage })
  }
  const found = [...best].sort((a, b) => a[0] - b[0])
  return {
    sections: Uint32Array.from(found, ([section]) => section),
    scores: Float32Array.from(found, ([, { cosine }]) => cosine),
    passages: Uint32Array.from(found, ([, { passage }]) => passage),
  }
}

/** Returns the length of the query in the numbers put. */
function putQuery(query: Float32Array, into: Int16Array): number {
  let largest = 0
  for (const value of query) largest = Math.max(largest, Math.abs(value))
  if (!(largest > 0) || !Number.isFinite(largest)) return 0
  let square = 0
  for (let i = 0; i < query.length; i++) {
    into[i] = Math.round((query[i]! / largest) * LARGEST_OF_QUERY)
    square += into[i]! ** 2
  }
  return Math.sqrt(square)
}
