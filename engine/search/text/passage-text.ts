import type { PassageWords, WordTable } from './word-table.ts'
import { type WordPlaces, WordStarts } from './words.ts'

const words = new WordStarts()

/** A passage in UTF-8: a part of some bytes. */
export class PassageText {
  readonly bytes: Buffer
  readonly from: number
  readonly end: number
  private readonly table: WordTable | null
  private readonly of: PassageWords | null

  /** @param table where the starts of the words are remembered, with the words' numbers there */
  constructor(
    bytes: Buffer,
    from = 0,
    end = bytes.length,
    table: WordTable | null = null,
    of: PassageWords | null = null,
  ) {
    this.bytes = bytes
    this.from = from
    this.end = end
    this.table = table
    this.of = of
  }

  toString(): string {
    return this.bytes.toString('utf8', this.from, this.end)
  }

  /**
   * Where words start: all up to number `last`, and those that begin at most about `more` characters after it. Valid until
   * the next call for any passage.
   */
  wordStarts(last: number, more: number): WordPlaces {
    if (this.table && this.of) this.table.read(this.of, this, last, more, words)
    else words.read(this.bytes, this.from, this.end, last, more)
    return words
  }
}
