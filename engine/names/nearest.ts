import { distance } from 'fastest-levenshtein'

/**
 * The candidate that was probably meant: one letter off, else the shortest whose words begin as those written do
 * (`min_lev` and `min_leverage`), else the shortest that begins one letter off (`leverge` and `leverage_ratio`), else the
 * closest, if any is close enough.
 */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  if (written.length > 64) return undefined
  const query = written.toLowerCase()
  const beginnings = query.split(WORD_END).filter(word => word !== '')
  let best: string | undefined
  let least = Math.max(1, Math.floor(query.length / 2)) + 1
  let whole: string | undefined
  let begun: string | undefined
  for (const candidate of candidates) {
    if (isShorter(candidate, whole) && abbreviates(beginnings, candidate)) whole = candidate
    if (isShorter(candidate, begun) && beginsNear(beginnings, candidate)) begun = candidate
    if (Math.abs(candidate.length - query.length) >= least) continue
    const d = distance(query, candidate.toLowerCase())
    if (d < least) {
      least = d
      best = candidate
    }
  }
  return least <= 1 ? best : (whole ?? begun ?? best)
}

const isShorter = (candidate: string, than: string | undefined): boolean =>
  than === undefined || candidate.length < than.length

const WORD_END = /[^\p{L}\p{N}]+/u

/** Words shorter than this begin too many others. */
const SHORTEST_BEGINNING = 3

/** Whether words begin those of a name, in order; others may stand between them. */
function abbreviates(beginnings: readonly string[], name: string): boolean {
  if (!beginnings.some(word => word.length >= SHORTEST_BEGINNING)) return false
  const words = name.toLowerCase().split(WORD_END)
  let at = 0
  for (const beginning of beginnings) {
    while (at < words.length && !words[at]!.startsWith(beginning)) at++
    if (at++ >= words.length) return false
  }
  return true
}

/** Shorter text is one letter off too many words. */
const SHORTEST_NEAR = 5

/** Whether the first words of a name, as many as are written, are one letter off. */
function beginsNear(beginnings: readonly string[], name: string): boolean {
  const query = beginnings.join('_')
  if (query.length < SHORTEST_NEAR) return false
  const first = name.toLowerCase().split(WORD_END).slice(0, beginnings.length).join('_')
  return Math.abs(first.length - query.length) <= 1 && distance(query, first) <= 1
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
    .split(WORD_END)
    .filter(word => word.length >= PREFIX)
