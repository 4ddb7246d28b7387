import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { usableThreads } from '../../engine/base/machine.ts'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW: LOWEST } = constants.priority
/**
 * The lowest priority; at a higher one a busy thread still loses milliseconds to statements. A single processor is
 * shared.
 */
const STEPS = usableThreads() > 1 ? LOWEST : PRIORITY_BELOW_NORMAL

/**
 * Lowers the priority of all threads of this process but the answering one, so that pages from memory do not wait for
 * statements when all processors are busy. Threads started later inherit it. Linux only, where threads have their own
 * priority.
 */
export function lowerOtherThreads(): void {
  for (const thread of threads()) if (thread !== process.pid) lowerPriority(thread)
}

/** Lowers the priority of a thread, or of a process just started. */
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
