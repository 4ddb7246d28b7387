import { readdirSync, readFileSync } from 'node:fs'

/** What Linux reports on one process. */
export interface ProcessNow {
  readonly pid: number
  readonly role: string
  readonly megabytes: number
  readonly descriptors: number
}

/** A process and its descendants, in order, without those that end meanwhile. */
export function processTree(pid: number, role = 'supervisor'): ProcessNow[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    const below = role === 'supervisor' ? 'worker' : 'statement process'
    return [
      { pid, role, megabytes: kilobytes / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length },
      ...children.flatMap(child => processTree(Number(child), below)),
    ]
  } catch {
    return []
  }
}
