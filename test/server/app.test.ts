import t from 'tap'
import { codes, QueryError } from '../../engine/base/errors.ts'
import { stateUnavailable } from '../../server/state/store.ts'
import { start } from './start.ts'
import { states } from './states.ts'

t.test('a list is returned in its envelope, with numbers as numbers and a request id', async t => {
  const { ask } = await start(t)
  const asked = Date.now()
  const { status, headers, body } = await ask(
    '/v1/bonds?fields=id,outstanding,pricing.last_price&ticker=ALFA',
    {
      headers: { 'X-Request-Id': 'desk:42' },
    },
  )
  t.equal(status, 200)
  t.strictSame(body.data, [
    { id: 'ALFA-TLB', outstanding: 3_000_000_000, pricing: null },
    { id: '000000AA7', outstanding: 5_000_000_000, pricing: { last_price: 100 } },
  ])
  t.match(body.meta, { total: 2, limit: 50, offset: 0, as_of: '2025-06-02', request_id: 'desk:42' })
  t.match(headers, {
    'x-request-id': 'desk:42',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, max-age=0, must-revalidate',
    vary: 'X-API-Key, Cookie, Accept, Accept-Encoding',
    'x-ratelimit-limit': '500',
    'x-ratelimit-remaining': '499',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  })
  t.notOk(headers['x-powered-by'])
  const reset = Number(headers['x-ratelimit-reset'])
  t.ok(reset >= asked / 1000 + 59 && reset <= Date.now() / 1000 + 61)
})

t.test('ratings have their own envelope, and an account is no list', async t => {
  const { ask, keys, ids } = await start(t)
  t.equal((await ask('/v1/ratings?latest=true')).body.ratings.length, 3)
  const me = (await ask('/v1/auth/me', { key: keys.pay_as_you_go })).body
  t.match(me, {
    email: 'payg@example.com',
    tier: 'pay_as_you_go',
    credits: { remaining: 100, resets_at: null, unlimited: false },
    key: { id: ids.pay_as_you_go, label: null, prefix: /^tr_/, created_at: /^\d{4}-/ },
    rate_limit: { limit: 60, remaining: 59 },
    seats: { total: 1 },
  })
  t.match((await ask('/v1/auth/me')).body, {
    credits: { remaining: 0, unlimited: true },
    seats: { total: 5 },
  })
})

