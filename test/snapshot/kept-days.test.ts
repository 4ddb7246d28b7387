import { createHash } from 'node:crypto'
import { chmod, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ownerTag } from '../../engine/base/owned-folder.ts'
import { open } from '../../engine/engine.ts'
import { DayStore, trimDays } from '../../engine/lake/day-files.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { currentManifest, prune } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { mergedInputs } from '../../engine/snapshot/merged-inputs.ts'
import { builtLake } from '../built-lake.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'
import { until } from '../server/serving.ts'

t.setTimeout(300_000)

const DAY = '2025-03-03'
const asked = { as_of: DAY, limit: 100 } as const

const smallLake = (t: Test): Promise<Lake> => builtLake(t.teardown.bind(t), twoIssuers)

/** What a process that opens the lake sees of the bonds of the day. */
async function bondsOf(lake: Lake): Promise<unknown> {
  const engine = await open(lake)
  try {
    return (await engine.call('search.bonds', asked)).data
  } finally {
    engine.close()
  }
}

/** The folder of the only set of tables stored for a day. */
const dayIn = async (lake: Lake, day = DAY): Promise<string> => {
  const made = await readdir(join(lake.root, 'days', day))
  if (made.length !== 1) throw new Error(`${day} is stored ${made.length} times`)
  return join(lake.root, 'days', day, made[0]!)
}

/** The files of merged batches, without records. */
const mergedIn = async (lake: Lake): Promise<string[]> =>
  (await readdir(join(lake.root, 'days', 'merged'), { recursive: true }).catch(() => []))
    .filter(name => name.endsWith('.parquet'))
    .map(name => join(lake.root, 'days', 'merged', name))

/** Tables derived on the way to another are stored some seconds after the answer. */
const keptTables = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter(name => name.endsWith('.json')).map(name => name.slice(0, -5))

t.test('a derived day is read from its files, without the rows it was derived from', async t => {
  const lake = await smallLake(t)
  const engine = await open(lake)
  const before = (await engine.call('search.bonds', asked)).data
  t.ok(before.length > 0)
  const folder = await dayIn(lake)
  t.strictSame(await keptTables(folder), ['bonds'])
  // Entities are derived on the way to bonds, companies without figures are stored last.
  await until(async () => (await keptTables(folder)).includes('known_companies'))
  t.ok((await keptTables(folder)).includes('entities'))
  engine.close()
  await rename(join(lake.root, 'batches'), join(lake.root, 'tmp-batches'))
  t.strictSame(await bondsOf(lake), before)
  await rename(join(lake.root, 'tmp-batches'), join(lake.root, 'batches'))
})

t.test('a panel stores the table that it lists and no other', async t => {
  const lake = await smallLake(t)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  await engine.call('panel', { resource: 'bonds', dates: [DAY] })
  await pause(3000)
  t.strictSame(await keptTables(await dayIn(lake)), ['bonds'])
})

t.test('a damaged file of a day is derived again', async t => {
  const lake = await smallLake(t)
  const before = await bondsOf(lake)
  const file = join(await dayIn(lake), 'bonds.parquet')
  const bytes = await readFile(file)
  const flipped = Buffer.from(bytes)
  flipped[flipped.length >> 1]! ^= 4
  await writeFile(file, flipped)
  t.strictSame(await bondsOf(lake), before)
  t.strictSame(await readFile(file), bytes)
})

