import { createHash, randomUUID } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDead, startOf } from './process-identity.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** Identifies a process in a file name: its id, start time and host. */
export const ownerTag = (pid = process.pid): string =>
  `${pid}.${digest(startOf(pid) ?? '')}.${digest(hostname())}`

const TAG = /(?<=[-.])(\d+)\.([0-9a-f]{12})\.([0-9a-f]{12})(?=[-.]|$)/

/** Whether the process named in a file name is certainly gone. Unknown for another host or container. */
export function isAbandoned(name: string): boolean {
  const [, pid, started, host] = TAG.exec(name) ?? []
  if (pid === undefined || host !== digest(hostname())) return false
  const now = startOf(Number(pid))
  const isSame = now === null || digest(now) === started
  return !isSame || isDead({ host: hostname(), pid: Number(pid), started: null })
}

/** An unguessable path in the system's temporary folder that belongs to this process; not created yet. */
export const ownedPath = (purpose: string): string =>
  resolve(tmpdir(), `tranche-${purpose}-${ownerTag()}-${randomUUID()}`)

/** Removes what killed processes left in a folder; returns the names. */
export async function removeAbandoned(folder = tmpdir()): Promise<string[]> {
  const removed: string[] = []
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    if (!isAbandoned(name)) continue
    const path = join(folder, name)
    const info = await lstat(path).catch(() => null)
    if (!info || (process.getuid && info.uid !== process.getuid())) continue
    // Another process may be removing it too.
    await rm(path, { recursive: true, force: true }).then(
      () => removed.push(name),
      () => {},
    )
  }
  return removed
}
