import t, { type Test } from 'tap'
import type { Lake } from '../../engine/lake/lake.ts'
import { build } from '../../engine/snapshot/build.ts'
import { client } from '../../server/v1/client.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'
import { start } from './start.ts'

let shared: Promise<Lake> | undefined

/** A server over one lake for all tests, with a row for each name and value that clients of similar APIs use. */
async function startWithRows(own: Test, options: Parameters<typeof start>[1] = {}) {
  shared ??= builtWithRows()
  return start(own, { lake: await shared, ...options })
}

async function builtWithRows(): Promise<Lake> {
  const lake = await makeLake(t.teardown, twoIssuers)
  const known_from = '2024-03-01'
  await addRows(lake, {
    collateral: [
      { id: 'k2', cusip: '000000AA7', ticker: 'ALFA', type: 'ip', description: 'Patents', known_from },
      { id: 'k3', cusip: '000000AA7', ticker: 'ALFA', type: 'vehicles', description: 'Trucks', known_from },
    ],
    covenants: [
      {
        id: 'c3',
        ticker: 'ALFA',
        cusip: '000000AA7',
        covenant_type: 'negative',
        covenant_name: 'Limit on liens',
        extraction_confidence: 0.6,
        known_from,
      },
    ],
    indices: ['2025-05-30', '2025-06-02'].flatMap((index_date, i) => [
      {
        series: 'BAMLC0A0CM',
        index_name: 'US Corporate',
        rating_band: 'IG',
        index_date,
        option_adjusted_spread: 0.93 + i / 100,
        known_from: index_date,
      },
      {
        series: 'BAMLC1A0C13Y',
        index_name: '1-3 Year US Corporate',
        rating_band: 'IG',
        maturity_band: '1-3Y',
        index_date,
        option_adjusted_spread: 0.55,
        known_from: index_date,
      },
      {
        series: 'BAMLH0A0HYM2',
        index_name: 'US High Yield',
        rating_band: 'HY',
        index_date,
        option_adjusted_spread: 3.2,
        known_from: index_date,
      },
    ]),
  })
  await build(lake)
  return lake
}

t.test('aliases of fields and filters give the same rows, and are shown only on request', async t => {
  const { ask, engine } = await startWithRows(t)
  const own = await ask('/v1/collateral?cusip=000000AA7&collateral_type=ip&fields=id,type,cusip,bond_id')
  t.strictSame(own.body.data, [{ id: 'k2', type: 'ip', cusip: '000000AA7', bond_id: '000000AA7' }])
  const theirs = '/v1/collateral?bond_cusip=000000AA7&collateral_type=intellectual_property'
  const named = await ask(`${theirs}&fields=id,collateral_type,bond_cusip,debt_instrument_id`)
  t.strictSame(named.body.data, [
    { id: 'k2', collateral_type: 'ip', bond_cusip: '000000AA7', debt_instrument_id: '000000AA7' },
  ])
  t.strictSame(named.body.meta.filters_applied, {
    cusip: ['000000AA7'],
    collateral_type: ['ip'],
    in_force: true,
  })
  const plain = await ask(theirs)
  for (const name of ['collateral_type', 'bond_cusip', 'debt_instrument_id'])
    t.notOk(name in plain.body.data[0], `${name} is not shown unless it is asked for`)
  const loan = await ask('/v1/collateral?debt_instrument_id=ALFA-TLB&fields=id,debt_instrument_id')
  t.strictSame(loan.body.data, [{ id: 'k1', debt_instrument_id: 'ALFA-TLB' }])

  const csv = await ask(`${theirs}&fields=bond_cusip,type&format=csv`)
  t.equal(csv.text, 'bond_cusip,type\r\n000000AA7,ip\r\n')
  const sorted = await ask('/v1/collateral?fields=id&sort=-collateral_type,id')
  t.strictSame(
    sorted.body.data.map((row: { id: string }) => row.id),
    ['k3', 'k2', 'k1'],
  )

  // The same from memory.
  const asked = { bond_cusip: '000000AA7', fields: 'id,bond_cusip,type', sort: 'id' } as const
  const cold = await engine.call('search.collateral', asked)
  await engine.warm('search.collateral', asked)
  const explained = await engine.call('search.collateral', { ...asked, explain: true })
  t.equal((explained.meta['lane'] as { lane: string }).lane, 'memory')
  const warm = await engine.call('search.collateral', asked)
  t.strictSame(warm.data, cold.data)
  const whole = await ask('/v1/collateral?bond_cusip=000000AA7&fields=id,bond_cusip,type&sort=id')
  t.strictSame(whole.body.data, cold.data)
})

