import { distance } from 'fastest-levenshtein'

/** The candidate most like what was written, if any is near enough to be meant. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  if (written.length > 64) return undefined
  const asked = written.toLowerCase()
  let best: string | undefined
  let least = Math.max(1, Math.floor(asked.length / 2)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - asked.length) >= least) continue
    const d = distance(asked, candidate.toLowerCase())
    if (d < least) {
      least = d
      best = candidate
    }
  }
  return best
}

/** Letters that the beginnings of two words share where one may stand for the other. */
const PREFIX = 4

/**
 * The name that was perhaps meant: the nearest in letters, else the one with a word that begins as a word of what was written
 * does: `tech` and `Technology`, `financial services` and `Financials`.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const near = nearest(written, names)
  if (near !== undefined || written.length > 64) return near
  const asked = wordsOf(written)
  return names.find(name =>
    wordsOf(name).some(word => asked.some(other => word.slice(0, PREFIX) === other.slice(0, PREFIX))),
  )
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length >= PREFIX)
