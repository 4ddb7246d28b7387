/** A group waits for nobody beyond this many. */
const MOST = 1000

interface Waiting<A, R> {
  readonly asked: A
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

/**
 * Does together what is asked within one turn of the event loop, and while the group before is at work. Whoever is
 * alone waits for nobody. `work` returns the results in the order of what was asked.
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
