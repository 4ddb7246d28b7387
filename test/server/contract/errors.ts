import type { Test } from 'tap'
import type { Ask } from '../start.ts'
import { type Service, SQL_TIMEOUT_MS } from './service.ts'

type Row = [path: string, details: object, how?: Ask]

/** The table of errors, row by row; shape, status and silence of every error are checked everywhere. */
export function walkErrors(t: Test, service: Service) {
  const refuses = (status: number, code: string, rows: () => Promise<Row[]> | Row[]) =>
    t.test(`Errors: ${status} ${code}`, async t => {
      for (const [path, details, how] of await rows()) {
        const answer = await service.settled(path, how)
        const says = `${path.slice(0, 100)} ${JSON.stringify(how?.body ?? '').slice(0, 80)}`
        t.strictSame([answer.status, answer.body?.error?.code], [status, code], says)
        t.match(answer.body?.error?.details, details, says)
      }
    })
  const post = (body: Ask['body'], headers: Record<string, string> = {}): Ask => ({ body: body!, headers })
  const statement = async (sql: string): Promise<Ask> => ({
    key: (await service.key('pro')).key,
    body: { sql },
  })
  const refusesAll = (path: string, parameter: string, values: readonly string[]): Row[] =>
    values.map(value => [`${path}?${parameter}=${encodeURIComponent(value)}`, { parameter }])

  const whole = ['-1', '1.5', 'NaN', 'Infinity', '0x10', '１０', 'ten', '1e400', '9'.repeat(400), 'true']
  refuses(400, 'INVALID_PARAMETER', () => [
    ['/v1/companies?min_leverge=4', { parameter: 'min_leverge', suggestion: 'min_leverage' }],
    ['/v1/companies?MIN_LEVERAGE=4', { parameter: 'MIN_LEVERAGE' }],
    ['/v1/companies?__proto__=1', { parameter: '__proto__' }],
    ['/v1/companies?constructor=1', { parameter: 'constructor' }],
    ['/v1/companies?sort[a]=b', { parameter: 'sort[a]' }],
    ['/v1/bonds?seniority=seniorish', { parameter: 'seniority', value: 'seniorish', allowed: Array }],
    ['/v1/bonds?seniority=senior_secure', { suggestion: 'senior_secured' }],
    ['/v1/bonds?has_pricing=yes', { parameter: 'has_pricing', value: 'yes' }],
    ['/v1/bonds?min_ytm=high', { parameter: 'min_ytm', value: 'high' }],
    ['/v1/market/cds?tenor=2Y', { parameter: 'tenor', allowed: ['1Y', '3Y', '5Y', '7Y', '10Y'] }],
    ['/v1/companies?fields=ticker,nme', { parameter: 'fields', value: 'nme', suggestion: 'name' }],
    ['/v1/bonds?fields=pricing.nothing', { parameter: 'fields' }],
    ['/v1/bonds?fields=__proto__', { parameter: 'fields' }],
    [`/v1/bonds?fields=${encodeURIComponent('id"; DROP TABLE bonds; --')}`, { parameter: 'fields' }],
    [`/v1/bonds?fields=${Array(999).fill('x').join(',')}`, { parameter: 'fields' }],
    ['/v1/bonds?sort=pricing', { parameter: 'sort' }],
    ['/v1/bonds?sort=--id', { parameter: 'sort' }],
    [`/v1/bonds?sort=${encodeURIComponent("id' OR 1=1")}`, { parameter: 'sort' }],
    ['/v1/companies?limit=101', { parameter: 'limit', min: 1, max: 100 }],
    ['/v1/ratings?limit=201', { parameter: 'limit', max: 200 }],
    ['/v1/companies?limit=1&limit=2', { parameter: 'limit' }],
    ['/v1/companies?limit=0', { parameter: 'limit', min: 1 }],
    ...refusesAll('/v1/companies', 'limit', [...whole, '1e9']),
    ...refusesAll(
      '/v1/companies',
      'offset',
      whole.filter(v => !/^9+$/.test(v)),
    ),
    ...refusesAll(
      '/v1/companies',
      'min_debt',
      whole.filter(v => v !== '-1'),
    ),
    ...refusesAll('/v1/companies', 'min_leverage', [
      'NaN',
      'Infinity',
      '-Infinity',
      '0x10',
      '１０',
      '1e400',
      '1,2',
    ]),
    ['/v1/companies?min_leverage=5&max_leverage=4', { parameter: 'min_leverage' }],
    ['/v1/bonds?maturity_after=2030-01-01&maturity_before=2029-01-01', { parameter: 'maturity_after' }],
    ['/v1/ratings?from_date=2024-02-01&to_date=2024-01-01', { parameter: 'from_date' }],
    ...refusesAll('/v1/ratings', 'from_date', [
      '2026-02-30',
      '2025-02-29',
      '0000-01-01',
      '10000-01-01',
      '2024-1-1',
      '2024-01-01T00:00:00Z',
      '2024-01-01+02:00',
      '01/02/2024',
      'today',
    ]),
    ...refusesAll('/v1/bonds', 'cusip', ['123', '000000AB6', '00000OAB5!', '000000AB50']),
    ...refusesAll('/v1/bonds/resolve', 'isin', ['US0000000000', 'XX', '000000AB5']),
    ['/v1/bonds?currency=dollars', { parameter: 'currency' }],
    ['/v1/companies?format=xml', { parameter: 'format' }],
    ['/v1/companies?as_of=2099-01-01', { parameter: 'as_of', max: /^\d{4}-\d\d-\d\d$/ }],
    ['/v1/companies?sector=%ZZ', { parameter: 'sector' }],
    ['/v1/companies?sector=%00', { parameter: 'sector' }],
    ['/v1/companies?on_unknown=ignore', { parameter: 'on_unknown' }],
    ['/v1/batch?operations=1', { parameter: 'operations' }, post({ operations: [] })],
    ['/v1/batch', { parameter: 'x' }, post({ operations: [{ primitive: 'search.bonds' }], x: 1 })],
  ])

  refuses(400, 'MISSING_PARAMETER', () => [
    ['/v1/bonds/resolve', { parameter: 'q' }],
    ['/v1/covenants/compare', { parameter: 'ticker' }],
    ['/v1/export', { parameter: 'data_type' }],
    ['/v1/batch', { parameter: 'operations' }, post({})],
    ['/v1/coverage/request', { parameter: 'ticker' }, post({})],
    ['/v1/sql', { parameter: 'sql' }, post({})],
  ])

  refuses(400, 'INVALID_JSON', () =>
    [
      '',
      'x',
      '[]',
      '"x"',
      'null',
      '{',
      '{"operations":[],"operations":[]}',
      `${'['.repeat(1e5)}`,
      '{"a":1}x',
    ].map((body): Row => ['/v1/batch', {}, post(body)]),
  )

  refuses(400, 'INVALID_REQUEST', () => [
    ['/v1/x/../bonds', {}],
    ['/v1/%2e%2e/v1/bonds', {}],
  ])

  refuses(400, 'RESULT_TOO_LARGE', async () => [
    ['/v1/sql', { max_rows: Number, max_bytes: Number }, await statement('SELECT * FROM spreads')],
  ])

  refuses(401, 'UNAUTHORIZED', () => [
    ['/v1/companies', {}, { key: null }],
    ['/v1/companies?nonsense=1', {}, { key: null }],
    ['/v1/companies', {}, { key: null, headers: { 'X-API-Key': 'tr_00000000000000000000000000000000' } }],
    ['/v1/companies', {}, { key: null, headers: { Authorization: `Bearer ${service.demoKey}` } }],
    [`/v1/companies?api_key=${service.demoKey}`, {}, { key: null }],
    ['/v1/batch', {}, { key: null, body: 'nonsense' }],
  ])

  refuses(404, 'INVALID_TICKER', async () => {
    const [{ ticker }] = (await service.rows('companies')) as [{ ticker: string }]
    const slip = `${ticker.slice(0, -1)}Q`
    const unknown = { unknown: [slip], suggestion: String }
    return [
      ...[
        'companies',
        'bonds',
        'pricing',
        'financials',
        'collateral',
        'covenants',
        'ratings',
        'market/cds',
        'market/cds/aggregate',
      ].map((path): Row => [`/v1/${path}?ticker=${slip}`, unknown]),
      [`/v1/companies?ticker=${ticker},${slip}`, unknown],
      [`/v1/bonds/resolve?ticker=${slip}`, unknown],
      [`/v1/companies/${slip}/changes`, unknown],
      [`/v1/export?data_type=bonds&ticker=${slip}`, unknown],
    ]
  })

  t.test('Unknown identifiers: on_unknown=skip leaves tickers out, unknown CUSIPs match nothing', async t => {
    const [{ ticker }] = (await service.rows('companies')) as [{ ticker: string }]
    const some = await service.get(`/v1/companies?ticker=${ticker},NOSUCH&on_unknown=skip`)
    t.strictSame([some.meta.total, some.meta.unknown], [1, ['NOSUCH']])
    const none = await service.get('/v1/bonds?ticker=NOSUCH&on_unknown=skip')
    t.strictSame([none.meta.total, none.meta.unknown], [0, ['NOSUCH']])
    const cusip = await service.get('/v1/bonds?cusip=000000AB5')
    t.strictSame([cusip.meta.total, cusip.meta.unknown], [0, ['000000AB5']])
  })

  refuses(404, 'INVALID_CUSIP', () => [
    ['/v1/bonds/000000AB5/pricing/history', { cusip: '000000AB5' }],
    [
      '/v1/entities/traverse',
      { cusip: '000000AB5' },
      post({ start: { type: 'bond', id: '000000AB5' }, relationships: ['guarantees'] }),
    ],
  ])

  refuses(404, 'NOT_FOUND', () => [
    ['/v1/companys', { suggestion: '/v1/companies' }],
    ['/v1', {}],
    ['/v2/companies', {}],
    ['/v1/companies/A/B/changes', {}, { key: null }],
  ])

  refuses(404, 'NO_SNAPSHOT', () => [
    ['/v1/companies?as_of=1901-01-01', { earliest: /^\d{4}-\d\d-\d\d$/ }],
    ['/v1/market/cds/aggregate?as_of=0001-01-01', { earliest: String }],
  ])

  refuses(405, 'METHOD_NOT_ALLOWED', () => [
    ['/v1/companies', { allowed: ['GET', 'HEAD', 'OPTIONS'] }, { method: 'DELETE' }],
    ['/v1/companies', {}, post({})],
    ['/v1/batch', { allowed: ['POST', 'OPTIONS'] }, { method: 'GET' }],
    ['/v1/entities/traverse', {}, { method: 'PUT' }],
  ])

  refuses(406, 'NOT_ACCEPTABLE', () => [
    ['/v1/companies', { allowed: Array }, { headers: { Accept: 'image/png' } }],
    ['/v1/auth/me', { allowed: ['application/json'] }, { headers: { Accept: 'text/csv' } }],
  ])

  refuses(413, 'PAYLOAD_TOO_LARGE', () => [
    ['/v1/batch', { max_bytes: Number }, post(`{"x":"${'x'.repeat(2 << 20)}"}`)],
  ])

  refuses(415, 'UNSUPPORTED_MEDIA_TYPE', () => [
    ['/v1/batch', {}, post('{}', { 'Content-Type': 'text/plain' })],
    ['/v1/batch', {}, post('{}', { 'Content-Type': 'application/json; charset=latin1' })],
    ['/v1/batch', {}, post('{}', { 'Content-Encoding': 'gzip' })],
  ])

  refuses(504, 'QUERY_TIMEOUT', async () => [
    [
      '/v1/sql',
      { timeout_ms: SQL_TIMEOUT_MS },
      await statement('SELECT count(*) FROM spreads a, spreads b, bonds c'),
    ],
  ])

  t.test(
    'Numbers at the edge: an offset of any size is past the end, -0 is 0, wildcards are letters',
    async t => {
      for (const offset of [
        '2147483648',
        '9007199254740991',
        '9007199254740992',
        '9223372036854775808',
        '1e308',
      ]) {
        const { data, meta } = await service.get(`/v1/companies?offset=${offset}`)
        t.strictSame([data, meta.total], [[], 253], offset)
      }
      for (const query of ['min_leverage=1e308', 'max_net_leverage=-1e308', 'min_debt=9007199254740991'])
        t.equal((await service.get(`/v1/companies?${query}`)).meta.total, 0, query)
      t.equal((await service.get('/v1/companies?min_leverage=-0')).meta.filters_applied.min_leverage, 0)
      t.equal((await service.get('/v1/companies?limit=&sector=&min_debt=')).meta.limit, 50, 'empty is absent')
      for (const text of [
        '%25',
        '_',
        'Ener%25',
        '*',
        '%27',
        '%22',
        'E%CC%81',
        '%E2%80%AE',
        '%F0%9F%92%A3',
        "x'%20OR%20'1'='1",
      ])
        t.equal((await service.get(`/v1/companies?sector=${text}`)).meta.total, 0, text)
    },
  )

  t.test('POST /v1/sql: one SELECT over the documented tables', async t => {
    const { key } = await service.key('pro')
    const sql = 'SELECT ticker, total_debt FROM companies WHERE total_debt > $least ORDER BY ticker'
    const { status, body } = await service.settled('/v1/sql', {
      key,
      body: { sql, params: { least: 0 }, limit: 2 },
    })
    t.equal(status, 200)
    t.strictSame([body.data.length, Object.keys(body.data[0])], [2, ['ticker', 'total_debt']])
    const seen = await service.settled('/v1/sql', {
      key,
      body: { sql: 'SELECT count(*) AS n FROM companies' },
    })
    t.strictSame(seen.body.data, [{ n: 211 }])
    for (const bad of [
      'DROP TABLE companies',
      'SELECT 1; SELECT 2',
      "SELECT * FROM read_csv('/etc/passwd')",
      'SELEC 1',
    ]) {
      const refused = await service.settled('/v1/sql', { key, body: { sql: bad } })
      t.strictSame([refused.status, refused.body.error.code], [400, 'INVALID_SQL'], bad)
    }
    const payg = await service.key('pay_as_you_go', 10)
    t.equal((await service.settled('/v1/sql', { key: payg.key, body: { sql: 'SELECT 1' } })).status, 403)
  })
}
