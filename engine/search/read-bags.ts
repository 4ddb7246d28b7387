import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readInto } from './array-file.ts'
import type { Bag, Written } from './section-writer.ts'

/** Reads back the terms of every passage in order, its heading's among them. */
export function* readBags(
  folder: string,
  { sections, passages }: Pick<Written, 'sections' | 'passages'>,
): Generator<Bag> {
  const file = openSync(join(folder, 'terms.tmp'), 'r')
  try {
    const next = varintsOf(file)
    for (let section = 0; section < sections.words.length; section++) {
      const take = () => Uint32Array.from({ length: next() }, next)
      const heading = take()
      const text = take()
      const last = sections.passagesFrom[section + 1]!
      for (let p = sections.passagesFrom[section]!; p < last; p++) {
        yield bagOf(heading, text.subarray(passages.word[p], passages.end[p]))
      }
    }
  } finally {
    closeSync(file)
  }
}

function bagOf(...parts: readonly Uint32Array[]): Bag {
  const bag = new Map<number, number>()
  for (const part of parts) for (const term of part) bag.set(term, (bag.get(term) ?? 0) + 1)
  return bag
}

/** The numbers of a file one after the other. */
function varintsOf(file: number): () => number {
  const buffer = Buffer.allocUnsafe(1 << 18)
  let left = fstatSync(file).size
  let read = 0
  let at = 0
  let filled = 0
  const byte = () => {
    if (at === filled) {
      filled = Math.min(buffer.length, left)
      readInto(file, buffer.subarray(0, filled), read)
      read += filled
      left -= filled
      at = 0
    }
    return buffer[at++]!
  }
  return () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const part = byte()
      value |= (part & 127) << shift
      if (part < 128) return value >>> 0
    }
  }
}