t.test('SQL as of a day reads the stored tables and no other file', async t => {
  const lake = await smallLake(t)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.bonds', { ...asked, fields: 'id' })
  t.strictSame(
    await engine.sql('SELECT id FROM bonds WHERE is_active ORDER BY id', [], { asOf: DAY }),
    (data as { id: string }[]).map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
  const file = join(await dayIn(lake), 'bonds.json')
  await t.rejects(engine.sql(`SELECT * FROM read_text('${file}')`, [], { asOf: DAY }))
})

t.test(
  'a read-only lake answers too',
  { skip: process.getuid?.() === 0 && 'the superuser writes anywhere' },
  async t => {
    const lake = await smallLake(t)
    const before = await bondsOf(lake)
    const other = await smallLake(t)
    await chmod(other.root, 0o500)
    t.teardown(() => chmod(other.root, 0o700))
    t.strictSame(await bondsOf(other), before)
    t.notOk((await readdir(other.root)).includes('days'))
  },
)

t.test('a file in place of the folder of days does not prevent an answer', async t => {
  const lake = await smallLake(t)
  await rm(join(lake.root, 'days'), { recursive: true })
  await writeFile(join(lake.root, 'days'), '')
  t.ok(((await bondsOf(lake)) as unknown[]).length > 0)
})

t.test('the least recently used days and merged batches are removed when they take too much', async t => {
  const lake = await smallLake(t)
  await rm(join(lake.root, 'days'), { recursive: true })
  const store = new DayStore(lake)
  t.teardown(() => store.close())
  const manifest = await currentManifest(lake)
  for (const day of ['2025-01-01', '2025-01-02']) {
    const files = await store.day(manifest, day)
    await files.keep('bonds', path => writeFile(path, Buffer.alloc(1000)))
  }
  const left = async () => (await readdir(join(lake.root, 'days'))).sort()
  const hours = (n: number) => new Date(Date.now() - n * 3_600_000)
  await utimes(await dayIn(lake, '2025-01-01'), hours(3), hours(3))
  await utimes(await dayIn(lake, '2025-01-02'), hours(2), hours(2))
  await trimDays(lake)
  t.strictSame(await left(), ['2025-01-01', '2025-01-02'])
  await trimDays(lake, 1500)
  t.strictSame(await left(), ['2025-01-02'])
  await utimes(await dayIn(lake, '2025-01-02'), new Date(), new Date())
  await trimDays(lake, 10)
  t.strictSame(await left(), ['2025-01-02'], 'a day in use stays')

  const merged = await store.merged('prices', manifest.inputs)
  await merged.keep('prices', path => writeFile(path, Buffer.alloc(1000)))
  await build(lake)
  await prune(lake, 0)
  const built = manifest.as_of!
  t.strictSame(
    await left(),
    ['2025-01-02', built, 'merged'],
    'other snapshots may have the same day and batches',
  )
  await utimes(merged.folder, hours(3), hours(3))
  await trimDays(lake, 10)
  t.strictSame(await left(), ['2025-01-02', built])
})

t.test('a later snapshot reads the day from the same files, unless more was known by then', async t => {
  const lake = await smallLake(t)
  const before = await bondsOf(lake)
  const price = (day: string) => ({
    prices: [{ cusip: '000000AA7', price_date: day, price: 91.5, price_source: 'vendor', known_from: day }],
  })
  await addRows(lake, price('2025-05-30'))
  await build(lake)
  const folder = await dayIn(lake)
  await rename(join(lake.root, 'batches'), join(lake.root, 'tmp-batches'))
  t.strictSame(await bondsOf(lake), before, 'nothing is derived')
  await rename(join(lake.root, 'tmp-batches'), join(lake.root, 'batches'))
  await addRows(lake, price('2025-03-03'))
  await build(lake)
  t.notSame(await bondsOf(lake), before)
  const made = await readdir(join(lake.root, 'days', DAY))
  t.equal(made.length, 2)
  t.ok(made.includes(basename(folder)))
})

const hashOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

t.test('the day of a build is ready when a later snapshot is current', async t => {
  const lake = await smallLake(t)
  const { id, as_of } = await currentManifest(lake)
  const built = as_of!
  const folder = await dayIn(lake, built)
  const kept = await keptTables(folder)
  t.ok(kept.length > 20, 'of all tables')
  const snapshot = join(lake.root, 'snapshots', id)
  for (const name of kept.filter(name => name !== 'known_companies'))
    t.equal(
      await hashOf(join(folder, `${name}.parquet`)),
      await hashOf(join(snapshot, `${name}.parquet`)),
      name,
    )
  const asked = { as_of: built, limit: 100 }
  const bonds = async () => {
    const engine = await open(lake)
    t.teardown(() => engine.close())
    return (await engine.call('search.bonds', asked)).data
  }
  const before = await bonds()
  await addRows(lake, {
    prices: [
      {
        cusip: '000000AA7',
        price_date: '2025-07-01',
        price: 91.5,
        price_source: 'vendor',
        known_from: '2025-07-01',
      },
    ],
  })
  await build(lake, { asOf: '2025-07-01' })
  await prune(lake, 0)
  await rename(join(lake.root, 'batches'), join(lake.root, 'tmp-batches'))
  t.strictSame(await bonds(), before, 'nothing is derived')
  await rename(join(lake.root, 'tmp-batches'), join(lake.root, 'batches'))
  const files = new Map(
    await Promise.all(kept.map(async name => [name, await hashOf(join(folder, `${name}.parquet`))] as const)),
  )
  // The same bytes as when the day is derived.
  await rm(join(lake.root, 'days', built), { recursive: true })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  await engine.deriveDays({ dates: [built], tables: kept.filter(name => name !== 'known_companies') })
  const derived = await dayIn(lake, built)
  t.equal(derived, folder)
  for (const [name, hash] of files) t.equal(await hashOf(join(derived, `${name}.parquet`)), hash, name)
})

t.test('tables that undated rows may have reached are not those of the day of a build', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    ...twoIssuers,
    indices: [
      { series: 'IG', index_date: '2025-06-02', option_adjusted_spread: 1.2, known_from: '2025-06-03' },
    ],
    collateral: [{ cusip: '000000AA7', type: 'equipment', description: 'Rigs' }],
  })
  const { as_of, options } = await build(lake)
  t.strictSame(options['undated_in'], ['collateral'])
  const kept = await keptTables(await dayIn(lake, as_of!))
  t.ok(kept.includes('index_spreads'))
  for (const name of ['collateral', 'bonds', 'companies', 'known_companies'])
    t.notOk(kept.includes(name), name)
})