t.test('each cause has its code and status, advice, and the request id', async t => {
  const { ask, keys } = await start(t, { unauthorized: 1000 })
  const big = { operations: [{ primitive: 'search.companies', params: { sector: 'x'.repeat(1 << 20) } }] }
  const post = (body: unknown, headers = {}) => ({ body: body as object, headers })
  const cases: [code: keyof typeof codes, path: string, how: object, details?: object][] = [
    [
      'INVALID_PARAMETER',
      '/v1/companies?min_leverge=4',
      {},
      { parameter: 'min_leverge', suggestion: 'min_leverage' },
    ],
    ['INVALID_PARAMETER', '/v1/companies?sort[a]=b', {}, { parameter: 'sort[a]' }],
    ['INVALID_PARAMETER', '/v1/companies?__proto__=1', {}, { parameter: '__proto__' }],
    ['INVALID_PARAMETER', '/v1/companies?sector=%zz', {}, { parameter: 'sector' }],
    ['INVALID_PARAMETER', '/v1/companies?limit=101', {}, { parameter: 'limit', max: 100 }],
    ['INVALID_PARAMETER', '/v1/companies?limit=0', {}, { parameter: 'limit', min: 1 }],
    ['INVALID_PARAMETER', '/v1/companies?limit=1&limit=2', {}, { parameter: 'limit' }],
    ['INVALID_PARAMETER', '/v1/companies?fields=ticker,nme', {}, { parameter: 'fields', suggestion: 'name' }],
    ['INVALID_PARAMETER', '/v1/companies?format=xml', {}, { parameter: 'format' }],
    ['INVALID_PARAMETER', '/v1/companies?as_of=2030-01-01', {}, { parameter: 'as_of', max: '2025-06-02' }],
    ['INVALID_PARAMETER', '/v1/companies/ALFA/changes?ticker=BETA', {}, { parameter: 'ticker' }],
    ['INVALID_PARAMETER', '/v1/bonds/resolve?q=alfa&format=csv', {}, { parameter: 'format' }],
    ['INVALID_PARAMETER', '/v1/batch?operations=1', post({ operations: [] }), { parameter: 'operations' }],
    ['INVALID_PARAMETER', '/v1/usage/analytics?days=366', {}, { parameter: 'days', max: 365 }],
    ['INVALID_PARAMETER', '/v1/auth/me?api_key=1', {}, { parameter: 'api_key' }],
    ['MISSING_PARAMETER', '/v1/bonds/resolve', {}, { parameter: 'q' }],
    ['MISSING_PARAMETER', '/v1/bonds/resolve?q=', {}, { parameter: 'q' }],
    ['MISSING_PARAMETER', '/v1/batch', post({}), { parameter: 'operations' }],
    ['INVALID_JSON', '/v1/batch', post('[]')],
    ['INVALID_JSON', '/v1/batch', post('{"operations":[],"operations":[]}')],
    ['INVALID_JSON', '/v1/batch', post('')],
    ['INVALID_JSON', '/v1/batch', post(Uint8Array.from([0x7b, 0xff, 0x7d]))],
    ['UNAUTHORIZED', '/v1/companies', { key: null }, {}],
    [
      'TIER_RESTRICTED',
      '/v1/export',
      { key: keys.pro },
      { required_tier: 'business', current_tier: 'pro', alternative: null },
    ],
    [
      'TIER_RESTRICTED',
      '/v1/pricing',
      { key: keys.pay_as_you_go },
      { required_tier: 'pro', current_tier: 'pay_as_you_go', alternative: '/v1/bonds?has_pricing=true' },
    ],
    ['INVALID_TICKER', '/v1/companies?ticker=ALPA,ALFA', {}, { unknown: ['ALPA'], suggestion: 'ALFA' }],
    [
      'INVALID_CUSIP',
      '/v1/bonds/000000AB5/pricing/history',
      {},
      { cusip: '000000AB5', suggestion: '000000AA7' },
    ],
    ['NOT_FOUND', '/v1/companys', {}, { suggestion: '/v1/companies' }],
    ['NOT_FOUND', '/', { key: null }],
    ['NOT_FOUND', '/v1/sql', post({ sql: 'SELECT 1' })],
    ['NO_SNAPSHOT', '/v1/companies?as_of=1999-01-01', {}, { earliest: '2020-06-15' }],
    ['METHOD_NOT_ALLOWED', '/v1/companies', { method: 'DELETE' }, { allowed: ['GET', 'HEAD', 'OPTIONS'] }],
    ['METHOD_NOT_ALLOWED', '/v1/batch', { method: 'GET' }, { allowed: ['POST', 'OPTIONS'] }],
    ['NOT_ACCEPTABLE', '/v1/companies', { headers: { Accept: 'image/png' } }],
    ['NOT_ACCEPTABLE', '/v1/auth/me', { headers: { Accept: 'text/csv' } }, { allowed: ['application/json'] }],
    ['PAYLOAD_TOO_LARGE', '/v1/batch', post(big), { max_bytes: 1 << 20 }],
    ['PAYLOAD_TOO_LARGE', '/v1/batch', post(big, { 'Transfer-Encoding': 'chunked' }), { max_bytes: 1 << 20 }],
    ['UNSUPPORTED_MEDIA_TYPE', '/v1/batch', post('{}', { 'Content-Type': 'text/plain' })],
    [
      'UNSUPPORTED_MEDIA_TYPE',
      '/v1/batch',
      post('{}', { 'Content-Type': 'application/json; charset=utf-16' }),
    ],
    ['UNSUPPORTED_MEDIA_TYPE', '/v1/batch', post('{}', { 'Content-Encoding': 'gzip' })],
  ]
  for (const [code, path, how, details] of cases) {
    const { status, headers, body } = await ask(path, how)
    const name = `${code} ${path}`
    t.equal(body.error?.code, code, name)
    t.equal(status, codes[code].status, name)
    t.strictSame(Object.keys(body.error), ['code', 'message', 'details', 'request_id'])
    t.ok(body.error.message.length > 10)
    t.equal(body.error.request_id, headers['x-request-id'])
    t.equal(headers['cache-control'], 'no-store')
    t.notOk(headers['etag'])
    if (details) t.match(body.error.details, details, name)
    if (status === 405) t.match(headers['allow'], /OPTIONS$/)
    if (path === '/v1/sql') t.match(body.error.message, /enables it with --enable-sql/)
    t.notMatch(JSON.stringify(body), /\/tmp|node_modules|SELECT |\.ts:/, `${name} leaks nothing`)
  }
})

