import { exits } from './errors.ts'

const controller = new AbortController()
let ending = 0

/** Ctrl-C ends the program with 130: at once, or as soon as work that can stop by itself has stopped. */
export function followInterrupts(): void {
  process.on('SIGINT', () => {
    if (ending === 0 || controller.signal.aborted) process.exit(exits.interrupted)
    process.stderr.write('\nstopping; press Ctrl-C again to end at once\n')
    controller.abort()
  })
}

/** Work that ends soon after its signal says so, leaving everything whole. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  ending++
  try {
    return await work(controller.signal)
  } finally {
    ending--
  }
}

export const interrupted = (): boolean => controller.signal.aborted
