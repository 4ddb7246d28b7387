import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { Database, literal } from '../../engine/database/database.ts'
import { build } from '../../engine/snapshot/build.ts'
import { openSqlRunner, type SqlAnswer, type SqlQuestion, type SqlRunner } from '../../server/sql/runner.ts'
import { removeFolder } from '../folder.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'

const TIMEOUT = 1000
/** Beyond the limit, for a busy machine; unlimited, the statements below run for minutes. */
const PATIENCE = 20_000

const lake = await makeLake(t.teardown.bind(t), {
  ...twoIssuers,
  facts: ['0000000001', '0000000002'].map(cik => ({
    cik,
    concept: 'us-gaap:LongTermDebt',
    unit: 'USD',
    period_end: '2024-12-31',
    value: 5,
    filed_date: '2025-02-01',
    known_from: '2025-02-01',
  })),
})
await build(lake)
const folder = await mkdtemp(join(tmpdir(), 'tranche-sql-test-'))
const runner = await openSqlRunner({ lake, folder, limits: { timeout: TIMEOUT, memory: 200, rows: 1000 } })
/** For tests without time limits: a busy machine may take long. */
const patient = await openSqlRunner({ lake, folder, limits: { timeout: 120_000, memory: 200, rows: 1000 } })
t.teardown(async () => {
  runner.close()
  patient.close()
  await removeFolder(folder)
})

/** Repeats until the tables of the day are prepared, a process is ready, and the machine has time. */
async function ask(question: SqlQuestion, of: SqlRunner = patient): Promise<SqlAnswer> {
  for (;;)
    try {
      return await of.run(question)
    } catch (error) {
      if (!/NOT_READY|OVERLOADED|QUERY_TIMEOUT/.test(codeOf(error))) throw error
      await pause(20)
    }
}

const codeOf = (error: unknown): string => (error instanceof QueryError ? error.code : `bug: ${error}`)

t.test('rows are typed and nested as in the API, with values bound by name and position', async t => {
  const { rows, columns, truncated, snapshot, asOf } = await ask({
    sql: 'SELECT company_ticker AS ticker, pricing, coupon_rate, maturity_date FROM bonds WHERE cusip = $cusip',
    params: { cusip: '000000AA7' },
  })
  t.match(rows, [
    { ticker: 'ALFA', coupon_rate: 6, maturity_date: '2030-06-15', pricing: { last_price: 100 } },
  ])
  t.match(columns[0], { name: 'ticker', kind: 'text' })
  t.equal(truncated, false)
  t.match(snapshot, /^\d{8}T\d{6}Z-/)
  t.equal(asOf, '2025-06-02')
  const placed = await ask({ sql: 'SELECT ? + ? AS n, ? IS NULL AS none', params: [1, 2, null] })
  t.strictSame(placed.rows, [{ n: 3, none: true }])
})

t.test('a limit truncates with a flag; without one, too many rows are an error', async t => {
  const stopped = await ask({ sql: 'SELECT * FROM range(5000)', limit: 7 })
  t.match(stopped, { rowCount: 7, truncated: true })
  const exact = await ask({ sql: 'SELECT * FROM range(7)', limit: 7 })
  t.match(exact, { rowCount: 7, truncated: false })
  await t.rejects(ask({ sql: 'SELECT * FROM range(1001)' }), {
    code: 'RESULT_TOO_LARGE',
    details: { max_rows: 1000, max_bytes: runner.limits.bytes },
  })
  await t.rejects(ask({ sql: "SELECT repeat('x', 100000) FROM range(900)" }), { code: 'RESULT_TOO_LARGE' })
  t.equal((await ask({ sql: 'SELECT count(*) AS n FROM companies' })).rows[0]!['n'], 2, 'and the next works')
})

t.test('a result is available in other formats', async t => {
  const csv = await ask({ sql: "SELECT 1 AS a, '=x' AS b", format: 'csv' })
  t.equal(Buffer.from(csv.bytes!).toString(), "a,b\r\n1,'=x\r\n")
  const arrow = await ask({ sql: 'SELECT 1 AS a', format: 'arrow' })
  t.ok(arrow.bytes!.length > 100)
  const parquet = await ask({ sql: "SELECT 1 AS a, DATE '2026-01-02' AS day", format: 'parquet' })
  const file = join(folder, 'answer.parquet')
  await writeFile(file, parquet.bytes!)
  const db = await Database.create()
  const { types, columns: read } = await db.columns(`SELECT * FROM read_parquet(${literal(file)})`)
  db.close()
  t.strictSame(types, ['BIGINT', 'DATE'])
  t.strictSame(read, [[1], ['2026-01-02']])
})

