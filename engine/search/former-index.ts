import { closeSync, copyFileSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArrays, readInto } from './array-file.ts'
import type { CutSection } from './cut-sections.ts'
import type { Placed } from './lsa.ts'
import type { IndexFacts } from './search-index.ts'
import { HASH_WORDS, type PassageColumns, type SectionColumns, Vocabulary } from './section-writer.ts'
import { TermsFile } from './terms-file.ts'
import { VECTORS } from './vectors.ts'

/** What an index takes over from the one before it. */
export interface Reuse {
  readonly former: FormerIndex
  /** By section: the same one in the former index, -1 where it is new. */
  readonly sections: Int32Array
}

interface Terms extends Record<string, Uint8Array | Uint32Array> {
  texts: Uint8Array
  ends: Uint32Array
  number: Uint32Array
}

/** The index of the snapshot in force, for what a section of the same text and heading gave there. */
export class FormerIndex {
  readonly facts: IndexFacts
  readonly vocabulary: Vocabulary
  private readonly folder: string
  private readonly columns: SectionColumns
  private readonly passages: PassageColumns
  private readonly terms: TermsFile
  private readonly places = new Map<string, number>()
  private readonly vectorFile: number | null
  private readonly lengths: Float32Array

  constructor(folder: string) {
    this.folder = folder
    this.facts = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as IndexFacts
    this.columns = readArrays<SectionColumns>(join(folder, 'sections.arrays'))
    this.passages = readArrays<PassageColumns>(join(folder, 'passages.arrays'))
    this.vocabulary = new Vocabulary(wordsOf(readArrays<Terms>(join(folder, 'terms.arrays'))))
    this.terms = new TermsFile(folder, this.columns, this.passages)
    for (let section = 0; section < this.facts.sections; section++)
      this.places.set(keyOf(this.columns.hash.subarray(section * HASH_WORDS)), section)
    this.vectorFile = this.facts.embedder && openSync(join(folder, VECTORS), 'r')
    this.lengths = this.facts.embedder
      ? readArrays<{ lengths: Float32Array }>(join(folder, 'vector-lengths.arrays')).lengths
      : new Float32Array(0)
  }

  /** The section of the same text and heading; -1 where there is none. */
  find(hash: Uint32Array): number {
    return this.places.get(keyOf(hash)) ?? -1
  }

  cut(section: number): CutSection {
    const [from, to] = this.passagesOf(section)
    const { start, bytes, word, end } = this.passages
    return {
      ...this.terms.section(section),
      passages: {
        start: start.subarray(from, to),
        bytes: bytes.subarray(from, to),
        word: word.subarray(from, to),
        end: end.subarray(from, to),
      },
    }
  }

  vectors(section: number, wide: number): Placed {
    const [from, to] = this.passagesOf(section)
    const vectors = new Int8Array((to - from) * wide)
    readInto(this.vectorFile!, new Uint8Array(vectors.buffer), from * wide)
    return { vectors, lengths: this.lengths.subarray(from, to) }
  }

  copy(file: string, folder: string, name = file): void {
    copyFileSync(join(this.folder, file), join(folder, name))
  }

  close(): void {
    this.terms.close()
    if (this.vectorFile !== null) closeSync(this.vectorFile)
  }

  private passagesOf(section: number): [from: number, to: number] {
    return [this.columns.passagesFrom[section]!, this.columns.passagesFrom[section + 1]!]
  }
}

const keyOf = (hash: Uint32Array): string => hash.subarray(0, HASH_WORDS).join(' ')

/** Terms by number. */
function wordsOf({ texts, ends, number }: Terms): string[] {
  const decoder = new TextDecoder()
  const words = new Array<string>(number.length)
  for (const [i, term] of number.entries()) words[term] = decoder.decode(texts.subarray(ends[i], ends[i + 1]))
  return words
}
