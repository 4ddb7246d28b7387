import type { Test } from 'tap'
import { until } from '../serving.ts'
import type { Row, Service } from './service.ts'

const me = '/v1/auth/me'
const operations = (...list: object[]) => ({ operations: list })

export function walkAccount(t: Test, service: Service) {
  t.test('GET /v1/auth/me: email, tier, credits, key, limit and seats', async t => {
    const { key, id } = await service.key('pay_as_you_go', 200)
    const body = await service.get(me, { key })
    t.match(body, {
      email: 'pay_as_you_go@example.com',
      tier: 'pay_as_you_go',
      credits: { remaining: 200, resets_at: null, unlimited: false },
      key: { id, prefix: key.slice(0, 11), label: 'contract', created_at: /^\d{4}-.*Z$/ },
      rate_limit: { limit: 60 },
      seats: { total: 1 },
    })
    t.notMatch(JSON.stringify(body), key.slice(12), 'the key itself is not shown')
    const pro = await service.get(me, await service.key('pro'))
    t.match(pro, { tier: 'pro', rate_limit: { limit: 100 }, credits: { remaining: 0, unlimited: true } })
    const demo = await service.get(me, { key: service.demoKey })
    t.match(demo, { tier: 'business', rate_limit: { limit: 500 }, seats: { total: 5 } })
    t.match(service.demoKey, /^[a-z]+_[0-9a-f]{32}$/)
    t.equal((await service.ask(`${me}?x=1`)).status, 400)
  })

  t.test('Limits: exactly 60, 100 and 500 requests a minute pass, and headers count them', async t => {
    for (const [tier, limit] of [
      ['pay_as_you_go', 60],
      ['pro', 100],
      ['business', 500],
    ] as const) {
      const { key } = await service.key(tier)
      const answers = await Promise.all(Array.from({ length: limit + 15 }, () => service.ask(me, { key })))
      const passed = answers.filter(a => a.status === 200)
      t.equal(passed.length, limit, tier)
      const left = passed.map(a => Number(a.headers['x-ratelimit-remaining'])).sort((a, b) => a - b)
      t.strictSame(
        left,
        Array.from({ length: limit }, (_, i) => i),
        `${tier} counts down by one`,
      )
      const late = answers.filter(a => a.status === 429)
      t.equal(late.length, 15)
      for (const { headers, body } of late) {
        t.equal(body.error.code, 'RATE_LIMITED')
        t.equal(headers['retry-after'], String(body.error.details.retry_after))
        t.match(headers, { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': '0' })
        t.ok(body.error.details.retry_after >= 1 && body.error.details.retry_after <= 60)
      }
      const gated = await service.ask('/v1/export?nonsense=1', { key })
      t.equal(gated.status, 429, 'the limit is looked at before tier and parameters')
    }
  })

  t.test('Credits: simple 1, complex 2, advanced 3, batch the sum, and the rest free', async t => {
    const { key } = await service.key('pay_as_you_go', 100)
    let left = 100
    const costs = async (
      path: string,
      how: { body?: object; method?: string; headers?: Record<string, string> } = {},
    ) => {
      await service.ask(path, { key, ...how })
      const { credits } = await service.get(me, { key })
      const cost = left - credits.remaining
      left = credits.remaining
      return cost
    }
    const ticker = (await service.rows('companies')).find(row => row['coverage'] === 'standard')!['ticker']
    for (const path of [
      'companies',
      'bonds',
      'bonds/resolve?q=notes',
      'financials',
      'collateral',
      'covenants',
      'ratings',
      'market/cds',
    ])
      t.equal(await costs(`/v1/${path}`), 1, path)
    t.equal(await costs(`/v1/companies/${ticker}/changes`), 2)
    t.equal(await costs('/v1/market/cds/aggregate'), 2)
    const traverse = { start: { type: 'company', id: ticker }, relationships: ['subsidiaries'] }
    t.equal(await costs('/v1/entities/traverse', { body: traverse }), 3)
    const batch = operations(
      { primitive: 'search.companies' },
      { primitive: 'traverse.entities', params: traverse },
      { primitive: 'search.bonds', params: { limit: 0 } },
    )
    t.equal(await costs('/v1/batch', { body: batch }), 4, 'what failed in it is not charged')
    t.equal(await costs('/v1/coverage/request', { body: { ticker: 'ZZZQ', company_name: 'Zzzq' } }), 0)
    t.equal(await costs('/v1/companies?limit=0'), 0)
    t.equal(await costs('/v1/companies?ticker=NOSUCH'), 0)
    t.equal(await costs('/v1/pricing'), 0)
    t.equal(await costs('/v1/companies', { headers: { 'If-None-Match': '*' } }), 0)
  })

  t.test('INSUFFICIENT_CREDITS: what is not paid for is not answered, what is free is', async t => {
    const { key } = await service.key('pay_as_you_go', 2)
    const traverse = { start: { type: 'company', id: 'X' }, relationships: ['debt'] }
    const short = await service.post('/v1/entities/traverse', traverse, { key })
    t.strictSame([short.status, short.body.error.code], [402, 'INSUFFICIENT_CREDITS'])
    t.strictSame(short.body.error.details, { required: 3, remaining: 2 })
    const batch = operations(...Array(3).fill({ primitive: 'search.companies' }))
    t.equal((await service.post('/v1/batch', batch, { key })).status, 402, 'a batch is refused whole')
    await service.get('/v1/companies', { key })
    await service.get('/v1/bonds', { key })
    t.strictSame((await service.ask('/v1/bonds', { key })).body.error.details, { required: 1, remaining: 0 })
    t.equal((await service.ask(me, { key })).status, 200)
    t.equal(
      (await service.ask('/v1/bonds?limit=0', { key })).status,
      400,
      'parameters are looked at before credits',
    )
    t.equal((await service.ask('/v1/bonds?fields=nonsense', { key })).status, 400, 'fields too')
    t.equal((await service.ask('/v1/bonds?sort=nonsense', { key })).status, 400, 'and sort')
    t.equal((await service.ask('/v1/bonds?min_ytm=5&max_ytm=4', { key })).status, 400, 'and ranges')
    t.equal((await service.ask('/v1/bonds', { key, headers: { 'If-None-Match': '*' } })).status, 304)
  })

  t.test('Tiers: pricing is for Pro and above, four endpoints are for Business', async t => {
    const [payg, pro] = [await service.key('pay_as_you_go', 100), await service.key('pro')]
    const { cusip } = (await service.rows('pricing'))[0]!
    const business = [
      '/v1/covenants/compare?ticker=A,B',
      `/v1/bonds/${cusip}/pricing/history`,
      '/v1/export?data_type=bonds',
      '/v1/usage/analytics',
    ]
    for (const [paths, keys, required] of [
      [business, [payg, pro], 'business'],
      [['/v1/pricing'], [payg], 'pro'],
    ] as const)
      for (const path of paths)
        for (const { key } of keys) {
          const { status, body } = await service.ask(path, { key })
          t.strictSame([status, body.error.code], [403, 'TIER_RESTRICTED'], path)
          t.strictSame(Object.keys(body.error.details), ['required_tier', 'current_tier', 'alternative'])
          t.equal(body.error.details.required_tier, required)
        }
    t.equal(
      (await service.ask('/v1/pricing?nonsense=1', payg)).status,
      403,
      'the tier is looked at before parameters',
    )
    t.equal((await service.ask('/v1/pricing', pro)).status, 200)
    const open = await service.get('/v1/bonds?has_pricing=true&fields=pricing&limit=5', payg)
    t.ok(
      open.data.every((row: { pricing: Row }) => row.pricing['last_price'] !== null),
      'prices inside bonds are for all',
    )
  })

  t.test('Coverage by tier: companies of the extended set are for Business', async t => {
    const { key } = await service.key('pro')
    const companies = await service.rows('companies')
    const far = companies.find(row => row['coverage'] === 'extended')!['ticker']
    const extended = new Set(
      companies.filter(row => row['coverage'] === 'extended').map(row => row['ticker']),
    )
    const { status, body } = await service.ask(`/v1/companies?ticker=${far}`, { key })
    t.strictSame(
      [status, body.error.code, body.error.details.required_tier],
      [403, 'TIER_RESTRICTED', 'business'],
    )
    t.equal((await service.ask(`/v1/companies/${far}/changes`, { key })).status, 403)
    t.equal((await service.get(`/v1/companies?ticker=${far}`)).meta.total, 1)
    const lists = ['bonds', 'ratings', 'covenants', 'market/cds', 'financials', 'pricing', 'collateral']
    for (const path of lists.map(name => `/v1/${name}`)) {
      const all = await service.get(`${path}?limit=1`)
      const seen = await service.get(`${path}?limit=100`, { key })
      t.ok(seen.meta.total < all.meta.total, path)
      const rows: Row[] = seen.data ?? seen.ratings
      t.notOk(
        rows.some(row => extended.has(row['ticker'] ?? row['company_ticker'])),
        path,
      )
    }
    const resolved = await service.get(`/v1/bonds/resolve?q=${far}&limit=20`, { key })
    t.notOk(resolved.data.matches.some((m: { bond: Row }) => extended.has(m.bond['ticker'])))
  })

  t.test('POST /v1/batch: up to ten operations, each as its own endpoint answers', async t => {
    const { cusip, ticker } = (await service.rows('bonds')).find(row => row['cusip'] && row['is_active'])!
    const traverse = {
      start: { type: 'bond', id: cusip },
      relationships: ['guarantees'],
      direction: 'inbound',
    }
    const list = [
      { primitive: 'search.companies', params: { min_leverage: 4, sort: '-leverage_ratio', limit: 3 } },
      { primitive: 'search.bonds', params: { ticker, fields: 'id,pricing' } },
      { primitive: 'resolve.bond', params: { cusip } },
      { primitive: 'search.pricing', params: { cusip } },
      { primitive: 'traverse.entities', params: traverse },
    ]
    const alone = [
      await service.get('/v1/companies?min_leverage=4&sort=-leverage_ratio&limit=3'),
      await service.get(`/v1/bonds?ticker=${ticker}&fields=id,pricing`),
      await service.get(`/v1/bonds/resolve?cusip=${cusip}`),
      await service.get(`/v1/pricing?cusip=${cusip}`),
      (await service.post('/v1/entities/traverse', traverse)).body,
    ]
    const { status, body } = await service.post('/v1/batch', operations(...list, ...list))
    t.equal(status, 200)
    t.strictSame(Object.keys(body), ['results', 'meta'])
    for (const [i, result] of body.results.entries()) {
      t.match(result, { primitive: list[i % 5]!.primitive, status: 'success' })
      t.strictSame(result.data, alone[i % 5].data, result.primitive)
      t.equal(result.meta.total, alone[i % 5].meta.total, result.primitive)
    }
    t.match(body.meta, { total_operations: 10, successful: 10, failed: 0 })
    t.ok(Number.isInteger(body.meta.duration_ms))
  })

  t.test('POST /v1/batch: a failure stays in its place, and counts and nesting are checked', async t => {
    const good = { primitive: 'search.companies', params: { limit: 1 } }
    const bad: [operation: unknown, code: string][] = [
      [{ primitive: 'resolve.bond', params: { q: 'qqqqqq wwwwww' } }, 'NOT_FOUND'],
      [{ primitive: 'search.companies', params: { ticker: 'NOSUCH' } }, 'INVALID_TICKER'],
      [{ primitive: 'search.companies', params: { limit: 101 } }, 'INVALID_PARAMETER'],
      [{ primitive: 'search.companies', params: { format: 'csv' } }, 'INVALID_PARAMETER'],
      [{ primitive: 'batch', params: operations(good) }, 'INVALID_PARAMETER'],
      [{ primitive: 'search.everything' }, 'INVALID_PARAMETER'],
      [{ primitive: 'search.companies', params: [] }, 'INVALID_PARAMETER'],
      [7, 'INVALID_PARAMETER'],
    ]
    const { body } = await service.post('/v1/batch', { operations: [good, ...bad.map(([o]) => o)] })
    t.equal(body.results[0].status, 'success')
    for (const [i, [, code]] of bad.entries()) {
      const { status, error } = body.results[i + 1]
      t.strictSame([status, error.code], ['error', code])
      t.ok(error.message.length > 10)
    }
    t.match(body.meta, { total_operations: 9, successful: 1, failed: 8 })
    for (const list of [[], Array(11).fill(good), 'x', {}]) {
      const { status, body } = await service.post('/v1/batch', { operations: list })
      t.strictSame(
        [status, body.error.code, body.error.details.parameter],
        [400, 'INVALID_PARAMETER', 'operations'],
      )
    }
    const { key } = await service.key('pay_as_you_go', 100)
    const restricted = await service.post('/v1/batch', operations({ primitive: 'search.pricing' }, good), {
      key,
    })
    t.match(restricted.body.results, [
      { status: 'error', error: { code: 'TIER_RESTRICTED' } },
      { status: 'success' },
    ])
    const left = async () => (await service.get(me, { key })).rate_limit.remaining
    const before = await left()
    await service.post('/v1/batch', operations(...Array(7).fill(good)), { key })
    t.equal(before - (await left()), 8, 'seven operations count as seven requests, and auth/me as one')
  })

  t.test('Idempotency-Key: a batch that is sent again is charged once', async t => {
    const { key } = await service.key('pay_as_you_go', 10)
    const batch = operations({ primitive: 'search.companies' }, { primitive: 'search.bonds' })
    const headers = { 'Idempotency-Key': 'order-17' }
    const first = await service.ask('/v1/batch', { key, body: batch, headers })
    // The answer that is kept names the request that made it.
    const again = await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: { ...headers, 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(batch),
    })
    t.equal(await again.text(), first.text)
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    t.equal((await service.get(me, { key })).credits.remaining, 8)
  })

  t.test('POST /v1/coverage/request: asked once, asked again, covered already', async t => {
    const path = '/v1/coverage/request'
    const { key } = await service.key('pro')
    const ticker = `N${Date.now().toString(36).toUpperCase()}`
    const asked = { ticker, company_name: 'Newco Holdings Inc', cik: '1234567', note: 'listed in May' }
    const first = await service.post(path, asked, { key })
    t.equal(first.status, 202)
    t.match(first.body.data, { id: String, status: 'requested', ticker, company_name: asked.company_name })
    const again = await service.post(path, { ...asked, ticker: ticker.toLowerCase() }, { key })
    t.equal(again.status, 200)
    t.match(again.body.data, { id: first.body.data.id, status: 'already_requested' })
    const known = (await service.rows('companies'))[0]!['ticker']
    const covered = await service.post(path, { ticker: known, company_name: 'x' }, { key })
    t.strictSame([covered.status, covered.body.data.status], [200, 'covered'])
    for (const name of ['ticker', 'company_name']) {
      const { status, body } = await service.post(path, { ...asked, [name]: undefined }, { key })
      t.strictSame([status, body.error.code, body.error.details.parameter], [400, 'MISSING_PARAMETER', name])
    }
  })

  t.test('GET /v1/usage/analytics: every call that has finished comes to be in it', async t => {
    const { key, id } = await service.key('business')
    const mine = async () => {
      const { data } = await service.get('/v1/usage/analytics?days=7', { key })
      return data
    }
    const before = await mine()
    await service.get('/v1/companies', { key })
    await service.ask('/v1/companies?limit=0', { key })
    // The same account asked before, in other parts of this suite, whose calls may come to be in it meanwhile.
    const screens = (of: { endpoints: Row[] }) =>
      Number(of.endpoints.find(e => e['endpoint'] === 'search.companies')?.['queries'] ?? 0)
    const ofThisKey = (of: { keys: Row[] }) => Number(of.keys.find(k => k['key_id'] === id)?.['queries'] ?? 0)
    const data = await until(async () => {
      const data = await mine()
      return screens(data) >= screens(before) + 2 && ofThisKey(data) >= 3 && data
    })
    const total = (rows: { queries: number }[]) => rows.reduce((sum, row) => sum + row.queries, 0)
    t.equal(total(data.daily), data.total_queries)
    t.equal(total(data.endpoints), data.total_queries)
    t.equal(data.daily.length, 7)
    t.equal(data.daily.at(-1).date, data.period_end)
    t.equal(data.keys.find((k: Row) => k['key_id'] === id)?.['label'], 'contract')
    t.ok(data.error_rate > 0 && data.error_rate < 1)
    t.ok(data.latency_ms.p50 <= data.latency_ms.p95 && data.latency_ms.p95 <= data.latency_ms.p99)
    t.match(data.trend, { direction: /^(up|down|flat)$/ })
    t.match(data.credits, { remaining: Number, used: Number, purchased: Number })
    t.equal((await service.get('/v1/usage/analytics', { key })).data.daily.length, 30)
    for (const days of [0, 366]) t.equal((await service.ask(`/v1/usage/analytics?days=${days}`)).status, 400)
  })
}
