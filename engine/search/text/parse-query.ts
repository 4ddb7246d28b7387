import { firstOf } from '../../base/elements.ts'
import { append } from '../../base/lists.ts'
import { functionWords, termsOf } from './words.ts'

/** A parsed query: words and phrases of stemmed terms, combined. */
export type Query =
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'phrase'; readonly terms: readonly string[] }
  | { readonly kind: 'and'; readonly all: readonly Query[]; readonly without: readonly Query[] }
  | { readonly kind: 'or'; readonly any: readonly Query[] }

export interface ParsedQuery {
  /** Null if the query is empty. */
  readonly query: Query | null
  readonly warnings: readonly string[]
  /** No operator, quote or exclusion: plain words, in brackets or not. */
  readonly plain: boolean
}

/** Maximum nesting of groups; deeper brackets are ignored. */
const DEEPEST = 40
/** Maximum number of words and phrases in a query. */
const MOST_LEAVES = 1024

type Token =
  | { readonly kind: '(' | ')' | 'or' | '-' }
  | { readonly kind: 'and' }
  | { readonly kind: 'words'; readonly terms: readonly string[]; readonly quoted: boolean }

/**
 * Parses words, "phrases", OR, -exclusion and (groups); adjacent words are combined with AND. Never fails: invalid
 * syntax is read as words, with a warning.
 */
export function parseQuery(text: string): ParsedQuery {
  const warnings = new Set<string>()
  const tokens = bounded(tokensOf(text, warnings), warnings)
  const plain = tokens.every(t => t.kind === '(' || t.kind === ')' || (t.kind === 'words' && !t.quoted))
  let at = 0
  let depth = 0

  const readOr = (): Query | null => {
    const any: Query[] = []
    let wanted = false
    for (;;) {
      const query = readAnd()
      if (query) any.push(query)
      else if (wanted || tokens[at]?.kind === 'or') warnings.add('OR has nothing on one of its sides')
      wanted = tokens[at]?.kind === 'or'
      if (!wanted) break
      at++
    }
    return any.length > 1 ? { kind: 'or', any } : (any[0] ?? null)
  }

  const readAnd = (): Query | null => {
    const all: Query[] = []
    const without: Query[] = []
    for (;;) {
      while (tokens[at]?.kind === 'and') at++
      const token = tokens[at]
      if (!token || token.kind === 'or' || (token.kind === ')' && depth > 0)) break
      const excluded = token.kind === '-'
      if (excluded) at++
      const query = readOne()
      if (query) (excluded ? without : all).push(query)
    }
    if (without.length > 0 && all.length === 0) {
      warnings.add('there is nothing to exclude from: excluded words are read as words')
      append(all, without.splice(0))
    }
    return without.length === 0 && all.length <= 1 ? (all[0] ?? null) : { kind: 'and', all, without }
  }

  const readOne = (): Query | null => {
    const token = tokens[at++]
    if (!token) return null
    if (token.kind === 'words') return leaf(token.terms)
    if (token.kind === '(' && depth < DEEPEST) {
      depth++
      const query = readOr()
      depth--
      if (tokens[at]?.kind === ')') at++
      else warnings.add('a bracket is not closed')
      if (!query) warnings.add('a group is empty')
      return query
    }
    warnings.add(
      token.kind === '('
        ? `groups go at most ${DEEPEST} deep: brackets below are left out`
        : 'a bracket is closed that was not opened',
    )
    return null
  }

  const query = readOr()
  return { query, warnings: [...warnings], plain }
}

const leaf = (terms: readonly string[]): Query | null =>
  terms.length > 1
    ? { kind: 'phrase', terms }
    : terms.length === 1
      ? { kind: 'term', term: firstOf(terms) }
      : null

