import { createConnection } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { formatNames, formats } from '../../engine/encode/formats.ts'
import { builtLake } from '../built-lake.ts'
import { until } from './serving.ts'
import { start } from './start.ts'

const rows = {
  companies: Array.from({ length: 1205 }, (_, i) => ({
    ticker: `C${String(i).padStart(4, '0')}`,
    name: i === 0 ? '=HYPERLINK("x")' : `Company, "${i}"`,
    ...(i % 100 === 99 && { coverage: 'extended' }),
  })),
  bonds: [
    {
      bond_id: 'B1',
      name: 'B1',
      ticker: 'C0000',
      outstanding: 9_007_199_254_740_993n,
      currency: 'USD',
      known_from: '2025-01-02',
    },
  ],
}

const many = await builtLake(t.teardown, rows)

const lines = (text: string) => text.split('\r\n').slice(0, -1)

t.test('a file has up to a thousand matches, and says when there are more', async t => {
  const { ask } = await start(t, { lake: many })
  const csv = await ask('/v1/companies?format=csv&fields=ticker,name&sort=ticker')
  t.equal(lines(csv.text).length, 1001)
  t.strictSame(lines(csv.text).slice(0, 3), [
    'ticker,name',
    `C0000,"'=HYPERLINK(""x"")"`,
    'C0001,"Company, ""1"""',
  ])
  t.match(csv.headers, {
    'x-truncated': 'true',
    'x-total-count': '1205',
    'content-type': /^text\/csv/,
    'content-disposition': 'attachment; filename="companies.csv"',
  })
  const raw = await ask('/v1/companies?format=csv&fields=name&ticker=C0000&csv_safe=false')
  t.strictSame(lines(raw.text), ['name', '"=HYPERLINK(""x"")"'])
  t.notOk(raw.headers['x-truncated'])
  t.equal(raw.headers['x-total-count'], '1')
  const few = await ask('/v1/companies?fields=ticker&limit=2&offset=1203&sort=ticker', {
    headers: { Accept: 'text/csv' },
  })
  t.strictSame(lines(few.text), ['ticker', 'C1203', 'C1204'])
  t.notOk(few.headers['x-truncated'], 'the last page is whole')
  const none = await ask('/v1/companies?format=csv&fields=ticker&sector=nothing')
  t.strictSame([none.text, none.headers['x-total-count']], ['ticker\r\n', '0'])
  const ndjson = await ask('/v1/companies?format=ndjson&fields=ticker&sort=ticker&limit=2')
  t.equal(ndjson.text, '{"ticker":"C0000"}\n{"ticker":"C0001"}\n')
  t.equal(ndjson.headers['x-truncated'], 'true')
  const arrow = await ask('/v1/companies?format=arrow&fields=ticker,total_debt')
  t.equal(tableFromIPC(arrow.bytes).numRows, 1000)
  const parquet = await ask('/v1/companies?fields=ticker', {
    headers: { Accept: 'application/vnd.apache.parquet' },
  })
  t.equal(parquet.bytes.subarray(0, 4).toString(), 'PAR1')
  t.equal(parquet.bytes.subarray(-4).toString(), 'PAR1')
})

t.test('an export is CSV by default, ends at its limit, and has its meta as JSON', async t => {
  const { ask, keys } = await start(t, { lake: many })
  const csv = await ask('/v1/export?data_type=companies&fields=ticker')
  t.match(csv.headers, { 'content-type': /^text\/csv/, 'x-total-count': '1205' })
  t.equal(lines(csv.text).length, 1206)
  t.notOk(csv.headers['x-truncated'])
  const json = await ask('/v1/export?data_type=companies&fields=ticker&format=json&limit=3&sort=-ticker')
  t.strictSame(
    json.body.data.map((r: { ticker: string }) => r.ticker),
    ['C1204', 'C1203', 'C1202'],
  )
  t.match(json.body.meta, {
    total: 1205,
    limit: 3,
    offset: 0,
    data_type: 'companies',
    request_id: json.headers['x-request-id'],
  })
  t.equal(json.headers['x-truncated'], 'true')
  t.equal(
    (await ask('/v1/export?data_type=companies', { headers: { Accept: 'application/json' } })).body.data
      .length,
    1205,
  )
  t.equal((await ask('/v1/export?data_type=companies&limit=50001')).status, 400)
  t.equal((await ask('/v1/export?data_type=companies', { key: keys.pro })).status, 403)
  const money = await ask('/v1/bonds?currency=&fields=outstanding&format=csv&is_active=')
  const asJson = await ask('/v1/bonds?fields=outstanding')
  t.match(
    [money.text, asJson.text],
    [/9007199254740993/, /"outstanding":9007199254740993[,}]/],
    'no digit is lost',
  )
})

