import { existsSync } from 'node:fs'
import { readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import t from 'tap'
import { ensureLake, inLake, namesIn } from '../../engine/lake/lake.ts'
import { lockHolder, takeLock, withLock } from '../../engine/lake/lock.ts'
import { publish, readCurrent } from '../../engine/lake/snapshot.ts'
import { type OwnsFolder, testFolder } from '../folder.ts'
import { child } from './child.ts'

const newLake = (t: OwnsFolder) => ensureLake(join(testFolder(t), 'lake'))

t.test('a second writer is refused with the name of the first', async t => {
  const lake = await newLake(t)
  const release = await takeLock(lake, 'build')
  t.match(await lockHolder(lake), { pid: process.pid, command: 'build' })
  await t.rejects(takeLock(lake, 'ingest'), {
    code: 'OVERLOADED',
    message: new RegExp(`process ${process.pid} \\(build\\)`),
  })
  release()
  t.equal(await lockHolder(lake), null)
  await withLock(lake, 'ingest', async () => {})
  t.strictSame(await namesIn(lake), ['lake.json'], 'nothing is left')
})

t.test('a failing writer releases the lock', async t => {
  const lake = await newLake(t)
  await t.rejects(
    withLock(lake, 'build', async () => {
      throw new Error('no')
    }),
    { message: 'no' },
  )
  await withLock(lake, 'build', async () => {})
})

t.test('the lock of a killed process is taken over', async t => {
  const lake = await newLake(t)
  const holder = child('write-lake', [lake.root, 'hold'])
  await holder.said('held')
  await t.rejects(takeLock(lake, 'build'), { code: 'OVERLOADED', message: /\(hold\)/ })
  holder.process.kill('SIGKILL')
  await holder.ended
  t.ok(existsSync(inLake(lake, 'LOCK')), 'it is still there')
  t.equal(await lockHolder(lake), null)
  ;(await takeLock(lake, 'build'))()
})

t.test('of many concurrent take-overs one wins', async t => {
  const lake = await newLake(t)
  const dead = child('write-lake', [lake.root, 'hold'])
  await dead.said('held')
  dead.process.kill('SIGKILL')
  await dead.ended
  const content = await readFile(inLake(lake, 'LOCK'))
  for (let round = 0; round < 20; round++) {
    await writeFile(inLake(lake, 'LOCK'), content)
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(lake, 'build')))
    const won = taken.filter(each => each.status === 'fulfilled')
    t.equal(won.length, 1)
    for (const each of won) each.value()
    t.strictSame(await namesIn(lake), ['lake.json'])
  }
})

t.test('a taker that dies during the take-over is succeeded', async t => {
  const lake = await newLake(t)
  const dead = child('write-lake', [lake.root, 'hold'])
  await dead.said('held')
  dead.process.kill('SIGKILL')
  await dead.ended
  for (let i = 0; i < 2; i++)
    t.match(await child('write-lake', [lake.root, 'hold'], { TRANCHE_FAULT: 'lock:claimed:1' }).ended, {
      signal: 'SIGKILL',
    })
  t.ok((await namesIn(lake)).some(name => name.startsWith('LOCK.after-')))
  const taken = await Promise.allSettled(Array.from({ length: 5 }, () => takeLock(lake, 'build')))
  const won = taken.filter(each => each.status === 'fulfilled')
  t.equal(won.length, 1)
  for (const each of won) each.value()
  await withLock(lake, 'build', async () => {})
  t.strictSame(await namesIn(lake), ['lake.json'])
})

t.test('a reused process id does not keep a lock', { skip: process.platform !== 'linux' }, async t => {
  const lake = await newLake(t)
  const holder = {
    token: 'x',
    pid: process.pid,
    started: 'other-boot/1',
    host: hostname(),
    command: '',
    since: '',
  }
  await writeFile(inLake(lake, 'LOCK'), JSON.stringify(holder))
  ;(await takeLock(lake, 'build'))()
})

