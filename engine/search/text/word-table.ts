import { elementAt } from '../../base/elements.ts'
import { BYTES_OF_STEP, EXTRA_SHIFT, unitsOf, type WordStarts } from './words.ts'

const MOST_EXTRA = (1 << (16 - EXTRA_SHIFT)) - 1

const [NOT_READ, READ, TOO_WIDE] = [0, 1, 2]

/** A part of some bytes. */
interface Utf8Part {
  readonly bytes: Buffer
  readonly from: number
  readonly end: number
}

/** A passage of a section, by the words that it has. */
export interface PassageWords {
  readonly passage: number
  /** The number of its first word, counted over all sections, and how many it has. */
  readonly word: number
  readonly count: number
  /** Whether no other passage of the section begins before it. */
  readonly isFirst: boolean
}

/**
 * Where the words of passages start, as read when a passage was first shown. Reading a passage of 200 words again took a
 * fifth of the time of a page. Memory that was never written to is not taken from the machine.
 */
export class WordTable {
  /** By word of any section: bytes from the start of the word before, and how many more these are than units. */
  private readonly steps: Uint16Array
  /** By passage. */
  private readonly states: Uint8Array

  constructor(words: number, passages: number) {
    this.steps = new Uint16Array(words)
    this.states = new Uint8Array(passages)
  }

  /** As `read` of `WordStarts`. */
  read(of: PassageWords, text: Utf8Part, last: number, more: number, into: WordStarts): void {
    if (this.states[of.passage] === NOT_READ) this.fill(of, text, into)
    if (this.states[of.passage] !== READ) {
      into.read(text.bytes, text.from, text.end, last, more)
      return
    }
    const { word, count, isFirst } = of
    into.walk(this.steps, word, count, isFirst ? 0 : 1, text.from, last, more)
    if (into.count === count) {
      const end = count - 1
      into.length =
        count > 0
          ? elementAt(into.units, end) + unitsOf(text.bytes, elementAt(into.bytes, end), text.end)
          : unitsOf(text.bytes, text.from, text.end)
    }
  }

  private fill({ passage, word, count, isFirst }: PassageWords, text: Utf8Part, words: WordStarts): void {
    words.read(text.bytes, text.from, text.end, count, 0)
    this.states[passage] = TOO_WIDE
    if (words.count !== count) return
    let [byte, unit] = [text.from, 0]
    for (let i = 0; i < count; i++) {
      const bytes = elementAt(words.bytes, i) - byte
      const extra = bytes - (elementAt(words.units, i) - unit)
      if (i === 0 && !isFirst && bytes > 0) return
      if (bytes > BYTES_OF_STEP || extra > MOST_EXTRA) return
      // The first word's step is from the one before it in the section, which another passage has.
      if (i > 0 || isFirst) this.steps[word + i] = bytes | (extra << EXTRA_SHIFT)
      byte = elementAt(words.bytes, i)
      unit = elementAt(words.units, i)
    }
    this.states[passage] = READ
  }
}
