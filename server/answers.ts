/** Answers by their tag, as JSON that lacks only the id of the request. */
export interface Answers {
  get(tag: string): Buffer | undefined
  keep(tag: string, text: Buffer): void
}

/** Keeps what was asked last, up to so many bytes; none if 0. A tag names its snapshot, so that nothing goes stale. */
export function keptAnswers(most: number): Answers {
  const kept = new Map<string, Buffer>()
  let bytes = 0
  return {
    get(tag) {
      const found = kept.get(tag)
      if (found) {
        kept.delete(tag)
        kept.set(tag, found)
      }
      return found
    },
    keep(tag, text) {
      if (text.byteLength > most / 16 || kept.has(tag)) return
      kept.set(tag, text)
      bytes += text.byteLength
      for (const [oldest, { byteLength }] of kept) {
        if (bytes <= most) break
        kept.delete(oldest)
        bytes -= byteLength
      }
    },
  }
}
