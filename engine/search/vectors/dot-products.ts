// Indices below are within bounds by construction: checks would cost in the loops.

/**
 * `scan(at, count, wide, query, out)`: the dot product of each of `count` vectors of `wide` signed bytes, one after the
 * other from `at` on, with the `wide` 16-bit numbers at `query`, as 32-bit numbers at `out`. Assembled from the text below;
 * `wide` is a multiple of 16. `scanFour` takes `count` times four vectors, and loads the query once for the four.
 *
 *     (loop $vectors
 *       a = 0
 *       (loop $parts
 *         a += i32x4.dot_i16x8_s(v128.load8x8_s at, v128.load query)
 *         a += i32x4.dot_i16x8_s(v128.load8x8_s at + 8, v128.load query + 16)
 *         at += 16, query += 32)
 *       i32.store out, the sum of the lanes of a)
 */
const code =
  'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNlbnYGbWVtb3J5AgABAwMCAAAHEwIEc2NhbgAACHNjYW5Gb3VyAAEK5wQCogECAn8DeyABRQRADwsDQP0MAAAAAAAAAAAAAAAAAAAAACEHIAMhBiACIQUDQCAG/QAAACEIIAb9AAAQIQkgByAA/QEAACAI/boB/a4BIAD9AQAIIAn9ugH9rgEhByAAQRBqIQAgBkEgaiEGIAVBEGsiBQ0ACyAEIAf9GwAgB/0bAWogB/0bAmogB/0bA2o2AgAgBEEEaiEEIAFBAWsiAQ0ACwvAAwIFfwZ7IAFFBEAPCwNAIAAgAmohByAHIAJqIQggCCACaiEJ/QwAAAAAAAAAAAAAAAAAAAAAIQr9DAAAAAAAAAAAAAAAAAAAAAAhC/0MAAAAAAAAAAAAAAAAAAAAACEM/QwAAAAAAAAAAAAAAAAAAAAAIQ0gAyEGIAIhBQNAIAb9AAAAIQ4gBv0AABAhDyAKIAD9AQAAIA79ugH9rgEgAP0BAAggD/26Af2uASEKIAsgB/0BAAAgDv26Af2uASAH/QEACCAP/boB/a4BIQsgDCAI/QEAACAO/boB/a4BIAj9AQAIIA/9ugH9rgEhDCANIAn9AQAAIA79ugH9rgEgCf0BAAggD/26Af2uASENIABBEGohACAHQRBqIQcgCEEQaiEIIAlBEGohCSAGQSBqIQYgBUEQayIFDQALIAQgCv0bACAK/RsBaiAK/RsCaiAK/RsDajYCACAEIAv9GwAgC/0bAWogC/0bAmogC/0bA2o2AgQgBCAM/RsAIAz9GwFqIAz9GwJqIAz9GwNqNgIIIAQgDf0bACAN/RsBaiAN/RsCaiAN/RsDajYCDCAJIQAgBEEQaiEEIAFBAWsiAQ0ACws='

/** The part of the API in use; the standard types have it for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> }
}

type Scan = (at: number, count: number, wide: number, query: number, out: number) => void

const PAGE = 1 << 16

export const LARGEST_OF_QUERY = 32767
/** With queries of this length no product overflows 32 bits: it is at most the product of both lengths. */
export const longestQuery = (wide: number): number => 2 ** 31 / (128 * Math.sqrt(wide)) - Math.sqrt(wide)

/**
 * Vectors of two bytes per number in their own memory, with fast comparisons to a query: all by their high bytes, a
 * few at full width.
 */
export class DotProducts {
  /** Bytes by vector: a number is 256 times its high byte plus its low one. */
  readonly high: Int8Array
  readonly low: Int8Array
  /** Products of the high bytes and the rounded query, by vector, where computed. */
  readonly products: Int32Array
  private readonly wide: number
  private readonly query: Int16Array
  private readonly finer: Int32Array
  private readonly scan: Scan
  private readonly scanFour: Scan

  /** @param wide numbers a vector, a multiple of 16 */
  constructor(count: number, wide: number) {
    const bytes = count * wide
    const queryAt = Math.ceil((2 * bytes) / 16) * 16
    const productsAt = queryAt + wide * 2
    const memory = new WebAssembly.Memory({ initial: Math.ceil((productsAt + (count + 1) * 4) / PAGE) + 1 })
    const module = new WebAssembly.Module(Buffer.from(code, 'base64'))
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    this.wide = wide
    this.scan = exports['scan'] as Scan
    this.scanFour = exports['scanFour'] as Scan
    this.high = new Int8Array(memory.buffer, 0, bytes)
    this.low = new Int8Array(memory.buffer, bytes, bytes)
    this.query = new Int16Array(memory.buffer, queryAt, wide)
    this.products = new Int32Array(memory.buffer, productsAt, count)
    this.finer = new Int32Array(memory.buffer, productsAt + count * 4, 1)
  }

  /** Sets the query to compare with. */
  ask(query: Int16Array): void {
    this.query.set(query)
  }

  /** Computes the products of the vectors `from` to `to`. */
  fill(from: number, to: number): void {
    const fours = (to - from) >> 2
    const rest = from + fours * 4
    const { wide, query, products } = this
    this.scanFour(from * wide, fours, wide, query.byteOffset, products.byteOffset + from * 4)
    this.scan(rest * wide, to - rest, wide, query.byteOffset, products.byteOffset + rest * 4)
  }

  /** The full-width product of a vector whose high-byte product is known. */
  whole(vector: number): number {
    const { wide, query, low, finer } = this
    this.scan(low.byteOffset + vector * wide, 1, wide, query.byteOffset, finer.byteOffset)
    return this.products[vector]! + finer[0]! / 256
  }
}
