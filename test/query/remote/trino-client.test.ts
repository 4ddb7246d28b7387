import { once } from 'node:events'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import type { QueryError } from '../../../engine/base/errors.ts'
import { parseRemote } from '../../../engine/query/remote/address.ts'
import { TrinoClient } from '../../../engine/query/remote/trino-client.ts'
import { declaredChunk, undeclaredChunk } from '../../../engine/query/remote/trino-values.ts'
import { boolean, bps, cents, date, list, number, text, timestamp } from '../../../engine/schema/column.ts'
import { until } from '../../server/serving.ts'
import { type Failure, FakeTrino, type Reply } from './fake-trino.ts'

const numbers = (...pages: number[][]): Reply => ({
  columns: [{ name: 'n', type: 'bigint' }],
  pages: pages.map(page => page.map(n => [n])),
})

async function started(t: Test, reply: (sql: string) => Reply, patience?: number) {
  const server = await FakeTrino.start(reply)
  t.teardown(() => server.close())
  return { server, client: new TrinoClient(parseRemote(server.address), patience) }
}

t.test('a result arrives page by page, and pages without rows are left out', async t => {
  const { client, server } = await started(t, () => numbers([], [1, 2], [], [3]))
  const pages = []
  for await (const { rows } of client.pages('SELECT n FROM t', {})) pages.push(rows)
  t.strictSame(pages, [[[1], [2]], [[3]]])
  t.strictSame(server.statements, ['SELECT n FROM t'])
  t.match(server.asked[0]!.headers, {
    'x-trino-user': 'tranche',
    'x-trino-catalog': 'debt',
    'x-trino-time-zone': 'UTC',
  })
  t.strictSame(server.cancelled, [], 'a statement that has ended is not cancelled')
})

t.test('a result without rows is one empty page with its columns', async t => {
  const { client } = await started(t, () => numbers([]))
  const pages = []
  for await (const page of client.pages('SELECT n FROM t WHERE false', {})) pages.push(page)
  t.strictSame(pages, [{ columns: [{ name: 'n', type: 'bigint' }], rows: [] }])
})

t.test('addresses behind a proxy are asked for at the server that was named', async t => {
  const { client, server } = await started(t, () => numbers([1]))
  server.host = 'coordinator.invalid:8080'
  t.strictSame(await client.rows('SELECT 1', {}), [[1]])
})

t.test('no other address of a server is asked than that of a statement', async t => {
  const { client, server } = await started(t, () => numbers([1]))
  for (const nextUri of ['/v1/query/1/kill', 'http://elsewhere.invalid/login', 'nonsense']) {
    server.spoil({ status: 200, body: JSON.stringify({ nextUri }) })
    await t.rejects(client.rows('SELECT 1', {}), { code: 'REMOTE_UNAVAILABLE' }, nextUri)
  }
  t.equal(server.asked.length, 3)
})

t.test('values are those that DuckDB gives', async t => {
  const columns = [
    text(''),
    cents(''),
    bps(''),
    number(''),
    date(''),
    timestamp(''),
    boolean(''),
    list(''),
  ].map(column => ({ column }))
  const rows = [
    ['a', 1_000_000_000_001, 10.5, 'NaN', '2025-01-31', '2025-01-31 10:30:00.000000', true, ['x']],
    [null, null, null, null, null, null, null, null],
    ['', -1, -0.5, '-Infinity', '0001-01-01', '1969-12-31 23:59:59.999999', false, []],
  ]
  t.strictSame(declaredChunk({ columns: [], rows }, columns), {
    rowCount: 3,
    columns: [
      ['a', null, ''],
      [1_000_000_000_001, null, -1],
      [10.5, null, -0.5],
      [Number.NaN, null, Number.NEGATIVE_INFINITY],
      ['2025-01-31', null, '0001-01-01'],
      ['2025-01-31T10:30:00.000Z', null, '1969-12-31T23:59:59.999999Z'],
      [true, null, false],
      [['x'], null, []],
    ],
  })
})

