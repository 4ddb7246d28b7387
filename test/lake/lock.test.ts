import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ensureLake, inLake, namesIn } from '../../engine/lake/lake.ts'
import { lockHolder, takeLock, withLock } from '../../engine/lake/lock.ts'
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

t.test('a lock of another machine is respected, and the error says how to end it', async t => {
  const lake = await newLake(t)
  const holder = {
    token: 'x',
    pid: 1,
    started: null,
    host: 'elsewhere',
    command: 'build',
    since: '2026-01-01',
  }
  await writeFile(inLake(lake, 'LOCK'), JSON.stringify(holder))
  await t.rejects(takeLock(lake, 'build'), { code: 'OVERLOADED', message: /elsewhere.*delete LOCK/ })
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
