// Indices below are within bounds by construction: checks would cost in the loops.

import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readInto } from '../files/array-file.ts'
import { type PassageColumns, type SectionColumns, TERMS } from './section-writer.ts'

/** Terms of a passage's heading and text by number, with frequencies. */
export type Bag = ReadonlyMap<number, number>

/** The terms of every section, in order. */
export class TermsFile {
  private readonly file: number
  private readonly columns: Pick<SectionColumns, 'termsAt' | 'passagesFrom'>
  private readonly passages: Pick<PassageColumns, 'word' | 'end'>

  constructor(
    folder: string,
    sections: Pick<SectionColumns, 'termsAt' | 'passagesFrom'>,
    passages: Pick<PassageColumns, 'word' | 'end'>,
  ) {
    this.columns = sections
    this.passages = passages
    this.file = openSync(join(folder, TERMS), 'r')
  }

  section(section: number): { heading: Uint32Array; text: Uint32Array } {
    const from = this.columns.termsAt[section]!
    const bytes = new Uint8Array(this.columns.termsAt[section + 1]! - from)
    readInto(this.file, bytes, from)
    let at = 0
    const next = (): number => {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!
        value |= (byte & 127) << shift
        if (byte < 128) return value >>> 0
      }
    }
    const take = () => {
      const terms = new Uint32Array(next())
      for (let i = 0; i < terms.length; i++) terms[i] = next()
      return terms
    }
    return { heading: take(), text: take() }
  }

  /** Word counts of some (default all) passages of a section. */
  bags(section: number, wanted: (passage: number) => boolean = () => true): Bag[] {
    const { heading, text } = this.section(section)
    const bags: Bag[] = []
    const last = this.columns.passagesFrom[section + 1]!
    for (let p = this.columns.passagesFrom[section]!; p < last; p++)
      if (wanted(p)) bags.push(bagOf(heading, text.subarray(this.passages.word[p], this.passages.end[p])))
    return bags
  }

  close(): void {
    closeSync(this.file)
  }
}

function bagOf(...parts: readonly Uint32Array[]): Bag {
  const bag = new Map<number, number>()
  for (const part of parts) for (const term of part) bag.set(term, (bag.get(term) ?? 0) + 1)
  return bag
}
