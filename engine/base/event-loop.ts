const waiting: (() => void)[] = []

/**
 * Resolves in a later tick of the event loop. Long work awaits it between pieces. Only one waiter resumes per tick,
 * so a query never waits for more than one piece of work, however much is queued.
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
