// Indices below are within bounds by construction: checks would cost in the loops.

import { distance } from 'fastest-levenshtein'
import { partitionPoint } from '../../base/partition-point.ts'
import { formsInFull } from '../../names/issuer-name.ts'
import type { BondIndex, IssuerText } from './bond-index.ts'

/** How well the words of a description name an issuer. */
export interface IssuerMatch {
  /** Share of the written words, by weight, that its name has. */
  readonly written: number
  /** Share of its name that was written. */
  readonly name: number
  /** Share of the written words, by weight, that name something else: no word of its name is like them. */
  readonly unexplained: number
  /** Every word was written exactly as in the name. */
  readonly isExact: boolean
}

export interface FoundIssuers {
  /** The words searched for. */
  readonly asked: readonly string[]
  /** Matches by issuer key number. */
  readonly matches: ReadonlyMap<number, IssuerMatch>
}

/** A word of a description and the name words it may stand for, with their similarity. */
interface Term {
  readonly word: string
  readonly weight: number
  /** Its weight as a word that the name does not explain. */
  readonly tellingWeight: number
  readonly hits: ReadonlyMap<string, number>
  /** Keys in which it is two words written as one. */
  readonly joined: readonly number[]
  /** Keys of which it is the ticker, or short for the ticker or the name. */
  readonly tickers: readonly number[]
  /** Similarity of the ticker: 1 unless it is short for it. */
  readonly tickerLike: number
  /** It was written twice in a row: `brown & brown`. */
  readonly isDoubled: boolean
}

/** An issuer with a smaller share of its name written is not meant. */
const LEAST_WRITTEN = 0.4
/** Words below this share of the weight need not lead to issuers by themselves. */
const REST = 0.4
/** Maximum number of words with the same prefix to consider. */
const MOST_BEGINNINGS = 200
/** The weight of a word that no name has: it probably does not belong to the name. */
const UNKNOWN_WEIGHT = 0.6
/** As rare as a word of this many names. */
const UNKNOWN_COUNT = 3

const PREFIX = 0.85
const ONE_SLIP = 0.8
const TWO_SLIPS = 0.6
const ABBREVIATION = 0.7
const SHORT_NAME = 0.9
const TICKER_LENGTH = 3
/** A former name counts less, so that a company of that name today comes first. */
const FORMER = 0.9

/** Countries that desks add to a ticker: `TRPCN`, `VALEBZ`. */
const COUNTRIES = new Set('au bb bz cn fp gr id im in jp ln lx mm na nz sj sm sp ss sw us vx'.split(' '))

/** Issuers whose names or tickers the words of a description may be. */
export function findIssuers(index: BondIndex, written: readonly string[]): FoundIssuers {
  const asked = joinedWhereKnown(index, [...new Set(written)])
  const doubled = new Set(written.filter((word, i) => word === written[i + 1]))
  const terms = asked.map((word, i) => ({
    ...termOf(index, word, i === 0, asked.length === 1),
    isDoubled: doubled.has(word),
  }))
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  const touched = new Set<number>()
  let rest = total
  for (const term of [...terms].sort((a, b) => b.weight - a.weight)) {
    if (rest < total * REST) break
    rest -= term.weight
    for (const word of term.hits.keys()) for (const key of index.byWord.get(word)!) touched.add(key)
    for (const key of term.joined) touched.add(key)
    for (const key of term.tickers) touched.add(key)
  }
  const matches = new Map<number, IssuerMatch>()
  for (const key of touched) {
    const match = matchOf(index, key, terms, total)
    if (match.written >= LEAST_WRITTEN) matches.set(key, match)
  }
  return { asked, matches }
}

/** `jp morgan` as `jpmorgan`, if names write it so. */
function joinedWhereKnown({ byWord }: BondIndex, words: readonly string[]): string[] {
  const joined: string[] = []
  for (let i = 0; i < words.length; i++) {
    const both = i + 1 < words.length ? words[i]! + words[i + 1]! : ''
    const isKnown = byWord.has(words[i]!) && byWord.has(words[i + 1]!)
    if (both !== '' && !isKnown && byWord.has(both)) joined.push(words[i++] + words[i]!)
    else joined.push(words[i]!)
  }
  return joined
}

