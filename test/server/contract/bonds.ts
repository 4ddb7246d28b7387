import { parse } from 'csv-parse/sync'
import type { Test } from 'tap'
import type { Document } from './judge.ts'
import { at } from './narrowing.ts'
import type { Row, Service } from './service.ts'
import * as spec from './spec.ts'

interface Match {
  readonly confidence: number
  readonly bond: Row
}

const day = 86_400_000
const addDays = (from: string, days: number) =>
  new Date(Date.parse(from) + days * day).toISOString().slice(0, 10)

export function walkBonds(t: Test, service: Service) {
  /** An active bond whose cusip, coupon and maturity are known. */
  const someBond = async () => {
    const rows = await service.rows('bonds')
    return rows.find(
      row => row['is_active'] && row['cusip'] && row['isin'] && row['coupon_rate'] && row['name'],
    )!
  }
  const resolve = async (query: string) => (await service.get(`/v1/bonds/resolve?${query}`)).data

  t.test('GET /v1/bonds/resolve: a CUSIP or an ISIN that hits is exact, with confidence 1.0', async t => {
    const bond = await someBond()
    const { cusip, isin } = bond as Record<string, string>
    for (const query of [
      `cusip=${cusip}`,
      `isin=${isin}`,
      `q=${cusip}`,
      `q=${isin}`,
      `cusip=${cusip!.toLowerCase()}`,
    ]) {
      const data = await resolve(query)
      t.strictSame(Object.keys(data), ['query', 'matches', 'exact_match', 'suggestions'], query)
      t.equal(data.exact_match, true, query)
      t.strictSame(data.matches, [{ confidence: 1, bond }], query)
    }
    t.equal((await resolve(`q=${cusip}&match_mode=exact`)).exact_match, true)
  })

  t.test('explain adds what the document says of it, everywhere', async t => {
    const bond = (await service.rows('bonds')).find(row => row['pricing'] && row['cusip'])!
    const ticker = String(bond['company_ticker'])
    const name = encodeURIComponent(String(bond['name']))
    const asked: Readonly<Record<string, string>> = {
      '/v1/bonds/resolve': `q=${name}`,
      '/v1/covenants/compare': `ticker=${(await service.rows('companies')).slice(0, 2).map(c => c['ticker'])}`,
      '/v1/documents/search': 'q=debt',
      '/v1/export': 'data_type=bonds&format=json',
      '/v1/scenarios': `ticker=${ticker}`,
    }
    const declared = ({ get }: Document): Row[] => get?.parameters ?? []
    const paths = Object.entries<Document>(service.document['paths'])
      .filter(([, methods]) => declared(methods).some(({ name }) => name === 'explain'))
      .map(([path]) => path)
    t.ok(paths.length > 10)
    for (const path of paths) {
      const where = path.replace('{cusip}', String(bond['cusip'])).replace('{ticker}', ticker)
      // An answer that is not as the document says is an error here.
      const body = await service.get(`${where}?${asked[path] ?? ''}&explain=true`)
      t.match(JSON.stringify(body), /"_explain":/, path)
    }
    const start = { type: 'company', id: ticker }
    const { body } = await service.post('/v1/entities/traverse', {
      start,
      relationships: ['subsidiaries'],
      explain: true,
    })
    t.match(JSON.stringify(body), /"_explain":/)
  })

  t.test('GET /v1/bonds/resolve: free text is never exact, and ambiguous text has suggestions', async t => {
    const bond = await someBond()
    const year = String(bond['maturity_date']).slice(0, 4)
    const q = `${bond['company_ticker']} ${bond['coupon_rate']} ${year}`
    const clear = await resolve(`q=${encodeURIComponent(q)}`)
    t.equal(clear.query, q)
    t.equal(clear.exact_match, false)
    t.ok(clear.matches.length >= 1 && clear.matches.length <= 5)
    t.ok(clear.matches.every((m: Match) => m.confidence > 0 && m.confidence < 1))
    t.equal(clear.matches[0].bond.id, bond['id'])
    const confidences = clear.matches.map((m: Match) => m.confidence)
    t.strictSame(
      confidences,
      [...confidences].sort((a, b) => b - a),
      'the likeliest first',
    )
    t.strictSame(spec.faultsOf({ id: 'string', name: 'string', cusip: 'cusip' }, [clear.matches[0].bond]), [])
    const vague = await resolve(`q=${bond['company_ticker']}`)
    t.ok(vague.matches.length > 1 && vague.suggestions.length > 0)
    t.ok(vague.suggestions.every((s: unknown) => typeof s === 'string' && s !== ''))
  })

  t.test('GET /v1/bonds/resolve: ticker, coupon, maturity_year, limit and match_mode narrow', async t => {
    const bond = await someBond()
    const { company_ticker: ticker, coupon_rate: coupon } = bond
    const year = Number(String(bond['maturity_date']).slice(0, 4))
    const bonds = async (query: string): Promise<Row[]> =>
      (await resolve(query)).matches.map((m: Match) => m.bond)
    const of = await bonds(`ticker=${ticker}&limit=20`)
    t.ok(of.length > 1 && of.every(b => b['company_ticker'] === ticker))
    const coupons = await bonds(`ticker=${ticker}&coupon=${coupon}&limit=20`)
    t.ok(coupons.length > 0 && coupons.every(b => b['coupon_rate'] === coupon))
    const years = await bonds(`q=senior%20notes&maturity_year=${year}&limit=20`)
    t.ok(years.length > 0 && years.every(b => String(b['maturity_date']).startsWith(String(year))))
    t.equal((await bonds(`ticker=${ticker}&limit=1`)).length, 1)
    t.equal((await bonds('q=senior%20notes')).length, 5, 'five unless asked otherwise')
    t.equal((await bonds('q=senior%20notes&limit=20')).length, 20)
    const strict = await resolve(`q=${ticker}%20zzzz&match_mode=exact`)
    t.strictSame(strict.matches, [])
    for (const query of [
      'q=x&limit=21',
      'q=x&limit=0',
      'q=x&match_mode=near',
      'q=x&coupon=x',
      'cusip=000000001',
      'q=x&maturity_year=31',
    ])
      t.equal((await service.ask(`/v1/bonds/resolve?${query}`)).status, 400, query)
  })

  t.test('GET /v1/bonds/resolve: no match is an empty answer, no question is an error', async t => {
    const none = await resolve('q=qqqqqq%20wwwwww')
    t.match(none, { query: 'qqqqqq wwwwww', matches: [], exact_match: false })
    for (const query of ['', 'coupon=5', 'q=%20']) {
      const { status, body } = await service.ask(`/v1/bonds/resolve?${query}`)
      t.strictSame([status, body.error.code], [400, 'MISSING_PARAMETER'], query)
    }
    t.equal((await service.ask(`/v1/bonds/resolve?q=${'x'.repeat(513)}`)).status, 400)
    t.equal((await service.ask(`/v1/bonds/resolve?q=${'x'.repeat(512)}`)).status, 200)
  })

  /** Prices of bonds that are active: the others are there only where they are asked for. */
  const activePrices = async (): Promise<readonly Row[]> => {
    const gone = new Set(
      (await service.rows('bonds')).filter(bond => !bond['is_active']).map(bond => bond['cusip']),
    )
    return (await service.rows('pricing')).filter(price => !gone.has(price['cusip']))
  }

  t.test('GET /v1/pricing: the latest price of each bond, and how many are stale', async t => {
    const rows = await activePrices()
    const walked: Row[] = []
    let meta: Row = {}
    for (let total = 1; walked.length < total; ) {
      const body = await service.get(`/v1/pricing?limit=100&offset=${walked.length}`)
      walked.push(...body.data)
      meta = body.meta
      total = body.meta.total
    }
    t.strictSame(spec.faultsOf(spec.price, walked), [])
    t.equal(walked.length, rows.length)
    const stale = walked.filter(row => (row['staleness_days'] as number) > 30).length
    t.match(meta, {
      total: rows.length,
      priced_count: rows.length,
      stale_count: stale,
      as_of: /^\d{4}-\d\d-\d\dT.*Z$/,
    })
    t.ok(stale > 0 && stale < rows.length)
    for (const row of walked)
      if (row['last_trade_date'] !== null) {
        const age =
          (Date.parse(String(meta['as_of']).slice(0, 10)) - Date.parse(String(row['last_trade_date']))) / day
        if (age !== row['staleness_days']) t.fail(`${row['cusip']} is ${age} days old`)
      }
    t.equal((await service.ask('/v1/pricing?limit=101')).status, 400)
    t.equal((await service.get('/v1/pricing')).data.length, 50)
  })

  t.test('GET /v1/pricing: filters, fields and sort', async t => {
    const rows = await activePrices()
    const { cusip, company_ticker: ticker } = rows.find(row => row['cusip'] && row['ytm'])!
    const cases: [query: string, holds: (row: Row) => boolean][] = [
      [`ticker=${ticker}`, row => row['company_ticker'] === ticker],
      [`cusip=${cusip}`, row => row['cusip'] === cusip],
      ['min_ytm=9', row => row['ytm'] !== null && Number(row['ytm']) >= 9],
      ['max_ytm=4.5', row => row['ytm'] !== null && Number(row['ytm']) <= 4.5],
      ['min_spread=500', row => row['spread'] !== null && Number(row['spread']) >= 500],
      ['max_spread=100', row => row['spread'] !== null && Number(row['spread']) <= 100],
      ['max_staleness=10', row => Number(row['staleness_days']) <= 10],
    ]
    for (const [query, holds] of cases) {
      const body = await service.get(`/v1/pricing?${query}&limit=100`)
      const expected = rows.filter(holds)
      t.ok(expected.length > 0 && expected.length < rows.length, query)
      t.equal(body.meta.total, expected.length, query)
      t.ok(body.data.every(holds), query)
    }
    const { data } = await service.get('/v1/pricing?sort=-ytm&fields=ytm,cusip&limit=100')
    const yields = rows.map(row => row['ytm'] as number | null).filter(v => v !== null)
    t.strictSame(
      data.map((r: Row) => r['ytm']),
      yields.sort((a, b) => b - a).slice(0, 100),
    )
    t.strictSame(Object.keys(data[0]), ['ytm', 'cusip'])
  })

  t.test('GET /v1/pricing: as of a date, and as history by day and week, newest first', async t => {
    const rows = await service.rows('pricing')
    const { cusip } = [...rows].sort((a, b) => Number(a['staleness_days']) - Number(b['staleness_days']))[0]!
    const asked = `/v1/pricing?cusip=${cusip}&limit=100`
    const daily = await service.get(`${asked}&date_from=2024-10-01&date_to=2025-06-30`)
    const dates: string[] = daily.data.map((row: Row) => row['date'])
    t.ok(dates.length > 2, 'daily unless asked otherwise')
    t.strictSame(dates, [...new Set(dates)].sort().reverse(), 'one row a date, newest first')
    t.ok(dates.every(d => d >= '2024-10-01' && d <= '2025-06-30'))
    t.equal(daily.meta.total, dates.length)
    t.strictSame(spec.faultsOf(spec.dailyPrice, daily.data), [])
    t.strictSame(
      (await service.get(`${asked}&aggregation=daily&date_from=2024-10-01&date_to=2025-06-30`)).data,
      daily.data,
    )

    const week = (d: string) => Math.floor((Date.parse(d) / day + 3) / 7)
    const weekly = await service.get(`${asked}&aggregation=weekly&date_from=2024-10-01&date_to=2025-06-30`)
    const lastOfWeeks = dates.filter((d, i) => i === 0 || week(dates[i - 1]!) !== week(d))
    t.strictSame(
      weekly.data.map((row: Row) => row['date']),
      lastOfWeeks,
    )

    const until = addDays(dates[1]!, 0)
    const then = await service.get(`${asked}&date=${until}`)
    t.match(then.data, [
      { cusip, last_trade_date: until, staleness_days: 0, last_price: daily.data[1].last_price },
    ])
    t.match(then.meta, { total: 1, priced_count: 1, stale_count: 0, as_of: `${until}T23:59:59Z` })
    const later = await service.get(`${asked}&date=${addDays(until, 1)}&aggregation=latest`)
    t.equal(later.data[0].last_trade_date < addDays(until, 2), true)

    const refused = [
      'date=2024-01-01&date_from=2024-01-01',
      'aggregation=latest&date_from=2024-01-01',
      'aggregation=hourly',
    ]
    refused.push(
      'date_from=2025-01-02&date_to=2025-01-01',
      'date_from=2020-01-01&date_to=2025-01-01',
      'date=2099-01-01',
    )
    for (const query of refused) t.equal((await service.ask(`/v1/pricing?${query}`)).status, 400, query)
  })

  t.test('GET /v1/bonds/{cusip}/pricing/history: up to two years, newest first', async t => {
    const rows = await service.rows('pricing')
    const { cusip } = [...rows].sort((a, b) => Number(a['staleness_days']) - Number(b['staleness_days']))[0]!
    const path = `/v1/bonds/${cusip}/pricing/history`
    const { data, meta } = await service.get(`${path}?limit=1000`)
    t.strictSame(spec.faultsOf(spec.dailyPrice, data), [])
    const dates: string[] = data.map((row: Row) => row['date'])
    t.strictSame(dates, [...new Set(dates)].sort().reverse())
    t.equal(meta.total, dates.length)
    t.equal(meta.date_to, meta.as_of)
    t.equal(
      (Date.parse(meta.date_to) - Date.parse(meta.date_from)) / day,
      365,
      'a year unless asked otherwise',
    )
    const longest = await service.get(`${path}?date_from=${addDays(meta.as_of, -731)}&limit=1000`)
    t.ok(longest.meta.total > meta.total)
    const { status, body } = await service.ask(`${path}?date_from=${addDays(meta.as_of, -732)}`)
    t.strictSame([status, body.error.details.parameter], [400, 'date_from'])
    const weekly = await service.get(`${path}?aggregation=weekly&limit=1000`)
    t.ok(weekly.meta.total > 0 && weekly.meta.total < meta.total)
    t.equal((await service.get(`${path.toLowerCase()}?limit=1`)).data.length, 1)
    const unknown = await service.ask('/v1/bonds/000000AB5/pricing/history')
    t.strictSame([unknown.status, unknown.body.error.code], [404, 'INVALID_CUSIP'])
    t.match(unknown.body.error.details, { cusip: '000000AB5' })
    t.ok('suggestion' in unknown.body.error.details)
    t.equal((await service.ask('/v1/bonds/000000AB6/pricing/history')).status, 400)
  })

  t.test('GET /v1/export: every resource, csv unless asked otherwise, up to 50,000 records', async t => {
    for (const type of [
      'companies',
      'bonds',
      'pricing',
      'financials',
      'covenants',
      'collateral',
      'ratings',
      'spreads',
    ]) {
      const { status, headers, text } = await service.ask(`/v1/export?data_type=${type}&limit=20`)
      t.equal(status, 200)
      t.match(headers, { 'content-type': /^text\/csv/, 'x-truncated': 'true', 'x-total-count': /^\d+$/ })
      t.equal(parse(text).length, 21, type)
    }
    const usual = await service.ask('/v1/export?data_type=spreads&fields=tenor')
    t.equal(parse(usual.text).length, 10_001)
    const most = await service.ask('/v1/export?data_type=spreads&fields=tenor,spread_date&limit=50000')
    const [, ...lines] = parse(most.text) as string[][]
    t.equal(lines.length, 50_000)
    t.equal(new Set(lines.map(([tenor]) => tenor)).size, 5, 'no tenor is the default here')
    t.equal(most.headers['x-truncated'], 'true')
    t.equal((await service.ask('/v1/export?data_type=spreads&limit=50001')).status, 400)
    t.equal((await service.ask('/v1/export')).body.error.code, 'MISSING_PARAMETER')
    t.equal((await service.ask('/v1/export?data_type=loans')).body.error.details.parameter, 'data_type')
    const foreign = await service.ask('/v1/export?data_type=ratings&tenor=5Y')
    t.strictSame([foreign.status, foreign.body.error.details.parameter], [400, 'tenor'])
    const matured = (await service.rows('bonds')).filter(row => row['is_active'] === false)
    t.ok(matured.length > 0, 'inactive bonds are in it')
    const { data, meta } = await service.get(
      '/v1/export?data_type=bonds&format=json&min_ytm=8&sort=-pricing.ytm&limit=3',
    )
    t.strictSame([data.length, meta.limit, meta.data_type], [3, 3, 'bonds'])
    t.ok(data.every((row: Row) => Number(at(row, 'pricing.ytm')) >= 8))
    for (const [format, begins] of Object.entries({ ndjson: '{"', parquet: 'PAR1' }))
      t.ok(
        (await service.ask(`/v1/export?data_type=bonds&format=${format}&limit=2`)).text.startsWith(begins),
        format,
      )
    t.match(
      (await service.ask('/v1/export?data_type=bonds&format=arrow&limit=2')).headers['content-type'],
      /arrow/,
    )
  })
}
