import t from 'tap'
import { until } from './serving.ts'
import { start } from './start.ts'

const companies = { primitive: 'search.companies', params: { fields: 'ticker' } }

t.test('operations of a batch answer like their endpoints, each with its own meta', async t => {
  const { ask } = await start(t)
  const { status, body, headers } = await ask('/v1/batch', {
    body: {
      operations: [
        companies,
        { primitive: 'search.bonds', params: { ticker: ['ALFA'], limit: 1, fields: 'id' } },
        { primitive: 'resolve.bond', params: { cusip: '000000aa7' } },
        {
          primitive: 'search.companies',
          params: { min_leverage: '2', fields: ['ticker', 'leverage_ratio'] },
        },
        {
          primitive: 'traverse.entities',
          params: { start: { type: 'company', id: 'ALFA' }, relationships: ['subsidiaries'] },
        },
        { primitive: 'search.companies' },
      ],
    },
  })
  t.equal(status, 200)
  t.equal(headers['cache-control'], 'no-store')
  const { results, meta } = body
  t.strictSame(results[0].data, [{ ticker: 'ALFA' }, { ticker: 'BETA' }])
  t.match(results[0], { primitive: 'search.companies', status: 'success', meta: { total: 2, limit: 50 } })
  t.notOk('error' in results[0])
  t.match(results[1], { data: [{ id: 'ALFA-TLB' }], meta: { total: 2, limit: 1 } })
  t.match(results[2].data, { exact_match: true, matches: [{ confidence: 1, bond: { id: '000000AA7' } }] })
  const alone = await ask('/v1/companies?min_leverage=2&fields=ticker,leverage_ratio')
  t.strictSame(results[3].data, alone.body.data)
  t.equal(results[4].data.traversal.entities.length, 1)
  t.equal(results[5].data.length, 2)
  t.match(meta, { total_operations: 6, successful: 6, failed: 0, request_id: headers['x-request-id'] })
  t.ok(Number.isInteger(meta.duration_ms))
})

t.test('a failing operation says why and leaves the others alone', async t => {
  const { ask } = await start(t)
  const operations = [
    companies,
    { primitive: 'resolve.bond', params: { q: 'zzzz 99' } },
    { primitive: 'batch', params: { operations: [companies] } },
    { primitive: 'search.companis', params: {} },
    { primitive: 'search.companies', params: { format: 'csv' } },
    { primitive: 'search.companies', params: { csv_safe: false } },
    { primitive: 'search.companies', params: 'ticker=ALFA' },
    { primitive: 'search.companies', params: { limit: 101 } },
    'search.companies',
    { primitive: 'search.bonds', params: { ticker: 'NOPE' }, more: 1 },
  ]
  const { status, body } = await ask('/v1/batch', { body: { operations } })
  t.equal(status, 200)
  t.strictSame(
    body.results.map((r: { error?: { code: string; details: { parameter?: string } } }) =>
      r.error ? [r.error.code, r.error.details.parameter ?? null] : null,
    ),
    [
      null,
      ['NOT_FOUND', null],
      ['INVALID_PARAMETER', 'primitive'],
      ['INVALID_PARAMETER', 'primitive'],
      ['INVALID_PARAMETER', 'format'],
      ['INVALID_PARAMETER', 'csv_safe'],
      ['INVALID_PARAMETER', 'params'],
      ['INVALID_PARAMETER', 'limit'],
      ['INVALID_PARAMETER', 'operations'],
      ['INVALID_PARAMETER', 'more'],
    ],
  )
  t.equal(body.results[3].error.details.suggestion, 'search.companies')
  t.match(body.results[1], { status: 'error', data: null, meta: {} })
  t.match(body.meta, { total_operations: 10, successful: 1, failed: 9 })
})

t.test('a batch of none, of eleven, or of another shape is refused whole', async t => {
  const { ask, engine, keys } = await start(t)
  engine.ask = async () => t.fail('the engine was asked') as never
  for (const operations of [[], Array(11).fill(companies), {}, 'search.companies', companies, 7]) {
    const { status, body } = await ask('/v1/batch', { key: keys.pay_as_you_go, body: { operations } })
    t.strictSame([status, body.error.code], [400, 'INVALID_PARAMETER'])
    t.equal(body.error.details.parameter, 'operations')
  }
  t.equal((await ask('/v1/auth/me', { key: keys.pay_as_you_go })).body.credits.remaining, 100)
})

t.test('operations run concurrently, and a bug affects only its own', async t => {
  const { ask, engine } = await start(t)
  const real = engine.ask.bind(engine)
  let running = 0
  let most = 0
  engine.ask = async (name, input, options) => {
    most = Math.max(most, ++running)
    await until(() => most === 5)
    running--
    if (input['limit'] === 3) throw new Error('a bug with /a/path')
    return real(name, input, options)
  }
  const operations = [1, 2, 3, 4, 5].map(limit => ({ primitive: 'search.companies', params: { limit } }))
  const { body, text } = await ask('/v1/batch', { body: { operations } })
  t.equal(most, 5)
  t.match(body.meta, { successful: 4, failed: 1 })
  t.equal(body.results[2].error.code, 'INTERNAL_ERROR')
  t.notMatch(text, '/a/path')
})

t.test('all operations of a batch use one snapshot', async t => {
  const { ask, engine } = await start(t)
  const real = engine.ask.bind(engine)
  let asked = 0
  // A build is published while the first round is running.
  engine.ask = async (name, input, options) => {
    const body = await real(name, input, options)
    const snapshot = ++asked === 1 ? 'before' : 'after'
    return { ...body, meta: { ...(body['meta'] as object), snapshot } }
  }
  const { body } = await ask('/v1/batch', { body: { operations: [companies, companies, companies] } })
  t.strictSame(
    [...new Set(body.results.map((r: { meta: { snapshot: string } }) => r.meta.snapshot))],
    ['after'],
  )
})