/** Inverse document frequency: rare words weigh more. */
const weightOf = ({ keys }: BondIndex, count: number): number =>
  Math.log(1 + keys.length / Math.max(count, 1))

function termOf(index: BondIndex, word: string, isFirst: boolean, isAlone: boolean): Omit<Term, 'isDoubled'> {
  const mayBeTicker = isFirst || isAlone
  const similar = hitsOf(index, word)
  // Three letters alone are a ticker, and abbreviate no name of another company: `BOA` is not Broadcom.
  const hits =
    isAlone && word.length <= TICKER_LENGTH
      ? new Map([...similar].filter(([, like]) => like !== ABBREVIATION))
      : similar
  const joined = index.byJoinedWords.get(word) ?? []
  const isKnown = index.byWord.has(word)
  const own = mayBeTicker || (!isKnown && word.length > 2) ? (index.byTicker.get(word) ?? []) : []
  const isShort = own.length === 0 && !isKnown && word.length > 2
  const tickers = isShort ? shortNamed(index, word) : own
  const exact = (index.byWord.get(word)?.length ?? 0) + joined.length + tickers.length
  let count = exact
  if (exact === 0) for (const hit of hits.keys()) count += index.byWord.get(hit)!.length
  const rarity = weightOf(index, count === 0 ? UNKNOWN_COUNT : count)
  const weight = count === 0 ? UNKNOWN_WEIGHT * rarity : rarity
  const tellingWeight = isTelling(word) && (isKnown || !isLikeForm(word)) ? rarity : 0
  return { word, weight, tellingWeight, hits, joined, tickers, tickerLike: isShort ? SHORT_NAME : 1 }
}

/** Issuers for which a word is short, or whose ticker it is with a country. */
function shortNamed({ byShortName, byTicker }: BondIndex, word: string): readonly number[] {
  const found = byShortName.get(word)
  if (found) return found
  const hasCountry = word.length > 4 && COUNTRIES.has(word.slice(-2))
  return (hasCountry && byTicker.get(word.slice(0, -2))) || []
}

const known = new WeakMap<BondIndex, Map<string, ReadonlyMap<string, number>>>()
const MOST_KNOWN = 4096

/** The name words that a written word may stand for. Cached: descriptions repeat their words. */
function hitsOf(index: BondIndex, word: string): ReadonlyMap<string, number> {
  let before = known.get(index)
  if (!before || before.size >= MOST_KNOWN) {
    before = new Map()
    known.set(index, before)
  }
  let hits = before.get(word)
  if (!hits) {
    hits = findHits(index, word)
    before.set(word, hits)
  }
  return hits
}

function findHits({ byWord, vocabulary }: BondIndex, word: string): Map<string, number> {
  const hits = new Map<string, number>()
  if (word.length >= 3) {
    let at = partitionPoint(vocabulary, other => other < word)
    for (const end = at + MOST_BEGINNINGS; at < end && vocabulary[at]?.startsWith(word); at++)
      hits.set(vocabulary[at]!, PREFIX)
  }
  if (byWord.has(word)) {
    hits.set(word, 1)
    return hits
  }
  if (hits.size > 0 || word.length < 2) return hits
  for (const other of vocabulary) {
    const like = likeness(word, other)
    if (like > 0) hits.set(other, like)
  }
  return hits
}

/** One or two wrong letters, or an abbreviation: `hldgs`, `comms`. */
function likeness(word: string, other: string): number {
  if (word.length >= 4 && Math.abs(word.length - other.length) <= 2) {
    const d = distance(word, other)
    if (d === 1 || (d === 2 && isSwapped(word, other))) return ONE_SLIP
    if (d === 2 && word.length >= 6) return TWO_SLIPS
  }
  return word[0] === other[0] && word.length * 3 <= other.length * 2 && isSubsequence(word, other)
    ? ABBREVIATION
    : 0
}

