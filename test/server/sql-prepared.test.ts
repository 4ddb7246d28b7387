import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { openPrepared, type Prepared, type PreparedDay } from '../../server/sql/prepared.ts'
import { builtLake } from '../built-lake.ts'
import { removeFolder } from '../folder.ts'
import { twoIssuers } from '../make-lake.ts'
import { until } from './serving.ts'

const lake = await builtLake(t.teardown.bind(t), twoIssuers)
const { id } = await currentManifest(lake)
const onDay = (day: string): PreparedDay => ({ snapshot: id, day, coverage: 'all' })
const MAY = Array.from({ length: 9 }, (_, i) => onDay(`2025-05-${20 + i}`))

async function prepared(t: Test, turn?: number): Promise<{ days: Prepared; files: () => Promise<string[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-prepared-test-'))
  const days = await openPrepared(lake, folder, { ...(turn !== undefined && { turn }) })
  t.teardown(async () => {
    days.close()
    await removeFolder(folder)
  })
  return { days, files: () => readdir(folder) }
}

t.test('concurrent callers of a day share its preparation, and later ones find it', async t => {
  const { days, files } = await prepared(t)
  const [day] = MAY
  t.equal(days.ready(day!), null)
  const [one, two] = await Promise.all([days.file(day!, { key: 'a' }), days.file(day!, { key: 'b' })])
  t.equal(one, two)
  t.equal(days.ready(day!), one)
  t.equal((await files()).length, 1)
})

t.test('preparing a day stops when the last caller leaves, and not before', async t => {
  const { days, files } = await prepared(t)
  const [day] = MAY
  const callers = [new AbortController(), new AbortController()]
  const asked = callers.map(({ signal }) => days.file(day!, { key: 'a', signal, caller: signal }))
  const ends = Promise.allSettled(asked)
  await until(async () => (await files()).length > 0)
  callers[0]!.abort()
  await pause(50)
  t.equal((await files()).length, 1, 'one waits')
  callers[1]!.abort()
  t.strictSame(
    (await ends).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  t.strictSame(await files(), [], 'nothing is left of it')
  const path = await days.file(day!, { key: 'a' })
  t.equal(days.ready(day!), path)
})

t.test('a caller arriving while a day is being cancelled still gets it', async t => {
  const { days, files } = await prepared(t)
  const [day] = MAY
  const caller = new AbortController()
  const left = days.file(day!, { key: 'a', signal: caller.signal, caller: caller.signal })
  left.catch(() => {})
  await until(async () => (await files()).length > 0)
  caller.abort()
  t.equal(await days.file(day!, { key: 'b' }), days.ready(day!))
  await t.rejects(left, /nobody waits/)
})

t.test('a day is still prepared for callers that timed out', async t => {
  const { days, files } = await prepared(t)
  const [day] = MAY
  const time = new AbortController()
  days.file(day!, { key: 'a', signal: time.signal, caller: new AbortController().signal }).catch(() => {})
  await until(async () => (await files()).length > 0)
  time.abort()
  await until(() => days.ready(day!) !== null)
  t.ok(days.ready(day!))
})

t.test('a key that requests many days is refused, without delaying other keys', async t => {
  const { days } = await prepared(t)
  const order: string[] = []
  const ask = (day: PreparedDay, key: string) =>
    days.file(day, { key }).then(
      () => order.push(key),
      error => order.push(error.code),
    )
  for (const day of MAY.slice(0, 7)) void ask(day, 'many')
  await ask(MAY[8]!, 'one')
  t.strictSame(order.slice(0, 2), ['OVERLOADED', 'OVERLOADED'], 'one is being made, four wait')
  t.ok(order.length <= 5, order.join())
  t.equal(order.at(-1), 'one')
})

t.test('a file of many days is made in turns, and is whole after the last', async t => {
  const { days, files } = await prepared(t, 0)
  const over = { dates: ['2025-04-01', '2025-04-02', '2025-04-03'], tables: ['bonds'] }
  const wanted: PreparedDay = { snapshot: id, day: null, over, coverage: 'standard' }
  let ready = 0
  const watching = setInterval(() => {
    ready = Math.max(ready, days.progress(wanted))
  }, 1)
  const [path, other] = await Promise.all([
    days.file(wanted, { key: 'a' }),
    days.file(onDay('2025-04-10'), { key: 'b' }),
  ]).finally(() => clearInterval(watching))
  t.ok(ready > 0, 'it says how many days are ready')
  t.equal(days.ready(wanted), path)
  t.equal(days.ready(onDay('2025-04-10')), other)
  t.equal((await files()).length, 2, 'turns leave nothing behind')
  const again = { ...wanted, over: { ...over, dates: over.dates.slice(1) } }
  t.not(await days.file(again, { key: 'a' }), path, 'other days are another file')
})
