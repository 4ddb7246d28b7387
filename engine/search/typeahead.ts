import { setImmediate } from 'node:timers/promises'
import { distance } from 'fastest-levenshtein'
import type { Index } from 'flexsearch'
import { elementAt } from '../base/elements.ts'

/** A text that what was typed may become. */
export interface Completion {
  /** Its number in the list that the typeahead was made of. */
  readonly text: number
  /** Letters that differ from what was typed. */
  readonly off: number
  /** The number of the word with which what was typed begins. */
  readonly at: number
}

interface KnownWord {
  readonly written: string
  /** Each text with it, and where in the text, as pairs. */
  readonly places: number[]
}

const LONGEST_WORD = 32
/** Words of what was typed that are looked for; those after it are not. */
const MOST_WORDS = 8
/** Words added to the indexes before others have their turn. */
const ADDED_AT_ONCE = 250

/**
 * Completes what is being typed to one of some texts: every word typed begins a word of the text. FlexSearch finds the
 * words of all texts that begin so, or sound alike; one letter in four may differ.
 */
export class Typeahead {
  private readonly words: readonly KnownWord[]
  private readonly indexes: readonly Index[]

  private constructor(words: readonly KnownWord[], indexes: readonly Index[]) {
    this.words = words
    this.indexes = indexes
  }

  static async open(texts: readonly string[]): Promise<Typeahead> {
    const { Charset, Index } = (await import('flexsearch')).default
    const words = new Map<string, KnownWord>()
    for (const [text, written] of texts.entries())
      for (const [at, word] of wordsOf(written).entries()) {
        const known = words.get(word) ?? { written: word, places: [] }
        known.places.push(text, at)
        words.set(word, known)
      }
    const known = [...words.values()]
    const indexes = [Charset.Default, Charset.LatinExtra].map(
      encoder => new Index({ tokenize: 'forward', encoder }),
    )
    for (const [i, { written }] of known.entries()) {
      for (const index of indexes) index.add(i, written)
      if (i % ADDED_AT_ONCE === 0) await setImmediate()
    }
    return new Typeahead(known, indexes)
  }

  /** Every text that what was typed may become, in no order. */
  complete(typed: string): Completion[] {
    const [first, ...rest] = wordsOf(typed).slice(0, MOST_WORDS)
    if (first === undefined) return []
    let found = this.withWord(first)
    for (const word of rest) {
      const also = this.withWord(word)
      const both = new Map<number, Completion>()
      for (const [text, before] of found) {
        const own = also.get(text)
        if (own) both.set(text, { ...before, off: before.off + own.off })
      }
      found = both
    }
    return [...found.values()]
  }

  /** Texts with a word that begins so; of several words in one text the nearest, then the first. */
  private withWord(typed: string): Map<number, Completion> {
    const limit = this.words.length
    const candidates = new Set(this.indexes.flatMap(index => index.search(typed, { limit }) as number[]))
    const found = new Map<number, Completion>()
    for (const i of candidates) {
      const { written, places } = elementAt(this.words, i)
      const off = lettersOff(typed, written)
      if (off === Infinity) continue
      for (let p = 0; p < places.length; p += 2) {
        const own = { text: elementAt(places, p), off, at: elementAt(places, p + 1) }
        const before = found.get(own.text)
        if (!before || own.off < before.off || (own.off === before.off && own.at < before.at))
          found.set(own.text, own)
      }
    }
    return found
  }
}

/** Completions in order, the misspelt only where nothing begins as was typed; of equals those that weigh more. */
export function bestCompletions<T extends Completion>(
  completions: readonly T[],
  { weightOf, textOf }: { weightOf(one: T): number; textOf(one: T): string },
): T[] {
  const exact = completions.filter(({ off }) => off === 0)
  return (exact.length > 0 ? exact : [...completions]).sort(
    (a, b) =>
      a.off - b.off ||
      Math.min(a.at, 2) - Math.min(b.at, 2) ||
      weightOf(b) - weightOf(a) ||
      textOf(a).length - textOf(b).length ||
      (textOf(a) < textOf(b) ? -1 : 1),
  )
}

/** How many letters must change for a word to begin as was typed; Infinity where it is more than one in four. */
function lettersOff(typed: string, word: string): number {
  if (word.startsWith(typed)) return 0
  const off = Math.min(distance(typed, word), distance(typed, word.slice(0, typed.length)))
  return off <= Math.floor(typed.length / 4) ? off : Infinity
}

const wordsOf = (text: string): string[] =>
  (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(word => word.slice(0, LONGEST_WORD))
