import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { elementAt } from '../../base/elements.ts'
import { readArrays, readInto, writeArrays } from '../files/array-file.ts'
import { ByteWriter } from '../files/byte-writer.ts'

/**
 * A vector is stored as 16-bit numbers scaled to its largest component. The rounded high bytes have their own file,
 * because they are compared with every query; the low bytes are in another, read for close candidates only.
 */
export const HIGH = 'vectors.bin'
const LOW = 'vectors-low.bin'
const LENGTHS = 'vector-lengths.arrays'

/** Parts of one in a byte. */
const STEPS = 256
const LARGEST = 127 * STEPS

export const numbersOf = (vector: Float32Array): Int16Array => {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return Int16Array.from(vector, value => (largest === 0 ? 0 : Math.round((value / largest) * LARGEST)))
}

/** Writes vectors sequentially. */
export class VectorWriter {
  private readonly folder: string
  private readonly wide: number
  private readonly high: ByteWriter
  private readonly low: ByteWriter
  private readonly lengths: Float32Array
  private count = 0

  /** @param count how many there will be */
  constructor(folder: string, wide: number, count: number) {
    this.folder = folder
    this.wide = wide
    this.high = new ByteWriter(join(folder, HIGH))
    this.low = new ByteWriter(join(folder, LOW))
    this.lengths = new Float32Array(count)
  }

  /** @param numbers of one vector or of several */
  add(numbers: Int16Array): void {
    const high = new Int8Array(numbers.length)
    const low = new Int8Array(numbers.length)
    for (let from = 0; from < numbers.length; from += this.wide) {
      let square = 0
      for (let i = from; i < from + this.wide; i++) {
        const number = elementAt(numbers, i)
        high[i] = (number + STEPS / 2) >> 8
        low[i] = number - elementAt(high, i) * STEPS
        square += number * number
      }
      this.lengths[this.count++] = Math.sqrt(square) / STEPS
    }
    this.high.bytes(new Uint8Array(high.buffer))
    this.low.bytes(new Uint8Array(low.buffer))
  }

  close(): void {
    this.high.close()
    this.low.close()
    writeArrays(join(this.folder, LENGTHS), { lengths: this.lengths })
  }
}

/** Norms of all vectors, in units of the high bytes. */
export const readLengths = (folder: string): Float32Array =>
  readArrays<{ lengths: Float32Array }>(join(folder, LENGTHS)).lengths

/** Vectors of a folder, read on demand. */
export class VectorFiles {
  private readonly wide: number
  private readonly files: readonly [high: number, low: number]

  constructor(folder: string, wide: number) {
    this.wide = wide
    this.files = [openSync(join(folder, HIGH), 'r'), openSync(join(folder, LOW), 'r')]
  }

  /** The numbers of some vectors, as they were added. */
  numbers(from: number, to: number): Int16Array {
    const [high, low] = this.files.map(file => {
      const bytes = new Int8Array((to - from) * this.wide)
      readInto(file, new Uint8Array(bytes.buffer), from * this.wide)
      return bytes
    }) as [Int8Array, Int8Array]
    const numbers = new Int16Array(high.length)
    for (let i = 0; i < numbers.length; i++) numbers[i] = elementAt(high, i) * STEPS + elementAt(low, i)
    return numbers
  }

  /** One vector, normalised. */
  unit(vector: number): Float32Array {
    const numbers = this.numbers(vector, vector + 1)
    const length = Math.sqrt(numbers.reduce((square, number) => square + number * number, 0)) || 1
    return Float32Array.from(numbers, number => number / length)
  }

  /** Reads the high and low files whole into the given bytes. */
  read(high: Int8Array, low: Int8Array): void {
    for (const [i, bytes] of [high, low].entries())
      readInto(elementAt(this.files, i), new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), 0)
  }

  close(): void {
    for (const file of this.files) closeSync(file)
  }
}
