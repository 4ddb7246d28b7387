import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Database, literal, quote } from '../../../engine/database/database.ts'
import { csv } from '../../../engine/encode/csv.ts'
import { parquet } from '../../../engine/encode/parquet.ts'
import type { Engine } from '../../../engine/engine.ts'
import { open } from '../../../engine/main.ts'
import { parseRemote, schemaOf } from '../../../engine/query/remote/address.ts'
import type { EngineOptions } from '../../../engine/snapshot/engine-options.ts'
import { builtLake } from '../../built-lake.ts'
import { twoIssuers } from '../../make-lake.ts'
import { until } from '../../server/serving.ts'
import { start } from '../../server/start.ts'
import { FakeTrino, type Reply } from './fake-trino.ts'

t.setTimeout(120_000)

const lake = await builtLake(t.teardown, twoIssuers)
const plain = await open(lake, { hotMemory: '0' })
t.teardown(() => plain.close())
const { snapshot } = plain

/** The tables of the snapshot in a schema of its own, as a remote engine has them; lists are neutral SQL that DuckDB reads. */
const database = await Database.create({ threads: 1 })
t.teardown(() => database.close())
const schema = `debt.${quote(schemaOf(parseRemote('trino://any/debt/lake'), snapshot))}`
await database.run(`ATTACH ':memory:' AS debt; CREATE SCHEMA ${schema}`)
const folder = join(lake.root, 'snapshots', snapshot)
for (const file of await readdir(folder))
  if (file.endsWith('.parquet'))
    await database.run(
      `CREATE VIEW ${schema}.${quote(file.slice(0, -8))} AS SELECT * FROM read_parquet(${literal(join(folder, file))})`,
    )

/** An instant as Trino writes it. */
const inTrino = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)
    ? value.slice(0, -1).replace('T', ' ')
    : value

async function answer(sql: string): Promise<Reply> {
  if (sql.startsWith('SHOW SCHEMAS'))
    return {
      columns: [{ name: 'Schema', type: 'varchar' }],
      pages: [[['information_schema'], ['lake_20200101']]],
    }
  try {
    const { columns, rowCount } = await database.columns(sql, [])
    const rows = Array.from({ length: rowCount }, (_, i) => columns.map(column => inTrino(column[i])))
    const half = Math.ceil(rows.length / 2)
    return {
      columns: columns.map((_, j) => ({ name: `c${j}`, type: 'unknown' })),
      pages: [rows.slice(0, half), rows.slice(half)],
    }
  } catch (error) {
    const isMissing = /does not exist/.test((error as Error).message)
    return {
      error: {
        message: (error as Error).message,
        errorName: isMissing ? 'TABLE_NOT_FOUND' : 'SYNTAX_ERROR',
        errorType: 'USER_ERROR',
      },
    }
  }
}

async function withRemote(
  t: Test,
  options: EngineOptions = {},
  reply: (sql: string) => Promise<Reply> | Reply = answer,
): Promise<{ server: FakeTrino; engine: Engine }> {
  const server = await FakeTrino.start(reply)
  const engine = await open(lake, { hotMemory: '0', remote: server.address, ...options })
  t.teardown(async () => {
    engine.close()
    await server.close()
  })
  return { server, engine }
}

t.test('a list asked of the remote lane is the same answer', async t => {
  const { engine, server } = await withRemote(t)
  for (const [name, input] of [
    ['search.companies', { sort: '-leverage_ratio', include_metadata: true }],
    ['search.companies', { min_leverage: 1, sector: "energy,o'hara" }],
    ['search.bonds', { limit: 1, offset: 1 }],
    ['search.bonds', { offset: 1000 }],
    ['search.bonds', { cusip: '000000000,99999AAA1' }],
    ['search.ratings', { latest: true }],
    ['search.pricing', { date_from: '2025-01-01', aggregation: 'weekly' }],
    ['export', { data_type: 'financials' }],
  ] as const) {
    const before = server.statements.length
    const [expected, far] = await Promise.all(
      [plain.ask(name, { ...input }), engine.ask(name, { ...input, lane: 'remote' })].map(asked =>
        asked.catch(error => ({ code: error.code, message: error.message })),
      ),
    )
    t.strictSame(far, expected, `${name} ${JSON.stringify(input)}`)
    if (!('code' in (expected as object))) t.ok(server.statements.length > before, 'it was answered there')
  }
})

t.test('files are made of the rows as they arrive', async t => {
  const { engine } = await withRemote(t)
  const bytes = (from: Engine, input: object, encode: typeof csv) =>
    from.stream('search.bonds', { ...input }, {}, async stream => {
      const pieces: Uint8Array[] = []
      for await (const piece of encode(stream)) pieces.push(Buffer.from(piece as Uint8Array))
      return Buffer.concat(pieces)
    })
  t.strictSame(await bytes(engine, { lane: 'remote' }, csv), await bytes(plain, {}, csv))
  const written = await bytes(engine, { lane: 'remote' }, parquet)
  t.equal(written.subarray(0, 4).toString(), 'PAR1')
})