t.test('collateral of unsecured debt is an empty list, not an error', async t => {
  const { ask } = await startWithRows(t)
  const { status, body } = await ask('/v1/collateral?collateral_type=unsecured')
  t.equal(status, 200)
  t.strictSame(body.data, [])
  const both = await ask('/v1/collateral?collateral_type=unsecured,intellectual_property&fields=id')
  t.strictSame(both.body.data, [{ id: 'k2' }])
  const wrong = await ask('/v1/collateral?collateral_type=constructor')
  t.match(wrong, { status: 400, body: { error: { details: { parameter: 'collateral_type' } } } })
})

t.test('a parameter given under two of its names is an error that names both', async t => {
  const { ask } = await startWithRows(t)
  const { status, body } = await ask('/v1/collateral?cusip=000000AA7&bond_cusip=000000AA7')
  t.equal(status, 400)
  t.match(body.error, { code: 'INVALID_PARAMETER', message: /cusip and bond_cusip are both names of cusip/ })
  const empty = await ask('/v1/collateral?cusip=&bond_cusip=000000AA7&fields=id')
  t.equal(empty.status, 200, 'an empty value is an absent one')
})

t.test('the list that a panel, facets or an export is of is named alike everywhere', async t => {
  const { ask } = await startWithRows(t)
  for (const path of [
    '/v1/facets?of=seniority&',
    '/v1/export?fields=id&',
    '/v1/panel?fields=id&dates=2025-01-02&',
  ]) {
    const [resource, dataType] = await Promise.all([
      ask(`${path}resource=bonds`),
      ask(`${path}data_type=bonds`),
    ])
    t.equal(resource.status, 200, path)
    const rowsOf = ({ body, text }: typeof resource) => body?.data ?? text
    t.strictSame(rowsOf(resource), rowsOf(dataType), path)
  }
  const both = await ask('/v1/facets?resource=bonds&data_type=bonds')
  t.match(both.body.error, { message: /both names of data_type/ })
})

t.test('cash is an alias of cash and equivalents', async t => {
  const { ask } = await startWithRows(t)
  const { body } = await ask('/v1/financials?ticker=ALFA&period=TTM&fields=cash,cash_and_equivalents')
  t.strictSame(body.data, [{ cash: 80_000_000, cash_and_equivalents: 80_000_000 }])
})

t.test('a history takes its bounds under every usual name', async t => {
  const { ask } = await startWithRows(t)
  for (const base of ['/v1/bonds/000000AA7/pricing/history?', '/v1/pricing?cusip=000000AA7&']) {
    const own = await ask(`${base}date_from=2025-01-01&date_to=2025-03-01&fields=date,last_price`)
    t.strictSame(own.body.data, [{ date: '2025-01-02', last_price: 95 }])
    for (const [from, to] of [
      ['from', 'to'],
      ['from_date', 'to_date'],
    ]) {
      const theirs = await ask(`${base}${from}=2025-01-01&${to}=2025-03-01&fields=date,last_price`)
      t.strictSame(theirs.body.data, own.body.data, `${base}${from}`)
    }
  }
})

t.test('aggregation=latest is accepted on bonds and pricing', async t => {
  const { ask } = await startWithRows(t)
  for (const path of ['/v1/bonds', '/v1/pricing']) {
    const plain = await ask(path)
    const named = await ask(`${path}?aggregation=latest`)
    t.equal(named.status, 200)
    t.strictSame(named.body.data, plain.body.data)
    t.strictSame(named.body.meta.filters_applied, plain.body.meta.filters_applied)
  }
  t.equal((await ask('/v1/bonds?aggregation=daily')).status, 400)
})

t.test('changes have both days under both pairs of names', async t => {
  const { ask } = await startWithRows(t)
  const { body } = await ask('/v1/companies/ALFA/changes?since=2025-01-31&until=2025-05-31')
  t.match(body.data, {
    since: '2025-01-31',
    until: '2025-05-31',
    snapshot_date: '2025-01-31',
    current_date: '2025-05-31',
  })
})

t.test('a batch returns the id of each operation that has one', async t => {
  const { ask, url, keys } = await startWithRows(t)
  const params = { fields: 'ticker' }
  const operations = [
    { operation_id: 'first', primitive: 'search.companies', params },
    { operation_id: 2, primitive: 'resolve.bond', params: { q: 'zzzz 99' } },
    { primitive: 'search.companies', params },
    { operation_id: { a: 1 }, primitive: 'search.companies', params },
  ]
  const { body } = await ask('/v1/batch', { body: { operations } })
  t.match(body.results, [
    { operation_id: 'first', status: 'success' },
    { operation_id: 2, status: 'error', error: { code: 'NOT_FOUND' } },
    { status: 'success' },
    { status: 'error', error: { code: 'INVALID_PARAMETER', details: { parameter: 'operation_id' } } },
  ])
  t.notOk('operation_id' in body.results[2])
  const typed = await client({ url, key: keys.business }).call('batch', {
    operations: [{ primitive: 'search.companies', operation_id: 'mine' }],
  })
  t.equal(typed.results[0]!.operation_id, 'mine')
})