t.test('engine errors get their status, and bugs reveal nothing', async t => {
  const logged: string[] = []
  const log = { error: (what: { err: Error }) => logged.push(what.err.message), info: () => {} } as never
  const { ask, engine, keys } = await start(t, { log })
  const thrown: [Error, number, string, string | undefined][] = [
    [new Error('secret /etc/passwd SELECT'), 500, 'INTERNAL_ERROR', undefined],
    [new QueryError('INTERNAL_ERROR', 'secret'), 500, 'INTERNAL_ERROR', undefined],
    [new QueryError('NOT_READY', 'no snapshot yet', { lake: '/secret' }), 503, 'NOT_READY', '5'],
    [new QueryError('OVERLOADED', 'full'), 503, 'OVERLOADED', '1'],
    [new QueryError('MEMORY_LIMIT', 'out of its memory'), 503, 'MEMORY_LIMIT', '5'],
    [new QueryError('QUERY_TIMEOUT', 'too long', { timeout_ms: 5 }), 504, 'QUERY_TIMEOUT', undefined],
    [new QueryError('RESULT_TOO_LARGE', 'too large', { max_rows: 5 }), 400, 'RESULT_TOO_LARGE', undefined],
    [new QueryError('DATA_DAMAGED', 'snapshots/secret', { file: 'secret' }), 503, 'DATA_DAMAGED', '300'],
    [new QueryError('STORAGE_FAILED', '/secret'), 503, 'STORAGE_FAILED', '30'],
    [stateUnavailable('unreachable', 'db.secret'), 503, 'STATE_UNAVAILABLE', '5'],
    [new QueryError('STATE_DAMAGED', '/secret'), 503, 'STATE_DAMAGED', '300'],
    [new QueryError('REMOTE_SNAPSHOT_MISSING', '/secret'), 503, 'REMOTE_SNAPSHOT_MISSING', '30'],
    [new QueryError('EMBEDDER_UNAVAILABLE', '/secret'), 503, 'EMBEDDER_UNAVAILABLE', '300'],
  ]
  for (const [error, status, code, retry] of thrown) {
    engine.openJson = async () => {
      throw error
    }
    const answer = await ask('/v1/companies', { key: keys.pay_as_you_go })
    t.equal(answer.status, status, code)
    t.equal(answer.body.error.code, code)
    t.equal(answer.headers['retry-after'], retry, `${code} says when to try again`)
    t.notMatch(answer.text, /secret|passwd|SELECT/)
    t.ok(answer.headers['x-ratelimit-remaining'], 'a known key is told its limit, whatever happens')
  }
  t.strictSame(logged.length, 7, 'bugs, damage and what the operator must see to are logged')
  const me = await ask('/v1/auth/me', { key: keys.pay_as_you_go })
  t.equal(me.body.credits.remaining, 100, 'nothing was charged')
})

for (const [where, make] of Object.entries(states))
  t.test(`keys ${where}: invalid keys get equal errors, and a revoked one is invalid at once`, async t => {
    const state = await make(t)
    const { ask, keys, ids } = await start(t, { state, unauthorized: 1000 })
    const good = keys.pro
    const told = async (headers: Record<string, string | string[]>, path = '/v1/auth/me') => {
      const { status, headers: sent, body } = await ask(path, { key: null, headers: headers as never })
      t.equal(status, 401)
      t.match(sent['www-authenticate'], /X-API-Key/)
      t.notOk(sent['x-ratelimit-limit'])
      return JSON.stringify({ ...body.error, request_id: null })
    }
    const bodies = [
      await told({}),
      await told({ 'X-API-Key': '' }),
      await told({ 'X-API-Key': 'x' }),
      await told({ 'X-API-Key': good.toUpperCase() }),
      await told({ 'X-API-Key': good.slice(0, -1) }),
      await told({ 'X-API-Key': `${good}0` }),
      await told({ 'X-API-Key': 'tr_00000000000000000000000000000000' }),
      await told({ 'X-API-Key': [good, good] }),
      await told({ 'X-API-Key': `${good}, ${keys.business}` }),
      await told({ 'X-API-Key': 'k'.repeat(6000) }),
      await told({ Authorization: `Bearer ${good}` }),
      await told({}, `/v1/auth/me?X-API-Key=${good}`),
      await told({}, `/v1/auth/me?api_key=${good}`),
    ]
    await state.revokeKey(ids.pay_as_you_go)
    bodies.push(await told({ 'X-API-Key': keys.pay_as_you_go }))
    const fresh = await state.regenerateKey(ids.pro)
    bodies.push(await told({ 'X-API-Key': good }))
    t.equal(new Set(bodies).size, 1)
    t.equal((await ask('/v1/auth/me', { key: fresh.key })).status, 200)
  })