t.test('the types of a written statement are known to encoders', async t => {
  const types = [
    'varchar(3)',
    'array(varchar)',
    'decimal(10,2)',
    'double',
    'timestamp(6)',
    'timestamp(3) with time zone',
    'map(varchar,bigint)',
  ]
  const { types: ours, columns } = undeclaredChunk({
    columns: types.map((type, j) => ({ name: `c${j}`, type })),
    rows: [
      ['a', ['b'], '12.30', 'Infinity', '2025-01-01 00:00:00.000', '2025-01-01 00:00:00.000 UTC', { a: 1 }],
    ],
  })
  t.strictSame(ours, ['VARCHAR', 'VARCHAR[]', 'DECIMAL(10, 2)', 'DOUBLE', 'TIMESTAMP', 'VARCHAR', 'VARCHAR'])
  t.strictSame(columns.flat(), [
    'a',
    ['b'],
    12.3,
    Number.POSITIVE_INFINITY,
    '2025-01-01T00:00:00.000Z',
    '2025-01-01 00:00:00.000 UTC',
    '{"a":1}',
  ])
})

t.test('each failure has a code that says what to do', async t => {
  const cases: [Failure, { code: string; message?: string }][] = [
    [
      { message: 'm', errorName: 'EXCEEDED_TIME_LIMIT', errorType: 'INSUFFICIENT_RESOURCES' },
      { code: 'QUERY_TIMEOUT' },
    ],
    [
      { message: 'm', errorName: 'CLUSTER_OUT_OF_MEMORY', errorType: 'INSUFFICIENT_RESOURCES' },
      { code: 'MEMORY_LIMIT' },
    ],
    [
      { message: 'm', errorName: 'QUERY_QUEUE_FULL', errorType: 'INSUFFICIENT_RESOURCES' },
      { code: 'OVERLOADED' },
    ],
    [
      { message: '/secret/path', errorName: 'HIVE_CANNOT_OPEN_SPLIT', errorType: 'EXTERNAL' },
      {
        code: 'REMOTE_UNAVAILABLE',
        message: 'the remote engine failed (HIVE_CANNOT_OPEN_SPLIT): retry later',
      },
    ],
  ]
  for (const [error, expected] of cases) {
    const { client } = await started(t, () => ({ error }))
    await t.rejects(client.rows('SELECT 1', {}), expected, error.errorName)
  }
  const { client } = await started(t, () => ({
    error: { message: 'line 1:8: no x', errorName: 'COLUMN_NOT_FOUND', errorType: 'USER_ERROR' },
  }))
  const thrown: QueryError = await client.rows('SELECT x', {}).catch(error => error)
  t.equal(thrown.code, undefined, 'a statement that does not compile is not the fault of the remote')
})

t.test('a server that is down is said to be, and not waited for', async t => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as { port: number }
  closed.close()
  const client = new TrinoClient(parseRemote(`trino://127.0.0.1:${port}/debt/lake`))
  await t.rejects(client.rows('SELECT 1', {}), {
    code: 'REMOTE_UNAVAILABLE',
    message: `the remote engine at 127.0.0.1:${port} cannot be reached (ECONNREFUSED): check its address, and that it runs`,
  })
})

