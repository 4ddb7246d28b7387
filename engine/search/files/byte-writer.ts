import { closeSync, openSync, writeSync } from 'node:fs'

/** Appends bytes to a file through a buffer, and tracks its position. */
export class ByteWriter {
  private readonly file: number
  private readonly buffer = Buffer.allocUnsafe(1 << 20)
  private filled = 0
  private written = 0

  constructor(path: string) {
    this.file = openSync(path, 'w')
  }

  /** Bytes appended so far. */
  get at(): number {
    return this.written + this.filled
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length > this.buffer.length - this.filled) this.flush()
    if (bytes.length > this.buffer.length) {
      writeAll(this.file, bytes)
      this.written += bytes.length
    } else {
      this.buffer.set(bytes, this.filled)
      this.filled += bytes.length
    }
  }

  /** A varint: an integer from 0 to 2^32 - 1 in one to five bytes, seven bits per byte, lowest first. */
  varint(value: number): void {
    if (this.buffer.length - this.filled < 5) this.flush()
    this.filled = putVarint(this.buffer, this.filled, value)
  }

  close(): void {
    this.flush()
    closeSync(this.file)
  }

  private flush(): void {
    writeAll(this.file, this.buffer.subarray(0, this.filled))
    this.written += this.filled
    this.filled = 0
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}

/** Returns the position of the next byte. */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let left = value
  while (left > 127) {
    bytes[at++] = (left & 127) | 128
    left >>>= 7
  }
  bytes[at++] = left
  return at
}
