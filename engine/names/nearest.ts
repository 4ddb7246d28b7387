import { distance } from 'fastest-levenshtein'

/** The candidate closest to what was written, if any is close enough. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  if (written.length > 64) return undefined
  const query = written.toLowerCase()
  let best: string | undefined
  let least = Math.max(1, Math.floor(query.length / 2)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - query.length) >= least) continue
    const d = distance(query, candidate.toLowerCase())
    if (d < least) {
      least = d
      best = candidate
    }
  }
  return best
}

/** Length of the common prefix at which two words are treated as the same. */
const PREFIX = 4

/**
 * The likely intended name: the nearest by edit distance, else one with a word that shares a prefix with a written
 * word: `tech` and `Technology`, `financial services` and `Financials`.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const near = nearest(written, names)
  if (near !== undefined || written.length > 64) return near
  const query = wordsOf(written)
  return names.find(name =>
    wordsOf(name).some(word => query.some(other => word.slice(0, PREFIX) === other.slice(0, PREFIX))),
  )
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length >= PREFIX)
