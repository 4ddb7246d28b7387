import { eachSpan } from './words.ts'

const LONGEST = 320
/** Characters shown before the first word that matches. */
const LEAD = 60

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, c => entities[c]!) : text

interface Place {
  readonly start: number
  readonly end: number
  readonly term: string
}

/**
 * The part of a passage that says most of what was asked for, at most about 320 characters, as HTML: words whose term is
 * asked for stand in `<b>`, everything else is escaped.
 * @param said terms asked for by the number of the passage's word that says them
 * @param weights of the terms asked for
 */
export function snippet(
  passage: string,
  said: ReadonlyMap<number, string>,
  weights: ReadonlyMap<string, number>,
): string {
  const places: Place[] = []
  const starts: number[] = []
  const last = Math.max(-1, ...said.keys())
  eachSpan(passage, (start, end) => {
    const term = said.get(starts.push(start) - 1)
    if (term !== undefined) places.push({ start, end, term })
    // After the last match no more is looked at than can be shown.
    return starts.length <= last || start <= (places.at(-1)?.start ?? 0) + LONGEST
  })
  const first = bestStart(places, weights)
  const from = first <= LEAD ? 0 : (starts.find(start => start >= first - LEAD) ?? first)
  let to = from + LONGEST
  if (to >= passage.length) to = passage.length
  else {
    // Not in the middle of a word, unless it is longer than all that is shown.
    const cut = starts.findLast(start => start <= to && start > from)
    if (cut !== undefined) to = cut
  }
  let html = from > 0 ? '… ' : ''
  let at = from
  for (const { start, end } of places) {
    if (start < from || start >= to) continue
    const stop = Math.min(end, to)
    html += `${escapeHtml(passage.slice(at, start))}<b>${escapeHtml(passage.slice(start, stop))}</b>`
    at = stop
  }
  html += escapeHtml(passage.slice(at, to))
  // Most passages have single spaces alone.
  const single = /[^\S ]|\s\s/.test(html) ? html.replaceAll(/\s+/g, ' ') : html
  return `${single.trim()}${to < passage.length ? ' …' : ''}`
}

/** The match from which on a snippet says the most different terms. */
function bestStart(places: readonly Place[], weights: ReadonlyMap<string, number>): number {
  let best = 0
  let most = -1
  const inside = new Map<string, number>()
  let sum = 0
  let end = 0
  for (const [i, { start, term }] of places.entries()) {
    for (; end < places.length && places[end]!.end - start <= LONGEST - LEAD; end++) {
      const entering = places[end]!.term
      const times = inside.get(entering) ?? 0
      inside.set(entering, times + 1)
      sum += times === 0 ? weights.get(entering)! : weights.get(entering)! / 20
    }
    if (sum > most + 1e-9) {
      most = sum
      best = start
    }
    if (i < end) {
      const left = inside.get(term)! - 1
      inside.set(term, left)
      sum -= left === 0 ? weights.get(term)! : weights.get(term)! / 20
    }
  }
  return best
}
