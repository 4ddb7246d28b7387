import { chmod, mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { open } from '../../engine/engine.ts'
import { DayStore, trimDays } from '../../engine/lake/day-files.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { currentManifest, prune } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'
import { until } from '../server/serving.ts'

t.setTimeout(300_000)

const DAY = '2025-03-03'
const asked = { as_of: DAY, limit: 100 } as const

async function builtLake(t: Test): Promise<Lake> {
  const lake = await makeLake(t.teardown.bind(t), twoIssuers)
  await build(lake)
  return lake
}

/** What a process that opens the lake sees of the bonds of the day. */
async function bondsOf(lake: Lake): Promise<unknown> {
  const engine = await open(lake)
  try {
    return (await engine.call('search.bonds', asked)).data
  } finally {
    engine.close()
  }
}

const daysIn = async (lake: Lake): Promise<string> => {
  const { id } = await currentManifest(lake)
  const [made] = await readdir(join(lake.root, 'days', id))
  return join(lake.root, 'days', id, made!)
}

/** Tables derived on the way to another are stored after the answer. */
const keptTables = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter(name => name.endsWith('.json')).map(name => name.slice(0, -5))

t.test('a derived day is read from its files, without the rows it was derived from', async t => {
  const lake = await builtLake(t)
  const before = await bondsOf(lake)
  t.ok((before as unknown[]).length > 0)
  const folder = join(await daysIn(lake), DAY)
  t.ok((await keptTables(folder)).includes('bonds'))
  // Entities are derived on the way to bonds.
  await until(async () => (await keptTables(folder)).includes('entities'))
  await rename(join(lake.root, 'batches'), join(lake.root, 'tmp-batches'))
  t.strictSame(await bondsOf(lake), before)
  await rename(join(lake.root, 'tmp-batches'), join(lake.root, 'batches'))
})

t.test('a damaged file of a day is derived again', async t => {
  const lake = await builtLake(t)
  const before = await bondsOf(lake)
  const file = join(await daysIn(lake), DAY, 'bonds.parquet')
  const bytes = await readFile(file)
  const flipped = Buffer.from(bytes)
  flipped[flipped.length >> 1]! ^= 4
  await writeFile(file, flipped)
  t.strictSame(await bondsOf(lake), before)
  t.strictSame(await readFile(file), bytes)
})

t.test('SQL as of a day reads the stored tables and no other file', async t => {
  const lake = await builtLake(t)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.bonds', { ...asked, fields: 'id' })
  t.strictSame(
    await engine.sql('SELECT id FROM bonds WHERE is_active ORDER BY id', [], { asOf: DAY }),
    (data as { id: string }[]).map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
  const file = join(await daysIn(lake), DAY, 'bonds.json')
  await t.rejects(engine.sql(`SELECT * FROM read_text('${file}')`, [], { asOf: DAY }))
})

t.test(
  'a read-only lake answers too',
  { skip: process.getuid?.() === 0 && 'the superuser writes anywhere' },
  async t => {
    const lake = await builtLake(t)
    const before = await bondsOf(lake)
    const other = await builtLake(t)
    await chmod(other.root, 0o500)
    t.teardown(() => chmod(other.root, 0o700))
    t.strictSame(await bondsOf(other), before)
    t.notOk((await readdir(other.root)).includes('days'))
  },
)

t.test('a file in place of the folder of days does not prevent an answer', async t => {
  const lake = await builtLake(t)
  await writeFile(join(lake.root, 'days'), '')
  t.ok(((await bondsOf(lake)) as unknown[]).length > 0)
})

t.test(
  'days are removed with their snapshot, and the least recently used when they take too much',
  async t => {
    const lake = await builtLake(t)
    const store = new DayStore(lake, await currentManifest(lake))
    t.teardown(() => store.close())
    for (const day of ['2025-01-01', '2025-01-02']) {
      const files = await store.day(day)
      await files.keep('bonds', path => writeFile(path, Buffer.alloc(1000)))
    }
    const folder = await daysIn(lake)
    const hours = (n: number) => new Date(Date.now() - n * 3_600_000)
    await utimes(join(folder, '2025-01-01'), hours(3), hours(3))
    await utimes(join(folder, '2025-01-02'), hours(2), hours(2))
    await trimDays(lake)
    t.strictSame((await readdir(folder)).sort(), ['2025-01-01', '2025-01-02'])
    await trimDays(lake, 1500)
    t.strictSame(await readdir(folder), ['2025-01-02'])
    await utimes(join(folder, '2025-01-02'), new Date(), new Date())
    await trimDays(lake, 10)
    t.strictSame(await readdir(folder), ['2025-01-02'], 'a day in use stays')

    await mkdir(join(lake.root, 'days', '20200101T000000Z-00000000', 'x', '2019-12-31'), { recursive: true })
    await trimDays(lake)
    const { id } = await currentManifest(lake)
    t.strictSame(await readdir(join(lake.root, 'days')), [id])
    await build(lake)
    await prune(lake, 0)
    t.strictSame(await readdir(join(lake.root, 'days')), [])
  },
)

t.test('a dataset of many batches is merged into one file, from which other days are derived', async t => {
  const curves = Array.from({ length: 16 }, (_, i) => {
    const date = `2025-02-${String(i + 10)}`
    return { date, tenor_months: 60, rate: 4 + i / 100, publisher: 'treasury', known_from: date }
  })
  const inBatches = async (size: number): Promise<Lake> => {
    const lake = await makeLake(t.teardown.bind(t), { ...twoIssuers, treasury_yields: curves.slice(0, size) })
    for (let i = size; i < curves.length; i += size)
      await addRows(lake, { treasury_yields: curves.slice(i, i + size) })
    await build(lake)
    return lake
  }
  const whole = await inBatches(curves.length)
  const few = await inBatches(2)
  t.strictSame(await bondsOf(few), await bondsOf(whole))
  t.notOk((await readdir(join(await daysIn(few), 'inputs'))).length, '8 batches are read as they are')

  const many = await inBatches(1)
  t.strictSame(await bondsOf(many), await bondsOf(whole))
  const folder = await daysIn(many)
  t.strictSame((await readdir(join(folder, 'inputs'))).sort(), [
    'treasury_yields.json',
    'treasury_yields.parquet',
  ])
  await rename(join(folder, DAY), join(many.root, 'tmp-day'))
  await rename(join(many.root, 'batches', 'treasury_yields'), join(many.root, 'tmp-batches'))
  t.strictSame(await bondsOf(many), await bondsOf(whole), 'a day derived later needs no batch of it')
  await rename(join(many.root, 'tmp-batches'), join(many.root, 'batches', 'treasury_yields'))
  await writeFile(join(folder, 'inputs', 'treasury_yields.parquet'), 'damaged')
  await rename(join(folder, DAY), join(many.root, 'tmp-day-2'))
  t.strictSame(await bondsOf(many), await bondsOf(whole), 'a damaged file is merged again')
})
