import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { sqlCommand } from '../../cli/sql.ts'
import { writeSql } from '../../cli/sql-output.ts'
import { QueryError } from '../../engine/base/errors.ts'
import { Database, literal } from '../../engine/database/database.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { admittedVolatile, isRefusedFunction } from '../../engine/sql/admit-statement.ts'
import { openLakeBackend } from '../../server/mcp/over-lake.ts'
import { openSqlRunner } from '../../server/sql/runner.ts'
import { endpointsWith } from '../../server/v1/endpoints.ts'
import { builtLake } from '../built-lake.ts'
import { removeFolder, testFolder } from '../folder.ts'
import { twoIssuers } from '../make-lake.ts'
import { start } from './start.ts'

const lake = await builtLake(t.teardown, twoIssuers)
const folder = await mkdtemp(join(tmpdir(), 'tranche-sql-test-'))
const runner = await openSqlRunner({ lake, folder, limits: { timeout: 30_000 } })
t.teardown(async () => {
  runner.close()
  await removeFolder(folder)
})
/** Requests are ten seconds apart, so that no rate limit is reached. */
let now = Date.parse('2026-01-01T00:00:00Z')
const clock = () => {
  now += 10_000
  return now
}
const { ask, engine } = await start(t, { lake, sql: runner, clock })

const [batch] = (await readdir(inLake(lake, 'batches', 'bonds'))).filter(name => name.endsWith('.parquet'))
const batchFile = inLake(lake, 'batches', 'bonds', batch!)
const newFile = inLake(lake, 'batches', 'bonds', 'new.parquet')
const table = inLake(lake, 'snapshots', engine.snapshot, 'bonds.parquet')

/**
 * Statements that write, or reach beyond the documented tables. Each is also tried under EXPLAIN and EXPLAIN ANALYZE.
 */
