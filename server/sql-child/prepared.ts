import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { QueryError } from '../../engine/errors.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { removeAbandoned } from '../../engine/owned-folder.ts'
import { version } from '../../engine/version.ts'
import { forkBare } from './fork.ts'
import type { Failed } from './messages.ts'
import { FILE } from './prepare.ts'
import type { Coverage } from './visible.ts'
import { thrown } from './worker.ts'

export interface PreparedDay {
  readonly snapshot: string
  /** A day to derive; null for the tables as they were published. */
  readonly day: string | null
  readonly coverage: Coverage
}

export interface Prepared {
  /** The database file of a day, made when it is first asked for. */
  file(day: PreparedDay): Promise<string>
  /** The database file of a day where it is there already. */
  ready(day: PreparedDay): string | null
  close(): void
}

/** Days that may wait to be made, and days of the past that are kept on disk. */
const WAITING = 4
const KEPT = 8

const nameOf = ({ snapshot, day, coverage }: PreparedDay): string => `${snapshot}-${day ?? 'own'}-${coverage}`

/**
 * Database files made from snapshots, in a folder of this user beside no lake: a build empties the lake's scratch, and
 * a server may have no right to write there. Processes of one machine share them.
 */
export async function openPrepared(lake: Lake, wanted?: string): Promise<Prepared> {
  const folder =
    wanted ?? join(tmpdir(), `tranche-sql-${digest(`${userInfo().uid} ${version} ${lake.root}`)}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const info = await lstat(folder)
  if (!info.isDirectory() || (process.getuid && info.uid !== process.getuid()))
    throw new Error(`${folder} is not a folder of this user: name another`)
  await removeAbandoned(folder)
  const making = new Map<string, Promise<string>>()
  const used: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  let stop = () => {}
  let closed = false

  const pathOf = (name: string) => join(folder, name, FILE)
  const touch = (name: string) => {
    const at = used.indexOf(name)
    if (at >= 0) used.splice(at, 1)
    used.push(name)
  }
  async function make(day: PreparedDay, name: string): Promise<string> {
    if (closed) throw new Error('the SQL runner is closed')
    const child = forkBare('prepare-child')
    stop = () => child.kill('SIGKILL')
    try {
      await new Promise<void>((resolve, reject) => {
        child.on('message', (reply: { kind: 'done' } | Failed) =>
          reply.kind === 'done' ? resolve() : reject(thrown(reply)),
        )
        child.on('exit', (code, signal) => reject(new Error(`preparing SQL ended: ${signal ?? code}`)))
        child.on('error', reject)
        child.send({ lake: lake.root, ...day, folder: join(folder, name) })
      })
    } finally {
      child.kill('SIGKILL')
    }
    await prune(day.snapshot)
    return pathOf(name)
  }
  /** Older snapshots go, but for the one before; so do days that were not asked about for long. */
  async function prune(snapshot: string): Promise<void> {
    const names = await readdir(folder)
    const snapshots = [...new Set(names.map(n => n.slice(0, 25)))].sort()
    const before = snapshots.filter(s => s < snapshot).at(-1)
    const past = used.filter(n => n.startsWith(snapshot) && !n.includes('-own-'))
    const old = new Set(past.slice(0, -KEPT))
    for (const name of names)
      if (
        !name.endsWith('.tmp') &&
        (old.has(name) || (name.slice(0, 25) < snapshot && name.slice(0, 25) !== before))
      )
        await rm(join(folder, name), { recursive: true, force: true })
  }
  return {
    file(day) {
      const name = nameOf(day)
      touch(name)
      if (existsSync(pathOf(name))) return Promise.resolve(pathOf(name))
      const before = making.get(name)
      if (before) return before
      if (making.size >= WAITING)
        return Promise.reject(
          new QueryError('OVERLOADED', 'too many days are being prepared for SQL: ask again later', {
            retry_after: 10,
          }),
        )
      // One at a time: each takes what the machine has.
      const made = last.then(() => make(day, name)).finally(() => making.delete(name))
      last = made.catch(() => {})
      making.set(name, made)
      return made
    },
    ready(day) {
      const path = pathOf(nameOf(day))
      return existsSync(path) ? path : null
    },
    close() {
      closed = true
      stop()
    },
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