t.test('standard coverage sees standard companies, whatever the statement', async t => {
  const of = (sql: string) => ask({ sql, coverage: 'standard' }).then(a => a.rows)
  const all = (sql: string) => ask({ sql }).then(a => a.rows)
  const counts: [string, number, number][] = [
    ['SELECT count(*) AS n FROM companies', 1, 2],
    ['SELECT count(*) AS n FROM bonds', 2, 3],
    ["SELECT count(*) AS n FROM ratings WHERE ticker = 'BETA'", 0, 1],
    [
      'SELECT count(*) AS n FROM bonds b LEFT JOIN companies c USING (company_id) WHERE c.company_id IS NULL',
      0,
      0,
    ],
    ["SELECT count(*) AS n FROM bonds WHERE issuer.name ILIKE '%beta%' OR name ILIKE '%beta%'", 0, 1],
    ['SELECT count(*) AS n FROM covenants', 1, 2],
    ['SELECT count(*) AS n FROM facts', 1, 2],
    ['SELECT count(DISTINCT cusip) AS n FROM prices', 1, 1],
    ['SELECT count(*) AS n FROM treasury_yields', 8, 8],
  ]
  for (const [sql, standard, every] of counts) {
    t.strictSame(await of(sql), [{ n: standard }], sql)
    t.strictSame(await all(sql), [{ n: every }], sql)
  }
})

t.test("bonds are valued in SQL as in the library, on the day's curves", async t => {
  const { rows } = await ask({
    sql: `SELECT bond_price(6, 6, DATE '2030-06-15', DATE '2025-06-16') AS price,
      bond_yield(price := 100, coupon := 6, maturity := DATE '2030-06-15', settle := DATE '2025-06-16') AS ytm,
      rating_rank('BB') AS rank`,
  })
  const [{ price, ytm, rank }] = rows as [Record<string, number>]
  t.ok(Math.abs(price! - 100) < 0.001 && Math.abs(ytm! - 6) < 0.001, `${price} ${ytm}`)
  t.equal(rank, 12)
})

t.test('as_of sees what was known on the day, and impossible days are refused', async t => {
  const { rows, asOf } = await ask({
    sql: "SELECT sp_rating, (SELECT count(*) FROM prices) AS prices FROM companies WHERE ticker = 'ALFA'",
    asOf: '2025-03-01',
  })
  t.strictSame(rows, [{ sp_rating: 'BB-', prices: 1 }])
  t.equal(asOf, '2025-03-01')
  await t.rejects(ask({ sql: 'SELECT 1', asOf: '2026-01-01' }), { code: 'INVALID_PARAMETER' })
  await t.rejects(ask({ sql: 'SELECT 1', asOf: '1999-01-01' }), { code: 'NO_SNAPSHOT' })
})

