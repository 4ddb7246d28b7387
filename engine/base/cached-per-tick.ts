/** How old what was seen may be, in milliseconds: long turns of the event loop are no excuse. */
const FRESH_MS = 1

/**
 * Looks at most once in a turn of the event loop. Whoever asks later in the turn had asked before the look was taken: it
 * is in the next turn that questions arrive which know of a later change.
 */
export function cachedPerTick<T>(look: () => T): () => T {
  let seen: { readonly value: T; readonly at: number } | null = null
  const over = () => {
    seen = null
  }
  return () => {
    if (seen && performance.now() - seen.at < FRESH_MS) return seen.value
    if (!seen) setImmediate(over)
    seen = { value: look(), at: performance.now() }
    return seen.value
  }
}
