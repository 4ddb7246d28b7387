/** Maximum age of a cached value in milliseconds, in case one tick of the event loop runs long. */
const FRESH_MS = 1

/**
 * Caches the result of `look` for the current tick of the event loop. A caller that knows of a later change can only
 * arrive in a later tick, so nobody sees a stale value.
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
