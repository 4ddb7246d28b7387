import t from 'tap'
import type { QueryError } from '../../engine/base/errors.ts'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake } from '../make-lake.ts'
import { lastDay, richRows } from '../point-in-time/rich-lake.ts'

// Several days are derived, which takes a while on a busy machine.
t.setTimeout(180_000)

const lake = await makeLake(t.teardown, richRows)
await build(lake, { asOf: lastDay })
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
  t.match(await refused("SELECT * FROM read_csv('/etc/passwd')", { dates }), /INVALID_SQL/)
})