t.test('the remote lane answers for tables above a size, and says why', async t => {
  const { engine, server } = await withRemote(t, { remoteAbove: 1 })
  const { meta } = await engine.ask('search.bonds', { explain: true })
  t.match(meta, {
    lane: {
      lane: 'remote',
      why: /^bonds has \d rows, more than the 1 above which the remote engine answers$/,
    },
  })
  const before = server.statements.length
  await engine.ask('search.corrections', {})
  await engine.ask('company', { ticker: 'ALFA' }).catch(() => {})
  t.equal(server.statements.length, before, 'small tables and other operations stay on this machine')
  const below = await withRemote(t)
  const asked = await below.engine.ask('search.bonds', { explain: true, lane: 'remote' })
  t.match(asked['meta'], { lane: { lane: 'remote', why: 'the request asked for the remote lane' } })
  await below.engine.ask('search.bonds', {})
  t.match((await below.engine.ask('search.bonds', { explain: true }))['meta'], { lane: { lane: 'duckdb' } })
})

t.test('what the remote lane cannot answer is refused', async t => {
  const { engine } = await withRemote(t)
  await t.rejects(plain.ask('search.bonds', { lane: 'remote' }), {
    code: 'INVALID_PARAMETER',
    message: /no remote engine is connected/,
  })
  const day = (engine.manifest.options['earliest'] as string | null) ?? '2025-01-01'
  await t.rejects(engine.ask('search.bonds', { lane: 'remote', as_of: day }), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'lane' },
  })
  await t.rejects(engine.ask('search.bonds', { lane: 'nearby' }), { code: 'INVALID_PARAMETER' })
  await t.rejects(open(lake, { remote: 'http://elsewhere' }), { code: 'INVALID_PARAMETER' })
})

t.test('a remote that holds another snapshot, or other rows, does not answer', async t => {
  const missing = {
    error: { message: 'no', errorName: 'SCHEMA_NOT_FOUND', errorType: 'USER_ERROR' },
  } as const
  const other = await withRemote(t, {}, sql => (sql.startsWith('SHOW') ? answer(sql) : missing))
  await t.rejects(other.engine.ask('search.bonds', { lane: 'remote' }), {
    code: 'REMOTE_SNAPSHOT_MISSING',
    message: new RegExp(`does not hold snapshot ${snapshot} .*it has lake_20200101: register`),
  })
  const fewer = await withRemote(t, {}, () => ({ columns: [{ name: 'n', type: 'bigint' }], pages: [[[1]]] }))
  await t.rejects(fewer.engine.ask('search.bonds', { lane: 'remote' }), {
    code: 'REMOTE_SNAPSHOT_MISSING',
    message: /has 1 rows of bonds, and the snapshot \d+: register it again/,
  })
})

t.test('a snapshot that the remote drops while it is in use is missed by name', async t => {
  let isDropped = false
  const dropped = {
    error: { message: 'no', errorName: 'TABLE_NOT_FOUND', errorType: 'USER_ERROR' },
  } as const
  const { engine } = await withRemote(t, {}, sql =>
    isDropped && !sql.startsWith('SHOW') ? dropped : answer(sql),
  )
  await engine.ask('search.bonds', { lane: 'remote' })
  isDropped = true
  for (const input of [{ sort: 'name' }, { cusip: '000000000' }])
    await t.rejects(engine.ask('search.bonds', { ...input, lane: 'remote' }), {
      code: 'REMOTE_SNAPSHOT_MISSING',
    })
  isDropped = false
  t.ok(((await engine.ask('search.bonds', { lane: 'remote' }))['data'] as unknown[]).length > 0)
})

t.test('the server answers 504 for a remote that takes too long, and cancels', async t => {
  const { engine, server } = await withRemote(t, { timeout: 5000 }, sql =>
    /count\(\*\)/.test(sql) ? answer(sql) : 'runs for ever',
  )
  const { ask } = await start(t, { lake, engine, timeout: 5000 })
  const slow = await ask('/v1/bonds?lane=remote')
  t.match(slow, { status: 504, body: { error: { code: 'QUERY_TIMEOUT' } } })
  await until(() => server.cancelled.length > 0)
})

t.test('the server answers 503 for a remote that is away, and says nothing of where it is', async t => {
  const { engine, server } = await withRemote(t)
  const { ask } = await start(t, { lake, engine })
  await server.close()
  const away = await ask('/v1/companies?lane=remote')
  t.match(away, { status: 503, body: { error: { code: 'REMOTE_UNAVAILABLE', details: {} } } })
  t.match(away.headers, { 'retry-after': '5' })
  t.notMatch(away.text, String(server.port))
  const local = await ask('/v1/companies')
  t.equal(local.status, 200, 'other requests do not notice')
})
