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

/** What is used of it; the compiler's library has it for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> }
}

type Scan = (at: number, count: number, wide: number, query: number, out: number) => void

const PAGE = 1 << 16

/** Vectors of signed bytes in memory of their own, and the fast way to compare all of them with one. */
export class DotProducts {
  readonly vectors: Int8Array
  private readonly wide: number
  private readonly query: Int16Array
  private readonly out: Int32Array
  private readonly scan: Scan
  private readonly scanFour: Scan

  /** @param wide numbers a vector, a multiple of 16 */
  constructor(count: number, wide: number) {
    const bytes = count * wide
    const queryAt = Math.ceil(bytes / 16) * 16
    const outAt = queryAt + wide * 2
    const memory = new WebAssembly.Memory({ initial: Math.ceil((outAt + count * 4) / PAGE) + 1 })
    const module = new WebAssembly.Module(Buffer.from(code, 'base64'))
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    this.wide = wide
    this.scan = exports['scan'] as Scan
    this.scanFour = exports['scanFour'] as Scan
    this.vectors = new Int8Array(memory.buffer, 0, bytes)
    this.query = new Int16Array(memory.buffer, queryAt, wide)
    this.out = new Int32Array(memory.buffer, outAt, count)
  }

  /** What the vectors are compared with from here on. */
  ask(query: Int16Array): void {
    this.query.set(query)
  }

  /** Dot products of the vectors `from` to `to`, at their own places; in force until the next call. */
  of(from: number, to: number): Int32Array {
    const fours = (to - from) >> 2
    const rest = from + fours * 4
    const { wide, query, out } = this
    this.scanFour(from * wide, fours, wide, query.byteOffset, out.byteOffset + from * 4)
    this.scan(rest * wide, to - rest, wide, query.byteOffset, out.byteOffset + rest * 4)
    return this.out
  }
}
