import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { open } from '../../engine/engine.ts'
import { visibleTables } from '../../engine/sql/admit-statement.ts'
import { openSqlRunner } from '../../server/sql/runner.ts'
import { builtLake } from '../built-lake.ts'
import { removeFolder } from '../folder.ts'
import { twoIssuers } from '../make-lake.ts'

const DAY = '2025-03-03'
const CURVE = '2025-02-28'
const lake = await builtLake(t.teardown.bind(t), {
  ...twoIssuers,
  treasury_yields: [24, 120].map(tenor_months => ({
    date: CURVE,
    tenor_months,
    rate: 4.5,
    publisher: 'treasury',
    known_from: CURVE,
  })),
})

const COLUMNS = `SELECT table_name, column_name, data_type FROM information_schema.columns
  WHERE table_schema = 'main' AND NOT starts_with(table_name, 'in_') ORDER BY ALL`
const YIELD = `SELECT treasury_yield(DATE '${CURVE}', 10) AS y`

/** The tables that are stored of the day. */
async function storedTables(): Promise<string[]> {
  const [folder] = await readdir(join(lake.root, 'days', DAY)).catch(() => [])
  const files = folder === undefined ? [] : await readdir(join(lake.root, 'days', DAY, folder))
  return files.filter(name => name.endsWith('.json')).map(name => name.slice(0, -'.json'.length))
}

t.test('a statement derives the tables of its day that it names', async t => {
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const onDay = (text: string) => engine.sql(text, [], { asOf: DAY })
  t.strictSame(await onDay(YIELD), [{ y: 4.5 }], 'a function reads the curves, which no statement names')
  t.strictSame(await storedTables(), [])
  t.strictSame(await onDay('SELECT count(*) AS n FROM entities'), [{ n: 2 }])
  t.strictSame(await storedTables(), ['entities'])
  const named = await onDay(
    'SELECT (SELECT count(*) FROM main."Bonds") AS bonds, count(*) AS n FROM companies c',
  )
  t.match(named, [{ bonds: 3, n: 2 }], 'in a subquery, with a schema, quoted')
})

t.test('a list of tables is whole before any is derived, with the columns that they have then', async t => {
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const names = async (asOf: string | undefined) =>
    (await engine.sql('SHOW TABLES', [], asOf ? { asOf } : {})).map(({ name }) => name)
  t.strictSame(await names(DAY), [...visibleTables].sort())
  t.strictSame(await names(undefined), [...visibleTables].sort())
  const before = await engine.sql(COLUMNS, [], { asOf: DAY })
  for (const name of visibleTables) await engine.sql(`SELECT count(*) FROM ${name}`, [], { asOf: DAY })
  t.strictSame(await engine.sql(COLUMNS, [], { asOf: DAY }), before)
  t.strictSame(await engine.sql(COLUMNS), before)
  t.strictSame(await engine.sql('SELECT count(*) AS n FROM companies', [], { asOf: DAY }), [{ n: 2 }])
})

t.test('so does a statement over HTTP, which sees the rows of its coverage', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-one-day-test-'))
  const runner = await openSqlRunner({ lake, folder, limits: { timeout: 120_000 } })
  t.teardown(async () => {
    runner.close()
    await removeFolder(folder)
  })
  const rowsOf = async (sql: string, coverage: 'all' | 'standard' = 'all', asOf = '2025-02-03') =>
    (await runner.run({ sql, asOf, coverage })).rows
  const ofDay = async () => (await readdir(folder)).filter(name => name.includes('2025-02-03')).length
  await runner.prepare({})
  t.strictSame(await rowsOf('SELECT count(*) AS n FROM bonds'), [{ n: 3 }])
  const engine = await open(lake)
  t.teardown(() => engine.close())
  t.strictSame(await rowsOf('SELECT count(*) AS n FROM companies', 'standard'), [{ n: 1 }])
  t.strictSame(
    await rowsOf('SELECT id FROM bonds ORDER BY id'),
    await engine.sql('SELECT id FROM bonds ORDER BY id', [], { asOf: '2025-02-03' }),
  )
  t.equal(await ofDay(), 2, 'one file for the tables of two statements')
  for (const name of ['bonds', 'prices', 'covenants', 'guarantees', 'facts']) {
    const count = `SELECT count(*) AS n FROM ${name}`
    const ofMore = `${count} WHERE (SELECT count(*) FROM companies) + (SELECT count(*) FROM bonds) > 0`
    t.strictSame(
      await rowsOf(count, 'standard'),
      await rowsOf(ofMore, 'standard'),
      `${name} of some companies`,
    )
  }
  t.strictSame(await rowsOf(YIELD, 'all', DAY), [{ y: 4.5 }])
  t.strictSame(await rowsOf(COLUMNS), await engine.sql(COLUMNS), 'a list of columns is of all tables')
  await t.rejects(rowsOf('SELECT 1 FROM nothing'), { code: 'INVALID_SQL' })
})
