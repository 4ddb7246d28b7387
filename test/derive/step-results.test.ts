import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Database } from '../../engine/database/database.ts'
import { type DerivationCache, fingerprintOf } from '../../engine/derive/cache/derivation-cache.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { StepResults } from '../../engine/derive/step-results.ts'
import { type Step, type StepOptions, steps } from '../../engine/derive/steps.ts'
import { LakeCache } from '../../engine/lake/derivation-cache.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake, type Lake } from '../../engine/lake/lake.ts'
import { firstOf } from '../by-night.ts'
import { addRows, makeLake } from '../make-lake.ts'
import { lastDay, richRows } from '../point-in-time/rich-lake.ts'

t.setTimeout(230_000)

const repeatable = steps.filter(step => step.isRepeatable)
const everyTable = steps.flatMap(step => step.makes)

interface DerivedDay {
  /** A fingerprint of the rows of each table. */
  readonly rows: Readonly<Record<string, string>>
  /** The first table of each step that was read, and was not made. */
  readonly read: readonly string[]
}

/** Every table of a lake as of a day. */
async function derive(t: Test, lake: Lake, asOf: string, cache?: LakeCache): Promise<DerivedDay> {
  const files = await batchFiles(lake)
  const db = await Database.create()
  t.teardown(() => db.close())
  const derivation = new Derivation(
    db,
    async dataset => (files.get(dataset) ?? []).map(({ path }) => inLake(lake, path)),
    { asOf, undated: false, assumeSeniority: null, ...(cache && { cache }) },
  )
  await derivation.make(...everyTable)
  await derivation.storeResults()
  const rows = await db.rows<{ name: string; content: string }>(
    everyTable
      .map(name => `SELECT '${name}' AS name, ${fingerprintOf('input')} AS content FROM ${name} input`)
      .join(' UNION ALL '),
  )
  const views = await db.rows<{ name: string }>('SELECT view_name AS name FROM duckdb_views()')
  const isView = new Set(views.map(({ name }) => name))
  return {
    rows: Object.fromEntries(rows.map(({ name, content }) => [name, content])),
    read: repeatable.map(({ makes }) => makes[0]!).filter(name => isView.has(name)),
  }
}

const all = repeatable.map(({ makes }) => makes[0]!)

t.test('steps whose inputs are equal are read, and every table is as if all had run', async t => {
  const lake = await makeLake(t.teardown.bind(t), richRows)
  const cache = new LakeCache(lake)
  t.teardown(() => cache.close())
  let read = 0
  // Out of order, and some twice: what later days stored must not reach earlier ones.
  const days = firstOf(3, ['2025-02-14', lastDay, '2025-02-15', '2024-05-15', '2024-05-16', '2024-05-15'])
  for (const day of days) {
    const shared = await derive(t, lake, day, cache)
    t.strictSame(shared.rows, (await derive(t, lake, day)).rows, day)
    read += shared.read.length
  }
  t.ok(read > all.length / 2, `${read} steps were read`)
  t.strictSame((await derive(t, lake, lastDay, cache)).read, all, 'a day derived before reads all of them')
})