t.test('a batch counts for every day if a row of it may have become known on any', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    ...twoIssuers,
    // Its day follows from a list of filings that may be loaded later.
    documents: [
      { ticker: 'ALFA', doc_type: '10-K', section_type: 'mda', content: 'A text.', known_from: '2025-05-30' },
    ],
  })
  await build(lake)
  const { inputs } = await currentManifest(lake)
  const firstOf = (dataset: string) => inputs.find(input => input.dataset === dataset)?.first_known
  t.equal(firstOf('documents'), null)
  t.match(firstOf('prices'), /^20\d\d-\d\d-\d\d$/)
})

t.test('one process derives a day, the others read its files', async t => {
  const lake = await smallLake(t)
  const store = new DayStore(lake)
  t.teardown(() => store.close())
  const day = await store.day(await currentManifest(lake), DAY)
  const release = await day.claim()
  t.ok(release)
  t.equal(await day.claim(), null)
  const asking = bondsOf(lake)
  // As long as the claim lasts nothing is stored.
  await new Promise(resolve => setTimeout(resolve, 500))
  t.strictSame(await keptTables(day.folder), [])
  await release!()
  t.ok(((await asking) as unknown[]).length > 0)
  await until(async () => !(await readdir(day.folder)).includes('deriving'))

  await writeFile(join(day.folder, 'deriving'), `deriving-${ownerTag(2 ** 22 - 3)}`)
  const next = await day.claim()
  t.ok(next, 'the process that derived has died')
  await next!()
  await writeFile(join(day.folder, 'deriving'), 'deriving-1.000000000000.000000000000')
  t.equal(await day.claim(), null, 'it may live on another machine')
  await utimes(join(day.folder, 'deriving'), new Date(0), new Date(0))
  const last = await day.claim()
  t.ok(last, 'but it has not been heard of for long')
  await last!()
})

t.test('a dataset of many batches is merged, for builds and past days of every snapshot', async t => {
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
  t.strictSame(await mergedIn(few), [], '8 batches are read as they are')

  const many = await inBatches(1)
  const [merged, ...more] = await mergedIn(many)
  t.strictSame([basename(merged!), more], ['treasury_yields.parquet', []], 'merged by the build')
  t.strictSame(await bondsOf(many), await bondsOf(whole))
  const folder = await dayIn(many)
  await rename(folder, join(many.root, 'tmp-day'))
  await rename(join(many.root, 'batches', 'treasury_yields'), join(many.root, 'tmp-batches'))
  t.strictSame(await bondsOf(many), await bondsOf(whole), 'a day derived later needs no batch of it')
  await rename(join(many.root, 'tmp-batches'), join(many.root, 'batches', 'treasury_yields'))
  await addRows(many, { ratings: [{ ticker: 'ALFA', agency: 'sp', rating: 'BB', known_from: '2025-03-03' }] })
  await build(many)
  t.strictSame(await mergedIn(many), [merged], 'and for another snapshot with the same batches')
  await writeFile(merged!, 'damaged')
  t.strictSame(await bondsOf(many), await bondsOf(whole), 'a damaged file is merged again')
  t.ok((await readFile(merged!)).length > 100)
})

t.test('a new batch changes only the last merged file', async t => {
  const lake = await makeLake(t.teardown.bind(t), twoIssuers)
  const store = new DayStore(lake)
  t.teardown(() => store.close())
  let written = 0
  const filesOf = (count: number) => {
    const prices = Array.from({ length: count }, (_, i) => ({
      dataset: 'prices',
      path: `batches/prices/${i}.parquet`,
      rows: 1,
      bytes: 1,
      sha256: String(i),
    }))
    return mergedInputs({
      lake,
      batches: new Map([['prices', prices]]),
      files: async () => prices.map(({ path }) => join(lake.root, path)),
      store,
      async run(sql) {
        written++
        await writeFile(sql.slice(sql.lastIndexOf(" TO '") + 5, sql.lastIndexOf("' (FORMAT")), sql)
      },
    })('prices')
  }
  const before = await filesOf(2 * 64 + 8)
  t.strictSame([before.length, written], [2 + 8, 2], 'a few are read as they are')
  const after = await filesOf(2 * 64 + 9)
  t.strictSame([after.length, written], [3, 3])
  t.strictSame(after.slice(0, 2), before.slice(0, 2))
})
