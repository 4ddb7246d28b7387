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
