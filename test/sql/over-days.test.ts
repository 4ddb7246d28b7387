import t from 'tap'
import type { QueryError } from '../../engine/base/errors.ts'
import { Database, quote } from '../../engine/database/database.ts'
import { viewsOverDays } from '../../engine/database/history-view.ts'
import { open } from '../../engine/engine.ts'
import { columnTree } from '../../engine/schema/column-tree.ts'
import { histories } from '../../engine/schema/resources/tables.ts'
import { builtLake } from '../built-lake.ts'
import { lastDay, richRows } from '../point-in-time/rich-lake.ts'

// Several days are derived, which takes a while on a busy machine.
t.setTimeout(180_000)

const lake = await builtLake(t.teardown, richRows, { asOf: lastDay })
const engine = await open(lake)
t.teardown(() => engine.close())

const dates = ['2024-08-20', '2025-03-20', lastDay]

t.test('a table over several days has the rows of each, led by the day', async t => {
  for (const [table, columns] of [
    ['companies', 'company_id, leverage_ratio, aliases, _metadata.warnings'],
    ['bonds', 'id, pricing.ytm, status, issuer.name'],
    ['financials', 'company_id, period_end_date, version, revenue'],
    ['ratings', 'id, rating, outlook'],
    ['documents', 'id, doc_type'],
  ] as const) {
    const both = await engine.sql(
      `SELECT CAST(as_of AS VARCHAR) AS as_of, ${columns} FROM ${table} ORDER BY ALL`,
      [],
      { dates },
    )
    const apart: Record<string, unknown>[] = []
    for (const as_of of dates) {
      const rows = await engine.sql(`SELECT ${columns} FROM ${table} ORDER BY ALL`, [], { as_of })
      apart.push(...rows.map(row => ({ as_of, ...row })))
    }
    t.ok(apart.length > 2, table)
    t.strictSame(both, apart, table)
  }
})

t.test('tables are joined by the day, under any name, with values', async t => {
  const rows = await engine.sql(
    `WITH known AS (SELECT * FROM companies WHERE ticker = $ticker)
     SELECT CAST(b.as_of AS VARCHAR) AS as_of, count(*) AS bonds, any_value(known.name) AS name
     FROM bonds b JOIN known USING (as_of, company_id) GROUP BY 1 ORDER BY 1`,
    { ticker: 'ALFA' },
    { dates: [...dates, dates[0]!] },
  )
  const wanted: Record<string, unknown>[] = []
  for (const as_of of dates)
    wanted.push(
      ...(await engine.sql(
        `SELECT '${as_of}' AS as_of, count(*) AS bonds, any_value(company_name) AS name FROM bonds WHERE company_ticker = 'ALFA'`,
        [],
        { as_of },
      )),
    )
  t.strictSame(rows, wanted, 'a day named twice counts once')
  const [described] = await engine.sql('DESCRIBE bonds', [], { dates })
  t.match(described, { column_name: 'as_of', column_type: 'DATE' })
})

t.test('a history has the rows of each of its days, in intervals', async t => {
  for (const { name, of, columns } of histories) {
    const kept = columnTree(Object.keys(columns)).map(({ key }) => key)
    const shown = kept
      .filter(key => !key.startsWith('valid_'))
      .map(quote)
      .join(', ')
    const ofDays = `SELECT as_of, ${shown} FROM ${of.table}`
    const standing = `SELECT d.as_of, ${shown} FROM (SELECT DISTINCT as_of FROM companies) d
      JOIN ${name} h ON d.as_of BETWEEN h.valid_from AND coalesce(h.valid_to, d.as_of)`
    const differ = await engine.sql(
      `SELECT count(*) AS rows FROM ((${ofDays} EXCEPT ALL ${standing}) UNION ALL (${standing} EXCEPT ALL ${ofDays}))`,
      [],
      { dates },
    )
    t.strictSame(differ, [{ rows: 0 }], `${name} gives the rows of ${of.table}`)
    const [counted] = await engine.sql<{ rows: number; intervals: number; long: number }>(
      `SELECT (SELECT count(*) FROM ${of.table}) AS rows, count(*) AS intervals, count_if(valid_to IS NULL AND valid_from < '${lastDay}') AS long FROM ${name}`,
      [],
      { dates },
    )
    const { rows, intervals, long } = counted!
    t.ok(rows === 0 || intervals < rows, `${name} joins rows of successive days`)
    t.ok(rows === 0 || long > 0, `${name} has rows that still stand`)
  }
})

