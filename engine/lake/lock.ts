import { randomUUID } from 'node:crypto'
import { readFileSync, unlinkSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { QueryError } from '../base/errors.ts'
import { type Holder, isDead, startOf } from '../base/process-identity.ts'
import { refuseCopy } from './copy-of.ts'
import { storageError } from './durable.ts'
import { fault } from './fault.ts'
import { absent, inLake, type Lake, namesIn } from './lake.ts'

/** Runs `work` as the only writer of the lake; throws a busy error naming the current holder if there is one. */
export async function withLock<T>(lake: Lake, command: string, work: () => Promise<T>): Promise<T> {
  const release = await takeLock(lake, command)
  try {
    return await work()
  } finally {
    release()
  }
}

/** Acquires the lock; returns a function that releases it. A lake that is a copy is written by "tranche pull" alone. */
export async function takeLock(lake: Lake, command: string): Promise<() => void> {
  await refuseCopy(lake, command)
  return become(lake, command).catch(error => {
    throw storageError(error)
  })
}

async function become(lake: Lake, command: string): Promise<() => void> {
  const me: Holder = {
    token: randomUUID(),
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    command,
    since: new Date().toISOString(),
  }
  const own = inLake(lake, `LOCK.new-${me.token}`)
  try {
    await writeFile(own, `${JSON.stringify(me)}\n`, { flag: 'wx' })
    for (let attempt = 0; ; attempt++) {
      if (await claim(own, inLake(lake, 'LOCK'))) break
      const taken = await takeOver(lake, own, me)
      if (taken === true) break
      if (taken !== 'again' || attempt > 100) throw busy(taken === 'again' ? null : taken)
    }
  } finally {
    await rm(own, { force: true })
  }
  await removeTraces(lake)
  return hold(inLake(lake, 'LOCK'), me)
}

/** The live holder of the lock; null if the lake is free. */
export async function lockHolder(lake: Lake): Promise<Holder | null> {
  const holder = await readHolder(inLake(lake, 'LOCK'))
  return holder && !isDead(holder) ? holder : null
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
 * Takes over the lock of a dead process. For each dead holder there is one name, `LOCK.after-<its token>`, that only
 * one taker can create; the taker then renames it over LOCK. A taker that died in between is succeeded the same way.
 */
async function takeOver(lake: Lake, own: string, me: Holder): Promise<true | 'again' | Holder> {
  const lock = inLake(lake, 'LOCK')
  const first = await readHolder(lock)
  if (!first) return 'again'
  let last = first
  for (;;) {
    if (!isDead(last)) return last
    const next = await readHolder(inLake(lake, `LOCK.after-${last.token}`))
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

async function readHolder(path: string): Promise<Holder | null> {
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

const nobody: Holder = { token: 'nobody', pid: 0, started: null, host: hostname(), command: '', since: '' }

function parse(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder
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
    const holder = await readHolder(inLake(lake, name))
    if (holder && isDead(holder)) await rm(inLake(lake, name), { force: true })
  }
}

const busy = (holder: Holder | null) =>
  new QueryError(
    'OVERLOADED',
    holder
      ? `the lake is being written by process ${holder.pid} (${holder.command}) on ${holder.host} since ${holder.since}: ` +
          `wait until it ends${holder.host === hostname() ? '' : ', or delete LOCK if that machine is gone'}`
      : 'other writers are taking the lake: try again',
    holder ? { holder } : {},
  )

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Holds the lock until released, or until the process ends. */
function hold(lock: string, me: Holder): () => void {
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
    drop()
  }
  process.on('exit', drop)
  for (const signal of endings) process.on(signal, onSignal)
  return release
}
