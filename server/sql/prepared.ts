import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { QueryError } from '../../engine/base/errors.ts'
import { removeAbandoned } from '../../engine/base/owned-folder.ts'
import { version } from '../../engine/base/version.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { type FairQueue, fairQueue } from '../limits/fair-queue.ts'
import { forkBare } from './fork.ts'
import type { Failed, Prepared as Reply } from './messages.ts'
import type { DaysOfTables } from './prepare-days.ts'
import { FILE, scratchOf } from './prepared-folder.ts'
import type { Coverage } from './visible.ts'
import { errorOf } from './worker.ts'

export interface PreparedDay {
  readonly snapshot: string
  /** A day to derive; null for the published tables. */
  readonly day: string | null
  /** Of a day to derive, the tables wanted; default all. */
  readonly tables?: readonly string[]
  /** Instead, some tables as of several days. */
  readonly over?: DaysOfTables
  readonly coverage: Coverage
}

/** A query that waits for a day. */
export interface Waiter {
  readonly key: string
  /** Aborted when the query's time is over, or its caller has left. */
  readonly signal?: AbortSignal
  /** Aborted when the caller has left. */
  readonly caller?: AbortSignal | undefined
}

export interface Prepared {
  /**
   * The database file of a day, made on first use and shared by all callers. If nobody waits for a day any more, it
   * is cancelled: at once if the callers have left, and after `PATIENCE` if they timed out, so that a retry finds it.
   */
  file(day: PreparedDay, waiter: Waiter): Promise<string>
  /** The database file of a day, if it exists. */
  ready(day: PreparedDay): string | null
  /** How many days of a file are derived while it is made. */
  progress(day: PreparedDay): number
  close(): void
}

/** Days made concurrently, at most one per key; and days queued per key and in total. */
const MAKING = 2
const WAITING_PER_KEY = 4
const WAITING = 32
/** Milliseconds for which a file of many days is made before others' turn. */
const TURN = 5000
/** The queue key for the published tables. No caller's key looks like it. */
const SERVER = '(server)'
/** Files of past days kept on disk. */
const KEPT = 16
/** Milliseconds for which a day is still made after its callers timed out. */
const PATIENCE = 30_000

/** A day that is being made, or is queued. */
class Making {
  readonly file: Promise<string>
  readonly cancel = new AbortController()
  /** Keys in whose queues it waits; the first turn makes it. */
  readonly keys = new Set<string>()
  /** Number of days that are derived. */
  ready = 0
  private begun = false
  private resolve!: (file: string) => void
  private reject!: (error: unknown) => void
  private readonly waiters = new Set<Waiter>()
  private patience: NodeJS.Timeout | undefined

  constructor() {
    this.file = new Promise<string>((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    }).finally(() => clearTimeout(this.patience))
    this.file.catch(() => {})
  }

  /** Counts a caller as waiting until the day is made or the caller's time is over. */
  add(waiter: Waiter): void {
    this.waiters.add(waiter)
    clearTimeout(this.patience)
    const leave = () => this.leave(waiter)
    if (waiter.signal?.aborted) leave()
    waiter.signal?.addEventListener('abort', leave, { once: true })
    this.file.catch(() => {}).finally(() => waiter.signal?.removeEventListener('abort', leave))
  }

  /**
   * Makes the day in the turn of a key; many days take several turns. If another key's turn came first, this one is
   * released at once.
   */
  async makeInTurn(
    slots: FairQueue,
    key: string,
    make: (making: Making) => Promise<string | null>,
  ): Promise<void> {
    const { signal } = this.cancel
    try {
      let file: string | null = null
      for (let turn = 1; file === null; turn++) {
        const leave = await slots.enter({ key, signal })
        try {
          if (turn === 1 && this.begun) return
          this.begun = true
          file = await make(this)
        } finally {
          leave()
        }
      }
      this.resolve(file)
    } catch (error) {
      this.keys.delete(key)
      // If one key's queue is full, the other keys that wait for the day may still make it.
      if (this.begun || this.keys.size === 0) this.reject(error)
    }
  }

  private leave(waiter: Waiter): void {
    this.waiters.delete(waiter)
    if (this.waiters.size > 0) return
    const stop = () => this.cancel.abort(new Error('nobody waits for this day any more'))
    if (!this.begun || waiter.caller?.aborted) stop()
    else this.patience = setTimeout(stop, PATIENCE).unref()
  }
}

function nameOf({ snapshot, day, tables, over, coverage }: PreparedDay): string {
  const some = tables ? `-${digest(JSON.stringify(tables))}` : ''
  const days = over ? `days-${digest(JSON.stringify([over.dates, over.tables]))}` : (day ?? 'own') + some
  return `${snapshot}-${days}-${coverage}`
}

