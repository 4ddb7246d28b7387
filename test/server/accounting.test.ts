import { mock } from 'node:test'
import t from 'tap'
import { usageLog } from '../../server/v1/usage-log.ts'
import { until } from './serving.ts'
import { type Ask, start } from './start.ts'
import { states } from './states.ts'

const simple = '/v1/companies?fields=ticker'
const companies = { primitive: 'search.companies', params: { fields: 'ticker' } }
const batchOf = (n: number): Ask => ({ body: { operations: Array(n).fill(companies) } })

for (const [where, make] of Object.entries(states)) {
  t.test(`limits ${where}: of concurrent requests exactly the quota passes`, async t => {
    const state = await make(t)
    const { ask, keys } = await start(t, { state })
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => ask('/v1/auth/me', { key: keys.pro })),
    )
    const passed = answers.filter(a => a.status === 200)
    t.equal(passed.length, 100)
    const left = passed.map(a => Number(a.headers['x-ratelimit-remaining'])).sort((a, b) => a - b)
    t.strictSame(
      left,
      Array.from({ length: 100 }, (_, i) => i),
      'each sees its own place',
    )
    const refused = answers.find(a => a.status === 429)!
    t.match(refused.body.error, { code: 'RATE_LIMITED', details: { retry_after: Number } })
    t.equal(refused.headers['retry-after'], String(refused.body.error.details.retry_after))
    t.equal(refused.headers['x-ratelimit-remaining'], '0')
    t.equal((await ask('/v1/auth/me')).status, 200, 'another key has its own minute')
  })

  t.test(`limits ${where}: n operations count n, all or none; failures and 304s count too`, async t => {
    const state = await make(t)
    let now = Date.now()
    const { ask, keys } = await start(t, { state, clock: () => now })
    const key = keys.pro
    const left = async (path: string, how: Ask = {}) =>
      Number((await ask(path, { key, ...how })).headers['x-ratelimit-remaining'])
    t.equal(await left('/v1/batch', batchOf(10)), 90)
    t.equal(await left('/v1/batch', batchOf(1)), 89)
    t.equal(await left('/v1/batch', batchOf(11)), 88)
    t.equal(await left('/v1/batch', { body: 'nonsense' }), 87)
    t.equal(await left('/v1/companies?nonsense=1'), 86)
    t.equal(await left('/v1/nowhere'), 85)
    t.equal(await left('/v1/export'), 84)
    const { headers } = await ask(simple, { key })
    t.equal(await left(simple, { headers: { 'If-None-Match': headers.etag! } }), 82)
    for (let i = 0; i < 7; i++) await ask('/v1/batch', { key, ...batchOf(10) })
    t.equal(await left('/v1/auth/me'), 11)
    t.equal(await left('/v1/auth/me'), 10)
    t.equal(await left('/v1/auth/me'), 9)
    const refused = await ask('/v1/batch', { key, ...batchOf(10) })
    t.equal(refused.status, 429)
    t.equal(refused.headers['x-ratelimit-remaining'], '9', 'nothing of it was counted')
    t.equal(await left('/v1/batch', batchOf(9)), 0)
    t.equal((await ask('/v1/auth/me', { key })).status, 429)
    now += 60_000
    t.equal(await left('/v1/auth/me'), 99)
  })

  t.test(`credits ${where}: each class has its price, and only success is charged`, async t => {
    const state = await make(t)
    const { ask, keys, ids } = await start(t, { state })
    const key = keys.pay_as_you_go
    let before = 100
    const cost = async (path: string, how: Ask = {}) => {
      await ask(path, { key, ...how })
      const { remaining } = await state.balance(ids.pay_as_you_go)
      const spent = before - remaining
      before = remaining
      return spent
    }
    t.equal(await cost(simple), 1)
    t.equal(await cost(simple, { method: 'HEAD' }), 1)
    t.equal(await cost(`${simple}&format=csv`), 1)
    t.equal(await cost('/v1/bonds/resolve?q=nothing%20like%20it'), 1)
    t.equal(await cost('/v1/market/cds/aggregate'), 2)
    t.equal(await cost('/v1/companies/ALFA/changes'), 2)
    const start_ = { type: 'company', ticker: 'ALFA' }
    t.equal(
      await cost('/v1/entities/traverse', { body: { start: start_, relationships: ['subsidiaries'] } }),
      3,
    )
    t.equal(await cost('/v1/auth/me'), 0)
    t.equal(await cost('/v1/coverage/request', { body: { ticker: 'ZED', company_name: 'Zed' } }), 0)
    t.equal(await cost('/v1/companies?limit=0'), 0)
    t.equal(await cost('/v1/companies?ticker=NOPE'), 0)
    t.equal(await cost('/v1/companies?ticker=BETA'), 0)
    t.equal(await cost('/v1/pricing'), 0)
    const { headers } = await ask(simple, { key })
    before -= 1
    t.equal(await cost(simple, { headers: { 'If-None-Match': headers.etag! } }), 0)
    t.equal(await cost('/v1/batch', batchOf(4)), 4)
    const mixed = [
      companies,
      { primitive: 'resolve.bond', params: { q: 'zzzz 99' } },
      { primitive: 'nope' },
      { primitive: 'search.pricing' },
    ]
    t.equal(await cost('/v1/batch', { body: { operations: mixed } }), 1)
    const me = await ask('/v1/auth/me', { key })
    t.equal(me.body.credits.remaining, before)
  })

  t.test(
    `credits ${where}: balances never go below zero, batches are charged whole, and other tiers are not`,
    async t => {
      const state = await make(t)
      const { ask, keys } = await start(t, { state })
      const poor = await state.createKey({ email: 'poor@example.com', tier: 'pay_as_you_go', credits: 5 })
      const short = await ask('/v1/batch', { key: poor.key, ...batchOf(6) })
      t.equal(short.status, 402)
      t.match(short.body.error, { code: 'INSUFFICIENT_CREDITS', details: { required: 6, remaining: 5 } })
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(simple, { key: poor.key })))
      t.equal(answers.filter(a => a.status === 200).length, 5)
      t.equal(answers.filter(a => a.status === 402).length, 15)
      t.strictSame(await state.balance(poor.keyId), { remaining: 0, used: 5, purchased: 5 })
      t.equal((await ask('/v1/auth/me', { key: poor.key })).status, 200, 'what is free stays open')
      t.equal(
        (await ask('/v1/companies?limit=0', { key: poor.key })).status,
        400,
        'mistakes are told before the price',
      )
      for (const key of [keys.pro, keys.business]) t.equal((await ask(simple, { key })).status, 200)
    },
  )

  t.test(`credits ${where}: a bug refunds them`, async t => {
    const state = await make(t)
    const { ask, keys, ids, engine } = await start(t, { state })
    engine.openJson = async () => {
      throw new Error('a bug')
    }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(simple, { key: keys.pay_as_you_go })),
    )
    t.ok(answers.every(a => a.status === 500))
    t.strictSame(await state.balance(ids.pay_as_you_go), { remaining: 100, used: 0, purchased: 100 })
  })

  t.test(`idempotency ${where}: repeats are charged once and return the same bytes`, async t => {
    const state = await make(t)
    const { ask, keys, ids, engine } = await start(t, { state })
    const real = engine.ask.bind(engine)
    let asked = 0
    engine.ask = async (...args) => {
      asked++
      await new Promise(resolve => setTimeout(resolve, 30))
      return real(...args)
    }
    const how = { key: keys.pay_as_you_go, ...batchOf(3), headers: { 'Idempotency-Key': 'order-1' } }
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('/v1/batch', how)))
    answers.push(await ask('/v1/batch', how))
    t.strictSame([...new Set(answers.map(a => a.status))], [200])
    t.equal(new Set(answers.map(a => a.text)).size, 1)
    t.equal(answers.filter(a => a.headers['idempotency-replayed'] === 'true').length, 5)
    t.equal(new Set(answers.map(a => a.headers['x-request-id'])).size, 6)
    t.equal(asked, 3)
    t.equal((await state.balance(ids.pay_as_you_go)).remaining, 97)
    const other = await ask('/v1/batch', { ...how, ...batchOf(2) })
    t.strictSame([other.status, other.body.error.details.parameter], [400, 'Idempotency-Key'])
    const own = await ask('/v1/batch', { ...how, key: keys.pro })
    t.notOk(own.headers['idempotency-replayed'], 'another key has its own')
    const bad = await ask('/v1/batch', { ...how, headers: { 'Idempotency-Key': 'with space' } })
    t.equal(bad.status, 400)
  })

  t.test(`idempotency ${where}: a failed request may be retried under the same key`, async t => {
    const state = await make(t)
    const { ask, keys, ids, engine } = await start(t, { state })
    const real = engine.openJson.bind(engine)
    let broken = true
    engine.openJson = async (...args) => {
      if (broken) throw new Error('a bug')
      return real(...args)
    }
    const body = { start: { type: 'company', id: 'ALFA' }, relationships: ['subsidiaries'] }
    const how = { key: keys.pay_as_you_go, body, headers: { 'Idempotency-Key': 'k' } }
    t.equal((await ask('/v1/entities/traverse', how)).status, 500)
    broken = false
    t.equal((await ask('/v1/entities/traverse', how)).status, 200)
    t.equal((await state.balance(ids.pay_as_you_go)).remaining, 97)
  })

  t.test(`usage ${where}: every keyed call is in the analytics`, async t => {
    const state = await make(t)
    const { ask, keys, ids, close } = await start(t, { state })
    await ask(simple)
    await ask('/v1/market/cds/aggregate')
    await ask('/v1/companies?limit=0')
    await ask('/v1/batch', batchOf(3))
    await ask('/v1/nowhere')
    await ask('/v1/companies', { key: null })
    await ask(simple, { key: keys.pro })
    const { accountId } = (await state.listKeys()).find(k => k.keyId === ids.business)!
    const recorded = async () => {
      const now = Date.now()
      const { daily } = await state.usage(accountId, now - 86_400_000, now + 86_400_000)
      return daily.reduce((sum, { queries }) => sum + queries, 0)
    }
    await until(async () => (await recorded()) === 5)
    const { status, body } = await ask('/v1/usage/analytics?days=7')
    t.equal(status, 200)
    const { data } = body
    const today = new Date().toISOString().slice(0, 10)
    t.match(data, {
      period_end: today,
      total_queries: 5,
      total_cost: 6,
      avg_queries_per_day: 0.71,
      peak_day: today,
      peak_day_queries: 5,
      error_rate: 0.4,
      credits: { remaining: 0, used: 0, purchased: 0 },
      keys: [{ key_id: ids.business, label: 'desk', queries: 5 }],
      trend: { direction: 'up', change_pct: null },
    })
    t.equal(data.daily.length, 7)
    t.strictSame(data.daily.at(-1), { date: today, queries: 5, cost: 6, errors: 2 })
    t.strictSame(
      Object.fromEntries(
        data.endpoints.map((e: { endpoint: string; queries: number }) => [e.endpoint, e.queries]),
      ),
      { 'search.companies': 2, 'aggregate.spreads': 1, batch: 1, unknown: 1 },
    )
    t.ok(data.latency_ms.p50 > 0 && data.latency_ms.p50 <= data.latency_ms.p99)
    await close()
    t.equal(await recorded(), 6, 'closing writes what waits')
  })
}

t.test('usage: a call reaches the store within a second', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const written: string[] = []
  const record = async (calls: readonly { endpoint: string }[]) => {
    written.push(...calls.map(({ endpoint }) => endpoint))
  }
  const log = usageLog({ record }, { log: { error: (found: unknown) => t.fail(JSON.stringify(found)) } })
  const call = { keyId: 'k', status: 200, cost: 1, milliseconds: 1, at: 0 }
  for (const endpoint of ['search.bonds', 'search.companies']) {
    log.add({ ...call, endpoint })
    mock.timers.tick(500)
    await new Promise(setImmediate)
    t.equal(written.at(-1), endpoint)
  }
})
