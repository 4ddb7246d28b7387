import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { usableThreads } from '../../engine/base/machine.ts'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW: LOWEST } = constants.priority
/** As far as it goes, or a busy thread loses milliseconds to statements now and then. A sole processor is shared. */
const STEPS = usableThreads() > 1 ? LOWEST : PRIORITY_BELOW_NORMAL

/**
 * Lets every other thread of this process give way to the one that answers, so that pages out of memory do not wait for
 * statements where those keep all processors busy. Threads that are started by others later do so too. On Linux, where
 * a thread has a priority of its own; elsewhere nothing happens.
 */
export function lowerOtherThreads(): void {
  for (const thread of threads()) if (thread !== process.pid) lowerPriority(thread)
}

/** Lets a thread, or a process that has just been started, give way to this one. */
export function lowerPriority(id: number): void {
  const lower = Math.min(LOWEST, getPriority() + STEPS)
  try {
    setPriority(id, lower)
  } catch {
    // It has ended meanwhile.
  }
}

function threads(): readonly number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return []
  }
}
