import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { usableThreads } from '../../engine/base/machine.ts'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW: LOWEST } = constants.priority
/**
 * Of this process's other threads. The lowest: at a higher one the answering thread still loses milliseconds to
 * statements. A single processor is shared.
 */
const THREADS = usableThreads() > 1 ? LOWEST : PRIORITY_BELOW_NORMAL
/**
 * Of other processes. At the lowest priority they hardly run beside busy workers, and their statements run out of
 * time: 62 of 100,000 requests of a saturated server, against two.
 */
const PROCESSES = PRIORITY_BELOW_NORMAL

/**
 * Lowers the priority of all threads of this process but the answering one, so that pages from memory do not wait for
 * statements when all processors are busy. Threads started later inherit it. Linux only, where threads have their own
 * priority.
 */
export function lowerOtherThreads(): void {
  for (const thread of threads()) if (thread !== process.pid) lower(thread, THREADS)
}

/** Lowers the priority of a process just started. */
export const lowerProcess = (id: number): void => lower(id, PROCESSES)

function lower(id: number, steps: number): void {
  try {
    setPriority(id, Math.min(LOWEST, getPriority() + steps))
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
