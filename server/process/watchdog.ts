import { readFileSync } from 'node:fs'

/** Interval at which a worker's event loop is checked. */
export const PING_MS = 500
/** A worker that has not responded for this long is replaced. */
export const SILENT_MS = 5000
/** The same for one starved of processor time, counting only the time in which it ran. */
export const STARVED_MS = 20_000
/**
 * Maximum time counted per check. After a suspended or stalled machine the check itself is late and proves nothing.
 */
const LONGEST_LOOK_MS = 2 * PING_MS

/** The result of one check of a worker. */
export interface Look {
  /** Whether it has responded since the last check. */
  readonly answered: boolean
  /** Milliseconds since the last check. */
  readonly elapsed: number
  /** Milliseconds of these in which it was runnable without a processor. */
  readonly starved: number
}

/** How long a worker has been silent, in milliseconds. */
export interface Silence {
  /** In total, without machine stalls. */
  readonly total: number
  /** Only the time in which it could run. */
  readonly own: number
}

export const noSilence: Silence = { total: 0, own: 0 }

/** A worker's silence after another check. */
export function silence(before: Silence, { answered, elapsed, starved }: Look): Silence {
  if (answered) return noSilence
  const counted = Math.min(elapsed, LONGEST_LOOK_MS)
  return { total: before.total + counted, own: before.own + Math.max(0, counted - starved) }
}

export const isHung = ({ total, own }: Silence): boolean => own >= SILENT_MS || total >= STARVED_MS

/** Milliseconds that the main thread of a process has waited for a processor; 0 if unknown. */
export function starvedSoFar(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

const states: Readonly<Record<string, string>> = {
  R: 'running',
  S: 'asleep',
  D: 'waiting for a disk',
  T: 'stopped by a signal',
  t: 'stopped by a debugger',
  Z: 'dead',
}

/** What the main thread of a process is doing, in words. */
export function stateOf(pid: number): string {
  try {
    // The name of the program, in parentheses, may contain anything.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return states[text.charAt(text.lastIndexOf(')') + 2)] ?? 'in an unknown state'
  } catch {
    return 'in an unknown state'
  }
}

/** Pings one worker until stopped. */
export interface Watch {
  /** The worker has responded. */
  answered(): void
  stop(): void
}

export interface Watched {
  readonly pid: number
  readonly ping: () => void
  readonly onHung: () => void
}

export function watch({ pid, ping, onHung }: Watched): Watch {
  let answered = false
  let silent = noSilence
  let looked = performance.now()
  let starved = starvedSoFar(pid)
  ping()
  const timer = setInterval(() => {
    const now = performance.now()
    const waited = starvedSoFar(pid)
    silent = silence(silent, { answered, elapsed: now - looked, starved: waited - starved })
    looked = now
    starved = waited
    if (isHung(silent)) {
      clearInterval(timer)
      onHung()
    } else if (answered) {
      answered = false
      ping()
    }
  }, PING_MS)
  return {
    answered() {
      answered = true
    },
    stop: () => clearInterval(timer),
  }
}
