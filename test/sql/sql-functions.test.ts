import t, { type Test } from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { bond, modifiedDuration, yieldToMaturity } from '../../engine/credit/bond.ts'
import { formatDay, parseDay } from '../../engine/credit/calendar.ts'
import { Database } from '../../engine/database/database.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { sqlType } from '../../engine/schema/column.ts'
import { defineNamed } from '../../engine/sql/define-functions.ts'
import { signature } from '../../engine/sql/sql-function.ts'
import { sqlFunctions } from '../../engine/sql/sql-functions.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'

const tenors = [1, 3, 6, 12, 24, 36, 60, 84, 120, 240, 360]
const rates = [4.37, 4.41, 4.31, 4.09, 3.9, 3.86, 3.97, 4.18, 4.43, 4.96, 4.96]

let opened: Promise<Engine> | null = null
t.teardown(async () => (await opened)?.close())

const lake = (): Promise<Engine> => {
  opened ??= builtLake(t.teardown, twoIssuers).then(made => open(made))
  return opened
}

/** A database with every function, and one Treasury curve, of 2025-06-13. */
async function calculator(t: Test) {
  const db = await Database.create({ threads: 4 })
  t.teardown(() => db.close())
  await db.run(`CREATE VIEW in_treasury_yields AS
    SELECT DATE '2025-06-13' AS date, unnest([${tenors}]) AS tenor_months, unnest([${rates}]::DOUBLE[]) AS rate,
      'treasury' AS publisher, DATE '2025-06-13' AS known_from, TIMESTAMP '2025-06-13' AS ingested_at, '' AS source`)
  await defineNamed(db, sqlFunctions, sqlFunctions.map(f => f.name).join(' '))
  const one = async (expression: string) => (await db.rows<{ x: unknown }>(`SELECT ${expression} AS x`))[0]!.x
  return { db, one }
}

t.test('every function answers its example as declared, and null for all nulls', async t => {
  const { db, one } = await calculator(t)
  for (const f of sqlFunctions) {
    const answer = await one(f.example)
    if (f.shows === undefined) t.not(answer, null, f.example)
    else t.equal(answer, f.shows, f.example)
    const nulls = Object.keys(f.params).map(() => 'NULL')
    const call = `${f.name}(${nulls.join(', ')})`
    t.strictSame(await db.rows(`SELECT ${call} AS x, typeof(${call}) AS type`), [
      { x: f.name === 'bond_reason' ? 'no_terms' : null, type: sqlType(f.result) },
    ])
  }
})

t.test('a statement without functions defines none', async t => {
  const db = await Database.create()
  t.teardown(() => db.close())
  await defineNamed(db, sqlFunctions, 'SELECT 1')
  await defineNamed(db, sqlFunctions, "SELECT Rating_Rank('A')")
  const macros = await db.rows(`SELECT function_name FROM duckdb_functions()
    WHERE schema_name = 'main' AND function_type = 'macro' AND NOT internal`)
  t.strictSame(macros, [{ function_name: 'rating_rank' }])
})

