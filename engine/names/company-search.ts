import { distance } from 'fastest-levenshtein'
import { elementAt } from '../base/elements.ts'

export interface NamedCompany {
  readonly ticker: string
  readonly name: string
}

/** Companies that a prefix of a name, or a misspelt name, may mean, most likely first. */
export type FindByName = (written: string, limit: number) => NamedCompany[]

/** Number of candidates to rank. */
const CANDIDATES = 100
const LONGEST = 64

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)

/**
 * FlexSearch finds candidates by prefix and by sound. They are ranked here by the share of letters to change,
 * allowing for an unfinished last word.
 */
export async function companySearch(companies: readonly NamedCompany[]): Promise<FindByName> {
  const { Charset, Index } = (await import('flexsearch')).default
  const exact = new Index({ tokenize: 'forward', encoder: Charset.LatinBalance })
  const alike = new Index({ tokenize: 'forward', encoder: Charset.LatinExtra })
  const words = companies.map(({ name }) => wordsOf(name))
  for (const [i, name] of words.entries()) {
    exact.add(i, name.join(' '))
    alike.add(i, name.join(' '))
  }
  return (written, limit) => {
    const query = wordsOf(written.slice(0, LONGEST))
    if (query.length === 0) return []
    const text = query.join(' ')
    const found = new Set(
      [exact, alike].flatMap(index => index.search(text, { limit: CANDIDATES, suggest: true })),
    )
    return [...(found as Set<number>)]
      .map(i => ({ i, off: changes(query, elementAt(words, i)) / text.length }))
      .filter(({ off }) => off <= 0.34)
      .sort(
        (a, b) => a.off - b.off || elementAt(words, a.i).length - elementAt(words, b.i).length || a.i - b.i,
      )
      .slice(0, limit)
      .map(({ i }) => elementAt(companies, i))
  }
}

/** Edit distance between what was written and the beginning of a name, from its best matching word on. */
function changes(query: readonly string[], words: readonly string[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let from = 0; from < words.length; from++) {
    let sum = from === 0 ? 0 : 0.5
    for (const [j, word] of query.entries()) {
      const other = words[from + j] ?? ''
      const unfinished = j === query.length - 1 ? other.slice(0, Math.max(word.length, 1)) : other
      sum += Math.min(distance(word, other), distance(word, unfinished))
    }
    least = Math.min(least, sum)
  }
  return least
}