t.test('the typed client accepts aliases', async t => {
  const { url, keys } = await startWithRows(t)
  const desk = client({ url, key: keys.business })
  const { data } = await desk.call('search.collateral', {
    bond_cusip: ['000000AA7'],
    fields: 'id',
    sort: 'id',
  })
  t.strictSame(data, [{ id: 'k2' }, { id: 'k3' }])
  const history = await desk.call('history.pricing', {
    cusip: '000000AA7',
    from: '2025-01-01',
    to: '2025-03-01',
  })
  t.equal(history.data.length, 1)
  t.throws(() => client({ url, key: 'tr_x', retrys: 1 } as never), { message: /retrys/ })
})

t.test('a page in another format may have a thousand rows, a JSON page its own maximum', async t => {
  const { ask } = await startWithRows(t)
  for (const path of [
    '/v1/companies',
    '/v1/bonds',
    '/v1/ratings',
    '/v1/documents/search?q=debt',
    '/v1/market/spreads',
  ]) {
    const with_ = `${path}${path.includes('?') ? '&' : '?'}`
    t.equal((await ask(`${with_}format=csv&limit=1000`)).status, 200, `${path} as CSV`)
    t.match(await ask(`${with_}format=csv&limit=1001`), {
      status: 400,
      body: { error: { details: { max: 1000 } } },
    })
    t.equal((await ask(`${with_}limit=1000`, { headers: { Accept: 'text/csv' } })).status, 200)
    const json = await ask(`${with_}limit=1000`)
    t.match(json, { status: 400, body: { error: { details: { parameter: 'limit' } } } })
    const chosen = await ask(`${with_}limit=1000`, {
      headers: { Accept: 'application/json, text/csv;q=0.5' },
    })
    t.strictSame(chosen.body.error.details, json.body.error.details, 'where the Accept header prefers JSON')
  }
  const page = await ask(
    '/v1/market/spreads?format=csv&limit=500&offset=2&fields=series,spread_bps&sort=series,spread_date',
  )
  t.equal(page.text.trim().split('\r\n').length, 5)
  t.notOk(page.headers['x-truncated'])
})

t.test('an unknown parameter is an error, or a warning if the server is set to ignore it', async t => {
  const strict = await startWithRows(t)
  t.match(await strict.ask('/v1/companies?colour=red'), {
    status: 400,
    body: { error: { code: 'INVALID_PARAMETER', details: { parameter: 'colour' } } },
  })
  const lax = await start(t, { lake: strict.lake, unknownParams: 'ignore' })
  const plain = await lax.ask('/v1/companies?fields=ticker')
  const { status, body, headers } = await lax.ask('/v1/companies?fields=ticker&colour=red&shape=round')
  t.equal(status, 200)
  t.strictSame(body.data, plain.body.data)
  t.notOk('warnings' in plain.body.meta)
  t.strictSame(body.meta.warnings, [
    'unknown parameter colour was ignored',
    'unknown parameter shape was ignored',
  ])
  t.not(headers['etag'], plain.headers['etag'], 'the two answers differ, and so do their tags')
  for (let again = 0; again < 3; again++)
    t.notOk(
      'warnings' in (await lax.ask('/v1/companies?fields=ticker')).body.meta,
      'kept answers are told apart',
    )
  t.match((await lax.ask('/v1/auth/me?colour=red')).body.meta.warnings, [/colour/])
  t.equal(
    (await lax.ask('/v1/companies?colour=red&format=csv&fields=ticker')).text,
    'ticker\r\nALFA\r\nBETA\r\n',
  )
  t.match((await lax.ask('/v1/covenants/compare?ticker=ALFA,BETA&colour=red')).body.meta.warnings, [/colour/])
  const batch = await lax.ask('/v1/batch', {
    body: { operations: [{ primitive: 'search.companies', params: { colour: 'red', limit: 1 } }] },
  })
  t.match(batch.body.results[0], { status: 'success', meta: { warnings: [/colour/] } })
  t.equal((await lax.ask('/v1/companies?limit=many')).status, 400, 'a wrong value is still an error')
})

t.test('covenants are filtered by bond, name and confidence', async t => {
  const { ask } = await startWithRows(t)
  const ids = async (query: string) =>
    (await ask(`/v1/covenants?fields=id&${query}`)).body.data.map((row: { id: string }) => row.id)
  t.strictSame(await ids('cusip=000000AA7'), ['c3'])
  t.strictSame(await ids('covenant_name=maximum%20leverage,limit%20on%20liens&sort=id'), ['c1', 'c3'])
  t.strictSame(await ids('min_confidence=0.5'), ['c3'])
  t.strictSame(await ids('min_confidence=0.7'), [])
})