const statements = [
  ...[batchFile, newFile, table].flatMap(file => [
    `COPY (SELECT 1 AS a) TO ${literal(file)} (FORMAT parquet)`,
    `COPY (SELECT 1 AS a) TO ${literal(file)} (FORMAT parquet, USE_TMP_FILE false)`,
  ]),
  `COPY bonds FROM ${literal(table)}`,
  'COPY FROM DATABASE memory TO lake',
  `EXPORT DATABASE ${literal(inLake(lake, 'batches'))}`,
  `IMPORT DATABASE ${literal(inLake(lake, 'batches'))}`,
  `ATTACH ${literal(inLake(lake, 'batches', 'x.duckdb'))} AS x`,
  'DETACH memory',
  'USE stored',
  'CREATE OR REPLACE VIEW main.bonds AS SELECT 1 AS cusip',
  'CREATE OR REPLACE VIEW stored.bonds AS SELECT 1 AS cusip',
  'CREATE TEMP VIEW bonds AS SELECT 1 AS cusip',
  'CREATE TEMP TABLE bonds AS SELECT 1 AS cusip',
  'CREATE TABLE x AS SELECT 1 AS a',
  'CREATE OR REPLACE MACRO count(x) AS 0',
  'CREATE TEMP MACRO m() AS 1',
  'CREATE SCHEMA x',
  'CREATE SEQUENCE s',
  "CREATE TYPE mood AS ENUM ('a')",
  'CREATE SECRET (TYPE s3)',
  'CREATE INDEX i ON bonds (cusip)',
  'ALTER VIEW bonds RENAME TO gone',
  "COMMENT ON VIEW bonds IS 'x'",
  'DROP VIEW bonds',
  'DROP SCHEMA stored CASCADE',
  'INSERT INTO bonds VALUES (1)',
  'UPDATE bonds SET cusip = 1',
  'DELETE FROM bonds',
  'TRUNCATE bonds',
  'MERGE INTO bonds USING bonds AS b ON true WHEN MATCHED THEN DELETE',
  'WITH x AS (INSERT INTO bonds VALUES (1) RETURNING *) FROM x',
  'SET threads = 64',
  "SET allowed_directories = ['/']",
  'SET VARIABLE x = 1',
  'RESET ALL',
  'PRAGMA enable_profiling',
  'PRAGMA database_list',
  'PRAGMA version',
  'CALL pragma_version()',
  'CALL enable_logging()',
  'CHECKPOINT',
  'FORCE CHECKPOINT',
  'VACUUM',
  'ANALYZE',
  'BEGIN',
  'COMMIT',
  'INSTALL httpfs',
  'LOAD httpfs',
  'UPDATE EXTENSIONS',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'DEALLOCATE p',
  'SELECT 1; DROP VIEW bonds',
  'SELECT 1; SELECT 2',
  '-- SELECT 1',
  '/* SELECT 1 */ DROP VIEW bonds',
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM '/etc/passwd'",
  'WITH x AS (WITH "/etc/passwd.csv" AS (SELECT 1) SELECT 1) SELECT * FROM "/etc/passwd.csv"',
  'WITH "/etc/passwd.csv" AS (SELECT * FROM "/etc/passwd.csv") SELECT * FROM "/etc/passwd.csv"',
  'WITH a AS (SELECT * FROM "/etc/passwd.csv"), "/etc/passwd.csv" AS (SELECT 1) SELECT * FROM a',
  "SELECT * FROM sniff_csv('/etc/passwd')",
  "SELECT * FROM glob('/**')",
  `SELECT * FROM read_parquet(${literal(batchFile)})`,
  "SELECT * FROM query('SELECT 1')",
  "SELECT * FROM query_table('bonds')",
  'SELECT * FROM stored.bonds',
  'SELECT * FROM duckdb_settings()',
  'SELECT * FROM duckdb_views',
  'SELECT * FROM pg_settings',
  "SELECT * FROM pragma_table_info('bonds')",
  "SELECT * FROM json_execute_serialized_sql('{}')",
  'SHOW DATABASES',
  'SHOW ALL TABLES',
  'SHOW threads',
  "SELECT getenv('HOME')",
  "SELECT current_setting('temp_directory')",
  "SELECT max(current_setting('temp_directory')) OVER ()",
  "SELECT getvariable('x')",
  "SELECT nextval('s')",
  "SELECT write_log('x')",
  'SELECT sleep_ms(1)',
]

interface Refusal {
  readonly code: string
  readonly message: string
}

const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof QueryError)) throw error
  return { code: error.code, message: error.message }
}
const answered = { code: 'answered', message: '' }

const mcp = openLakeBackend(lake.root, { sql: true })
t.teardown(() => mcp.close())
const tool = mcp.tools.find(({ endpoint }) => endpoint.name === 'sql')!

/** Every interface, as it refuses a statement. The command and the prompt share one function. */
const answersOf: Readonly<Record<string, (sql: string) => Promise<Refusal>>> = {
  library: sql => engine.sql(sql).then(() => answered, refusalOf),
  'command line': sql =>
    writeSql(engine, sql, { params: {}, asOf: undefined }, { format: 'ndjson', file: '/dev/null' }).then(
      () => answered,
      refusalOf,
    ),
  MCP: sql =>
    mcp
      .ask(
        tool,
        () => ({ sql }),
        new AbortController().signal,
        () => {},
      )
      .then(() => answered, refusalOf),
  HTTP: async sql => {
    const { status, body } = await ask('/v1/sql', { body: { sql } })
    return status === 200 ? answered : { code: body.error.code, message: body.error.message }
  },
}

/** On a busy machine tables or a process may not be ready in time: such a request is repeated. */
const faces = Object.fromEntries(
  Object.entries(answersOf).map(([face, answer]) => [
    face,
    async (sql: string): Promise<Refusal> => {
      for (;;) {
        const given = await answer(sql)
        if (!['NOT_READY', 'QUERY_TIMEOUT', 'OVERLOADED'].includes(given.code)) return given
      }
    },
  ]),
)

