import { exits } from './errors.ts'

const controller = new AbortController()
let working = 0
let received: NodeJS.Signals | undefined

/** How long work may take to stop before the process is killed: a signal ends a command within a second. */
const GRACE_MS = 700

const codes: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: exits.hungUp,
  SIGINT: exits.interrupted,
  SIGTERM: exits.terminated,
}

/** Ctrl-C ends the program with 130, after letting work stop cleanly. */
export function followInterrupts(): void {
  process.on('SIGINT', stop)
}

function stop(signal: NodeJS.Signals): void {
  if (working === 0) process.exit(codes[signal])
  if (controller.signal.aborted) kill()
  else {
    received = signal
    controller.abort(new Error('interrupted'))
    setTimeout(kill, GRACE_MS).unref()
  }
}

/**
 * Ends the process by the signal's default action. An exit would wait for native code, however long. The next writer
 * of the lake clears what was half written, as after a crash.
 */
function kill(): void {
  const signal = received!
  process.emit('exit', codes[signal]!)
  // In a container the kernel ignores an unhandled signal for the first process.
  if (process.pid === 1) process.exit(codes[signal])
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

const alsoFollowed = ['SIGTERM', 'SIGHUP'] as const

/** Work that stops soon after its signal is aborted; SIGTERM and SIGHUP then end the program as Ctrl-C does. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (working++ === 0) for (const signal of alsoFollowed) process.on(signal, stop)
  try {
    return await work(controller.signal)
  } finally {
    if (--working === 0 && !received) for (const signal of alsoFollowed) process.off(signal, stop)
  }
}

/** The exit code of a program ended by a signal; undefined if there was none. */
export const interruptedCode = (): number | undefined => received && codes[received]
