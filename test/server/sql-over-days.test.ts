import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { openSqlRunner, type SqlAnswer, type SqlQuestion, type SqlRunner } from '../../server/sql/runner.ts'
import { builtLake } from '../built-lake.ts'
import { oneOf } from '../by-night.ts'
import { removeFolder } from '../folder.ts'
import { richRows } from '../point-in-time/rich-lake.ts'
import { start } from './start.ts'

// Several days are derived, which takes a while on a busy machine.
t.setTimeout(230_000)

const lake = await builtLake(t.teardown.bind(t), richRows)
const folder = await mkdtemp(join(tmpdir(), 'tranche-sql-test-'))
const runner = await openSqlRunner({ lake, folder, limits: { timeout: 120_000 } })
t.teardown(async () => {
  runner.close()
  await removeFolder(folder)
})
const { ask, engine, keys } = await start(t, { lake, sql: runner })
const lastDay = String((await engine.call('search.companies', { limit: 1 })).meta['as_of'])
const dates = ['2024-08-20', '2025-03-20']

/** Repeats until the tables are prepared. */
async function run(question: SqlQuestion, of: SqlRunner = runner): Promise<SqlAnswer> {
  for (;;)
    try {
      return await of.run(question)
    } catch (error) {
      if (!(error instanceof QueryError) || !/NOT_READY|OVERLOADED/.test(error.code)) throw error
      await pause(20)
    }
}
await run({ sql: 'SELECT 1' })

const sorted = (table: string, columns: string) =>
  `SELECT CAST(as_of AS VARCHAR) AS as_of, ${columns} FROM ${table} ORDER BY ALL`

t.test('over HTTP a table over several days has the rows of each, as in the library', async t => {
  const days = [...dates, lastDay]
  for (const [table, columns] of oneOf(2, [
    ['companies', 'company_id, leverage_ratio, aliases, _metadata.warnings'],
    ['bonds', 'id, pricing.ytm, status, issuer.name'],
    ['covenants', 'id, threshold_value, in_force'],
    ['financials', 'company_id, CAST(period_end_date AS VARCHAR) AS ended, version, revenue'],
  ] as const)) {
    const sql = sorted(table, columns)
    const { status, body } = await ask('/v1/sql', { body: { sql, dates: days } })
    t.equal(status, 200, table)
    t.strictSame(body.data, await engine.sql(sql, [], { dates: days }), table)
    t.strictSame(body.meta.dates, days)
    t.equal(body.meta.as_of, lastDay)
  }
  const asked = { sql: 'SELECT DISTINCT CAST(as_of AS VARCHAR) AS day FROM bonds ORDER BY 1' }
  const every = await ask('/v1/sql', { body: { ...asked, from: '2025-02', to: '2025-03', every: 'month' } })
  t.strictSame(every.body.data, [{ day: '2025-02-28' }, { day: '2025-03-31' }])
  t.strictSame(every.body.meta.dates, ['2025-02-28', '2025-03-31'])
})

t.test('over HTTP the history of a table is that of the library, of what a key may see', async t => {
  const sql = 'SELECT id, valid_from, valid_to, outstanding, is_active FROM bonds_history ORDER BY ALL'
  const { body } = await ask('/v1/sql', { body: { sql, dates } })
  t.strictSame(body.data, await engine.sql(sql, [], { dates }))
  t.ok(body.data.length > 0)
  const seen = await ask('/v1/sql', { key: keys.pro, body: { sql, dates } })
  t.strictSame(
    seen.body.data,
    await engine.sql(sql.replace('ORDER', "WHERE coverage = 'standard' ORDER"), [], { dates }),
  )
  t.ok(seen.body.data.length < body.data.length)
})

t.test('a key sees on each day what it may see of that day', async t => {
  const sql = sorted('bonds', 'id')
  const seen = await ask('/v1/sql', { key: keys.pro, body: { sql, dates } })
  const standard = await engine.sql(
    `SELECT CAST(as_of AS VARCHAR) AS as_of, id FROM bonds WHERE coverage = 'standard' ORDER BY ALL`,
    [],
    { dates },
  )
  t.strictSame(seen.body.data, standard)
  t.ok(standard.length < (await engine.sql(sql, [], { dates })).length)
  const named = sorted('collateral', 'id')
  const { body } = await ask('/v1/sql', { key: keys.pro, body: { sql: named, dates } })
  t.ok(body.data.length <= (await engine.sql(named, [], { dates })).length)
})

t.test('what has no state of a day, and other mistakes, are refused', async t => {
  for (const [body, code, message] of [
    [{ sql: 'SELECT * FROM trades', dates }, 'INVALID_SQL', /trades holds the rows of sources/],
    [{ sql: 'SELECT 1', dates, as_of: '2025-01-01' }, 'INVALID_PARAMETER', /leave out as_of/],
    [
      { sql: 'SELECT 1', dates: ['2030-01-01'] },
      'INVALID_PARAMETER',
      /dates is after the snapshot's as-of date/,
    ],
    [{ sql: 'SELECT 1', every: 'month' }, 'MISSING_PARAMETER', /no days given/],
    [{ sql: 'SELECT treasury_yield(as_of, 5) FROM bonds', dates }, 'INVALID_SQL', /one day with as_of/],
    [
      { sql: 'SELECT * FROM bonds_history' },
      'INVALID_SQL',
      /bonds_history is over several days: give them as/,
    ],
    [{ sql: 'DROP TABLE bonds', dates }, 'INVALID_SQL', /SELECT/],
    [{ sql: 'SELECT nothing FROM bonds', dates }, 'INVALID_SQL', /nothing/],
  ] as const) {
    const answer = await ask('/v1/sql', { body })
    t.match(answer.body.error, { code, message }, body.sql)
  }
  t.strictSame((await ask('/v1/sql', { body: { sql: 'SELECT 1 AS one', dates } })).body.data, [{ one: 1 }])
})

t.test('a statement whose days take too long says how many are ready, and the next one goes on', async t => {
  const quick = await openSqlRunner({ lake, folder, limits: { timeout: 1 } })
  t.teardown(() => quick.close())
  const over = { dates: ['2024-10-01', '2024-11-01', '2024-12-01'] }
  const sql = 'SELECT count(DISTINCT as_of) AS days FROM companies'
  await t.rejects(run({ sql, over }, quick), { code: 'QUERY_TIMEOUT' })
  t.strictSame((await run({ sql, over })).rows, [{ days: 3 }])
})