const hostile = [
  'DROP TABLE companies',
  'DROP VIEW companies',
  'DELETE FROM companies',
  'CREATE TABLE x AS SELECT 1',
  'CREATE TEMP TABLE x AS SELECT 1',
  'CREATE TEMP MACRO m() AS 1',
  'CREATE OR REPLACE TEMP MACRO count(x) AS 0',
  "COPY companies TO 'out.csv'",
  "COPY (SELECT 1) TO '/dev/stdout'",
  "ATTACH ':memory:' AS m",
  "ATTACH 'x.duckdb'",
  'USE memory',
  'PRAGMA enable_profiling',
  "PRAGMA enable_profiling='json'",
  'PRAGMA database_list',
  'PRAGMA version',
  'SET threads = 64',
  "SET memory_limit = '64GB'",
  'RESET ALL',
  'FORCE CHECKPOINT',
  'INSTALL httpfs',
  'LOAD httpfs',
  'CREATE SECRET (TYPE s3)',
  "EXPORT DATABASE 'x'",
  'CALL pragma_version()',
  'BEGIN',
  'VACUUM',
  'SELECT 1; DROP VIEW companies',
  'SELECT 1; SELECT 2',
  'EXPLAIN ANALYZE DROP VIEW companies',
  'EXPLAIN ANALYZE CREATE TEMP TABLE x AS SELECT 1',
  "EXPLAIN ANALYZE COPY companies TO 'out.csv'",
  'PREPARE p AS SELECT 1',
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM '/etc/passwd'",
  "SELECT * FROM read_parquet('../../**/*.parquet')",
  "SELECT * FROM glob('/**')",
  "SELECT * FROM read_text('http://127.0.0.1:1/')",
  'SELECT * FROM duckdb_settings()',
  'SELECT * FROM duckdb_databases()',
  'SELECT * FROM duckdb_secrets()',
  'SELECT * FROM pg_settings',
  'SELECT * FROM pragma_database_size()',
  "SELECT current_setting('temp_directory')",
  "SELECT getenv('HOME')",
  'SELECT * FROM stored.companies',
  'SELECT * FROM enable_logging()',
  "SELECT * FROM query('SELECT * FROM duckdb_settings()')",
  "SELECT json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`,
  `SELECT ${Array.from({ length: 9000 }, () => '1').join(' + ')}`,
  `SELECT 1 ${'UNION ALL SELECT 1 '.repeat(500)}`,
  '',
  ' ; ',
  '\0SELECT 1',
  'SELECT $missing',
  "SELECT '\\",
]

const heavy = [
  "SELECT repeat('x', 2000000000) IS NULL",
  'SELECT sum(n) FROM (SELECT unnest(range(100000000)) AS n) t, range(100) r',
  'WITH RECURSIVE t AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM t) SELECT max(x) FROM t',
  "SELECT sum(bond_yield(90 + range % 20, 6, DATE '2030-06-15', DATE '2025-06-16')) FROM range(1000000000)",
  'EXPLAIN ANALYZE SELECT count(*) FROM range(1000000) a, range(1000000) b',
]

/** On a busy machine, anything may be late. */
const late = ['QUERY_TIMEOUT', 'OVERLOADED']

const secrets = [lake.root, folder, process.cwd(), tmpdir()]

