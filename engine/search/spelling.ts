import { setImmediate } from 'node:timers/promises'
import { distance } from 'fastest-levenshtein'
import type { Index } from 'flexsearch'
import { eachWord, functionWords, termOf } from './text/words.ts'

/** A word that may have been meant. */
export interface KnownWord {
  /** As compared: a word of a title or issuer, or an index term. */
  readonly form: string
  /** Sections that have it. */
  readonly found: number
}

/** What spelling needs of the index. */
export interface SpellingSource {
  /** Words of titles and issuers. */
  readonly words: readonly string[]
  /** Frequent index terms, most frequent first. */
  terms(most: number): Iterable<KnownWord>
  /** Sections that have a term. */
  found(term: string): number
  /** The spelling of a term in a text. */
  surface(term: string): string
}

/** Index terms in the vocabulary, beside the words of titles and issuers. */
const MOST_TERMS = 12_000
/** Words added to the vocabulary between yields to the event loop. */
const ADDED_AT_ONCE = 250
const CANDIDATES = 200
const LONGEST_WORD = 32
/** Maximum number of query words to check. */
const MOST_WORDS = 12
/** A word in at most this many sections may be a misspelling; its replacement must be this many times as frequent. */
const FEW = 2
const OFTENER = 20

/**
 * Corrections for the words of a query without hits. FlexSearch finds candidates by prefix and sound, ranked by edit
 * distance; if none is close, all words are compared.
 */
export class Spelling {
  private readonly source: SpellingSource
  private readonly known: readonly KnownWord[]
  private readonly indexes: readonly Index[]

  private constructor(source: SpellingSource, known: readonly KnownWord[], indexes: readonly Index[]) {
    this.source = source
    this.known = known
    this.indexes = indexes
  }

  static async open(source: SpellingSource): Promise<Spelling> {
    const { Charset, Index } = (await import('flexsearch')).default
    const known: KnownWord[] = source.words.map(form => ({ form, found: source.found(termOf(form)) }))
    const forms = new Set(known.map(({ form }) => termOf(form)))
    for (const word of source.terms(MOST_TERMS)) if (!forms.has(word.form)) known.push(word)
    const indexes = [Charset.LatinBalance, Charset.LatinExtra].map(
      encoder => new Index({ tokenize: 'forward', encoder }),
    )
    for (const [i, { form }] of known.entries()) {
      for (const index of indexes) index.add(i, form)
      if (i % ADDED_AT_ONCE === 0) await setImmediate()
    }
    return new Spelling(source, known, indexes)
  }

  /** The query with its unknown words corrected; null if nothing is close. */
  meant(query: string): string | null {
    let meant = ''
    let at = 0
    let words = 0
    let isChanged = false
    eachWord(query, (word, start, end) => {
      if (++words > MOST_WORDS) return
      const instead = this.instead(word)
      if (instead === null) return
      meant += query.slice(at, start) + instead
      at = end
      isChanged = true
    })
    return isChanged ? meant + query.slice(at) : null
  }

  private instead(written: string): string | null {
    const word = written.toLowerCase()
    const term = termOf(word)
    const found = this.source.found(term)
    if (word.length < 4 || word.length > LONGEST_WORD || functionWords.has(term) || found > FEW) return null
    if (!/^[\p{L}'’]+$/u.test(word)) return null
    const near = new Set(this.indexes.flatMap(index => index.search(word, { limit: CANDIDATES }) as number[]))
    const best = this.nearest(word, term, found, near) ?? this.nearest(word, term, found, this.known.keys())
    if (best === null) return null
    const { form } = this.known[best]!
    return best < this.source.words.length ? form : this.source.surface(form)
  }

  private nearest(word: string, term: string, found: number, among: Iterable<number>): number | null {
    let best: number | null = null
    let least = Math.floor(word.length / 4) + 1
    for (const i of among) {
      const { form, found: times } = this.known[i]!
      if (times <= found * OFTENER || form === term || form === word) continue
      const own = i < this.source.words.length ? word : term
      if (Math.abs(form.length - own.length) > least) continue
      const off = distance(own, form)
      if (off > least || (off === least && (best === null || times <= this.known[best]!.found))) continue
      best = i
      least = off
    }
    return best
  }
}
