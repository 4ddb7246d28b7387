import { QueryError } from '../../engine/base/errors.ts'

/** Waits for its turn; what it returns gives the turn to the next. */
export type Gate = (signal: AbortSignal) => Promise<() => void>

/** Lets so many run at once and so many wait; who comes then is told to come again. */
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
      throw new QueryError('OVERLOADED', 'too many heavy requests run at once: try again in a second')
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