t.test('columns with nulls have the same yields as each bond alone', async t => {
  const { db } = await calculator(t)
  await db.run(`CREATE TABLE held AS SELECT i,
    CASE WHEN i % 11 = 0 THEN NULL ELSE 60 + i % 71 END AS price, (i % 90) / 8 AS coupon,
    DATE '2026-01-15' + CAST(i % 9000 AS INTEGER) AS maturity, DATE '2025-06-16' AS settle,
    ['30/360', 'ACT/ACT', 'ACT/360', 'act/365', NULL][i % 5 + 1] AS day_count, [1, 2, 4, 12, 0, NULL][i % 6 + 1] AS frequency
    FROM range(6000) t(i)`)
  type Named = 'coupon' | 'maturity' | 'frequency' | 'day_count' | 'settle' | 'price' | 'y' | 'duration'
  const rows = await db.rows<Record<Named, number & string>>(`
    SELECT *, bond_yield(price, coupon, maturity, settle, frequency, day_count) AS y,
      bond_duration(4.5, coupon, maturity, settle, day_count := day_count) AS duration FROM held ORDER BY i`)
  const wrong = rows.filter(row => {
    const dayCount =
      ({ 'act/365': 'ACT/365F' } as Record<string, string>)[row.day_count!] ?? row.day_count ?? '30/360'
    const terms = bond({
      coupon: row.coupon!,
      maturity: parseDay(row.maturity!),
      frequency: (row.frequency || 2) as 2,
      dayCount: dayCount as '30/360',
    })
    const settle = parseDay(row.settle!)
    const y = yieldToMaturity(terms, row.price ?? Number.NaN, settle).ytm
    const duration = modifiedDuration({ ...terms, frequency: 2 }, 4.5, settle)
    return !(
      (y === null ? row.y === null : Math.abs(row.y! - y) < 1e-9) && Math.abs(row.duration! - duration) < 1e-9
    )
  })
  t.strictSame(wrong.slice(0, 2), [])
  t.ok(rows.filter(row => row.y === null).length > 500)
})

t.test('concurrent statements on several threads have the same answers', async t => {
  const { db } = await calculator(t)
  await db.run('CREATE TABLE many AS SELECT i FROM range(300000) t(i)')
  const wrong = `SELECT i % 100 AS bond FROM (
      SELECT i, bond_yield(80 + i % 50, 5, DATE '2034-01-01' + CAST(i % 100 AS INTEGER), DATE '2025-06-16') AS y FROM many)
    GROUP BY ALL HAVING min(y) <> max(y) OR count(y) <> 3000`
  t.strictSame(await Promise.all([1, 2].map(() => db.rows(wrong))), [[], []])
})

t.test('undefined results are null, with a reason', async t => {
  const { one } = await calculator(t)
  const reason = (args: string) => one(`bond_reason(${args})`)
  t.equal(await reason("0, 5, '2030-01-01', '2025-01-01'"), 'no_price')
  t.equal(await reason("99, 5, '2030-01-01', '2025-01-01', frequency := 5"), 'no_terms')
  t.equal(await reason("99, 5, '2030-01-01', '2025-01-01', frequency := 258"), 'no_terms')
  t.equal(await reason("99, 5, 'infinity', '2025-01-01'"), 'no_terms')
  t.equal(await reason("99, 5, '2030-01-01', NULL"), 'no_terms')
  t.equal(await reason("99, 5, '2030-01-01', '2025-01-01'"), null)
  for (const call of [
    "bond_yield(99, 5, '2030-01-01', '2025-01-01', frequency := 5)",
    "bond_price(-250, 5, '2030-01-01', '2025-01-01')",
    "bond_price('nan', 5, '2030-01-01', '2025-01-01')",
    "bond_price(5, 5, DATE '5000000-01-01', '2025-01-01')",
    "bond_duration(5, 5, '2025-01-01', '2025-01-01')",
    "bond_accrued(5, '2030-01-01', '2025-01-01', accrual_date := '2031-01-01')",
    "bond_yield_to_call(99, 5, '2030-01-01', '2025-01-01', '2031-01-01')",
    "bond_yield_to_worst(99, 5, '2030-01-01', '2025-01-01', 'soon')",
    `bond_yield_to_worst(99, 5, '2030-01-01', '2025-01-01', '[{"date":"2027-02-30","price":100}]')`,
    "discount_margin(99, '2030-01-01', '2025-01-01', NULL, 100)",
    "treasury_yield('2025-06-21', 5)",
    "treasury_yield('2025-06-12', 5)",
    "treasury_yield('2025-06-13', -1)",
    "z_spread(99, 5, '2030-01-01', '2025-06-21')",
    "rating_rank('NR')",
  ])
    t.equal(await one(call), null, call)
})