/** Without quotes, brackets and operators: pieces between blanks, `investment-grade` being a phrase of two terms. */
function tokensOf(text: string, warnings: Set<string>): Token[] {
  const tokens: Token[] = []
  let from = 0
  const words = (part: string, quoted: boolean) => {
    const terms = termsOf(part)
    if (terms.length > 0) tokens.push({ kind: 'words', terms, quoted })
    return terms.length > 0
  }
  const pattern = /["“”]|[()]|[^\s"“”()]+/gu
  for (;;) {
    pattern.lastIndex = from
    const found = pattern.exec(text)
    if (!found) return tokens
    const [piece] = found
    from = pattern.lastIndex
    if (/^["“”]$/.test(piece)) {
      const end = text.slice(from).search(/["“”]/)
      if (end < 0) {
        warnings.add('a quote is not closed: what follows it is read as words')
        continue
      }
      if (!words(text.slice(from, from + end), true)) warnings.add('a phrase holds no word')
      from += end + 1
    } else if (piece === '(' || piece === ')') tokens.push({ kind: piece })
    else if (piece === 'OR') tokens.push({ kind: 'or' })
    else if (piece === 'AND') tokens.push({ kind: 'and' })
    else if (/^[-−–]+$/.test(piece)) {
      if (piece === '-' && /^["“”(]/.test(text.slice(from))) tokens.push({ kind: '-' })
    } else if (/^-[^-]/.test(piece)) {
      tokens.push({ kind: '-' })
      if (!words(piece, false)) tokens.pop()
    } else words(piece, false)
  }
}

function bounded(tokens: readonly Token[], warnings: Set<string>): readonly Token[] {
  let leaves = 0
  const kept = tokens.filter(token => token.kind !== 'words' || ++leaves <= MOST_LEAVES)
  if (leaves > MOST_LEAVES)
    warnings.add(`only the first ${MOST_LEAVES} of ${leaves} words and phrases are looked for`)
  return kept
}

/** The significant terms of a query, any of which may match; a repeated one counts twice. */
export function anyWord(text: string): Query | null {
  const terms = termsOf(text)
  const said = terms.filter(term => !functionWords.has(term))
  const any = (said.length > 0 ? said : terms)
    .slice(0, MOST_LEAVES)
    .map((term): Query => ({ kind: 'term', term }))
  return any.length > 1 ? { kind: 'or', any } : (any[0] ?? null)
}

/** Two words that a query has side by side, with nothing but function words between. */
export interface WordPair {
  readonly terms: readonly [string, string]
  /** How many words the second comes after the first. */
  readonly apart: number
}

/** Words side by side in a query; not those that OR, a bracket or an exclusion keeps apart. */
export function wordPairs(query: Query): WordPair[] {
  const pairs = new Map<string, WordPair>()
  const collect = (part: Query) => {
    if (part.kind === 'or') for (const one of part.any) collect(one)
    if (part.kind === 'or' || part.kind === 'term') return
    let before: { readonly term: string; readonly at: number } | null = null
    let at = 0
    for (const one of part.kind === 'phrase' ? [part] : part.all) {
      if (one.kind === 'and' || one.kind === 'or') {
        collect(one)
        before = null
        continue
      }
      for (const term of one.kind === 'phrase' ? one.terms : [one.term]) {
        at++
        if (functionWords.has(term)) continue
        if (before !== null) {
          const apart = at - before.at
          pairs.set(`${before.term} ${apart} ${term}`, { terms: [before.term, term], apart })
        }
        before = { term, at }
      }
    }
  }
  collect(query)
  return [...pairs.values()]
}

/** The words and phrases of a query with their counts, without exclusions. */
export function wordsAndPhrases(query: Query) {
  const words = new Map<string, number>()
  const phrases = new Map<string, { readonly terms: readonly string[]; readonly times: number }>()
  const collect = (part: Query) => {
    if (part.kind === 'term') words.set(part.term, (words.get(part.term) ?? 0) + 1)
    else if (part.kind === 'phrase') {
      const key = part.terms.join(' ')
      phrases.set(key, { terms: part.terms, times: (phrases.get(key)?.times ?? 0) + 1 })
    } else for (const one of part.kind === 'or' ? part.any : part.all) collect(one)
  }
  collect(query)
  return { words, phrases }
}
