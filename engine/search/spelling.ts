import { setImmediate } from 'node:timers/promises'
import { distance } from 'fastest-levenshtein'
import type { Index } from 'flexsearch'
import { elementAt } from '../base/elements.ts'
import { eachWord, functionWords, termOf } from './text/words.ts'

/** A term of the index, in how many sections it is. */
export interface FrequentTerm {
  readonly term: string
  readonly found: number
}

/** What spelling needs of the index. */
export interface SpellingSource {
  /** Words of titles and issuers. */
  readonly words: readonly string[]
  /** Terms of the index in many sections, the most frequent first. */
  terms(most: number): Iterable<FrequentTerm>
  /** Texts in which terms are looked for as they are written, newest first. */
  texts(): Iterable<string>
  /** Sections that have a term. */
  found(term: string): number
  /** The spelling of a term in a text. */
  surface(term: string): string
}

/** A word that may have been meant. */
interface KnownWord {
  /** As it is written; the term itself where no text that was read has it. */
  readonly form: string
  readonly term: string
  readonly isTerm: boolean
  /** Sections that have it. */
  readonly found: number
}

/** Terms of the index in the vocabulary, beside the words of titles and issuers. */
const MOST_TERMS = 12_000
/** Characters of texts in which terms are looked for as they are written. */
const MOST_TEXT = 4 << 20
/** Ways of writing one term that are known: `covenant`, `covenants`, `covenanted`. */
const MOST_FORMS = 4
/** Words added to the vocabulary before others have their turn. */
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
    const known = await knownWords(source)
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
    const { form, isTerm } = elementAt(this.known, best)
    return isTerm ? this.source.surface(form) : form
  }

  /**
   * The nearest word that is found much oftener. Words are compared as they are written and without their endings, and the
   * lesser difference counts: `covnant` is one letter from `covenant` and three from its term `coven`, `paymnts` one from
   * `payments` and two from `payment`. Of equals the one nearer as it is written, then the more frequent.
   */
  private nearest(word: string, term: string, found: number, among: Iterable<number>): number | null {
    let best: number | null = null
    let least = Math.floor(word.length / 4)
    let leastWritten = Infinity
    for (const i of among) {
      const known = elementAt(this.known, i)
      if (known.found <= found * OFTENER || known.term === term) continue
      const written = near(word, known.form, least)
      const off = Math.min(written, near(term, known.term, least))
      if (off > least) continue
      const isBetter =
        best === null ||
        off < least ||
        written < leastWritten ||
        (written === leastWritten && known.found > elementAt(this.known, best).found)
      if (!isBetter) continue
      best = i
      least = off
      leastWritten = written
    }
    return best
  }
}

/** Letters that differ, where these are at most `most`. */
const near = (a: string, b: string, most: number): number =>
  Math.abs(a.length - b.length) > most ? Infinity : distance(a, b)

/** Words of titles and issuers, and the frequent terms of the index in the ways in which texts write them. */
async function knownWords(source: SpellingSource): Promise<KnownWord[]> {
  const ofHeadings = source.words.map(form => {
    const term = termOf(form)
    return { form, term, isTerm: false, found: source.found(term) }
  })
  const headingForms = new Set(source.words)
  const headingTerms = new Set(ofHeadings.map(({ term }) => term))
  const frequent = [...source.terms(MOST_TERMS)]
  const formsOf = await writtenForms(source, new Set(frequent.map(({ term }) => term)))
  const ofTexts = frequent.flatMap(({ term, found }) => {
    const forms = formsOf.get(term)
    if (!forms) return headingTerms.has(term) ? [] : [{ form: term, term, isTerm: true, found }]
    return forms.filter(form => !headingForms.has(form)).map(form => ({ form, term, isTerm: false, found }))
  })
  return [...ofHeadings, ...ofTexts]
}

/** How the newest texts write some terms, the most frequent forms of each. */
async function writtenForms(
  source: SpellingSource,
  terms: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const times = new Map<string, number>()
  let characters = 0
  for (const text of source.texts()) {
    eachWord(text.slice(0, MOST_TEXT - characters), word => {
      const form = word.toLowerCase()
      times.set(form, (times.get(form) ?? 0) + 1)
    })
    characters += text.length
    if (characters >= MOST_TEXT) break
    await setImmediate()
  }
  const formsOf = new Map<string, string[]>()
  for (const [form] of [...times].sort((a, b) => b[1] - a[1])) {
    if (!/^[a-z]{4,}$/.test(form)) continue
    const term = termOf(form)
    if (!terms.has(term)) continue
    const forms = formsOf.get(term) ?? []
    if (forms.length < MOST_FORMS) forms.push(form)
    formsOf.set(term, forms)
  }
  return formsOf
}