t.test('null for an optional argument is its default, and any argument may be named', async t => {
  const { one } = await calculator(t)
  const plain = await one("bond_yield(99, 5, '2030-01-31', '2025-01-31')")
  t.equal(await one("bond_yield(99, 5, '2030-01-31', '2025-01-31', NULL, NULL, NULL)"), plain)
  t.equal(
    await one("bond_yield(settle := '2025-01-31', maturity := '2030-01-31', coupon := 5, price := 99)"),
    plain,
  )
  t.not(await one("bond_yield(99, 5, '2030-01-31', '2025-01-31', day_count => 'ACT/360')"), plain)
  const young = "bond_accrued(4.875, '2035-11-15', '2025-12-18', accrual_date := '2025-11-03'"
  t.equal(await one(`round(${young}) * 360 / 4.875)`), 45)
  t.equal(await one(`round(${young}, first_coupon_date := '2025-11-15') * 360 / 4.875)`), 33)
})

t.test('a bond without calls is worth its maturity; with unknown calls it has no yield to worst', async t => {
  const { one } = await calculator(t)
  const args = "106, 7, DATE '2032-12-15', DATE '2025-12-18'"
  t.equal(await one(`round(bond_yield_to_worst(${args}, '[]') - bond_yield(${args}), 9)`), 0)
  t.equal(await one(`bond_worst_date(${args}, '[]')`), '2032-12-15')
  t.equal(await one(`bond_yield_to_worst(${args}, NULL)`), null)
})

t.test('an invalid call schedule is an error of the statement, with the valid form', async t => {
  const engine = await lake()
  const refused = async (sql: string) => {
    const error = await engine.sql(sql).then(
      () => null,
      e => e,
    )
    t.ok(error instanceof QueryError && error.code === 'INVALID_SQL', sql)
    return error?.message
  }
  t.match(
    await refused("SELECT bond_yield(99, 5, '2030-01-01', '2025-01-01', day_count := 'ACT/ICMA')"),
    'bond_yield: day_count must be one of 30/360, ACT/ACT, ACT/360, ACT/365, ACT/365F, not ACT/ICMA',
  )
  t.match(await refused("SELECT bond_yield(99, 5, '2030-01-01')"), signature(sqlFunctions[3]!))
  t.match(await refused("SELECT bond_yield('dear', 5, '2030-01-01', '2025-01-01')"), 'dear')
})

t.test("the spread of a bond equals the table's, and as_of sees only curves known then", async t => {
  const engine = await lake()
  t.strictSame(
    await engine.sql(`SELECT round(bond_spread(pricing.ytm, maturity_date, pricing.last_trade_date)) = pricing.spread AS same,
      z_spread(pricing.last_price, coupon_rate, maturity_date, pricing.last_trade_date, accrual_date := issue_date) -
        pricing.z_spread BETWEEN -0.005 AND 0.005 AS same_z FROM bonds WHERE cusip = '000000AA7'`),
    [{ same: true, same_z: true }],
  )
  const curve = (day: string, asOf?: string) =>
    engine.sql(`SELECT treasury_curve_date('${day}') AS day, treasury_yield('${day}', 7.5) AS rate`, [], {
      ...(asOf && { asOf }),
    })
  t.strictSame(await curve('2025-06-02'), [{ day: '2025-06-02', rate: 4.25 }])
  t.strictSame(await curve('2025-06-02', '2025-06-01'), [{ day: null, rate: null }])
  t.strictSame(await curve('2025-01-09', '2025-06-01'), [{ day: '2025-01-02', rate: 4.25 }])
})

t.test('a statement of many yields stops at its time limit', async t => {
  const { db } = await calculator(t)
  const began = performance.now()
  await t.rejects(
    db.rows(
      "SELECT sum(z_spread(60 + i % 60, 5, DATE '2034-01-01' + CAST(i % 3000 AS INTEGER), DATE '2025-06-13')) FROM range(10000000) t(i)",
      [],
      { timeout: 200 },
    ),
    { code: 'QUERY_TIMEOUT' },
  )
  t.ok(performance.now() - began < 30_000)
  t.equal(
    (await db.rows<{ day: string }>("SELECT settlement_date('2025-07-03') AS day"))[0]!.day,
    formatDay(parseDay('2025-07-07')),
  )
})
