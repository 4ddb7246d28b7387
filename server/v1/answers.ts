/** Cached answers by ETag, as JSON without the request id. */
export interface ResponseCache {
  get(tag: string): Buffer | undefined
  keep(tag: string, pieces: readonly Buffer[]): void
}

/** ETags requested once: the current and the previous generation. */
const ONCE = 2048

/**
 * Caches the most recent answers up to the given number of bytes; none if 0. An answer is cached on its second request, because
 * most queries never repeat. An ETag names its snapshot, so nothing goes stale.
 */
export function responseCache(most: number): ResponseCache {
  const cached = new Map<string, Buffer>()
  let once = new Set<string>()
  let before = new Set<string>()
  let bytes = 0
  return {
    get(tag) {
      const found = cached.get(tag)
      if (found) {
        cached.delete(tag)
        cached.set(tag, found)
      }
      return found
    },
    keep(tag, pieces) {
      if (most === 0 || cached.has(tag)) return
      if (!once.delete(tag) && !before.delete(tag)) {
        once.add(tag)
        if (once.size < ONCE) return
        before = once
        once = new Set()
        return
      }
      const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
      if (size > most / 16) return
      cached.set(tag, Buffer.concat(pieces, size))
      bytes += size
      for (const [oldest, { byteLength }] of cached) {
        if (bytes <= most) break
        cached.delete(oldest)
        bytes -= byteLength
      }
    },
  }
}
