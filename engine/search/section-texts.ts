import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LruByBytes } from '../base/lru-by-bytes.ts'
import { readInto } from './files/array-file.ts'
import type { PassageColumns, SectionColumns } from './keyword/section-writer.ts'
import { PassageText } from './text/passage-text.ts'
import { BYTES_OF_WORD, WordTable } from './text/word-table.ts'
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
  /** All records, where they are few: those of a page are scattered over the file. */
  private allRecords: Buffer | null = null

  /** @param memory bytes that the text and the places of its words may take; of a longer text passages are read one by one */
  constructor(folder: string, sections: SectionColumns, passages: PassageColumns, memory: number) {
    this.sections = sections
    this.passages = passages
    this.texts = openSync(join(folder, 'text.bin'), 'r')
    this.records = openSync(join(folder, 'records.bin'), 'r')
    const bytes = sections.textAt.at(-1) ?? 0
    let words = 0
    for (let p = 0; p < passages.word.length; p++) words += at(passages.end, p) - at(passages.word, p)
    const isKept = bytes + BYTES_OF_WORD * words <= memory
    this.blocks = isKept ? new Array(Math.ceil(bytes / BLOCK)) : null
    this.words = isKept ? new WordTable(passages) : null
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
      return new PassageText(bytes, start, start + length, this.words, passage)
    }
    readInto(this.texts, room.subarray(0, length), from)
    return new PassageText(room, 0, length < MOST_SNIPPET_BYTES ? length : wholeCharacters(room, 0, length))
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
