import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who writes to a lake. */
export interface Holder {
  readonly token: string
  readonly pid: number
  /** Boot of the machine and start of the process, where the system tells: a pid alone may be reused. */
  readonly started: string | null
  readonly host: string
  readonly command: string
  readonly since: string
}

/** True when the process is gone for certain; of another machine nothing is certain. */
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

/** `<boot>/<clock ticks from boot to the start of the process>`, null where there is no /proc. */
export function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command in parentheses may hold spaces; the start is the 22nd field of all.
    const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'gone' : `${boot}/${fields[18]}`
  } catch {
    return null
  }
}