t.test('statements are filtered by sector, form, period and size, and have margins', async t => {
  const { ask } = await startWithRows(t)
  const periods = async (query: string) =>
    (await ask(`/v1/financials?fields=period_end_date&${query}`)).body.data.map(
      (row: { period_end_date: string }) => row.period_end_date,
    )
  t.strictSame(await periods('period_after=2024-09-30&period_before=2024-12-31'), [
    '2024-12-31',
    '2024-09-30',
  ])
  t.strictSame(await periods('filing_type=10-K'), ['2024-12-31'])
  t.equal((await periods('sector=energy')).length, 5)
  t.strictSame(await periods('sector=Utilities'), [])
  t.strictSame(await periods('min_revenue=100000001'), [])
  t.equal((await periods('min_ebitda=20000000')).length, 5)
  t.equal((await ask('/v1/financials?period_after=2025-01-01&period_before=2024-01-01')).status, 400)
  const margins = await ask(
    '/v1/financials?ticker=ALFA&period=TTM&fields=gross_margin,operating_margin,ebitda_margin,net_margin&explain=true',
  )
  const [row] = margins.body.data
  t.match(row, { gross_margin: null, operating_margin: 15, ebitda_margin: 20, net_margin: null })
  t.match(row._explain, {
    ebitda_margin: { value: 20, unit: 'percent', formula: '100 * ebitda / revenue', null_because: null },
    gross_margin: { value: null, null_because: 'no gross_profit' },
  })
})

t.test('a company is found by ticker, alias, CIK or id', async t => {
  const { ask, url, keys, engine } = await startWithRows(t)
  const listed = (await ask('/v1/companies?ticker=ALFA')).body.data[0]
  for (const name of ['ALFA', 'alfa', 'ALFB', '1', '0000000001', 'CIK0000000001'])
    t.strictSame((await ask(`/v1/companies/${name}`)).body.data, listed, name)
  const some = await ask('/v1/companies/ALFA?fields=name,leverage_ratio&explain=true')
  t.match(some.body.data, {
    name: 'Alfa Drilling Corp',
    _explain: { leverage_ratio: { formula: /total_debt/ } },
  })
  t.match(await ask('/v1/companies/ALFX'), {
    status: 404,
    body: { error: { code: 'INVALID_TICKER', details: { unknown: ['ALFX'], suggestion: /^ALF[AB]$/ } } },
  })
  t.match(await ask('/v1/companies/ALFA?as_of=2024-07-01&fields=period_end_date'), {
    body: { data: { period_end_date: '2024-03-31' }, meta: { as_of: '2024-07-01' } },
  })
  t.match(await ask('/v1/companies/BETA', { key: keys.pro }), {
    status: 403,
    body: { error: { code: 'TIER_RESTRICTED' } },
  })
  t.match(await ask('/v1/companies/2', { key: keys.pro }), { status: 403 })
  t.equal((await ask('/v1/companies/ALFA?fields=nope')).status, 400)
  const typed = await client({ url, key: keys.business }).call('get.company', { ticker: 'ALFA' })
  t.equal(typed.data.name, 'Alfa Drilling Corp')
  t.strictSame((await engine.call('get.company', { ticker: 'ALFA', fields: 'ticker' })).data, {
    ticker: 'ALFA',
  })
})

t.test('index spreads are filtered by rating, maturity, series and day, as of a day', async t => {
  const { ask, keys } = await startWithRows(t)
  const { status, body } = await ask('/v1/market/spreads?rating=ig&maturity_band=1-3Y', {
    key: keys.pay_as_you_go,
  })
  t.equal(status, 200)
  t.strictSame(body.data[0], {
    series: 'BAMLC1A0C13Y',
    index_name: '1-3 Year US Corporate',
    rating_band: 'IG',
    maturity_band: '1-3Y',
    spread_date: '2025-06-02',
    option_adjusted_spread: 0.55,
    spread_bps: 55,
  })
  t.equal(body.meta.total, 2)
  const rows = async (query: string) =>
    (await ask(`/v1/market/spreads?fields=series,spread_date,spread_bps&${query}`)).body.data
  t.strictSame(await rows('series=BAMLC0A0CM'), [
    { series: 'BAMLC0A0CM', spread_date: '2025-06-02', spread_bps: 94 },
    { series: 'BAMLC0A0CM', spread_date: '2025-05-30', spread_bps: 93 },
  ])
  t.equal((await rows('latest_only=true')).length, 3)
  t.match(await rows('latest_only=true&limit=1&sort=series&explain=true'), [
    { _explain: { source: 'test', spread_bps: { value: 94, formula: '100 * option_adjusted_spread' } } },
  ])
  t.equal((await rows('from_date=2025-06-01')).length, 3)
  t.equal((await rows('to_date=2025-06-01')).length, 3)
  t.equal((await rows('as_of=2025-05-31')).length, 3)
})