t.test('a new row makes the steps run that depend on it, and no other', async t => {
  const lake = await makeLake(t.teardown.bind(t), richRows)
  const cache = new LakeCache(lake)
  t.teardown(() => cache.close())
  const day = '2025-12-31'
  await derive(t, lake, day, cache)
  const after = async (rows: Parameters<typeof addRows>[1]) => {
    await addRows(lake, rows)
    const shared = await derive(t, lake, day, cache)
    t.strictSame(shared.rows, (await derive(t, lake, day)).rows)
    return all.filter(name => !shared.read.includes(name))
  }
  t.strictSame(
    await after({
      indices: [
        {
          series: 'IG',
          index_name: 'Corporate',
          index_date: '2025-07-01',
          option_adjusted_spread: 1.1,
          known_from: '2025-07-02',
        },
      ],
    }),
    [],
    'nothing that is repeatable reads indices',
  )
  t.strictSame(
    await after({
      entities: [{ id: 'new', ticker: 'ALFA', name: 'New Sub LLC', known_from: '2025-07-01' }],
    }),
    ['companies_base', 'entities'],
    'entities name companies, and the same are found',
  )
  t.strictSame(
    await after({
      prices: [{ ...richRows['prices']![0]!, price_date: '2025-07-01', price: 97, known_from: '2025-07-01' }],
    }),
    [],
    'a price changes neither companies nor what filings say',
  )
  const amended = { ...richRows['facts']![0]!, value: 1, filed_date: '2025-07-02', known_from: '2025-07-02' }
  const byFact = await after({ facts: [{ ...amended, accession: '0000000000-25-999999' }] })
  t.ok(byFact.includes('statements_derived') && byFact.includes('financials'))
  const correction = {
    corrects: 'entities',
    row_id: 'new',
    action: 'set',
    field: 'name',
    value: 'New Subsidiary LLC',
    reason: 'as the exhibit says',
    made_by: 'reader',
    made_on: '2025-07-03',
    made_at: '2025-07-03T10:00:00Z',
    known_from: '2025-07-03',
  }
  t.ok((await after({ corrections: [correction] })).includes('entities'), 'a correction is an input')
  const index = { series: 'IG', index_name: 'Corporate', option_adjusted_spread: 1.2 }
  t.strictSame(
    await after({ indices: [{ ...index, index_date: '2025-07-03', known_from: '2025-07-04' }] }),
    [],
    'what corrections found is read with the corrected rows',
  )
})

t.test('a list of filings that says when documents became known makes them again', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    companies: [{ ticker: 'ALFA', name: 'Alfa Corp', cik: '0000000011' }],
    documents: [
      {
        id: 'd',
        cik: '0000000011',
        accession: '0000000011-25-000001',
        section_type: 'mda',
        content: 'Liquidity.',
      },
    ],
  })
  const cache = new LakeCache(lake)
  t.teardown(() => cache.close())
  const before = await derive(t, lake, lastDay, cache)
  await addRows(lake, {
    filings: [
      {
        cik: '0000000011',
        accession: '0000000011-25-000001',
        form: '10-K',
        filed_date: '2025-02-03',
        known_from: '2025-02-03',
      },
    ],
  })
  const dated = await derive(t, lake, lastDay, cache)
  t.not(dated.rows['documents'], before.rows['documents'])
  t.strictSame(dated.rows, (await derive(t, lake, lastDay)).rows)
})

t.test('a stored table that is damaged is derived again', async t => {
  const lake = await makeLake(t.teardown.bind(t), richRows)
  const first = new LakeCache(lake)
  const { rows } = await derive(t, lake, lastDay, first)
  first.close()
  const names = await readdir(join(lake.root, 'cache'), { recursive: true })
  const stored = names.find(name => name.endsWith('guarantees.parquet'))!
  await writeFile(join(lake.root, 'cache', stored), 'damaged')
  const second = new LakeCache(lake)
  t.teardown(() => second.close())
  const again = await derive(t, lake, lastDay, second)
  t.strictSame(again.rows, rows)
  t.notOk(again.read.includes('entities'))
  t.ok(again.read.includes('statements_derived'))
})

t.test('tables of repeatable steps keep their types in a file', async t => {
  const lake = await makeLake(t.teardown.bind(t), richRows)
  const types = async (cache?: LakeCache) => {
    const files = await batchFiles(lake)
    const db = await Database.create()
    t.teardown(() => db.close())
    const derivation = new Derivation(
      db,
      async dataset => (files.get(dataset) ?? []).map(({ path }) => inLake(lake, path)),
      { asOf: lastDay, undated: false, assumeSeniority: null, ...(cache && { cache }) },
    )
    await derivation.make(...everyTable)
    const columns: unknown[] = []
    for (const { makes } of repeatable)
      for (const name of makes)
        columns.push(
          await db.rows(`SELECT '${name}' AS name, column_name, column_type FROM (DESCRIBE ${name})`),
        )
    return columns
  }
  const cache = new LakeCache(lake)
  t.teardown(() => cache.close())
  const made = await types()
  await types(cache)
  t.strictSame(await types(cache), made)
})