async function contentHash(root: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const path of entries
    .filter(e => e.isFile())
    .map(e => join(e.parentPath, e.name))
    .sort())
    hash.update(path).update(await readFile(path))
  return hash.digest('hex')
}

const questions = ['SELECT cusip, name FROM bonds ORDER BY ALL', 'SELECT count(*) AS n FROM companies']

t.test(
  'every interface refuses the same statements in the same words, and nothing in the lake changes',
  async t => {
    const before = await contentHash(lake.root)
    const answers = () => Promise.all(questions.map(sql => engine.sql(sql)))
    const first = await answers()
    const page = await engine.call('search.bonds', {})
    for (const [face, refuse] of Object.entries(faces))
      t.strictSame(await refuse('SELECT 1 AS a'), answered, `${face} answers a SELECT`)
    for (const sql of statements) {
      const expected = await faces['library']!(sql)
      t.equal(expected.code, 'INVALID_SQL', sql)
      for (const face of ['command line', 'MCP', 'HTTP'])
        t.strictSame(await faces[face]!(sql), expected, `${face}: ${sql}`)
      // All interfaces judge by one function, so one of each process suffices for explained statements.
      t.match(await faces['library']!(`explain /* x */ analyze ${sql}`), { code: 'INVALID_SQL' })
      t.match(await faces['HTTP']!(`EXPLAIN ${sql}`), { code: 'INVALID_SQL' }, `EXPLAIN ${sql}`)
    }
    t.equal(await contentHash(lake.root), before)
    t.strictSame(await answers(), first)
    t.strictSame(await engine.call('search.bonds', {}), page)
  },
)

t.test('reading statements are answered by every interface', async t => {
  for (const sql of [
    'WITH bonds AS (SELECT * FROM bonds WHERE coupon_rate > 0) SELECT count(*) AS n FROM bonds',
    'FROM companies SELECT ticker',
    'VALUES (1)',
    'DESCRIBE bonds',
    'SUMMARIZE companies',
    'SHOW TABLES',
    'EXPLAIN SELECT 1',
    '/* a /* b */ DROP VIEW bonds -- */ SELECT 1',
    '-- why\n EXPLAIN ANALYZE SELECT * FROM bonds',
    'EXPLAIN (ANALYZE, FORMAT json) SELECT 1',
    'EXPLAIN (SELECT 1)',
  ])
    for (const [face, refuse] of Object.entries(faces))
      t.strictSame(await refuse(sql), answered, `${face}: ${sql}`)
})

t.test('a statement that passed the parser would still meet a read-only database', async t => {
  const before = await contentHash(lake.root)
  const database = await Database.create()
  t.teardown(() => database.close())
  await database.run(`CREATE VIEW bonds AS SELECT * FROM read_parquet(${literal(table)})`)
  await database.confine({ files: [table] })
  const run = async (text: string, select = text) => {
    for await (const _ of database.query({ text, select }));
  }
  const copyTo = (file: string) =>
    `COPY (SELECT 1 AS a) TO ${literal(file)} (FORMAT parquet, USE_TMP_FILE false)`
  for (const file of [batchFile, newFile, table]) {
    await t.rejects(run(copyTo(file)))
    await t.rejects(run(`EXPLAIN ANALYZE ${copyTo(file)}`, copyTo(file)))
  }
  await t.rejects(run(copyTo(table)), { code: 'INVALID_SQL' }, 'the type of the prepared statement')
  const explained = (sql: string) => run(`EXPLAIN ANALYZE ${sql}`, 'SELECT 1')
  await t.rejects(explained(copyTo(newFile)), /file system operations are disabled/, 'the files it reaches')
  await t.rejects(explained('CREATE OR REPLACE VIEW bonds AS SELECT 1'), /read-only mode/, 'the transaction')
  await explained('CREATE TEMP TABLE bonds AS SELECT 1')
  t.ok((await database.rows('SELECT cusip FROM bonds')).length > 0, 'its connection is used once')
  t.equal(await contentHash(lake.root), before)
})

