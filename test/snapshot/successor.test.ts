import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { open } from '../../engine/engine.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { currentManifest, prune } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { Leased } from '../../engine/snapshot/leased.ts'
import type { OpenSnapshot } from '../../engine/snapshot/open-snapshot.ts'
import { type RecentCall, Successor } from '../../engine/snapshot/successor.ts'
import { builtLake } from '../built-lake.ts'
import { addRows, twoIssuers } from '../make-lake.ts'
import { until } from '../server/serving.ts'

t.setTimeout(300_000)

const asked = { sort: 'ticker', fields: 'ticker' } as const

async function lakeAndFirst(t: Test): Promise<{ lake: Lake; first: string }> {
  const lake = await builtLake(t.teardown.bind(t), twoIssuers)
  return { lake, first: (await currentManifest(lake)).id }
}

async function builtAgain(lake: Lake, ticker = 'AAAA'): Promise<string> {
  await addRows(lake, { companies: [{ ticker, name: `${ticker} Corp` }] })
  return (await build(lake)).id
}

t.test('a new snapshot answers once it has in memory what the current one has', async t => {
  const { lake, first } = await lakeAndFirst(t)
  const engine = await open(lake, { warmSwitch: true })
  t.teardown(() => engine.close())
  await engine.warm('search.companies', asked)
  await engine.call('resolve.bond', { q: 'alfa 5 2030' })
  const second = await builtAgain(lake)

  const before = await engine.call('search.companies', asked)
  t.match(
    before.meta,
    { snapshot: first },
    'the call that notices the new one is answered by the current one',
  )
  await until(async () => (await engine.refresh()) || engine.snapshot === second)
  const after = await engine.call('search.companies', { ...asked, explain: true })
  t.strictSame(
    after.data.map(({ ticker }) => ticker),
    ['AAAA', 'ALFA', 'BETA'],
  )
  t.match(after.meta, { snapshot: second, lane: { lane: 'memory' } }, 'its first page is from memory')
})

t.test('without the option the next call has the new snapshot', async t => {
  const { lake } = await lakeAndFirst(t)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  await engine.call('search.companies', asked)
  const second = await builtAgain(lake)
  t.match((await engine.call('search.companies', asked)).meta, { snapshot: second })
})

/** A snapshot whose search index opens when the test says so. */
class SlowSnapshot extends Leased {
  readonly manifest: { id: string }
  readonly hasSearch: boolean = true
  readonly ownDay: unknown = null
  isClosed = false
  open!: () => void
  private readonly opened = new Promise<void>(resolve => {
    this.open = resolve
  })

  constructor(id: string) {
    super()
    this.manifest = { id }
  }

  search(): Promise<void> {
    return this.opened
  }

  protected close(): void {
    this.isClosed = true
  }
}

t.test('of several new snapshots only the newest comes to answer', async t => {
  const switched: string[] = []
  const successor = new Successor(next => switched.push(next.manifest.id))
  const slow = (id: string) => new SlowSnapshot(id) as SlowSnapshot & OpenSnapshot
  const [current, second, third] = [slow('1'), slow('2'), slow('3')]
  successor.prepare(second, current, [])
  t.ok(successor.isFollowed('2', current))
  successor.prepare(third, current, [])
  t.notOk(successor.isFollowed('2', current), 'the second is given up')
  second.open()
  await until(() => second.isClosed)
  t.strictSame(switched, [])
  third.open()
  await until(() => switched.length > 0)
  t.strictSame(switched, ['3'])
})

t.test('a snapshot that is taken back while it is read never answers', async t => {
  const switched: string[] = []
  const successor = new Successor(next => switched.push(next.manifest.id))
  const slow = (id: string) => new SlowSnapshot(id) as SlowSnapshot & OpenSnapshot
  const [current, second] = [slow('1'), slow('2')]
  successor.prepare(second, current, [])
  t.ok(successor.isFollowed('1', current), 'the lake names the current one again')
  second.open()
  await until(() => second.isClosed)
  t.strictSame(switched, [])
})

t.test('a call that fails on the new snapshot does not keep others from being repeated', async t => {
  const day = {
    hold() {},
    release() {},
    ready: () => day,
    tables: {},
    lane: { loaded: () => [] },
  }
  class OpenDay extends SlowSnapshot {
    override readonly hasSearch = false
    override readonly ownDay = day
    day = () => day
  }
  const repeated: string[] = []
  const call = (name: string, run: () => void): RecentCall => ({
    operation: { name, run } as unknown as RecentCall['operation'],
    args: {},
    coverage: 'all',
  })
  const recent = [
    call('gone', () => {
      repeated.push('gone')
      throw new Error('no such company')
    }),
    call('there', () => repeated.push('there')),
  ]
  const switched: string[] = []
  const successor = new Successor(next => switched.push(next.manifest.id))
  const open = (id: string) => new OpenDay(id) as unknown as OpenSnapshot
  successor.prepare(open('2'), open('1'), recent)
  await until(() => switched.length > 0)
  t.strictSame(repeated, ['gone', 'there', 'there'])
})

t.test('what cannot be read ahead does not keep a snapshot from answering', async t => {
  const { lake } = await lakeAndFirst(t)
  const engine = await open(lake, { warmSwitch: true })
  t.teardown(() => engine.close())
  await engine.warm('search.companies', asked)
  const second = await builtAgain(lake)
  const file = join(lake.root, 'snapshots', second, 'companies.parquet')
  const whole = await readFile(file)
  await rm(file)
  await writeFile(file, whole.subarray(0, whole.length - 1))
  await until(async () => (await engine.refresh()) || engine.snapshot === second)
  await t.rejects(engine.call('search.companies', asked), { code: 'DATA_DAMAGED' })
})

/** A snapshot that is being replaced by another one, and was removed. */
async function pruned(t: Test) {
  const { lake, first } = await lakeAndFirst(t)
  const engine = await open(lake, { warmSwitch: true })
  t.teardown(() => engine.close())
  await engine.call('search.companies', asked)
  const second = await builtAgain(lake)
  t.strictSame(await prune(lake, 1), [first])
  t.equal(await engine.refresh(), false, 'the new snapshot is read into memory first')
  return { engine, second }
}

t.test('the next snapshot answers at once if the current one is removed before it is in memory', async t => {
  const { engine, second } = await pruned(t)
  const { meta } = await engine.call('search.covenants', {})
  t.equal(meta.snapshot, second)
})

t.test('the check of files switches to the next snapshot too', async t => {
  const { engine, second } = await pruned(t)
  await engine.check()
  t.equal(engine.snapshot, second)
})

t.test('rows that may have been read are not given twice: the caller asks again', async t => {
  const { engine, second } = await pruned(t)
  const rows = () =>
    engine.stream('search.covenants', {}, {}, async ({ chunks, meta }) => {
      for await (const _ of chunks);
      return meta()
    })
  await t.rejects(rows(), { code: 'NOT_READY', message: /replaced and removed while it was read: try again/ })
  t.match(await rows(), { snapshot: second })
})
