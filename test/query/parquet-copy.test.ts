import { createWriteStream, existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import t, { type Test } from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { ExportFolder } from '../../engine/database/export-folder.ts'
import { stored } from '../../engine/database/views.ts'
import { parquet } from '../../engine/encode/parquet.ts'
import type { EncodableRows } from '../../engine/encode/row-stream.ts'
import { open, type RowStream } from '../../engine/engine.ts'
import { pageCopy } from '../../engine/query/page.ts'
import { metrics, type Plan } from '../../engine/query/plan/plan.ts'
import { type Columns, integer, text } from '../../engine/schema/column.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { type Rows as Made, twoIssuers } from '../make-lake.ts'

const [alfa, ...bonds] = twoIssuers['bonds']!
const made: Made = {
  ...twoIssuers,
  bonds: [{ ...alfa, call_schedule: '[\n  {"date":"2027-06-01",\r\n "price":102.5}\n]' }, ...bonds],
}
const lake = await builtLake(t.teardown, made)
const engine = await open(lake)
t.teardown(() => engine.close())
const about = { snapshot: engine.snapshot, as_of: '2025-06-02' }

async function bytesOf(rows: EncodableRows): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of parquet(rows, { about })) pieces.push(piece)
  return Buffer.concat(pieces)
}

const reader = await Database.create()
t.teardown(() => reader.close())

/** Everything that a reader of a file sees. */
async function seen(t: Test, bytes: Buffer) {
  const file = join(testFolder(t), 'seen.parquet')
  await writeFile(file, bytes)
  const { names, types, columns } = await reader.columns(`FROM read_parquet(${literal(file)})`)
  const schema = await reader.rows(
    `SELECT * EXCLUDE (file_name, column_id) FROM parquet_schema(${literal(file)})`,
  )
  const metadata = await reader.rows(
    `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${literal(file)}) ORDER BY key`,
  )
  const facts = await reader.rows(
    `SELECT DISTINCT compression FROM parquet_metadata(${literal(file)}) ORDER BY 1`,
  )
  return { names, types, columns, schema, metadata, facts }
}

const questions: [string, Record<string, unknown>][] = [
  ['export', { data_type: 'companies', sort: '-ticker' }],
  ['export', { data_type: 'companies', sort: 'ticker', limit: 1, offset: 1 }],
  ['export', { data_type: 'companies', ticker: 'ALFA', as_of: '2025-01-10' }],
  ['export', { data_type: 'bonds', sort: '-maturity_date' }],
  ['export', { data_type: 'bonds', fields: 'id,call_schedule,collateral.assets', sort: 'id' }],
  ['export', { data_type: 'bonds', as_of: '2025-03-01', maturity_after: '2026-01-01' }],
  ['export', { data_type: 'pricing' }],
  ['export', { data_type: 'financials', sort: '-period_end_date' }],
  ['export', { data_type: 'covenants', sort: 'id' }],
  ['export', { data_type: 'collateral' }],
  ['export', { data_type: 'ratings', sort: '-effective_date', ticker: 'ALFA' }],
  ['export', { data_type: 'spreads', limit: 2 }],
  [
    'search.companies',
    { fields: 'ticker,aliases,former_names,_metadata,_explain', sort: 'ticker', explain: true },
  ],
  ['search.bonds', { fields: 'id,name,outstanding,pricing', sort: '-pricing.ytm' }],
  ['search.bonds', { ticker: 'ALFA', limit: 1, offset: 99 }],
  ['search.companies', { sector: "O'Hara" }],
  ['aggregate.spreads', { group_by: 'spread_date,tenor', metrics: metrics.join() }],
  ['aggregate.spreads', { group_by: 'ticker,month', metrics: 'median,change' }],
]

t.test('a copy by DuckDB equals the table made from rows', async t => {
  // The name of a test is that of a folder, and must be short.
  for (const [i, [name, input]] of questions.entries())
    await t.test(`query ${i + 1} of ${name}`, async t => {
      t.comment(JSON.stringify(input))
      const stream = <T>(use: (rows: RowStream) => Promise<T>) => engine.stream(name, input, {}, use)
      const copied = await stream(async rows => {
        t.ok(rows.copy)
        return seen(t, await bytesOf(rows))
      })
      t.strictSame(copied, await stream(async ({ copy, ...rows }) => seen(t, await bytesOf(rows))))
    })
})

const numbered: Columns = { id: integer('Number.'), word: text('Text.') }

/** A quarter of a million rows, from the last to the second, of an unordered table. */
const backwards: Plan = {
  table: 'numbers',
  columns: Object.entries(numbered).map(([name, column]) => ({ name, column })),
  where: [],
  after: [],
  order: [{ column: 'id', descending: true }],
  limit: 249_999,
  offset: 0,
}

const form = { format: 'parquet', metadata: { from: 'numbers' } } as const

async function numbers(t: Test): Promise<Database> {
  const database = await Database.create({ threads: 4 })
  t.teardown(() => database.close())
  await database.run(
    `CREATE SCHEMA stored;
     CREATE TABLE ${stored('numbers')} AS
     SELECT CAST(range AS INTEGER) AS id, 'word ' || hash(range) AS word FROM range(250000) ORDER BY hash(range)`,
  )
  return database
}

t.test('rows keep their order over several row groups and threads, and are counted', async t => {
  const database = await numbers(t)
  const folder = new ExportFolder()
  const { bytes, rowCount } = await pageCopy({ database }, backwards, numbered, {}, folder, form)
  t.equal(rowCount, 249_999)
  t.notOk(existsSync(folder.path), 'the file has lost its name before its first byte is read')
  const file = join(testFolder(t), 'numbers.parquet')
  await pipeline(bytes, createWriteStream(file))
  const { types, columns, rowCount: read } = await reader.columns(`FROM read_parquet(${literal(file)})`)
  t.strictSame(types, ['BIGINT', 'VARCHAR'], 'as their columns are declared, not as the table has them')
  t.equal(read, 249_999)
  t.ok(columns[0]!.every((id, i) => id === 249_999 - i))
})

t.test('a stopped or failing copy leaves no file, and takes none from another', async t => {
  const database = await numbers(t)
  const folder = new ExportFolder()
  const slow: Plan = { ...backwards, table: 'endless', order: [], limit: null }
  await database.run(
    `CREATE VIEW ${stored('endless')} AS
     SELECT a.id, a.word FROM ${stored('numbers')} a, ${stored('numbers')} b WHERE hash(a.id, b.id) = 0`,
  )
  const copy = (plan: Plan, limits = {}) => pageCopy({ database }, plan, numbered, limits, folder, form)
  const leaving = new AbortController()
  const left = copy(slow, { signal: leaving.signal })
  const whole = await copy(backwards)
  t.ok(existsSync(folder.path), 'the other is still written')
  leaving.abort()
  await t.rejects(left, { message: /interrupt/i })
  await t.rejects(copy(slow, { timeout: 5 }), { code: 'QUERY_TIMEOUT' })
  await t.rejects(copy({ ...backwards, table: 'nowhere' }), { message: /nowhere/ })
  t.notOk(existsSync(folder.path))
  let size = 0
  for await (const piece of whole.bytes) size += piece.length
  t.ok(size > 1e6)
})

t.test('SQL cannot write', async t => {
  const file = join(testFolder(t), 'a.csv')
  await t.rejects(engine.sql(`COPY (SELECT 1 AS a) TO ${literal(file)}`), { code: 'INVALID_SQL' })
  t.notOk(existsSync(file))
})
