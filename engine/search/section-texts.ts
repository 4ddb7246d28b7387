import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readInto } from './files/array-file.ts'
import { LruByBytes } from './files/lru-by-bytes.ts'
import type { PassageColumns, SectionColumns } from './keyword/section-writer.ts'
import { PassageText } from './text/passage-text.ts'

/** Records that are cached, in bytes; a file of no more is read whole. */
const RECORD_BYTES = 32 << 20
/** A longer passage, of words without end, is cut. */
const MOST_SNIPPET_BYTES = 1 << 16

/**
 * Holds one passage at a time: a cache of passages cost more, in copies and garbage, than reading each again from the
 * system's.
 */
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
  /** All records, where they are few: those of a page are scattered over the file. */
  private allRecords: Buffer | null = null

  constructor(folder: string, sections: SectionColumns, passages: PassageColumns) {
    this.sections = sections
    this.passages = passages
    this.texts = openSync(join(folder, 'text.bin'), 'r')
    this.records = openSync(join(folder, 'records.bin'), 'r')
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
    const bytes = room.subarray(0, length)
    readInto(this.texts, bytes, from)
    return new PassageText(bytes)
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