/** Whether two neighbouring letters changed places: `appel`. Words of four letters are too near each other for this. */
function isSwapped(word: string, other: string): boolean {
  if (word.length < 5 || word.length !== other.length) return false
  let at = 0
  while (word[at] === other[at]) at++
  return (
    word[at] === other[at + 1] && word[at + 1] === other[at] && word.slice(at + 2) === other.slice(at + 2)
  )
}

/** Whether a word's letters occur in another in the same order. */
function isSubsequence(word: string, other: string): boolean {
  let at = 0
  for (let i = 0; i < other.length && at < word.length; i++) if (other[i] === word[at]) at++
  return at === word.length && word.length >= 3
}

/** A word of this many letters or more tells of a name; shorter ones are often parts of a form or a cut word. */
const TELLING_LENGTH = 3
const isTelling = (word: string): boolean => word.length >= TELLING_LENGTH && /^\p{L}+$/u.test(word)

const LONG_FORMS = formsInFull().map(form => form.toLowerCase())

/** Whether a word is a legal form, cut or with a slip: `corporatio`, `coporation`. */
const isLikeForm = (word: string): boolean =>
  word.length >= 4 && LONG_FORMS.some(form => form.startsWith(word) || likeness(word, form) === ONE_SLIP)

/** The best match over an issuer's spellings. */
function matchOf(index: BondIndex, number: number, terms: readonly Term[], total: number): IssuerMatch {
  const key = index.keys[number]!
  let best: IssuerMatch = { written: 0, name: 0, unexplained: 1, isExact: false }
  const isBetter = (match: IssuerMatch) => match.written + match.name / 10 > best.written + best.name / 10
  for (const text of key.texts) {
    const match = matchText(index, number, text, terms, total)
    if (isBetter(match)) best = match
  }
  for (const text of key.formerTexts) {
    const match = matchText(index, number, text, terms, total)
    const dated = { ...match, written: match.written * FORMER, isExact: false }
    if (isBetter(dated)) best = dated
  }
  return best
}

function matchText(
  index: BondIndex,
  number: number,
  text: IssuerText,
  terms: readonly Term[],
  total: number,
): IssuerMatch {
  const shares = new Array<number>(text.length).fill(0)
  let written = 0
  let isTicker = false
  let isExact = true
  let unexplained = 0
  for (const { word, weight, tellingWeight, hits, joined, tickers, tickerLike, isDoubled } of terms) {
    let share = 0
    let times = 0
    for (let i = 0; i < text.length; i++) {
      const like = hits.get(text[i]!) ?? 0
      if (like > 0) times++
      if (like > share) share = like
      if (like > shares[i]!) shares[i] = like
    }
    if (joined.length > 0 && joined.includes(number))
      for (let i = 0; i + 1 < text.length; i++)
        if (text[i]! + text[i + 1]! === word) {
          share = 1
          shares[i] = 1
          shares[i + 1] = 1
        }
    if (tickers.length > 0 && tickers.includes(number)) {
      share = Math.max(share, tickerLike)
      isTicker = true
    }
    if (share === 0) unexplained += tellingWeight
    // Half of `brown & brown` is not the name of one Brown.
    if (isDoubled && times === 1 && !isTicker) {
      share /= 2
      unexplained += weight / 2
    }
    if (share < 1) isExact = false
    written += weight * share
  }
  let [name, whole] = [0, 0]
  for (const [i, word] of text.entries()) {
    const weight = weightOf(index, index.byWord.get(word)!.length)
    name += weight * shares[i]!
    whole += weight
  }
  return {
    written: written / total,
    name: isTicker ? 1 : whole === 0 ? 0 : name / whole,
    unexplained: Math.min(unexplained / total, 1),
    isExact,
  }
}
