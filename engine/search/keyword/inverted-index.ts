// Indices below are within bounds by construction: checks would cost in the loops.

import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LruByBytes } from '../../base/lru-by-bytes.ts'
import { readArrays, readInto } from '../files/array-file.ts'

/** A term's postings: sections ascending, with frequencies. */
export interface Postings {
  readonly term: number
  readonly sections: Uint32Array
  /** Occurrences in the text. */
  readonly inText: Uint32Array
  /** 1 if it is also in the heading. */
  readonly inHeading: Uint8Array
  /** Where the positions in each section begin, in bytes from the term's first; one more at the end. */
  readonly positionsFrom: Uint32Array
}

interface Terms extends Record<string, Uint8Array | Uint32Array | Float64Array> {
  texts: Uint8Array
  ends: Uint32Array
  /** The term's number, as vectors use it. */
  number: Uint32Array
  /** Number of sections with it. */
  found: Uint32Array
  postingsAt: Float64Array
  postingBytes: Uint32Array
  positionsAt: Float64Array
  positionBytes: Uint32Array
}

/** A term's positions in one section, in a reused buffer: valid until the next read. */
export class PositionBuffer {
  values = new Uint32Array(256)
  length = 0

  copy({ values, length }: PositionBuffer): void {
    if (length > this.values.length) this.values = new Uint32Array(length * 2)
    this.values.set(values.subarray(0, length))
    this.length = length
  }

  /** Decodes delta varints. */
  decode(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > this.values.length) this.values = new Uint32Array((to - from) * 2)
    const { values } = this
    let count = 0
    let position = 0
    for (let at = from; at < to; ) {
      let step = bytes[at++]!
      if (step > 127) {
        step &= 127
        for (let shift = 7; ; shift += 7) {
          const byte = bytes[at++]!
          step |= (byte & 127) << shift
          if (byte < 128) break
        }
      }
      position += step >>> 0
      values[count++] = position
    }
    this.length = count
  }
}

/** Bytes of postings and positions to cache. */
const KEPT_BYTES = 64 << 20
/** Words whose term index is cached. */
const MOST_PLACES = 50_000
/** Positions of a term up to this size are read whole; larger ones section by section. */
const WHOLE_BYTES = 4 << 20

/** Terms and their postings. Only the term list is in memory; the rest is read from the files on demand. */
export class InvertedIndex {
  private readonly terms: Terms
  private readonly texts: Buffer
  private readonly postingsFile: number
  private readonly positionsFile: number
  private readonly keptPostings = new LruByBytes<Postings>(KEPT_BYTES, p => p.sections.length * 17)
  private readonly keptPositions = new LruByBytes<Uint8Array>(KEPT_BYTES, bytes => bytes.length)
  private places = new Map<string, number>()

  constructor(folder: string) {
    this.terms = readArrays<Terms>(join(folder, 'terms.arrays'))
    this.texts = Buffer.from(this.terms.texts.buffer)
    this.postingsFile = openSync(join(folder, 'postings.bin'), 'r')
    this.positionsFile = openSync(join(folder, 'positions.bin'), 'r')
  }

  close(): void {
    closeSync(this.postingsFile)
    closeSync(this.positionsFile)
  }

  /** The index of a term in the list; -1 if no section has it. */
  find(term: string): number {
    const before = this.places.get(term)
    if (before !== undefined) return before
    if (this.places.size >= MOST_PLACES) this.places = new Map()
    const place = this.search(term)
    this.places.set(term, place)
    return place
  }

  private search(term: string): number {
    const { ends } = this.terms
    let low = 0
    let high = ends.length - 2
    while (low <= high) {
      const middle = (low + high) >> 1
      const text = this.texts.toString('utf8', ends[middle], ends[middle + 1])
      if (text === term) return middle
      if (text < term) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  /** The term itself. */
  text(term: number): string {
    const { ends } = this.terms
    return this.texts.toString('utf8', ends[term], ends[term + 1])
  }

  /** Terms in at least so many sections, most frequent first. */
  frequent(least: number): number[] {
    const { found } = this.terms
    const places: number[] = []
    for (let term = 0; term < found.length; term++) if (found[term]! >= least) places.push(term)
    return places.sort((a, b) => found[b]! - found[a]! || a - b)
  }

  /** Sections that have the term. */
  found(term: number): number {
    return this.terms.found[term]!
  }

  /** The number that the term was given when the index was built. */
  numberOf(term: number): number {
    return this.terms.number[term]!
  }

  postings(term: number): Postings {
    return this.keptPostings.get(term, () => {
      const count = this.terms.found[term]!
      const bytes = new Uint8Array(this.terms.postingBytes[term]!)
      readInto(this.postingsFile, bytes, this.terms.postingsAt[term]!)
      const sections = new Uint32Array(count)
      const inText = new Uint32Array(count)
      const inHeading = new Uint8Array(count)
      const positionsFrom = new Uint32Array(count + 1)
      let at = 0
      const next = () => {
        let byte = bytes[at++]!
        if (byte < 128) return byte
        let value = byte & 127
        for (let shift = 7; ; shift += 7) {
          byte = bytes[at++]!
          value |= (byte & 127) << shift
          if (byte < 128) return value >>> 0
        }
      }
      let section = -1
      for (let i = 0; i < count; i++) {
        section += next()
        const times = next()
        sections[i] = section
        inText[i] = times >>> 1
        inHeading[i] = times & 1
        positionsFrom[i + 1] = positionsFrom[i]! + next()
      }
      return { term, sections, inText, inHeading, positionsFrom }
    })
  }

  /** Fills `into` with the positions in the `i`-th section of a term's postings, ascending. */
  positions({ term, positionsFrom }: Postings, i: number, into: PositionBuffer): void {
    const from = positionsFrom[i]!
    const to = positionsFrom[i + 1]!
    const whole = this.wholePositions(term)
    if (whole) into.decode(whole, from, to)
    else into.decode(this.readPositions(term, from, to), 0, to - from)
  }

  /** The positions of a term in all its sections, as bytes; null where they are many and read section by section. */
  wholePositions(term: number): Uint8Array | null {
    const bytes = this.terms.positionBytes[term]!
    if (bytes > WHOLE_BYTES) return null
    return this.keptPositions.get(term, () => this.readPositions(term, 0, bytes))
  }

  /** Some bytes of the positions of a term. */
  readPositions(term: number, from: number, to: number): Uint8Array {
    const bytes = new Uint8Array(to - from)
    readInto(this.positionsFile, bytes, this.terms.positionsAt[term]! + from)
    return bytes
  }
}