t.test('HEAD is GET without the body', async t => {
  const { ask } = await start(t)
  for (const path of [
    '/v1/companies',
    '/v1/bonds?format=csv',
    '/v1/export?data_type=bonds',
    '/v1/companies/ALFA/changes',
    '/v1/nowhere',
  ]) {
    const get = await ask(path, { headers: { 'X-Request-Id': 'x' } })
    const head = await ask(path, { method: 'HEAD', headers: { 'X-Request-Id': 'x' } })
    t.equal(head.status, get.status, path)
    t.equal(head.bytes.length, 0)
    for (const name of ['etag', 'content-type', 'x-total-count', 'content-length', 'vary', 'x-request-id'])
      t.equal(head.headers[name], get.headers[name], `${path} ${name}`)
  }
})

t.test('an answer that the client has is not sent again', async t => {
  const { ask, engine, keys } = await start(t)
  const tagOf = async (path: string, how = {}) => (await ask(path, how)).headers.etag!
  const path = '/v1/companies?fields=ticker&min_debt=1'
  const tag = await tagOf(path)
  t.match(tag, /^W\/"[\w-]+"$/)
  t.equal(
    await tagOf('/V1/companies/?min_debt=1.0e0&fields=ticker&sector='),
    tag,
    'the same question written otherwise',
  )
  t.equal(await tagOf(path, { headers: { Accept: 'application/json' } }), tag)
  const others = await Promise.all([
    tagOf('/v1/companies?fields=ticker&min_debt=2'),
    tagOf(`${path}&format=csv`),
    tagOf(`${path}&format=csv&limit=50`),
    tagOf(`${path}&format=csv&csv_safe=0`),
    tagOf(`${path}&as_of=2025-05-01`),
    tagOf(path, { key: keys.pro }),
  ])
  t.equal(new Set([tag, ...others]).size, 7, 'every other answer has another tag')
  t.equal(await tagOf(path, { key: keys.pay_as_you_go }), others[5], 'who sees the same shares the tag')

  const asked = { openJson: engine.openJson, stream: engine.stream }
  engine.openJson = async () => t.fail('a query ran') as never
  engine.stream = async () => t.fail('a query ran') as never
  const same = async (path: string, header: string, how = {}) => {
    const { status, headers, bytes } = await ask(path, { ...how, headers: { 'If-None-Match': header } })
    t.equal(status, 304, `${path} ${header}`)
    t.equal(bytes.length, 0)
    t.ok(headers['x-ratelimit-remaining'] && headers['x-request-id'] && headers['vary'])
    t.equal(headers['cache-control'], 'private, max-age=0, must-revalidate')
    t.notOk(headers['content-length'])
    return headers.etag
  }
  t.equal(await same(path, tag), tag)
  await same(path, `"x", ${tag.slice(2)}`)
  await same(path, '*')
  await same(path, tag, { method: 'HEAD' })
  await same(`${path}&format=csv`, others[1]!)
  Object.assign(engine, asked)
  for (const header of [others[0]!, others[5]!, 'W/"x"', 'nonsense'])
    t.equal((await ask(path, { headers: { 'If-None-Match': header } })).status, 200)
  t.equal((await ask('/v1/companies?limit=0', { headers: { 'If-None-Match': '*' } })).status, 400)
  t.notOk((await ask('/v1/auth/me')).headers.etag)
  t.equal((await ask('/v1/auth/me', { headers: { 'If-None-Match': '*' } })).status, 200)
})

