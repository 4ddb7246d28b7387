import { createHash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { readInto } from '../files/array-file.ts'

const KEY = 16
const CHECK = 4

const sha = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/**
 * Cached vectors by the SHA-256 of the text. A record is key, checksum and vector; records are only appended, so an
 * interrupted build resumes, and an incomplete record is ignored.
 */
export class VectorCache {
  private readonly file: number
  private readonly size: number
  private readonly places = new Map<string, number>()
  private end = 0

  constructor(path: string, wide: number) {
    mkdirSync(dirname(path), { recursive: true })
    this.size = KEY + CHECK + wide * Int16Array.BYTES_PER_ELEMENT
    this.file = openSync(path, 'a+')
    const whole = Math.floor(fstatSync(this.file).size / this.size)
    ftruncateSync(this.file, whole * this.size)
    const key = Buffer.alloc(KEY)
    for (; this.end < whole; this.end++) {
      readInto(this.file, key, this.end * this.size)
      this.places.set(key.toString('latin1'), this.end)
    }
  }

  get(text: string): Int16Array | null {
    const place = this.places.get(keyOf(text))
    if (place === undefined) return null
    const record = Buffer.alloc(this.size)
    readInto(this.file, record, place * this.size)
    const vector = new Uint8Array(record.subarray(KEY + CHECK))
    const isWhole = sha(vector)
      .subarray(0, CHECK)
      .equals(record.subarray(KEY, KEY + CHECK))
    return isWhole ? new Int16Array(vector.buffer) : null
  }

  put(text: string, vector: Int16Array): void {
    const key = keyOf(text)
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    writeSync(this.file, Buffer.concat([Buffer.from(key, 'latin1'), sha(bytes).subarray(0, CHECK), bytes]))
    this.places.set(key, this.end++)
  }

  close(): void {
    closeSync(this.file)
  }
}

const keyOf = (text: string): string => sha(text).subarray(0, KEY).toString('latin1')
