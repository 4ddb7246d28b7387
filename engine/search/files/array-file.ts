import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const kinds = { Int8Array, Uint8Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array }
type Kind = keyof typeof kinds
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

interface Entry {
  readonly name: string
  readonly kind: Kind
  readonly length: number
}

const ALIGN = 64

const aligned = (at: number): number => Math.ceil(at / ALIGN) * ALIGN

/** Writes named arrays of numbers, little endian, the byte order of every supported machine. */
export function writeArrays(path: string, arrays: Readonly<Record<string, TypedArray>>): void {
  const entries = Object.entries(arrays).map(
    ([name, array]): Entry => ({ name, kind: array.constructor.name as Kind, length: array.length }),
  )
  const head = Buffer.from(`${JSON.stringify(entries)}\n`)
  const file = openSync(path, 'w')
  try {
    let at = 0
    const put = (bytes: Uint8Array) => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, Math.min(bytes.length - done, 1 << 28))
      at += bytes.length
    }
    put(head)
    for (const array of Object.values(arrays)) {
      put(new Uint8Array(aligned(at) - at))
      put(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    }
  } finally {
    closeSync(file)
  }
}

/** Reads arrays written by `writeArrays`; the caller knows the kind of each name. */
export function readArrays<T extends Record<string, TypedArray>>(path: string): T {
  const file = openSync(path, 'r')
  try {
    const head = headOf(file)
    const entries = JSON.parse(head) as Entry[]
    let at = Buffer.byteLength(head)
    const arrays: Record<string, TypedArray> = {}
    for (const { name, kind, length } of entries) {
      at = aligned(at)
      const array = new kinds[kind](length)
      readInto(file, new Uint8Array(array.buffer), at)
      arrays[name] = array
      at += array.byteLength
    }
    return arrays as T
  } finally {
    closeSync(file)
  }
}

function headOf(file: number): string {
  const buffer = Buffer.alloc(1 << 14)
  const read = readSync(file, buffer, 0, buffer.length, 0)
  const end = buffer.subarray(0, read).indexOf(10)
  if (end < 0) throw new Error('the file does not begin with the list of its arrays')
  return buffer.toString('utf8', 0, end + 1)
}

/** Reads bytes at a position in a file until the buffer is full. */
export function readInto(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, Math.min(bytes.length - done, 1 << 28), at + done)
    if (read === 0) throw new Error('the file ends before what was to be read')
    done += read
  }
}
