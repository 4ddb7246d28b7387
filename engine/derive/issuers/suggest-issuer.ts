import { distance } from 'fastest-levenshtein'
import { elementAt, firstOf } from '../../base/elements.ts'
import { issuerName } from '../../names/issuer-name.ts'

export interface Suggestion<C> {
  readonly company: C
  /** 0 to 1, 1 for the same name. */
  readonly likeness: number
}

// Words shared by more companies than this are uninformative, and would make every name a candidate.
const COMMON = 400
const LONGEST = 120

/**
 * Finds companies with similar names, best first. The index over all companies is built once; a lookup considers only
 * companies that share a word, or the beginning of the first one.
 */
export function suggester<C extends { readonly name: string }>(
  companies: readonly C[],
): (name: string, limit?: number, least?: number) => Suggestion<C>[] {
  const bases = companies.map(company => issuerName(company.name))
  const byWord = new Map<string, number[]>()
  for (const [i, { full }] of bases.entries())
    for (const word of keysOf(full)) {
      const list = byWord.get(word)
      if (list) list.push(i)
      else byWord.set(word, [i])
    }
  return (name, limit = 5, least = 0.5) => {
    const wanted = issuerName(name.slice(0, LONGEST))
    const candidates = new Set<number>()
    for (const word of keysOf(wanted.full)) {
      const list = byWord.get(word) ?? []
      if (list.length <= COMMON) for (const i of list) candidates.add(i)
    }
    return [...candidates]
      .map(i => ({
        company: elementAt(companies, i),
        likeness: likeness(wanted.base, elementAt(bases, i).base),
      }))
      .filter(
        ({ company, likeness }) =>
          likeness >= least && beginsAlike(wanted.full, issuerName(company.name).full),
      )
      .sort((a, b) => b.likeness - a.likeness || (a.company.name < b.company.name ? -1 : 1))
      .slice(0, limit)
  }
}

/** Words of three letters or more, the name's prefix, and the sound of its first word: `APLE` is near `APPLE`. */
function keysOf(full: string): Set<string> {
  const words = full.split(' ')
  const sound = `${firstOf(words)[0] ?? ''}${firstOf(words)
    .slice(1)
    .replace(/[AEIOUY]/g, '')}`.replace(/(.)\1+/g, '$1')
  return new Set([
    ...words.filter(word => word.length > 2),
    `^${words.join('').slice(0, 4)}`,
    `~${sound.slice(0, 4)}`,
  ])
}

/** Changed letters of a first word that may be slips. */
const SLIPS = 0.34

/** Names that share only words such as Oil, Capital or Energy are of different companies: the first words must be near. */
function beginsAlike(one: string, other: string): boolean {
  const [a, b] = [firstOf(one.split(' ')), firstOf(other.split(' '))]
  return a.startsWith(b) || b.startsWith(a) || distance(a, b) <= SLIPS * Math.max(a.length, b.length)
}

/** If one name is a prefix of the other, the shared part counts; otherwise the edit distance. */
function likeness(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (long === '') return 0
  if (long.startsWith(short)) return 0.5 + short.length / long.length / 2
  return 1 - distance(one, other.slice(0, LONGEST)) / long.length
}
