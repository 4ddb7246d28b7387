/** How often a worker is asked whether its event loop still turns. */
export const PING_MS = 500
/** A worker that has not answered for this long is replaced. */
export const SILENT_MS = 5000
/** The same for one that other processes hardly let run, of which only the time counts in which it did. */
export const STARVED_MS = 20_000
/** The most that one look counts. After a suspended or stalled machine the look itself is late, and proves nothing. */
const LONGEST_LOOK_MS = 2 * PING_MS

/** What one look at a worker finds. */
export interface Look {
  /** Whether it has answered since it was last asked. */
  readonly answered: boolean
  /** Milliseconds since the last look. */
  readonly elapsed: number
  /** Milliseconds of these in which it was ready to run and got no processor. */
  readonly starved: number
}

/** How long a worker has been silent, in milliseconds. */
export interface Silence {
  /** All of it, without what the machine stood still. */
  readonly total: number
  /** Of this, the time in which other processes let it run. */
  readonly own: number
}

export const noSilence: Silence = { total: 0, own: 0 }

/** The silence of a worker with another look at it. */
export function silence(before: Silence, { answered, elapsed, starved }: Look): Silence {
  if (answered) return noSilence
  const counted = Math.min(elapsed, LONGEST_LOOK_MS)
  return { total: before.total + counted, own: before.own + Math.max(0, counted - starved) }
}

export const isHung = ({ total, own }: Silence): boolean => own >= SILENT_MS || total >= STARVED_MS