t.test('a request that meets no answer is repeated, and one that is refused is not', async t => {
  const { client, server } = await started(t, () => numbers([1], [2]), 500)
  server.spoil({ status: 503 }, 'cut', { status: 502 })
  t.strictSame(await client.rows('SELECT 1', {}), [[1], [2]])
  const refusals = [
    [{ status: 401 }, 'refuses the credentials: check the user and password of its address'],
    [{ status: 404 }, 'answers 404 where Trino would take a statement: check its address'],
    ['silent', 'did not answer for 500 ms: retry later'],
    ['half', 'broke off its answer: retry later'],
  ] as const
  const at = new URL(client.address.origin).host
  for (const [fault, why] of refusals) {
    const message = `the remote engine at ${at} ${why}`
    server.spoil(fault)
    await t.rejects(client.rows('SELECT 1', {}), { code: 'REMOTE_UNAVAILABLE', message }, message)
  }
  server.spoil({ status: 429 })
  await t.rejects(client.rows('SELECT 1', {}), { code: 'OVERLOADED' })
  server.spoil({ status: 503 }, { status: 503 }, { status: 503 }, { status: 503 })
  await t.rejects(client.rows('SELECT 1', {}), { code: 'REMOTE_UNAVAILABLE' })
})

t.test('a statement whose time is over is cancelled', async t => {
  const { client, server } = await started(t, () => 'runs for ever')
  const deadline = performance.now() + 300
  await t.rejects(client.rows('SELECT 1', { timeout: 300, deadline }), {
    code: 'QUERY_TIMEOUT',
    details: { timeout_ms: 300 },
  })
  await until(() => server.cancelled.length === 1)
  t.match(server.cancelled[0], /^\/v1\/statement\/executing\/0\//)
})

t.test('a statement that nobody waits for any more is cancelled', async t => {
  const { client, server } = await started(t, sql =>
    sql === 'long' ? 'runs for ever' : numbers([1], [2], [3]),
  )
  const leaving = new AbortController()
  const running = client.rows('long', { signal: leaving.signal })
  await until(() => server.asked.length > 1)
  leaving.abort(new Error('the caller has left'))
  await t.rejects(running, { message: 'the caller has left' })
  await until(() => server.cancelled.length === 1)
  for await (const _ of client.pages('three pages', {})) break
  await until(() => server.cancelled.length === 2)
  t.match(server.cancelled[1], /^\/v1\/statement\/executing\/1\//)
  await t.rejects(client.rows('SELECT 1', { signal: leaving.signal }), { message: 'the caller has left' })
})

t.test('a written statement runs in a transaction that cannot write', async t => {
  const { client, server } = await started(t, () => numbers([1]))
  for await (const { rows } of client.readOnlyPages('SELECT 1', {}, { 'X-Trino-Schema': 'lake_1' }))
    t.strictSame(rows, [[1]])
  t.strictSame(server.statements, ['START TRANSACTION READ ONLY', 'SELECT 1', 'ROLLBACK'])
  const posted = server.asked.filter(({ method }) => method === 'POST')
  t.strictSame(
    posted.map(({ headers }) => headers['x-trino-transaction-id']),
    ['NONE', 'T1', 'T1'],
  )
  t.equal(posted[1]!.headers['x-trino-schema'], 'lake_1')
})

t.test('an address names a server, a catalog and a schema, and is never repeated in an error', async t => {
  t.strictSame(parseRemote('trino://trino.internal/debt/lake'), {
    origin: 'http://trino.internal:8080',
    user: 'tranche',
    password: null,
    catalog: 'debt',
    prefix: 'lake',
  })
  t.match(parseRemote('trino+https://reader:p%40ss@trino.internal/debt/lake'), {
    origin: 'https://trino.internal:443',
    user: 'reader',
    password: 'p@ss',
  })
  for (const bad of [
    'http://trino/debt/lake',
    'trino://',
    'trino://u:hidden@host/debt/lake',
    'trino+https://u:hidden@host/debt',
    'trino+https://u:hidden@host/debt/lake/more',
    'trino+https://u:hidden@host/De"bt/lake',
    'trino+https://u:hidden@host/debt/lake?x=1',
  ]) {
    const error: QueryError = await Promise.resolve(bad)
      .then(text => parseRemote(text))
      .catch(thrown => thrown)
    t.equal(error.code, 'INVALID_PARAMETER', bad)
    t.notMatch(JSON.stringify([error.message, error.details]), /hidden/)
  }
})