/** A writer on another machine, whose program renews its lock or is too old to. */
const elsewhere = (token: string, lease: { lease_ms?: number } = { lease_ms: 300_000 }) =>
  JSON.stringify({
    token,
    pid: 1,
    started: null,
    host: 'elsewhere',
    command: 'build',
    since: '2026-01-01',
    ...lease,
  })

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

t.test('the lock of another machine is respected until it lapses', async t => {
  const lake = await newLake(t)
  const lock = inLake(lake, 'LOCK')
  await writeFile(lock, elsewhere('x'))
  await utimes(lock, minutesAgo(4), minutesAgo(4))
  await t.rejects(takeLock(lake, 'build'), { code: 'OVERLOADED', message: /elsewhere.*the lock lapses at 2/ })
  t.match(await lockHolder(lake), { host: 'elsewhere' })
  await utimes(lock, minutesAgo(6), minutesAgo(6))
  t.equal(await lockHolder(lake), null)
  const taken = await Promise.allSettled(Array.from({ length: 5 }, () => takeLock(lake, 'ingest')))
  const won = taken.filter(each => each.status === 'fulfilled')
  t.equal(won.length, 1, 'of many that take it over one wins')
  t.match(await lockHolder(lake), { pid: process.pid, command: 'ingest' })
  for (const each of won) each.value()
  t.strictSame(await namesIn(lake), ['lake.json'])
})

t.test(
  'a lock of a program that does not renew it never lapses, and the error says how to end it',
  async t => {
    const lake = await newLake(t)
    await writeFile(inLake(lake, 'LOCK'), elsewhere('x', {}))
    await utimes(inLake(lake, 'LOCK'), minutesAgo(60), minutesAgo(60))
    await t.rejects(takeLock(lake, 'build'), { code: 'OVERLOADED', message: /elsewhere.*delete LOCK/ })
  },
)

t.test('a lock is renewed while it is held', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const lake = await newLake(t)
  const lock = inLake(lake, 'LOCK')
  const release = await takeLock(lake, 'build')
  const content = await readFile(lock, 'utf8')
  const old = minutesAgo(3)
  await utimes(lock, old, old)
  mock.timers.tick(15_000)
  while ((await stat(lock)).mtimeMs <= old.getTime()) await new Promise(resolve => setTimeout(resolve, 5))
  t.equal(await readFile(lock, 'utf8'), content)
  release()
})

t.test('a writer whose lock was taken over publishes nothing, and leaves the lock', async t => {
  const lake = await newLake(t)
  const lose = async () => {
    await writeFile(inLake(lake, 'LOCK.theirs'), elsewhere('y'))
    await rename(inLake(lake, 'LOCK.theirs'), inLake(lake, 'LOCK'))
  }
  const lapsed = {
    code: 'OVERLOADED',
    message: /lapsed.*, and process 1 \(build\) on elsewhere.*took it over/,
  }
  const fill = async () => {
    await lose()
    return { as_of: null, options: {}, inputs: [], tables: [] }
  }
  await t.rejects(publish(lake, fill), lapsed)
  t.equal(await readCurrent(lake), null)
  t.match(await lockHolder(lake), { host: 'elsewhere' })
  await utimes(inLake(lake, 'LOCK'), minutesAgo(6), minutesAgo(6))
  const work = async () => {
    await lose()
    throw new Error('ENOENT: the new holder removed a temporary file')
  }
  await t.rejects(withLock(lake, 'ingest', work), lapsed, 'a failure that follows from it is told as that')
})

t.test('an invalid lock file belongs to nobody', async t => {
  const lake = await newLake(t)
  await writeFile(inLake(lake, 'LOCK'), '{"pid":')
  ;(await takeLock(lake, 'build'))()
})

t.test('a process that is terminated releases the lock', async t => {
  const lake = await newLake(t)
  const holder = child('write-lake', [lake.root, 'hold'])
  await holder.said('held')
  holder.process.kill('SIGTERM')
  t.match(await holder.ended, { signal: 'SIGTERM' })
  t.strictSame(await namesIn(lake), ['lake.json'])
})
