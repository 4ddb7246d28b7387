import t from 'tap'
import { type Tier, tiers } from '../../server/limits/tiers.ts'
import { endpoints, isList } from '../../server/v1/endpoints.ts'
import { start } from './start.ts'

const needed = { any: 0, pro: 1, business: 2 } as const
const names = Object.keys(tiers) as Tier[]
const values: Readonly<Record<string, string>> = { '{ticker}': 'ALFA', '{cusip}': '000000AA7' }

/** Spellings of a path as clients may write it, none as declared. */
const aliases = (path: string): string[] => [
  `${path}/`,
  path.replaceAll('/', '//'),
  path.toUpperCase(),
  path.replaceAll(/[aeiou]/g, letter => `%${letter.charCodeAt(0).toString(16)}`),
  `${path}?`,
  `${path}?fields=x`,
  `${path}?format=csv`,
  `${path}?on_unknown=skip&as_of=2025-06-02`,
]

t.test('every endpoint checks the tier in every interface', async t => {
  const { ask, keys } = await start(t, { clock: clockOfMinutes() })
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/\{\w+\}/g, name => values[name]!)
    const ways = [path, ...aliases(path)]
    const methods = endpoint.method === 'GET' ? ['GET', 'HEAD'] : ['POST']
    for (const tier of names)
      for (const way of ways)
        for (const method of methods) {
          // HEAD is routed as GET is: one path is enough.
          if (method === 'HEAD' && way !== path) continue
          const body = method === 'POST' ? { body: {} } : {}
          const { status, headers } = await ask(way, { method, key: keys[tier], ...body })
          const closed = tiers[tier].rank < needed[endpoint.tier]
          t.equal(status === 403, closed, `${method} ${way} as ${tier} is ${status}`)
          t.not(status, 404, `${method} ${way} is known`)
          t.ok(status < 500, `${method} ${way} as ${tier} is ${status}`)
          t.equal(headers['x-ratelimit-limit'], String(tiers[tier].limit))
        }
  }
})

/** A clock that advances a minute at each reading, so that no limit is reached. */
function clockOfMinutes(): () => number {
  let now = Date.now()
  return () => {
    now += 60_001
    return now
  }
}

t.test(
  'standard coverage excludes extended companies from lists, and naming one gives the tier that has it',
  async t => {
    const { ask, keys } = await start(t, { clock: clockOfMinutes() })
    const as = (tier: Tier) => ({ key: keys[tier] })
    const lists = endpoints.filter(e => isList(e) && e.tier !== 'business' && e.method === 'GET')
    for (const { path, name, params, tier } of lists) {
      const query: Readonly<Record<string, string>> = {
        'search.documents': 'q=debt',
        suggest: 'q=b',
        panel: 'resource=companies&dates=2025-06-02&format=json',
        'search.changes': 'resource=companies&since=2024-06-30',
      }
      const asked = `${path}?${query[name] ?? 'limit=100'}`
      const few = await ask(asked, as('pro'))
      const all = await ask(asked, as('business'))
      t.equal(few.status, 200, path)
      t.notMatch(few.text, /BETA|Beta/, `${path} as pro`)
      t.ok(few.body.meta.total <= all.body.meta.total)
      if (!Object.hasOwn(params, 'ticker')) continue
      for (const given of ['BETA', 'beta', 'ALFA,BETA', 'BETA&on_unknown=skip', 'BETA&format=csv']) {
        const current_tier = tier === 'any' ? 'pay_as_you_go' : tier
        const { status, body } = await ask(
          `${asked.replace('&format=json', '')}&ticker=${given}`,
          as(current_tier),
        )
        if (path === '/v1/pricing') continue
        t.equal(status, 403, `${path} ${given}`)
        t.strictSame(body.error.details, {
          required_tier: 'business',
          alternative: null,
          current_tier,
        })
      }
    }
    const totals = await Promise.all(
      (['pro', 'business'] as const).map(async tier => {
        const covenants = (await ask('/v1/covenants', as(tier))).body.meta.total
        const grouped = (await ask('/v1/market/cds/aggregate', as(tier))).body.meta.rows_scanned
        return { covenants, grouped }
      }),
    )
    t.match(totals, [{ covenants: 1 }, { covenants: 2 }])
  },
)

t.test('single objects respect coverage like lists', async t => {
  const { ask, keys } = await start(t)
  const key = keys.pro
  const restricted = async (path: string, how = {}) => {
    const { status, body } = await ask(path, { key, ...how })
    t.strictSame([status, body.error?.code], [403, 'TIER_RESTRICTED'], path)
  }
  await restricted('/v1/companies/BETA/changes')
  await restricted('/v1/companies/beta/changes?since=2025-01-02')
  await restricted('/v1/bonds/resolve?ticker=BETA')
  await restricted('/v1/entities/traverse', {
    body: { start: { type: 'company', id: 'BETA' }, relationships: ['debt'] },
  })
  for (const asked of ['q=beta', 'cusip=000000BB4', 'q=000000BB4', 'q=beta%200%25%202027']) {
    const { body } = await ask(`/v1/bonds/resolve?${asked}`, { key })
    t.strictSame(body.data.matches, [], asked)
    t.notMatch(body.data.suggestions, /Beta/i)
  }
  const cusip = await ask('/v1/bonds?cusip=000000BB4', { key })
  t.match(cusip.body, { data: [], meta: { total: 0, unknown: ['000000BB4'] } })
  const near = await ask('/v1/companies?ticker=BETB', { key })
  t.equal(near.body.error.details.suggestion, null, 'what it may not see is not suggested')
  t.equal((await ask('/v1/companies?ticker=BETB')).body.error.details.suggestion, 'BETA')
  t.equal((await ask('/v1/companies/BETA/changes')).status, 200)
})

t.test('a batch allows nothing that its operations would not', async t => {
  const { ask, keys } = await start(t)
  const operations = [
    { primitive: 'search.pricing', params: {} },
    { primitive: 'search.companies', params: { ticker: 'BETA' } },
    { primitive: 'search.companies', params: { fields: 'ticker' } },
    { primitive: 'compare.covenants', params: { ticker: 'ALFA,BETA' } },
    { primitive: 'export', params: { data_type: 'bonds' } },
    { primitive: 'sql', params: { sql: 'SELECT 1' } },
  ]
  const { body } = await ask('/V1/Batch/', { key: keys.pay_as_you_go, body: { operations } })
  t.strictSame(
    body.results.map((r: { error?: { code: string } }) => r.error?.code ?? null),
    [
      'TIER_RESTRICTED',
      'TIER_RESTRICTED',
      null,
      'INVALID_PARAMETER',
      'INVALID_PARAMETER',
      'INVALID_PARAMETER',
    ],
  )
  t.strictSame(body.results[2].data, [{ ticker: 'ALFA' }])
  t.match(body.results[0].error.details, {
    required_tier: 'pro',
    current_tier: 'pay_as_you_go',
    alternative: '/v1/bonds?has_pricing=true',
  })
})

t.test('prices within bonds are open to every tier', async t => {
  const { ask, keys } = await start(t)
  const { status, body } = await ask(
    '/v1/bonds?has_pricing=true&min_ytm=1&sort=-pricing.ytm&fields=id,pricing.ytm',
    { key: keys.pay_as_you_go },
  )
  t.equal(status, 200)
  t.equal(body.data[0].id, '000000AA7')
})
