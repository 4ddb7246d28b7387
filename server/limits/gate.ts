import { QueryError } from '../../engine/base/errors.ts'

/** Waits for a turn; the returned function passes it on. */
export type Gate = (signal: AbortSignal) => Promise<() => void>

/** A semaphore with a bounded queue; beyond it callers are refused as OVERLOADED. */
export function gate({ running, waiting }: { running: number; waiting: number }): Gate {
  let free = running
  const queue: (() => void)[] = []
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else free++
  }
  const pass = () => {
    let gone = false
    return () => {
      if (!gone) leave()
      gone = true
    }
  }
  return async signal => {
    if (free > 0) {
      free--
      return pass()
    }
    if (queue.length >= waiting)
      throw new QueryError('OVERLOADED', 'too many heavy requests are running: try again in a second')
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', give)
        resolve()
      }
      const give = () => {
        queue.splice(queue.indexOf(enter), 1)
        reject(signal.reason)
      }
      queue.push(enter)
      signal.addEventListener('abort', give, { once: true })
    })
    return pass()
  }
}
