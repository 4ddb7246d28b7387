import { type WordPlaces, WordStarts, wholeCharacters } from './words.ts'

/** Longer passages, of words without end, are read as far as a snippet needs each time. */
const MOST_BYTES = 1 << 12

const scratch = new WordStarts()

/** A passage in UTF-8, and where its words start, which is found once. */
export class PassageText {
  readonly bytes: Buffer
  /** The bytes up to the last character that is there whole. */
  readonly length: number
  private words: WordPlaces | null = null

  /** @param bytes whose last character may have been cut */
  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.length = wholeCharacters(bytes)
  }

  /**
   * Where words start: at least all up to number `last`, and those that begin at most `more` characters after it.
   * Valid until the next call for any passage.
   */
  wordStarts(last: number, more: number): WordPlaces {
    if (this.words) return this.words
    if (this.length > MOST_BYTES) {
      scratch.read(this.bytes, this.length, last, more)
      return scratch
    }
    scratch.read(this.bytes, this.length, Infinity, 0)
    this.words = scratch.copy()
    return this.words
  }

  /** What it takes in memory, about. */
  get size(): number {
    return 200 + this.bytes.length * 2
  }
}