t.test('answers are compressed on request', async t => {
  const { ask } = await start(t, { lake: many })
  const path = '/v1/companies?fields=ticker,name&limit=100'
  const plain = await ask(path, { headers: { 'X-Request-Id': 'x' } })
  const zipped = await ask(path, { headers: { 'X-Request-Id': 'x', 'Accept-Encoding': 'gzip' } })
  t.equal(zipped.headers['content-encoding'], 'gzip')
  t.equal(gunzipSync(zipped.bytes).toString(), plain.text)
  const brotli = await ask('/v1/export?data_type=companies', {
    headers: { 'Accept-Encoding': 'gzip;q=0.5, br' },
  })
  t.equal(brotli.headers['content-encoding'], 'br')
  t.equal(lines(brotliDecompressSync(brotli.bytes).toString()).length, 1206)
  t.notOk(
    (await ask('/v1/companies?format=parquet', { headers: { 'Accept-Encoding': 'gzip' } })).headers[
      'content-encoding'
    ],
  )
  t.equal(zipped.headers.etag, plain.headers.etag)
})

/** Endless rows, and whether anyone has stopped them. */
function endless(failing: Error | null = null) {
  const seen = { rows: 0, stopped: false }
  const column = { kind: 'text', doc: '', nullable: false } as const
  const chunks = (async function* () {
    try {
      for (;;) {
        await new Promise(resolve => setTimeout(resolve, 1))
        if (failing && seen.rows > 100_000) throw failing
        seen.rows += 2048
        yield { rowCount: 2048, columns: [Array(2048).fill('x'.repeat(40))] }
      }
    } finally {
      seen.stopped = true
    }
  })()
  const meta = async () => ({ total: 1e9, snapshot: 's', as_of: '2025-06-02' })
  const stream = (_name: string, _input: object, _options: object, use: (s: object) => Promise<unknown>) =>
    use({ columns: [{ name: 'a', column }], chunks, meta })
  return { seen, stream: stream as never }
}

t.test('rows are produced as fast as they are read, and only while somebody reads', async t => {
  const { url, keys, engine, state, ids } = await start(t)
  const { seen, stream } = endless()
  engine.stream = stream
  const { hostname, port } = new URL(url)
  const socket = createConnection(Number(port), hostname)
  socket.write(`GET /v1/export?data_type=bonds HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.business}\r\n\r\n`)
  await new Promise(resolve => socket.once('readable', resolve))
  // The rows come from timers of this process too, so some more arrive within a number of ticks.
  const makesMore = async () => {
    const made = seen.rows
    for (let i = 0; i < 200; i++) await new Promise(resolve => setTimeout(resolve, 1))
    return seen.rows > made
  }
  t.ok(await until(async () => !(await makesMore())), 'a reader that does not read stops the making')
  socket.destroy()
  t.ok(await until(() => seen.stopped), 'a reader that leaves ends it')
  t.ok(await until(() => state.calls.length === 1))
  t.match(state.calls[0], { keyId: ids.business, endpoint: 'export', status: 200 })
})

t.test('an answer without rows has its headers in every format', async t => {
  const { ask } = await start(t)
  for (const format of formatNames) {
    const { status, headers } = await ask(`/v1/bonds?min_coupon=90&format=${format}`)
    t.equal(status, 200)
    t.equal(headers['content-type'], formats[format].type, format)
    t.match(headers['x-request-id'], /^[0-9a-f-]{36}$/, format)
    t.equal(headers['x-content-type-options'], 'nosniff', format)
  }
})

t.test('a panel is charged for every 12 days begun', async t => {
  const { ask, keys, engine, state, ids } = await start(t)
  engine.stream = ((
    _name: string,
    _input: object,
    _options: object,
    use: (rows: object) => Promise<unknown>,
  ) =>
    use({
      columns: [{ name: 'a', column: { kind: 'text', doc: '', nullable: false } }],
      chunks: (async function* () {})(),
      meta: async () => ({ total: 0, snapshot: 's', as_of: '2025-06-02' }),
    })) as never
  const spent = async (days: number) => {
    const dates = Array.from({ length: days }, (_, i) => `2025-05-${String(i + 1).padStart(2, '0')}`)
    const { status } = await ask(`/v1/panel?resource=companies&dates=${dates}`, { key: keys.pay_as_you_go })
    t.equal(status, 200)
    return 100 - (await state.balance(ids.pay_as_you_go)).remaining
  }
  t.equal(await spent(1), 2)
  t.equal(await spent(12), 4)
  t.equal(await spent(13), 8)
})

