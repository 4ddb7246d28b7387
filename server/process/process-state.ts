import { readFileSync } from 'node:fs'

/** Milliseconds that the main thread of a process has waited for a processor; 0 where the system does not say. */
export function starvedMs(pid: number): number {
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
    // The name of the program, in parentheses, may hold anything.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return states[text.charAt(text.lastIndexOf(')') + 2)] ?? 'in an unknown state'
  } catch {
    return 'in an unknown state'
  }
}
