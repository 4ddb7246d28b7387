import type { WordTable } from './word-table.ts'
import { type WordPlaces, WordStarts } from './words.ts'

const reader = new WordStarts()

/** A passage in UTF-8: a part of some bytes. */
export class PassageText {
  readonly bytes: Buffer
  readonly from: number
  readonly end: number
  private readonly table: WordTable | null
  private readonly passage: number

  /** @param table where the starts of the words are remembered, with the passage's number there */
  constructor(bytes: Buffer, from = 0, end = bytes.length, table: WordTable | null = null, passage = 0) {
    this.bytes = bytes
    this.from = from
    this.end = end
    this.table = table
    this.passage = passage
  }

  toString(): string {
    return this.bytes.toString('utf8', this.from, this.end)
  }

  /**
   * Where words start: at least all up to number `last`, and those that begin at most about `more` characters after it.
   * Valid until the next call for any passage.
   */
  wordStarts(last: number, more: number): WordPlaces {
    const known = this.table?.of(this.passage, this, reader)
    if (known) return known
    reader.read(this.bytes, this.from, this.end, last, more)
    return reader
  }
}
