/** Longest definition that is read, characters. */
const LONGEST = 1500
/** Most definitions of an agreement. */
const MOST = 3000

/** A term with its meaning. */
export interface Definition {
  /** In small letters, `line a commitment`. */
  readonly label: string
  readonly says: string
  readonly from: number
  readonly to: number
}

// Some lists of terms have a colon for the verb: `"Commitment Termination Date" : the earlier of`.
const term =
  /"(?<label>[A-Z][^"]{1,60}?)"(?:\s{1,9}(?:means?|shall\s{1,9}mean|is\s{1,9}defined\s{1,9}as)\b|\s{0,9}:)/g

/** The terms that an agreement defines. */
export function definitionsIn(flat: string): Definition[] {
  const all = [...flat.matchAll(term)].slice(0, MOST)
  return all.map((match, i) => {
    const begin = match.index + match[0].length
    const to = Math.min(all[i + 1]?.index ?? flat.length, begin + LONGEST)
    const label = (match.groups?.['label'] ?? '').replace(/\s+/g, ' ').toLowerCase()
    return { label, says: flat.slice(begin, to), from: match.index, to }
  })
}