t.test('a row that goes and comes back has two intervals', async t => {
  const database = await Database.create({ file: ':memory:', memory: '200MiB', threads: 1, temp: null })
  t.teardown(() => database.close())
  const ownership = histories.find(({ name }) => name === 'ownership_history')!
  const days = ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30']
  const row = (day: number, parent: string, share: number) =>
    `(DATE '${days[day]}', '${parent}', 'b', ${share}, 'owns', NULL::DATE, 'x', DATE '2020-01-01')`
  await database.run(
    `CREATE SCHEMA stored; CREATE TABLE stored.ownership AS SELECT * FROM (VALUES ${[
      row(0, 'a', 100),
      row(1, 'a', 100),
      row(3, 'a', 100),
      row(0, 'c', 40),
      row(1, 'c', 60),
      row(2, 'c', 60),
      row(3, 'c', 60),
    ].join(
      ', ',
    )}) AS t(as_of, parent_id, child_id, ownership_pct, relationship, document_date, source, known_from);
     ${viewsOverDays(ownership.of, days).join('; ')}`,
  )
  t.strictSame(
    await database.rows(
      'SELECT parent_id, ownership_pct, valid_from, valid_to FROM ownership_history ORDER BY 1, 3',
    ),
    [
      { parent_id: 'a', ownership_pct: 100, valid_from: '2025-01-31', valid_to: '2025-03-30' },
      { parent_id: 'a', ownership_pct: 100, valid_from: '2025-04-30', valid_to: null },
      { parent_id: 'c', ownership_pct: 40, valid_from: '2025-01-31', valid_to: '2025-02-27' },
      { parent_id: 'c', ownership_pct: 60, valid_from: '2025-02-28', valid_to: null },
    ],
  )
})

t.test('days may be a range, as for a panel', async t => {
  const days = await engine.sql<{ day: string }>(
    'SELECT DISTINCT CAST(as_of AS VARCHAR) AS day FROM ratings ORDER BY 1',
    [],
    { from: '2024-07', to: '2025-03', every: 'quarter' },
  )
  t.strictSame(
    days.map(({ day }) => day),
    ['2024-09-30', '2024-12-31', '2025-03-31'],
  )
})

t.test('what has no days, and days that cannot be, are refused', async t => {
  const refused = (text: string, options: object) =>
    engine.sql(text, [], options).then(
      () => t.fail(text),
      (error: QueryError) => `${error.code} ${error.message}`,
    )
  t.match(
    await refused('SELECT 1 FROM companies', { dates, as_of: lastDay }),
    /INVALID_PARAMETER .*leave out as_of/,
  )
  t.match(await refused('SELECT 1 FROM companies', { dates: ['2031-01-01'] }), /dates is after the snapshot/)
  t.match(await refused('SELECT 1 FROM companies', { dates: ['2025-02-30'] }), /dates must be a valid day/)
  t.match(await refused('SELECT 1 FROM companies', { every: 'month' }), /no days given/)
  t.match(await refused('SELECT 1 FROM facts', { dates }), /INVALID_SQL facts holds the rows of sources/)
  t.match(await refused('SELECT 1 FROM nowhere', { dates }), /INVALID_SQL no table nowhere/)
  t.match(await refused('SELECT 1 FROM bonds_history', {}), /INVALID_SQL bonds_history is over several days/)
  t.match(
    await refused('SELECT 1 FROM documents_history', { dates }),
    /INVALID_SQL no table documents_history/,
  )
  t.match(await refused('SELECT 1 FROM company', { dates }), /no table company; did you mean companies\?$/)
  t.match(await refused("SELECT * FROM read_csv('/etc/passwd')", { dates }), /INVALID_SQL/)
})
