/** Interval at which a worker is asked whether its event loop responds. */
export const PING_MS = 500
/** A worker that has not answered for this long is replaced. */
export const SILENT_MS = 5000
/** The same for a worker starved of processor time, of which only the time in which it could run counts as silence. */
export const STARVED_MS = 20_000
/** The most that one check adds. After a suspended or stalled machine the check itself is late, and proves nothing. */
const LONGEST_LOOK_MS = 2 * PING_MS

/** The result of one check of a worker. */
export interface Look {
  /** Whether it has answered since the last check. */
  readonly answered: boolean
  /** Milliseconds since the last check. */
  readonly elapsed: number
  /** Milliseconds of these in which it was ready to run and got no processor. */
  readonly starved: number
}

/** How long a worker has been silent, in milliseconds. */
export interface Silence {
  /** All of it, except while the machine was stopped. */
  readonly total: number
  /** The part of it in which the worker could run. */
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
