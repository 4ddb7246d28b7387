/**
 * `scan(at, count, wide, query, out)`: the dot product of each of `count` vectors of `wide` signed bytes, one after the
 * other from `at` on, with the `wide` 16-bit numbers at `query`, as 32-bit numbers at `out`. Assembled from the text below;
 * `wide` is a multiple of 16.
 *
 *     (loop $vectors
 *       a = b = 0
 *       (loop $parts
 *         d = v128.load at
 *         a += i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s d, v128.load query)
 *         b += i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s d, v128.load query + 16)
 *         at += 16, query += 32)
 *       i32.store out, the sum of the lanes of a + b)
 */
const code =
  'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNlbnYGbWVtb3J5AgABAwIBAAcIAQRzY2FuAAAKxAEBwQECA3sCfyABRQRADwsDQP0MAAAAAAAAAAAAAAAAAAAAACEF/QwAAAAAAAAAAAAAAAAAAAAAIQYgAiEIIAMhCQNAIAD9AAQAIQcgBSAH/YcBIAn9AAQA/boB/a4BIQUgBiAH/YgBIAn9AAQQ/boB/a4BIQYgAEEQaiEAIAlBIGohCSAIQRBrIggNAAsgBSAG/a4BIQUgBCAF/RsAIAX9GwFqIAX9GwIgBf0bA2pqNgIAIARBBGohBCABQQFrIgENAAsL'

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
    this.scan(from * this.wide, to - from, this.wide, this.query.byteOffset, this.out.byteOffset + from * 4)
    return this.out
  }
}
