import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** The process that holds a lake's write lock. */
export interface Holder {
  readonly token: string
  readonly pid: number
  /** Boot id of the machine and start time of the process, where known: a pid alone may be reused. */
  readonly started: string | null
  readonly host: string
  readonly command: string
  readonly since: string
}

/** True when the process is certainly gone; unknown for another machine. */
export function isDead(holder: Pick<Holder, 'host' | 'pid' | 'started'>): boolean {
  if (holder.host !== hostname()) return false
  if (holder.pid <= 0) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
  const started = startOf(holder.pid)
  return holder.started !== null && started !== null && holder.started !== started
}

/** `<boot>/<clock ticks from boot to the start of the process>`; null without /proc. */
export function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command in parentheses may contain spaces; the start time is field 22.
    const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'gone' : `${boot}/${fields[18]}`
  } catch {
    return null
  }
}
