import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDead, startOf } from './lake/lock.ts'

const PREFIX = 'tranche-spill-'

/** The process that owns a folder. A process id alone may be reused, so its start is part of it. */
interface Owner {
  readonly host: string
  readonly pid: number
  readonly started: string | null
}

let own: string | null | undefined

/**
 * A path for the spill files of one database, in a folder of this process under the system's temporary folder. DuckDB
 * creates it when it first spills and removes it when the database closes. Null where there is no folder to write to: then
 * statements stay within their memory.
 */
export function newSpillFolder(): string | null {
  if (own === undefined) own = makeProcessFolder()
  return own && join(own, randomUUID())
}

/** Readable by this user only. It is removed when the process exits; the next process clears what a killed one left. */
function makeProcessFolder(): string | null {
  const owner: Owner = { host: hostname(), pid: process.pid, started: startOf(process.pid) }
  const folder = join(tmpdir(), nameOf(owner))
  try {
    removeLeftovers()
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    return null
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = ownerIn(name)
    if (!owner || !isDead(owner)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // The folder of another user: only that user may remove it.
    }
  }
}

const nameOf = ({ host, pid, started }: Owner): string =>
  `${PREFIX}${Buffer.from(JSON.stringify([host, pid, started])).toString('base64url')}.${randomUUID().slice(0, 8)}`

function ownerIn(name: string): Owner | null {
  if (!name.startsWith(PREFIX)) return null
  const [identity] = name.slice(PREFIX.length).split('.')
  try {
    const [host, pid, started] = JSON.parse(Buffer.from(identity!, 'base64url').toString()) as unknown[]
    return typeof host === 'string' && Number.isSafeInteger(pid)
      ? { host, pid: pid as number, started: typeof started === 'string' ? started : null }
      : null
  } catch {
    return null
  }
}
