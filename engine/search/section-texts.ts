import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LruByBytes } from '../base/lru-by-bytes.ts'
import { readInto } from './files/array-file.ts'
import type { PassageColumns, SectionColumns } from './keyword/section-writer.ts'
import { PassageText } from './text/passage-text.ts'
import { type PassageWords, WordTable } from './text/word-table.ts'
import { wholeCharacters } from './text/words.ts'

/** Records that are cached, in bytes; a file of no more is read whole. */
const RECORD_BYTES = 32 << 20
/** A longer passage, of words without end, is cut. */
const MOST_SNIPPET_BYTES = 1 << 16
/** Bytes of text that are read at once. */
const BLOCK = 1 << 16

/** Holds one passage at a time, where it is read alone. */
const room = Buffer.alloc(MOST_SNIPPET_BYTES)

/** The texts and records of sections, read from their files when they are asked for. */
export class SectionTexts {
  private readonly sections: SectionColumns
  private readonly passages: PassageColumns
  private readonly texts: number
  private readonly records: number
  private readonly cached = new LruByBytes<{ record: Record<string, unknown>; bytes: number }>(
    RECORD_BYTES,
    ({ bytes }) => bytes * 3,
  )
  /**
   * Blocks of the text that have been read, where all of them fit into memory; else null. Passages are scattered over the
   * file, and reading them one by one took a sixth of the time of a page.
   */
  private readonly blocks: (Buffer | undefined)[] | null
  private readonly words: WordTable | null
  /** By section: words of those before it; one more at the end. */
  private readonly wordsFrom: Float64Array
  /** All records, where they are few: those of a page are scattered over the file. */
  private allRecords: Buffer | null = null

  /** @param memory bytes that the text and the places of its words may take; of a longer text passages are read one by one */
  constructor(folder: string, sections: SectionColumns, passages: PassageColumns, memory: number) {
    this.sections = sections
    this.passages = passages
    this.texts = openSync(join(folder, 'text.bin'), 'r')
    this.records = openSync(join(folder, 'records.bin'), 'r')
    this.wordsFrom = wordsBefore(sections, passages)
    const bytes = sections.textAt.at(-1) ?? 0
    const words = this.wordsFrom.at(-1) ?? 0
    const isKept = bytes + 2 * words <= memory
    this.blocks = isKept ? new Array(Math.ceil(bytes / BLOCK)) : null
    this.words = isKept ? new WordTable(words, passages.word.length) : null
  }

  close(): void {
    closeSync(this.texts)
    closeSync(this.records)
  }

  content(section: number): string {
    const [from, to] = spanAt(this.sections.textAt, section)
    return read(this.texts, from, to).toString('utf8')
  }

  /** What is shown of a section beside its text. */
  record(section: number): Readonly<Record<string, unknown>> {
    return this.cached.get(section, () => {
      const [from, to] = spanAt(this.sections.recordAt, section)
      this.allRecords ??= this.readRecords()
      const bytes = this.allRecords?.subarray(from, to) ?? read(this.records, from, to)
      return { record: JSON.parse(bytes.toString('utf8')) as Record<string, unknown>, bytes: bytes.length }
    }).record
  }

  private readRecords(): Buffer | null {
    const bytes = this.sections.recordAt.at(-1) ?? 0
    return bytes <= RECORD_BYTES ? read(this.records, 0, bytes) : null
  }

  /** A passage of a section, valid until the next one is read. */
  passage(section: number, passage: number): PassageText {
    const from = at(this.sections.textAt, section) + at(this.passages.start, passage)
    const length = Math.min(at(this.passages.bytes, passage), MOST_SNIPPET_BYTES)
    const start = from % BLOCK
    if (this.blocks && start + length <= BLOCK && length < MOST_SNIPPET_BYTES) {
      const bytes = this.block(this.blocks, (from - start) / BLOCK)
      return new PassageText(bytes, start, start + length, this.words, this.wordsOf(section, passage))
    }
    readInto(this.texts, room.subarray(0, length), from)
    return new PassageText(room, 0, length < MOST_SNIPPET_BYTES ? length : wholeCharacters(room, 0, length))
  }

  private wordsOf(section: number, passage: number): PassageWords {
    const word = at(this.passages.word, passage)
    return {
      passage,
      word: at(this.wordsFrom, section) + word,
      count: at(this.passages.end, passage) - word,
      isFirst: word === 0,
    }
  }

  private block(blocks: (Buffer | undefined)[], number: number): Buffer {
    let block = blocks[number]
    if (!block) {
      const from = number * BLOCK
      // Of its own, not a part of Node's pool.
      block = Buffer.alloc(Math.min(BLOCK, at(this.sections.textAt, this.sections.textAt.length - 1) - from))
      readInto(this.texts, block, from)
      blocks[number] = block
    }
    return block
  }
}

/** By section: words of all sections before it; one more at the end. */
function wordsBefore({ passagesFrom }: SectionColumns, { end }: PassageColumns): Float64Array {
  const words = new Float64Array(passagesFrom.length)
  for (let section = 1; section < passagesFrom.length; section++) {
    const [first, next] = [at(passagesFrom, section - 1), at(passagesFrom, section)]
    words[section] = at(words, section - 1) + (next > first ? at(end, next - 1) : 0)
  }
  return words
}

/** Where the nth part of a file begins and ends. */
const spanAt = (starts: ArrayLike<number>, n: number): [from: number, to: number] => [
  at(starts, n),
  at(starts, n + 1),
]

function at(column: ArrayLike<number>, n: number): number {
  const value = column[n]
  if (value === undefined) throw new RangeError(`the search index has no entry ${n}`)
  return value
}

function read(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  readInto(file, bytes, from)
  return bytes
}
