import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { elementAt } from '../../base/elements.ts'
import { readArrays } from '../files/array-file.ts'
import type { IndexFacts } from '../index-facts.ts'
import {
  HASH_WORDS,
  type PassageColumns,
  type SectionColumns,
  Vocabulary,
} from '../keyword/section-writer.ts'
import { TermsFile } from '../keyword/terms-file.ts'
import type { CutSection } from '../text/cut-sections.ts'
import { VectorFiles } from '../vectors/vector-files.ts'

/** What can be reused from the previous index. */
export interface Reuse {
  readonly former: FormerIndex
  /** By section: the same one in the former index, or -1 if new. */
  readonly sections: Int32Array
}

interface Terms extends Record<string, Uint8Array | Uint32Array> {
  texts: Uint8Array
  ends: Uint32Array
  number: Uint32Array
}

/** The index of the current snapshot, to reuse results for sections with the same text and heading. */
export class FormerIndex {
  readonly facts: IndexFacts
  readonly vocabulary: Vocabulary
  private readonly folder: string
  private readonly columns: SectionColumns
  private readonly passages: PassageColumns
  private readonly terms: TermsFile
  private readonly places = new Map<string, number>()
  private readonly vectorFiles: VectorFiles | null

  constructor(folder: string) {
    this.folder = folder
    this.facts = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as IndexFacts
    this.columns = readArrays<SectionColumns>(join(folder, 'sections.arrays'))
    this.passages = readArrays<PassageColumns>(join(folder, 'passages.arrays'))
    this.vocabulary = new Vocabulary(wordsOf(readArrays<Terms>(join(folder, 'terms.arrays'))))
    this.terms = new TermsFile(folder, this.columns, this.passages)
    for (let section = 0; section < this.facts.sections; section++)
      this.places.set(keyOf(this.columns.hash.subarray(section * HASH_WORDS)), section)
    const { embedder } = this.facts
    this.vectorFiles = embedder && new VectorFiles(folder, embedder.informative)
  }

  /** The section with the same text and heading; -1 if there is none. */
  find(hash: Uint32Array): number {
    return this.places.get(keyOf(hash)) ?? -1
  }

  cut(section: number): CutSection {
    const [from, to] = this.passagesOf(section)
    const { start, bytes, word, end, prose } = this.passages
    return {
      ...this.terms.section(section),
      passages: {
        start: start.subarray(from, to),
        bytes: bytes.subarray(from, to),
        word: word.subarray(from, to),
        end: end.subarray(from, to),
        prose: prose.subarray(from, to),
      },
    }
  }

  vectors(section: number): Int16Array {
    return this.vectorFiles!.numbers(...this.passagesOf(section))
  }

  copy(file: string, folder: string, name = file): void {
    copyFileSync(join(this.folder, file), join(folder, name))
  }

  close(): void {
    this.terms.close()
    this.vectorFiles?.close()
  }

  private passagesOf(section: number): [from: number, to: number] {
    return [elementAt(this.columns.passagesFrom, section), elementAt(this.columns.passagesFrom, section + 1)]
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
