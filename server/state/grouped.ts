/** A group of this size does not wait. */
const MOST = 1000

interface Waiting<A, R> {
  readonly asked: A
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches calls made within one tick of the event loop, and while the previous batch runs. A lone call does not wait.
 * `work` returns results in input order.
 */
export function grouped<A, R>(
  work: (asked: readonly A[]) => Promise<readonly R[]>,
): (asked: A) => Promise<R> {
  const waiting: Waiting<A, R>[] = []
  let atWork = false

  async function next(): Promise<void> {
    const group = waiting.splice(0, MOST)
    try {
      const results = await work(group.map(({ asked }) => asked))
      for (const [i, { resolve }] of group.entries()) resolve(results[i] as R)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    atWork = false
    begin()
  }
  function begin(): void {
    if (atWork || waiting.length === 0) return
    atWork = true
    setImmediate(next)
  }
  return asked =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      begin()
    })
}
