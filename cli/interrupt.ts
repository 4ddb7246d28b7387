import { exits } from './errors.ts'

const controller = new AbortController()
let working = 0

/** How long work may take to stop before it is cut off. */
const GRACE_MS = 5000

/** Ctrl-C ends the program with 130: work that can stop by itself does so first, and leaves everything whole. */
export function followInterrupts(): void {
  process.on('SIGINT', () => {
    if (working === 0) process.exit(exits.interrupted)
    if (controller.signal.aborted) cutOff()
    controller.abort(new Error('interrupted'))
    setTimeout(cutOff, GRACE_MS).unref()
  })
}

/** An exit would wait for the statement that native code runs, however long: the signal's own effect does not. */
function cutOff(): void {
  process.emit('exit', exits.interrupted)
  process.removeAllListeners('SIGINT')
  process.kill(process.pid, 'SIGINT')
}

/** Work that ends soon after its signal says so. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  working++
  try {
    return await work(controller.signal)
  } finally {
    working--
  }
}

export const interrupted = (): boolean => controller.signal.aborted