t.test('hostile statements are refused or stopped in time, change nothing, and reveal nothing', async t => {
  await ask({ sql: 'SELECT 1', coverage: 'standard' }, runner)
  const before = await contents(folder)
  const settle = async (sql: string, expected: readonly string[]) => {
    const started = performance.now()
    const outcome = await runner.run({ sql, coverage: 'standard' }).then(
      ({ rows }) => ({ code: 'answered', text: JSON.stringify(rows) }),
      error => ({ code: codeOf(error), text: `${error.message} ${JSON.stringify(error.details)}` }),
    )
    const took = performance.now() - started
    for (const secret of secrets) t.notOk(outcome.text.includes(secret), `no path: ${sql.slice(0, 60)}`)
    t.ok(took < TIMEOUT + PATIENCE, `${Math.round(took)} ms: ${sql.slice(0, 60)}`)
    t.ok(expected.includes(outcome.code), `${outcome.code}: ${sql.slice(0, 60)}`)
    return outcome.code
  }
  const answered: string[] = []
  for (const sql of hostile)
    if ((await settle(sql, ['INVALID_SQL', 'answered', ...late])) === 'answered') answered.push(sql)
  t.ok(
    answered.every(sql => /^SELECT (\(+|1 [+U])/.test(sql)),
    'only deep arithmetic is answered of them',
  )
  for (const sql of heavy) {
    await settle(sql, ['MEMORY_LIMIT', ...late])
    await ask({ sql: 'SELECT 1', coverage: 'standard' }, runner)
  }
  const { rows } = await ask({ sql: 'SELECT count(*) AS n FROM companies', coverage: 'standard' }, runner)
  t.strictSame(rows, [{ n: 1 }])
  t.strictSame(await contents(folder), before)
})

async function contents(of: string): Promise<Record<string, number>> {
  const files = (await readdir(of, { recursive: true, withFileTypes: true })).filter(e => e.isFile())
  const sizes = await Promise.all(files.map(async f => (await readFile(join(f.parentPath, f.name))).length))
  return Object.fromEntries(files.map((f, i) => [join(f.parentPath, f.name), sizes[i]!]))
}

t.test('a caller who leaves frees the slot at once', async t => {
  // If the slot were not released, the next statement would wait until the limit.
  const single = await openSqlRunner({ lake, folder, limits: { timeout: 60_000, running: 1, waiting: 1 } })
  t.teardown(() => single.close())
  await ask({ sql: 'SELECT 1' }, single)
  const leave = new AbortController()
  setTimeout(() => leave.abort(), 50)
  await t.rejects(
    single.run({ sql: 'SELECT count(*) FROM range(1000000) a, range(1000000) b', signal: leave.signal }),
    { name: 'AbortError' },
  )
  t.strictSame((await single.run({ sql: 'SELECT 1 AS a' })).rows, [{ a: 1 }])
})

t.test('statements beyond those that may run or wait are refused', async t => {
  const small = await openSqlRunner({ lake, folder, limits: { timeout: TIMEOUT, running: 1, waiting: 1 } })
  t.teardown(() => small.close())
  await ask({ sql: 'SELECT 1' }, small)
  const slow = 'SELECT count(*) FROM range(1000000) a, range(1000000) b'
  // The order in which the three reach the queue is not determined.
  const codes = await Promise.all([1, 2, 3].map(() => small.run({ sql: slow }).then(() => '', codeOf)))
  t.strictSame(
    codes.sort(),
    ['OVERLOADED', 'QUERY_TIMEOUT', 'QUERY_TIMEOUT'],
    'the time of the one that waits runs from its arrival',
  )
})

t.test('eighteen heavy statements of one key do not starve others', async t => {
  const shared = await openSqlRunner({ lake, folder, limits: { timeout: 10_000 } })
  t.teardown(() => shared.close())
  await ask({ sql: 'SELECT 1' }, shared)
  const leave = new AbortController()
  const slow = 'SELECT count(*) FROM range(1000000) a, range(1000000) b'
  const flood = Array.from({ length: 18 }, () =>
    shared.run({ sql: slow, key: 'a', signal: leave.signal }).then(() => '', codeOf),
  )
  for (let i = 0; i < 5; i++) {
    const { rows } = await ask({ sql: 'SELECT 1 AS one', key: 'b' }, shared)
    t.strictSame(rows, [{ one: 1 }])
  }
  leave.abort()
  const ended = await Promise.all(flood)
  t.equal(ended.filter(code => code === 'OVERLOADED').length, 1, 'its own queue holds sixteen')
})

/** Processes for statements that this one has started. */
const statementProcesses = (): number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .map(Number)
    .filter(pid => pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/sql/child.'))

t.test(
  'statements on many days and coverages share the processes that may run',
  { skip: existsSync('/proc/self/task') ? false : 'processes are listed by /proc, which Linux alone has' },
  async t => {
    const others = new Set(statementProcesses())
    const few = await openSqlRunner({ lake, folder, limits: { timeout: 120_000, running: 2 } })
    t.teardown(() => few.close())
    const seen = new Set<number>()
    const count = async (asOf: string | undefined, coverage: 'all' | 'standard') => {
      const { rows } = await few.run({ sql: 'SELECT count(*) AS n FROM companies', asOf, coverage, key: 'a' })
      for (const pid of statementProcesses()) if (!others.has(pid)) seen.add(pid)
      return rows[0]?.['n']
    }
    for (let round = 0; round < 3; round++) {
      t.equal(await count(undefined, 'all'), 2)
      t.equal(await count(undefined, 'standard'), 1)
      t.equal(await count('2025-02-01', 'all'), 2)
    }
    t.equal(seen.size, 3, 'two that run, and a spare one')
  },
)

t.test('a new snapshot is used once prepared, and until then the previous one', async t => {
  const before = (await ask({ sql: 'SELECT 1' })).snapshot
  await addRows(lake, { companies: [{ ticker: 'GAMA', name: 'Gama Steel Corp', cik: '0000000003' }] })
  const { id } = await build(lake)
  const seen = new Map<string, number>()
  for (let last = ''; last !== id; ) {
    const { snapshot, rows } = await patient.run({ sql: 'SELECT count(*) AS n FROM companies' })
    seen.set(snapshot, rows[0]!['n'] as number)
    last = snapshot
    await pause(50)
  }
  t.strictSame(
    [...seen],
    [
      [before, 2],
      [id, 3],
    ],
  )
})
