// Indices below are within bounds by construction: checks would cost in the loops.

import { closeSync, fstatSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readInto, writeArrays } from '../files/array-file.ts'
import { ByteWriter, putVarint } from '../files/byte-writer.ts'

/** Where a section's text begins among its positions, after its heading. */
export const BODY = 1024

/** Words held in memory before they are written as a run. */
const RUN_WORDS = 1 << 22

/** A run's terms, and the bytes of each. */
interface Run {
  readonly postings: string
  readonly positions: string
  readonly terms: Uint32Array
  readonly postingBytes: Uint32Array
  readonly positionBytes: Uint32Array
}

/**
 * Builds an inverted index with positions in bounded memory: runs of some million words are sorted, written, and
 * merged term by term at the end. Terms are numbers from 0 on; sections come in ascending order.
 *
 * A posting is: section delta, occurrences in the text times two plus one if also in the heading, bytes of its
 * positions. Positions are deltas too. All are varints.
 */
export class InvertedWriter {
  private readonly folder: string
  private readonly runs: Run[] = []
  private terms = new Uint32Array(1 << 16)
  private sections = new Uint32Array(1 << 16)
  private positions = new Uint32Array(1 << 16)
  private size = 0
  /** By term: its last section, and the number of its sections. */
  private lastSection = new Int32Array(0)
  private sectionsOf = new Uint32Array(0)

  constructor(folder: string) {
    this.folder = folder
  }

  add(term: number, section: number, position: number): void {
    if (this.size === this.terms.length) {
      this.terms = doubled(this.terms)
      this.sections = doubled(this.sections)
      this.positions = doubled(this.positions)
    }
    this.terms[this.size] = term
    this.sections[this.size] = section
    this.positions[this.size++] = position
  }

  /** To be called between sections. */
  endSection(vocabulary: number): void {
    if (this.size >= RUN_WORDS) this.writeRun(vocabulary)
  }

  /** Writes `postings.bin`, `positions.bin` and `terms.arrays`; `words` are the terms by number. */
  finish(words: readonly string[]): void {
    this.writeRun(words.length)
    const { postingsAt, positionsAt, postingBytes, positionBytes } = this.join(words.length)
    const found = this.sectionsOf.slice(0, words.length)
    const order = Uint32Array.from(words.keys()).sort((a, b) => (words[a]! < words[b]! ? -1 : 1))
    const texts = new TextEncoder().encode(Array.from(order, term => words[term]).join(''))
    const ends = new Uint32Array(words.length + 1)
    for (const [i, term] of order.entries()) ends[i + 1] = ends[i]! + Buffer.byteLength(words[term]!)
    const sorted = <T extends Uint32Array | Float64Array>(column: T): T =>
      column.map((_, i) => column[order[i]!]!) as T
    writeArrays(join(this.folder, 'terms.arrays'), {
      texts,
      ends,
      number: order,
      found: sorted(found),
      postingsAt: sorted(postingsAt),
      postingBytes: sorted(postingBytes),
      positionsAt: sorted(positionsAt),
      positionBytes: sorted(positionBytes),
    })
  }

