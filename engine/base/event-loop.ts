const waiting: (() => void)[] = []

/**
 * Ends where the event loop has given others their turn. Long work waits for it between its pieces; of all that wait one
 * goes on a turn, so that however many there are, a question waits for one piece and no more.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()!()
  if (waiting.length) setImmediate(next)
}
