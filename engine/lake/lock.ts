import { randomUUID } from 'node:crypto'
import { readFileSync, unlinkSync } from 'node:fs'
import { type FileHandle, link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { QueryError } from '../base/errors.ts'
import { type Holder, isDead, startOf } from '../base/process-identity.ts'
import { refuseCopy } from './copy-of.ts'
import { storageError } from './durable.ts'
import { fault } from './fault.ts'
import { absent, inLake, type Lake, namesIn } from './lake.ts'

/**
 * A holder on another machine, whose process cannot be looked up, keeps its lock as long as it renews it. Long, because a
 * thread that computes renews nothing.
 */
const LEASE_MS = 5 * 60_000
const RENEW_MS = 15_000

/** A lock file's content: who holds it. Programs before the lease renew nothing, so their locks do not lapse. */
interface LockHolder extends Holder {
  readonly lease_ms?: number
}

/** Tokens of the locks that this thread holds, by folder. */
const held = new Map<string, string>()

/**
 * Runs `work` as the only writer of the lake; throws a busy error naming the current holder if there is one, or another
 * that took over a lapsed lock meanwhile.
 */
export async function withLock<T>(lake: Lake, command: string, work: () => Promise<T>): Promise<T> {
  const release = await takeLock(lake, command)
  try {
    return await work()
  } catch (error) {
    const token = held.get(lake.root)
    const holder = await readHolder(inLake(lake, 'LOCK')).catch(() => null)
    // The new holder removes what looks like left over, so the failure may be anything.
    throw holder && holder.token !== token && !(error instanceof QueryError) ? lapsed(holder) : error
  } finally {
    release()
  }
}

/**
 * Before a step that others see: throws OVERLOADED if this thread's lock on the lake lapsed and was taken over, which
 * happens to a process that was suspended or cut off from a shared disk.
 */
export async function checkHeld(lake: Lake): Promise<void> {
  const token = held.get(lake.root)
  if (token === undefined) return
  const holder = await readHolder(inLake(lake, 'LOCK'))
  if (holder?.token === token) return
  throw lapsed(holder)
}

const lapsed = (holder: LockHolder | null) =>
  new QueryError(
    'OVERLOADED',
    'the lock of this process on the lake lapsed while it gave no sign of life, or was deleted' +
      `${holder ? `, and ${describe(holder)} took it over` : ''}: nothing was published; run it again`,
    holder ? { holder } : {},
  )

/** Acquires the lock; returns a function that releases it. A lake that is a copy is written by "tranche pull" alone. */
export async function takeLock(lake: Lake, command: string): Promise<() => void> {
  await refuseCopy(lake, command)
  return become(lake, command).catch(error => {
    throw storageError(error)
  })
}

async function become(lake: Lake, command: string): Promise<() => void> {
  const me: LockHolder = {
    token: randomUUID(),
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    command,
    since: new Date().toISOString(),
    lease_ms: LEASE_MS,
  }
  const own = inLake(lake, `LOCK.new-${me.token}`)
  try {
    await writeFile(own, `${JSON.stringify(me)}\n`, { flag: 'wx' })
    for (let attempt = 0; ; attempt++) {
      if (await claim(own, inLake(lake, 'LOCK'))) break
      const taken = await takeOver(lake, own, me)
      if (taken === true) break
      if (taken !== 'again' || attempt > 100) throw await busy(lake, taken === 'again' ? null : taken)
    }
  } finally {
    await rm(own, { force: true })
  }
  const lock = inLake(lake, 'LOCK')
  try {
    await removeTraces(lake)
    return hold(lake, me, await open(lock, 'r+'))
  } catch (error) {
    await rm(lock, { force: true })
    throw error
  }
}

/** The live holder of the lock; null if the lake is free. */
export async function lockHolder(lake: Lake): Promise<Holder | null> {
  const lock = inLake(lake, 'LOCK')
  const holder = await readHolder(lock)
  return holder && !(await isGone(holder, lock, Date.now())) ? holder : null
}

/** Whether a holder is dead or, on another machine, did not renew its lock in time. */
async function isGone(holder: LockHolder, file: string, now: number): Promise<boolean> {
  if (isDead(holder)) return true
  const until = await leaseEnd(holder, file)
  return until !== null && until < now
}

/** When a lock lapses unless it is renewed, by the clock of the file system; null: never. */
async function leaseEnd(holder: LockHolder, file: string): Promise<number | null> {
  if (holder.host === hostname() || holder.lease_ms === undefined) return null
  const info = await stat(file).catch(absent)
  return info ? info.mtimeMs + holder.lease_ms : null
}

/** Hard-links a file under a new name unless the name is taken: the whole content appears atomically. */
async function claim(own: string, name: string): Promise<boolean> {
  try {
    await link(own, name)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EOPNOTSUPP') throw error
  }
  // No hard links on this file system.
  try {
    await writeFile(name, await readFile(own), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Takes over the lock of a dead process, or one that lapsed. For each dead holder there is one name, `LOCK.after-<its token>`, that only
 * one taker can create; the taker then renames it over LOCK. A taker that died in between is succeeded the same way.
 */
async function takeOver(lake: Lake, own: string, me: Holder): Promise<true | 'again' | LockHolder> {
  const lock = inLake(lake, 'LOCK')
  const first = await readHolder(lock)
  if (!first) return 'again'
  // Written just now, to the same file system: machines need not agree on the time.
  const { mtimeMs: now } = await stat(own)
  let last = first
  let file = lock
  for (;;) {
    if (!(await isGone(last, file, now))) return last
    file = inLake(lake, `LOCK.after-${last.token}`)
    const next = await readHolder(file)
    if (!next) break
    last = next
  }
  const name = inLake(lake, `LOCK.after-${last.token}`)
  if (!(await claim(own, name))) return 'again'
  fault('lock:claimed')
  // Another process may have completed a take-over since LOCK was read, which freed the name.
  const still = await readHolder(lock)
  if (still?.token !== first.token) {
    await rm(name, { force: true })
    return 'again'
  }
  await rename(name, lock)
  return (await readHolder(lock))?.token === me.token ? true : 'again'
}

async function readHolder(path: string): Promise<LockHolder | null> {
  for (let attempt = 0; ; attempt++) {
    const text = await readFile(path, 'utf8').catch(absent)
    if (text === null) return null
    const holder = parse(text)
    if (holder) return holder
    // Without hard links a lock is empty for an instant; one that stays empty is abandoned.
    if (attempt === 20) return nobody
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

const nobody: LockHolder = {
  token: 'nobody',
  pid: 0,
  started: null,
  host: hostname(),
  command: '',
  since: '',
}

function parse(text: string): LockHolder | null {
  try {
    const holder = JSON.parse(text) as LockHolder
    return typeof holder.token === 'string' && /^[\w-]+$/.test(holder.token) && Number.isInteger(holder.pid)
      ? holder
      : null
  } catch {
    return null
  }
}

/** Files of takers that died midway. */
async function removeTraces(lake: Lake): Promise<void> {
  for (const name of await namesIn(lake)) {
    if (!/^LOCK\.(new|after)-/.test(name)) continue
    const file = inLake(lake, name)
    const holder = await readHolder(file)
    if (holder && (await isGone(holder, file, Date.now()))) await rm(file, { force: true })
  }
}

const describe = ({ pid, command, host, since }: Holder) =>
  `process ${pid} (${command}) on ${host} since ${since}`

async function busy(lake: Lake, holder: LockHolder | null): Promise<QueryError> {
  if (!holder) return new QueryError('OVERLOADED', 'other writers are taking the lake: try again')
  const lapses = await leaseEnd(holder, inLake(lake, 'LOCK'))
  const ifGone =
    holder.host === hostname()
      ? ''
      : lapses === null
        ? ', or delete LOCK if that machine is gone'
        : `; if that machine is gone, the lock lapses at ${new Date(lapses).toISOString()}`
  return new QueryError(
    'OVERLOADED',
    `the lake is being written by ${describe(holder)}: wait until it ends${ifGone}`,
    { holder },
  )
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Holds the lock, and renews it, until released or until the process ends.
 * @param file the one that was made, which is no longer LOCK if another took the lock over
 */
function hold(lake: Lake, me: LockHolder, file: FileHandle): () => void {
  const lock = inLake(lake, 'LOCK')
  const content = Buffer.from(`${JSON.stringify(me)}\n`)
  // The same bytes again give the file a new time.
  const renew = () => file.write(content, 0, content.length, 0).catch(() => {})
  const renewing = setInterval(renew, RENEW_MS)
  renewing.unref()
  held.set(lake.root, me.token)
  const drop = () => {
    try {
      if (parse(readFileSync(lock, 'utf8'))?.token === me.token) unlinkSync(lock)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  const onSignal = (signal: NodeJS.Signals) => {
    // If others handle the signal, they decide what it means, and release the lock by ending the work.
    if (process.listenerCount(signal) > 1) return
    release()
    process.kill(process.pid, signal)
  }
  const release = () => {
    process.off('exit', drop)
    for (const signal of endings) process.off(signal, onSignal)
    clearInterval(renewing)
    if (held.get(lake.root) === me.token) held.delete(lake.root)
    drop()
    // Waits for a write under way.
    file.close().catch(() => {})
  }
  process.on('exit', drop)
  for (const signal of endings) process.on(signal, onSignal)
  return release
}