  private writeRun(vocabulary: number): void {
    if (this.size === 0 && this.runs.length > 0) return
    const { size, terms } = this
    const starts = new Uint32Array(vocabulary + 1)
    for (let i = 0; i < size; i++) starts[terms[i]! + 1]!++
    for (let t = 0; t < vocabulary; t++) starts[t + 1]! += starts[t]!
    const next = starts.slice(0, vocabulary)
    const sections = new Uint32Array(size)
    const positions = new Uint32Array(size)
    for (let i = 0; i < size; i++) {
      const to = next[terms[i]!]!++
      sections[to] = this.sections[i]!
      positions[to] = this.positions[i]!
    }
    this.lastSection = grown(this.lastSection, vocabulary, -1)
    this.sectionsOf = grown(this.sectionsOf, vocabulary, 0)
    const run = this.runs.length
    const paths = [`postings.${run}.tmp`, `positions.${run}.tmp`].map(name => join(this.folder, name))
    const [toPostings, toPositions] = paths.map(path => new ByteWriter(path))
    const present: number[] = []
    const postingBytes: number[] = []
    const positionBytes: number[] = []
    let scratch = new Uint8Array(1 << 16)
    for (let term = 0; term < vocabulary; term++) {
      const end = starts[term + 1]!
      if (starts[term] === end) continue
      const [postingsFrom, positionsFrom] = [toPostings!.at, toPositions!.at]
      for (let i = starts[term]!; i < end; ) {
        const section = sections[i]!
        const from = i
        while (i < end && sections[i] === section) i++
        if ((i - from) * 5 > scratch.length) scratch = new Uint8Array((i - from) * 10)
        let bytes = 0
        let before = 0
        let inText = 0
        for (let j = from; j < i; j++) {
          const position = positions[j]!
          bytes = putVarint(scratch, bytes, position - before)
          before = position
          if (position >= BODY) inText++
        }
        toPostings!.varint(section - this.lastSection[term]!)
        toPostings!.varint(inText * 2 + (positions[from]! < BODY ? 1 : 0))
        toPostings!.varint(bytes)
        toPositions!.bytes(scratch.subarray(0, bytes))
        this.lastSection[term] = section
        this.sectionsOf[term]!++
      }
      present.push(term)
      postingBytes.push(toPostings!.at - postingsFrom)
      positionBytes.push(toPositions!.at - positionsFrom)
    }
    toPostings!.close()
    toPositions!.close()
    this.runs.push({
      postings: paths[0]!,
      positions: paths[1]!,
      terms: Uint32Array.from(present),
      postingBytes: Uint32Array.from(postingBytes),
      positionBytes: Uint32Array.from(positionBytes),
    })
    this.size = 0
  }

  private join(vocabulary: number) {
    const joined = {
      postingsAt: new Float64Array(vocabulary),
      postingBytes: new Uint32Array(vocabulary),
      positionsAt: new Float64Array(vocabulary),
      positionBytes: new Uint32Array(vocabulary),
    }
    for (const what of ['posting', 'position'] as const) {
      const bytesOf = `${what}Bytes` as const
      const at = joined[`${what}sAt`]
      const writer = new ByteWriter(join(this.folder, `${what}s.bin`))
      const readers = this.runs.map(run => new RunReader(run[`${what}s`]))
      const cursors = this.runs.map(() => 0)
      for (let term = 0; term < vocabulary; term++) {
        at[term] = writer.at
        for (const [r, run] of this.runs.entries()) {
          if (run.terms[cursors[r]!] !== term) continue
          const bytes = run[bytesOf][cursors[r]!++]!
          readers[r]!.copy(bytes, writer)
          joined[bytesOf][term]! += bytes
        }
      }
      writer.close()
      for (const [r, reader] of readers.entries()) {
        reader.close()
        rmSync(this.runs[r]![`${what}s`])
      }
    }
    return joined
  }
}

/** Reads a file sequentially in pieces. */
class RunReader {
  private readonly file: number
  private readonly buffer = Buffer.allocUnsafe(1 << 18)
  private from = 0
  private to = 0
  private at = 0
  private left: number

  constructor(path: string) {
    this.file = openSync(path, 'r')
    this.left = fstatSync(this.file).size
  }

  copy(bytes: number, writer: ByteWriter): void {
    for (let left = bytes; left > 0; ) {
      if (this.from === this.to) this.fill()
      const part = Math.min(left, this.to - this.from)
      writer.bytes(this.buffer.subarray(this.from, this.from + part))
      this.from += part
      left -= part
    }
  }

  close(): void {
    closeSync(this.file)
  }

  private fill(): void {
    const size = Math.min(this.buffer.length, this.left)
    readInto(this.file, this.buffer.subarray(0, size), this.at)
    this.at += size
    this.left -= size
    this.from = 0
    this.to = size
  }
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(array.length * 2)
  more.set(array)
  return more
}

function grown<T extends Int32Array | Uint32Array>(array: T, length: number, fill: number): T {
  if (array.length >= length) return array
  const more = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2))
  more.set(array)
  more.fill(fill, array.length)
  return more
}