t.test('every DuckDB function with side effects is admitted or refused by name', async t => {
  const database = await Database.create()
  t.teardown(() => database.close())
  const volatile = await database.rows<{ name: string }>(
    `SELECT DISTINCT function_name AS name FROM duckdb_functions()
     WHERE (stability = 'VOLATILE' OR has_side_effects) AND function_type IN ('scalar', 'aggregate', 'macro')`,
  )
  t.ok(volatile.length > 10)
  for (const { name } of volatile) t.ok(admittedVolatile.has(name) !== isRefusedFunction(name), name)
})

const big = '9007199254740993'
const wide = '170141183460469231731687303715884105727'
const decimal = '12345678901234567890.123456789'
const exact = `SELECT ${big} AS scalar, [${big}] AS list, {'a': ${big}, '__proto__': ${big}} AS struct,
  MAP {'k': ${big}} AS map, [{'deep': [${big}]}] AS nested, ${wide}::HUGEINT AS wide,
  ${decimal}::DECIMAL(38, 9) AS decimal, [${decimal}::DECIMAL(38, 9)] AS decimals,
  1 AS "__proto__", 2 AS constructor, 3 AS "toString", 4 AS same, 5 AS same`

t.test('numbers beyond a double, and members with any name, are exact in every interface', async t => {
  const { text, body } = await ask('/v1/sql', { body: { sql: exact } })
  t.match(text, `"scalar":${big},"list":[${big}],"struct":{"a":${big},"__proto__":${big}},"map":{"k":${big}}`)
  t.match(text, `"nested":[{"deep":[${big}]}],"wide":${wide},"decimal":${decimal},"decimals":[${decimal}]`)
  t.match(text, '"__proto__":1,"constructor":2,"toString":3,"same":4,"same_1":5}')
  t.equal(body.meta.total, 1)
  for (const format of ['csv', 'ndjson']) {
    const file = (await ask('/v1/sql', { body: { sql: exact, format } })).text
    t.equal(file.split(big).length - 1, 6, format)
    t.ok(file.includes(wide) && file.split(decimal).length === 3, format)
  }
  const [row] = await engine.sql(exact)
  t.strictSame(row!['scalar'], BigInt(big))
  t.strictSame(row!['list'], [BigInt(big)])
  t.strictSame(Object.entries(row!['struct'] as object), [
    ['a', BigInt(big)],
    ['__proto__', BigInt(big)],
  ])
  t.strictSame(row!['nested'], [{ deep: [BigInt(big)] }])
  t.strictSame(row!['wide'], BigInt(wide))
  t.strictSame([row!['decimal'], row!['decimals']], [decimal, [decimal]])
  t.strictSame(Object.getOwnPropertyDescriptor(row, '__proto__')?.value, 1)
  t.strictSame([row!['same'], row!['same_1']], [4, 5])
})

t.test('parameters beyond a double reach a statement exactly, or are refused', async t => {
  const sql = 'SELECT $n AS n, $n + 1 AS next'
  const { text } = await ask('/v1/sql', { body: `{"sql":"${sql}","params":{"n":${big}}}` })
  t.match(text, `"n":${big},"next":9007199254740994`)
  const refused = await ask('/v1/sql', { body: `{"sql":"SELECT $n AS n","params":{"n":${decimal}}}` })
  t.equal(refused.status, 400)
  t.match(refused.body.error, {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'params', value: decimal },
    message: /give it as text, and cast it/,
  })
  const other = await ask('/v1/batch', {
    body: `{"operations":[{"primitive":"search.bonds","params":{"limit":${big}}}]}`,
  })
  t.match(other.text, /limit must be a whole number between/)
})

