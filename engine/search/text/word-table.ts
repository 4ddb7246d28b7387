import { elementAt } from '../../base/elements.ts'
import type { WordPlaces, WordStarts } from './words.ts'

const MOST_EXTRA = 255

const [NOT_READ, READ, TOO_WIDE] = [0, 1, 2]

/** A part of some bytes. */
interface Utf8Part {
  readonly bytes: Buffer
  readonly from: number
  readonly end: number
}

/** The first and the last word of passages, counted in their sections, by passage. */
export interface PassageWords {
  readonly word: ArrayLike<number>
  readonly end: ArrayLike<number>
}

/** Bytes that the places of a passage's words take. */
export const BYTES_OF_WORD = 3

/**
 * Where the words of passages start, as read when a passage was first shown: those that a snippet needs are looked up
 * without reading the others. Reading a passage of 200 words again took a fifth of the time of a page. Memory that was
 * never written to is not taken from the machine.
 */
export class WordTable {
  /** By passage: the index of its first word below; one more at the end. */
  private readonly wordsFrom: Float64Array
  /** By word of a passage: bytes from the passage's start, and how many more these are than units. */
  private readonly starts: Uint16Array
  private readonly extras: Uint8Array
  /** By passage. */
  private readonly states: Uint8Array

  constructor({ word, end }: PassageWords) {
    this.wordsFrom = new Float64Array(word.length + 1)
    let words = 0
    for (let p = 0; p < word.length; p++) {
      words += elementAt(end, p) - elementAt(word, p)
      this.wordsFrom[p + 1] = words
    }
    this.starts = new Uint16Array(words)
    this.extras = new Uint8Array(words)
    this.states = new Uint8Array(word.length)
  }

  /** The words of a passage; null where they are not those that were counted, or too wide: such a passage is read each time. */
  of(passage: number, text: Utf8Part, reader: WordStarts): WordPlaces | null {
    if (this.states[passage] === NOT_READ) this.fill(passage, text, reader)
    if (this.states[passage] !== READ) return null
    const base = elementAt(this.wordsFrom, passage)
    const { starts, extras } = this
    return { starts, extras, base, count: elementAt(this.wordsFrom, passage + 1) - base, isAll: true }
  }

  private fill(passage: number, text: Utf8Part, reader: WordStarts): void {
    const base = elementAt(this.wordsFrom, passage)
    const count = elementAt(this.wordsFrom, passage + 1) - base
    reader.read(text.bytes, text.from, text.end, count, 0)
    this.states[passage] = TOO_WIDE
    if (reader.count !== count || (count > 0 && elementAt(reader.extras, count - 1) > MOST_EXTRA)) return
    this.starts.set(reader.starts.subarray(0, count), base)
    this.extras.set(reader.extras.subarray(0, count), base)
    this.states[passage] = READ
  }
}
