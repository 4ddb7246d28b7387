import { type WordPlaces, WordStarts, wholeCharacters } from './words.ts'

const words = new WordStarts()

/** A passage in UTF-8. */
export class PassageText {
  readonly bytes: Buffer
  /** The bytes up to the last character that is there whole. */
  readonly length: number

  /** @param bytes whose last character may have been cut */
  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.length = wholeCharacters(bytes)
  }

  /**
   * Where words start: all up to number `last`, and those that begin at most `more` characters after it. Valid until
   * the next call for any passage.
   */
  wordStarts(last: number, more: number): WordPlaces {
    words.read(this.bytes, this.length, last, more)
    return words
  }
}