/** The folder of the database files; throws if it does not belong to this user. */
async function folderOf(lake: Lake, wanted: string | undefined): Promise<string> {
  const folder =
    wanted ?? join(tmpdir(), `tranche-sql-${digest(`${userInfo().uid} ${version} ${lake.root}`)}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const info = await lstat(folder)
  if (!info.isDirectory() || (process.getuid && info.uid !== process.getuid()))
    throw new Error(`${folder} is not a folder of this user: name another`)
  await removeAbandoned(folder)
  return folder
}

/** Sends a child process its work; resolves when it ends: whether the file is complete. */
const done = (child: ChildProcess, work: object, making: Making): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { signal } = making.cancel
    child.on('message', (reply: Reply | Failed) => {
      if (reply.kind === 'failed') reject(errorOf(reply))
      else if (reply.kind === 'progress') making.ready = reply.ready
      else resolve(reply.kind === 'done')
    })
    child.on('exit', (code, ended) =>
      reject(signal.aborted ? signal.reason : new Error(`preparing SQL ended: ${ended ?? code}`)),
    )
    child.on('error', reject)
    child.send(work)
  })

/**
 * Removes the files of older snapshots except the previous one, and those of past days not used recently.
 * @param used names of files, least recently used first
 */
async function prune(folder: string, snapshot: string, used: readonly string[]): Promise<void> {
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

/**
 * Database files made from snapshots, in a folder of this user outside the lake: a build empties the lake's scratch,
 * and a server may lack permission to write there. Processes of one machine share them.
 */
// Over 80 lines: the files, their turns and the processes that make them share one state.
export async function openPrepared(
  lake: Lake,
  wanted?: string,
  { turn = TURN }: { readonly turn?: number } = {},
): Promise<Prepared> {
  const folder = await folderOf(lake, wanted)
  const making = new Map<string, Making>()
  const used = new Set<string>()
  const children = new Set<ChildProcess>()
  let closed = false
  const slots = fairQueue(
    { running: MAKING, runningPerKey: 1, waitingPerKey: WAITING_PER_KEY, waiting: WAITING },
    () =>
      new QueryError('OVERLOADED', 'too many days are being prepared for SQL: try again later', {
        retry_after: 10,
      }),
  )
  const pathOf = (name: string) => join(folder, name, FILE)

  /** The file; null if it is others' turn before it is complete. */
  async function make(day: PreparedDay, name: string, of: Making): Promise<string | null> {
    const { signal } = of.cancel
    if (closed) throw new Error('the SQL runner is closed')
    const child = forkBare('prepare-child')
    children.add(child)
    const scratch = scratchOf(join(folder, name), child.pid!)
    const stop = () => child.kill('SIGKILL')
    signal.addEventListener('abort', stop, { once: true })
    try {
      const isComplete = await done(child, { lake: lake.root, ...day, folder: join(folder, name), turn }, of)
      if (!isComplete) return null
    } finally {
      children.delete(child)
      signal.removeEventListener('abort', stop)
      stop()
      // A cancelled preparation leaves its unfinished files.
      await rm(scratch, { recursive: true, force: true })
    }
    await prune(folder, day.snapshot, [...used])
    return pathOf(name)
  }

  return {
    file(day, waiter) {
      const name = nameOf(day)
      // Moves the name to the end: most recently used.
      used.delete(name)
      used.add(name)
      if (existsSync(pathOf(name))) return Promise.resolve(pathOf(name))
      const now = making.get(name)
      // One that is being cancelled will reject, which must not reach later callers.
      const one = now && !now.cancel.signal.aborted ? now : new Making()
      if (one !== now) {
        making.set(name, one)
        one.file
          .catch(() => {})
          .finally(() => {
            if (making.get(name) === one) making.delete(name)
          })
      }
      // The published tables are the server's own work, so a caller who leaves does not cancel it.
      const isOwn = day.day === null && day.over === undefined
      one.add(isOwn ? { key: SERVER } : waiter)
      const key = isOwn ? SERVER : waiter.key
      if (!one.keys.has(key)) {
        one.keys.add(key)
        void one.makeInTurn(slots, key, of => make(day, name, of))
      }
      return one.file
    },
    ready(day) {
      const path = pathOf(nameOf(day))
      return existsSync(path) ? path : null
    },
    progress(day) {
      return making.get(nameOf(day))?.ready ?? 0
    },
    close() {
      closed = true
      for (const child of children) child.kill('SIGKILL')
    },
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
