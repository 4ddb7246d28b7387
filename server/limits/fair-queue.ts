import { QueryError } from '../../engine/base/errors.ts'

export interface FairQueueLimits {
  /** Concurrent tasks. */
  readonly running: number
  /** Concurrent tasks of one key. */
  readonly runningPerKey: number
  /** Queued tasks of one key. */
  readonly waitingPerKey: number
  /** Queued tasks in total. */
  readonly waiting: number
}

/** A task waiting for a slot: its key, and its deadline. */
export interface Wait {
  readonly key: string
  readonly signal?: AbortSignal | undefined
}

export interface FairQueue {
  /** A slot that is free at once, as what releases it, without the promises and signals of a wait; null if none is. */
  take(key: string): (() => void) | null
  /**
   * Waits for a slot; resolves to a function that releases it and may be called repeatedly. Rejects with OVERLOADED
   * if the queue is full, and with the signal's reason when aborted.
   */
  enter(wait: Wait): Promise<() => void>
}

interface Waiting {
  readonly start: () => void
  readonly reject: (error: unknown) => void
}

// Over 80 lines: small functions over the same queues and counters.
/**
 * Slots shared by key: each key has its own bounded queue, and the keys take turns. When the total is exceeded, the
 * last task of the longest queue makes room for a key with fewer.
 */
export function fairQueue(limits: FairQueueLimits, overloaded: () => QueryError = tooBusy): FairQueue {
  /** In order of turns; a key that had its turn goes to the end. */
  const queues = new Map<string, Waiting[]>()
  const runningOf = new Map<string, number>()
  let running = 0
  let waiting = 0

  const mayRun = (key: string): boolean =>
    running < limits.running && (runningOf.get(key) ?? 0) < limits.runningPerKey

  function start(key: string): () => void {
    running++
    runningOf.set(key, (runningOf.get(key) ?? 0) + 1)
    let released = false
    return () => {
      if (released) return
      released = true
      running--
      const left = runningOf.get(key)! - 1
      if (left > 0) runningOf.set(key, left)
      else runningOf.delete(key)
      startNext()
    }
  }

  function startNext(): void {
    for (const [key, queue] of queues) {
      if (running >= limits.running) return
      if (!mayRun(key)) continue
      const next = queue.shift()!
      waiting--
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      next.start()
    }
  }

  function remove(key: string, task: Waiting): void {
    const queue = queues.get(key)
    const at = queue?.indexOf(task) ?? -1
    if (at < 0) return
    queue!.splice(at, 1)
    waiting--
    if (queue!.length === 0) queues.delete(key)
  }

  /** Removes the last task of the longest queue, if one is longer than `length`. */
  function makeRoom(length: number): boolean {
    const [key, longest] = [...queues].reduce((a, b) => (b[1].length > a[1].length ? b : a))
    if (longest.length <= length) return false
    const last = longest.at(-1)!
    remove(key, last)
    last.reject(overloaded())
    return true
  }

  const take = (key: string) => (mayRun(key) && !queues.has(key) ? start(key) : null)

  return {
    take,
    enter({ key, signal }) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      const free = take(key)
      if (free) return Promise.resolve(free)
      const own = queues.get(key)?.length ?? 0
      if (own >= limits.waitingPerKey) return Promise.reject(overloaded())
      if (waiting >= limits.waiting && !(waiting > 0 && makeRoom(own + 1)))
        return Promise.reject(overloaded())
      return new Promise((resolve, reject) => {
        const leave = () => {
          remove(key, task)
          reject(signal!.reason)
        }
        const stopListening = () => signal?.removeEventListener('abort', leave)
        const task: Waiting = {
          start() {
            stopListening()
            resolve(start(key))
          },
          reject(error) {
            stopListening()
            reject(error)
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        const queue = queues.get(key)
        if (queue) queue.push(task)
        else queues.set(key, [task])
        waiting++
      })
    },
  }
}

const tooBusy = () =>
  new QueryError('OVERLOADED', 'too many heavy requests are queued: try again in a second', {
    retry_after: 1,
  })
