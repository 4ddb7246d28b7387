/**
 * The results of some work on each item, in their order, at most so many at a time. Rejects with the first error, once
 * what was begun has ended; nothing is begun after it.
 */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const failed: unknown[] = []
  const worker = async () => {
    for (const [at, item] of left) {
      if (failed.length > 0) return
      try {
        results[at] = await work(item)
      } catch (error) {
        failed.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
  if (failed.length > 0) throw failed[0]
  return results
}