t.test('steps that read a table in part need no other column of it', async t => {
  const lake = await makeLake(t.teardown.bind(t), richRows)
  const { rows } = await derive(t, lake, lastDay)
  const files = await batchFiles(lake)
  const options = { asOf: lastDay, undated: false, assumeSeniority: null }
  for (const step of repeatable.filter(({ columns }) => columns)) {
    const db = await Database.create()
    t.teardown(() => db.close())
    const derivation = new Derivation(
      db,
      async dataset => (files.get(dataset) ?? []).map(({ path }) => inLake(lake, path)),
      options,
    )
    for (const name of step.reads)
      await (name.startsWith('in_') ? derivation.open(name.slice('in_'.length)) : derivation.make(name))
    for (const [table, columns] of Object.entries(step.columns!)) {
      t.ok(step.reads.includes(table))
      await db.run(`ALTER TABLE ${table} RENAME TO all_${table};
        CREATE VIEW ${table} AS SELECT ${columns.join(', ')} FROM all_${table}`)
    }
    await step.run(db, options)
    for (const name of step.makes)
      t.strictSame(
        await db.rows(`SELECT ${fingerprintOf('input')} AS content FROM ${name} input`),
        [{ content: rows[name] }],
        name,
      )
  }
})

t.test(
  'results are stored after the tables are made, those of fewer rows before others replace them',
  async t => {
    const lake = await makeLake(t.teardown.bind(t), richRows)
    const cache = new LakeCache(lake)
    t.teardown(() => cache.close())
    const files = await batchFiles(lake)
    const db = await Database.create()
    t.teardown(() => db.close())
    const derivation = new Derivation(
      db,
      async dataset => (files.get(dataset) ?? []).map(({ path }) => inLake(lake, path)),
      { asOf: lastDay, undated: false, assumeSeniority: null, cache },
    )
    const stored = async () =>
      (await readdir(await cache.folder())).filter(name => name.startsWith('step-')).sort()
    const results = async (step: string) => (await readdir(join(await cache.folder(), step))).length
    await derivation.make('companies')
    t.strictSame(await stored(), [])
    await derivation.make('financials')
    t.strictSame(await stored(), ['step-statements_derived'], 'all statements replace the newest')
    await derivation.storeResults()
    t.equal(await results('step-statements_derived'), 2)
    t.ok((await stored()).includes('step-companies_base'))
    const all = await stored()
    await derivation.storeResults()
    t.strictSame(await stored(), all)
    t.equal(await results('step-statements_derived'), 2, 'nothing is stored twice')
  },
)

t.test('of a past day results of very many rows are not stored, of a build they are', async t => {
  const db = await Database.create()
  t.teardown(() => db.close())
  const kept: string[] = []
  const cache = {
    find: async () => [],
    keep: async (step: string) => void kept.push(step),
  } as unknown as DerivationCache
  await db.run("CREATE VIEW in_facts AS SELECT DATE '2024-01-02' AS known_from")
  const step = (name: string, rows: number): Step => ({
    reads: ['in_facts'],
    makes: [name],
    isRepeatable: true,
    run: target => target.run(`CREATE OR REPLACE TABLE ${name} AS SELECT * FROM range(${rows})`),
  })
  for (const keepsDays of [false, true]) {
    const results = new StepResults({ db, cache, files: async () => [] })
    const options = { asOf: '2024-01-02', assumeSeniority: null, keepsDays } as StepOptions
    await results.run(step('few', 100_000), options)
    await results.run(step('many', 100_001), options)
    await results.store()
    t.strictSame(kept.splice(0), keepsDays ? ['step-few', 'step-many'] : ['step-few'])
  }
})
