import { starvedMs } from './process-state.ts'
import { isHung, noSilence, PING_MS, silence } from './silence.ts'

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
  let starved = starvedMs(pid)
  ping()
  const timer = setInterval(() => {
    const now = performance.now()
    const waited = starvedMs(pid)
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