t.test('a key is never repeated in an error or the log', async t => {
  const lines: string[] = []
  const log = {
    info: (what: object) => lines.push(JSON.stringify(what)),
    error: (what: object) => lines.push(String(what)),
  }
  const { ask, keys } = await start(t, { log: log as never })
  const key = keys.pro
  for (const path of [
    `/v1/companies?api_key=${key}`,
    `/v1/companies?ticker=${key}`,
    `/v1/companies?${key}=1`,
    `/${key}`,
  ]) {
    const { status, text, headers } = await ask(path, { headers: { 'X-Request-Id': key } })
    t.ok(status >= 400, path)
    t.notMatch(text + JSON.stringify(headers), key.slice(3), path)
  }
  t.notMatch(lines.join('\n'), key.slice(3))
  t.ok(lines.length >= 4)
})

t.test('an address with many invalid keys is throttled; valid keys from it still pass', async t => {
  const { ask, keys } = await start(t, { unauthorized: 5 })
  const bad = () => ask('/v1/companies', { key: 'tr_00000000000000000000000000000000' })
  for (let i = 0; i < 5; i++) t.equal((await bad()).status, 401)
  const { status, headers, body } = await bad()
  t.equal(status, 429)
  t.equal(body.error.code, 'RATE_LIMITED')
  t.equal(headers['retry-after'], String(body.error.details.retry_after))
  t.equal((await ask('/v1/auth/me', { key: keys.pro })).status, 200)
})

t.test("the client's address is the one from a trusted proxy, with or without a valid key", async t => {
  const { ask } = await start(t, { unauthorized: 1, trustProxy: 1 })
  const from = (address: string, key: string | null) =>
    ask('/v1/companies', { key, headers: { 'X-Forwarded-For': address } })
  const bad = 'tr_00000000000000000000000000000000'
  t.equal((await from('192.0.2.1', bad)).status, 401)
  t.equal((await from('192.0.2.2', bad)).status, 401)
  t.equal((await from('192.0.2.1', null)).status, 429)
  t.equal((await from('192.0.2.3', null)).status, 401)
  t.equal((await from('192.0.2.3', bad)).status, 429)
})

t.test('the key is checked before the rest of a request, and unknown paths before the key', async t => {
  const { ask } = await start(t)
  t.equal((await ask('/v1/companies?nonsense=1', { key: null })).status, 401)
  t.equal((await ask('/v1/batch', { key: null, body: 'nonsense' })).status, 401)
  t.equal((await ask('/v1/nowhere', { key: null })).status, 404)
  t.equal((await ask('/v1/companies', { key: null, method: 'PUT' })).status, 405)
  const { status, headers, bytes } = await ask('/V1/companies//', { key: null, method: 'OPTIONS' })
  t.equal(status, 204)
  t.equal(headers['allow'], 'GET, HEAD, OPTIONS')
  t.equal(bytes.length, 0)
})

t.test('other origins may call only if the operator allows them', async t => {
  const closed = await start(t)
  const from = { headers: { Origin: 'https://desk.example' } }
  t.notOk((await closed.ask('/v1/auth/me', from)).headers['access-control-allow-origin'])
  const { ask } = await start(t, { cors: ['https://desk.example'] })
  const answer = await ask('/v1/auth/me', from)
  t.equal(answer.headers['access-control-allow-origin'], 'https://desk.example')
  t.match(answer.headers['access-control-expose-headers'], /X-RateLimit-Remaining/)
  t.match(answer.headers['vary'], /X-API-Key.*Origin/)
  const preflight = await ask('/v1/companies', {
    method: 'OPTIONS',
    key: null,
    headers: {
      Origin: 'https://desk.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'X-API-Key',
    },
  })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers['access-control-allow-headers'], 'X-API-Key')
  t.notOk(
    (await ask('/v1/auth/me', { headers: { Origin: 'https://evil.example' } })).headers[
      'access-control-allow-origin'
    ],
  )
})

t.test('a connection survives a body that was too large', async t => {
  const { ask } = await start(t, { mostBodyBytes: 1000 })
  for (let i = 0; i < 3; i++) {
    const { status } = await ask('/v1/batch', {
      body: 'x'.repeat(200_000),
      headers: { 'Transfer-Encoding': 'chunked', Connection: 'keep-alive' },
    })
    t.equal(status, 413)
  }
  t.equal((await ask('/v1/auth/me')).status, 200)
})