t.test('a tool returns numbers beyond a double as text, with every digit', async t => {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'sql', arguments: { sql: exact } },
  }
  const { status, text, body } = await ask('/mcp', {
    body: call,
    headers: { accept: 'application/json, text/event-stream' },
  })
  t.equal(status, 200)
  const [row] = body.result.structuredContent.data
  t.equal(row.scalar, big)
  t.strictSame([row.wide, row.decimal, row.constructor], [wide, decimal, 2])
  t.equal(text.split(big).length - 1, 12, 'as text and as structured content')
})

t.test('Arrow and Parquet keep every digit', async t => {
  const sql = `SELECT ${big} AS n, ${'9'.repeat(37)}::HUGEINT AS wide, ${decimal}::DECIMAL(38, 9) AS d, [${big}] AS list`
  const { tableFromIPC } = await import('apache-arrow')
  const arrow = tableFromIPC((await ask('/v1/sql', { body: { sql, format: 'arrow' } })).bytes)
  t.strictSame(
    arrow.schema.fields.map(field => String(field.type)),
    ['Int64', 'Decimal[38e0]', 'Decimal[38e+9]', 'Utf8'],
  )
  t.equal(arrow.get(0)!['n'], BigInt(big))
  t.equal(arrow.get(0)!['list'], `[${big}]`)
  const words = (column: string) => new BigUint64Array(Uint32Array.from(arrow.get(0)![column]).buffer)
  const whole = ([low, high]: BigUint64Array) => low! + (high! << 64n)
  t.equal(whole(words('wide')), BigInt('9'.repeat(37)))
  t.equal(whole(words('d')), BigInt(decimal.replace('.', '')))

  const file = join(testFolder(t), 'exact.parquet')
  await sqlCommand.run({ lake: lake.root, output: file } as never, { input: {}, words: [sql] })
  const database = await Database.create()
  t.teardown(() => database.close())
  const rows = await database.rows(
    `SELECT n::VARCHAR AS n, wide::VARCHAR AS wide, d::VARCHAR AS d, list FROM read_parquet(${literal(file)})`,
  )
  t.strictSame(rows, [{ n: big, wide: '9'.repeat(37), d: decimal, list: `[${big}]` }])
  const { body } = await ask('/v1/sql', { body: { sql: `SELECT ${wide}::HUGEINT AS w`, format: 'arrow' } })
  t.equal(body.error.code, 'INVALID_SQL', 'a number of 39 digits fits no decimal')
})

t.test('CSV over HTTP escapes formulas on every endpoint, unless csv_safe=false', async t => {
  const withCsv = endpointsWith(runner).filter(({ params }) =>
    (params['format']?.column.values ?? []).includes('csv'),
  )
  t.ok(withCsv.some(({ name }) => name === 'sql') && withCsv.length > 5)
  for (const { name, params } of withCsv) t.equal(params['csv_safe']?.fallback, true, name)
  const sql = `SELECT '=1+1' AS a, '+x' AS b, '@x' AS c, '-x' AS d, -5 AS e, -1.5 AS "-f"`
  const csv = async (more: object, headers = {}) =>
    (await ask('/v1/sql', { body: { sql, ...more }, headers })).text
  const safe = "a,b,c,d,e,'-f\r\n'=1+1,'+x,'@x,'-x,-5,-1.5\r\n"
  t.equal(await csv({ format: 'csv' }), safe)
  t.equal(await csv({}, { accept: 'text/csv' }), safe)
  t.match(await csv({ format: 'csv', csv_safe: false }), /\r\n=1\+1,\+x,@x,-x,/)
})

t.test('the command line writes values unchanged, and escapes formulas with --csv-safe', async t => {
  const file = join(testFolder(t), 'out.csv')
  const write = async (csv_safe: boolean) => {
    await sqlCommand.run({ lake: lake.root, output: file, csv_safe } as never, {
      input: {},
      words: ["SELECT '=1+1' AS a, -5 AS b"],
    })
    return readFile(file, 'utf8')
  }
  t.equal(await write(false), 'a,b\r\n=1+1,-5\r\n')
  t.equal(await write(true), "a,b\r\n'=1+1,-5\r\n")
})