t.test('a failure after the start cuts the answer off, is free, and is recorded', async t => {
  const { ask, keys, engine, state, ids } = await start(t)
  engine.stream = endless(new Error('a bug')).stream
  await t.rejects(ask('/v1/bonds?format=csv', { key: keys.pay_as_you_go }), /aborted|hang up|reset/)
  t.ok(await until(() => state.calls.length === 1))
  t.match(state.calls[0], { status: 500, cost: 0 })
  t.match(await state.balance(ids.pay_as_you_go), { remaining: 100, used: 0 })
  engine.stream = (async () => {
    throw new QueryError('MEMORY_LIMIT', 'out of memory')
  }) as never
  t.equal((await ask('/v1/bonds?format=csv')).status, 503, 'what fails before that has its status')
})

t.test('a client that leaves before its answer cancels the query and pays nothing', async t => {
  const { url, keys, engine, state, ids } = await start(t)
  let cancelled = false
  engine.openJson = ((_name: string, _input: object, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        cancelled = true
        reject(new Error('INTERRUPT Error: Interrupted!'))
      }),
    )) as never
  const { hostname, port } = new URL(url)
  const socket = createConnection(Number(port), hostname)
  socket.write(`GET /v1/companies HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.pay_as_you_go}\r\n\r\n`)
  t.ok(await until(() => state.holds.size === 1))
  socket.destroy()
  t.ok(await until(() => cancelled))
  t.ok(await until(() => state.calls.length === 1))
  t.match(state.calls[0], { endpoint: 'search.companies', status: 499, cost: 0 })
  t.match(await state.balance(ids.pay_as_you_go), { remaining: 100, used: 0 })
})

t.test('some heavy requests run, some wait, and the rest get 503', async t => {
  const { ask, keys, engine, state, ids } = await start(t, { heavy: { running: 2, waiting: 3 } })
  const real = engine.openJson.bind(engine)
  let running = 0
  let most = 0
  let answered = 0
  engine.openJson = async (...args) => {
    most = Math.max(most, ++running)
    // Refused requests are answered while the others run and wait.
    await until(() => answered >= 4)
    running--
    return real(...args)
  }
  const key = keys.pay_as_you_go
  const answers = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const answer = await ask('/v1/market/cds/aggregate', { key })
      answered++
      return answer
    }),
  )
  t.equal(most, 2)
  t.equal(answers.filter(a => a.status === 200).length, 5)
  const refused = answers.filter(a => a.status === 503)
  t.equal(refused.length, 4)
  t.match(refused[0]!.body.error.code, 'OVERLOADED')
  t.equal(refused[0]!.headers['retry-after'], '1')
  t.match(await state.balance(ids.pay_as_you_go), { remaining: 90, used: 10 })
})

t.test('rows that do not arrive in time give an error status', async t => {
  const { ask, engine } = await start(t, { timeout: 50 })
  let format = 'ndjson'
  engine.stream = ((
    _name: string,
    _input: object,
    { signal }: { signal: AbortSignal },
    use: (s: object) => Promise<unknown>,
  ) => {
    const interrupted = () =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Interrupted!'))))
    return use({
      columns: [],
      chunks: (async function* () {
        if (format === 'ndjson') await interrupted()
        yield { rowCount: 0, columns: [] }
      })(),
      copy: interrupted,
      meta: async () => ({ total: 1, snapshot: 's', as_of: '2025-06-02' }),
    })
  }) as never
  for (format of ['ndjson', 'parquet']) {
    const { status, body } = await ask(`/v1/export?data_type=bonds&format=${format}`)
    t.equal(status, 504)
    t.match(body.error, { code: 'QUERY_TIMEOUT', details: { timeout_ms: 50 } })
  }
})
