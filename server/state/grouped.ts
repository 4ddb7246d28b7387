/** A group of this size does not wait. */
const MAX_GROUP = 1000

interface Waiting<A, R> {
  readonly input: A
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches calls made within one tick of the event loop, and while the previous batch runs. A lone call does not wait.
 * `run` returns results in input order.
 */
export function grouped<A, R>(
  run: (inputs: readonly A[]) => Promise<readonly R[]>,
): (input: A) => Promise<R> {
  const waiting: Waiting<A, R>[] = []
  let isRunning = false

  async function next(): Promise<void> {
    const group = waiting.splice(0, MAX_GROUP)
    try {
      const results = await run(group.map(({ input }) => input))
      for (const [i, { resolve }] of group.entries()) resolve(results[i] as R)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    isRunning = false
    begin()
  }
  function begin(): void {
    if (isRunning || waiting.length === 0) return
    isRunning = true
    setImmediate(next)
  }
  return input =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      begin()
    })
}
