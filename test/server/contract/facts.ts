import type { Test } from 'tap'
import { at } from './narrowing.ts'
import type { Row, Service } from './service.ts'
import * as spec from './spec.ts'

const near = (a: unknown, b: number): boolean =>
  typeof a === 'number' && Math.abs(a - b) <= 1e-6 * Math.abs(b) + 1e-9

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const distinct = (rows: readonly Row[], member: string): Set<unknown> => new Set(rows.map(row => row[member]))

/** Facts about the data itself. */
export function walkFacts(t: Test, service: Service) {
  /** 90 days before the as-of date: one past day for all tests, because each day is derived. */
  async function quarterAgo(): Promise<string> {
    const { as_of } = (await service.get('/v1/companies?limit=1')).meta
    return new Date(Date.parse(as_of) - 90 * 86_400_000).toISOString().slice(0, 10)
  }

  t.test(
    'Coverage: 211 companies below Business, 253 with 607 ratings, 111 with spreads on 598 days',
    async t => {
      const { key } = await service.key('pro')
      t.equal((await service.get('/v1/companies?limit=1', { key })).meta.total, 211)
      t.equal((await service.get('/v1/companies?limit=1')).meta.total, 253)
      const ratings = await service.rows('ratings')
      t.equal(ratings.length, 607)
      t.equal(distinct(ratings, 'ticker').size, 253)
      const spreads = (await service.rows('spreads')).filter(row => row['source'] === 'bond_spread_proxy')
      t.ok(Math.abs(spreads.length - 53_000) < 1000, `${spreads.length} spread records`)
      t.equal(distinct(spreads, 'ticker').size, 111)
      t.equal(distinct(spreads, 'spread_date').size, 598)
      t.strictSame([...distinct(spreads, 'tenor')].sort(), ['10Y', '1Y', '3Y', '5Y', '7Y'])
      const days = [...distinct(spreads, 'spread_date')].sort()
      t.match(days[0], /^2023-03/)
    },
  )

  t.test('Company: ratios and sums are those of the amounts beside them', async t => {
    for (const row of await service.rows('companies')) {
      const { total_debt, ebitda_ttm, cash, net_debt, leverage_ratio, net_leverage_ratio } = row as Record<
        string,
        number
      >
      const says = String(row['ticker'])
      if (leverage_ratio !== null) t.ok(near(leverage_ratio, total_debt! / ebitda_ttm!), `${says} leverage`)
      else if (ebitda_ttm !== null && total_debt !== null)
        t.ok(ebitda_ttm! <= 0 || row['sector'] === 'Financials', says)
      if (net_leverage_ratio !== null)
        t.ok(near(net_leverage_ratio, net_debt! / ebitda_ttm!), `${says} net leverage`)
      if (net_debt !== null) t.equal(net_debt, total_debt! - cash!, `${says} net debt`)
      const due = ['debt_due_1yr', 'debt_due_2yr', 'debt_due_3yr'].map(name => row[name] as number)
      if (!due.includes(null as never))
        t.strictSame(
          due,
          [...due].sort((a, b) => a - b),
          `${says} debt due is cumulative`,
        )
    }
  })

  t.test(
    'GET /v1/companies: include_metadata adds quality and sources, and else they are not there',
    async t => {
      const { data } = await service.get('/v1/companies?include_metadata=true&limit=100')
      t.strictSame(spec.faultsOf({ _metadata: spec.companyMetadata }, data), [])
      for (const row of data) t.ok(row._metadata.qa_score >= 0 && row._metadata.qa_score <= 1)
      const plain = await service.get('/v1/companies?limit=100')
      t.notOk(plain.data.some((row: Row) => '_metadata' in row))
      const some = await service.get('/v1/companies?include_metadata=true&fields=ticker&limit=1')
      t.strictSame(Object.keys(some.data[0]), ['ticker', '_metadata'])
    },
  )

  t.test('GET /v1/companies: meta.filters_applied has the tickers as an array', async t => {
    const [a, b] = (await service.rows('companies')).map(row => String(row['ticker']))
    const { meta } = await service.get(`/v1/companies?ticker=${a!.toLowerCase()},%20${b}&min_debt=1&sector=`)
    t.strictSame(meta.filters_applied, { ticker: [a, b], min_debt: 1 })
  })

  t.test('GET /v1/ratings: latest is the most recent of each company and agency', async t => {
    const newest = new Map<string, string>()
    for (const row of await service.rows('ratings')) {
      const of = `${row['ticker']} ${row['agency']}`
      const day = String(row['effective_date'])
      if ((newest.get(of) ?? '') < day) newest.set(of, day)
    }
    const rows: Row[] = []
    for (let total = 1; rows.length < total; ) {
      const { ratings, meta } = await service.get(`/v1/ratings?latest=true&limit=200&offset=${rows.length}`)
      rows.push(...ratings)
      total = meta.total
    }
    const shown = rows.map(row => [`${row['ticker']} ${row['agency']}`, row['effective_date']] as const)
    t.strictSame([...shown].sort(), [...newest].sort())
  })

  t.test('GET /v1/ratings: what is filtered by value is filtered after the newest are picked', async t => {
    const { ratings } = await service.get(
      '/v1/ratings?latest=true&issuer_only=true&rating_bucket=HY-CCC&limit=200',
    )
    t.ok(ratings.length > 0)
    for (const { ticker, agency, id } of ratings) {
      const all = await service.get(`/v1/ratings?ticker=${ticker}&issuer_only=true&limit=200`)
      t.equal(all.ratings.find((row: Row) => row['agency'] === agency).id, id)
    }
  })

  t.test(
    'GET /v1/market/cds: latest_only is the latest of each company, of the 5Y tenor unless asked',
    async t => {
      const rows = await service.rows('spreads')
      for (const tenor of ['5Y', '1Y']) {
        const newest = new Map<unknown, string>()
        for (const row of rows)
          if (row['tenor'] === tenor && (newest.get(row['ticker']) ?? '') < String(row['spread_date']))
            newest.set(row['ticker'], String(row['spread_date']))
        const body = await service.get(
          `/v1/market/cds?latest_only=true&limit=200${tenor === '5Y' ? '' : '&tenor=1Y'}`,
        )
        t.equal(body.meta.total, newest.size)
        const shown = body.data.map((row: Row) => [row['ticker'], row['spread_date']])
        t.strictSame(shown.sort(), [...newest].sort())
      }
    },
  )

  t.test('GET /v1/market/cds: no spread lies below -200 basis points', async t => {
    const spreads = (await service.rows('spreads')).filter(row => row['source'] === 'bond_spread_proxy')
    t.ok(spreads.every(row => Number(row['spread_bps']) >= -200))
    t.ok(spreads.every(row => Number(row['bond_count']) >= 1))
  })

  t.test('GET /v1/market/cds/aggregate: groups and metrics are those of the records', async t => {
    const days = { from: '2025-05-01', to: '2025-05-31' }
    const all = (await service.rows('spreads')).filter(
      row => String(row['spread_date']) >= days.from && String(row['spread_date']) <= days.to,
    )
    const within = all.filter(row => row['source'] === 'bond_spread_proxy')
    const metrics = 'median,mean,min,max,p10,p90,count,companies,stddev,p25,p75,change'
    const body = await service.get(
      `/v1/market/cds/aggregate?group_by=tenor&metrics=${metrics}&from_date=${days.from}&to_date=${days.to}`,
    )
    t.equal(body.meta.rows_scanned, within.length)
    t.match(body.meta, { total: 5, limit: 100, offset: 0, group_by: ['tenor'], source: 'bond_spread_proxy' })
    const mixed = await service.get(
      `/v1/market/cds/aggregate?group_by=tenor&source=all&from_date=${days.from}&to_date=${days.to}`,
    )
    t.match(mixed.meta, { rows_scanned: all.length, source: 'all' })
    for (const row of body.data) {
      t.strictSame(Object.keys(row), ['tenor', ...metrics.split(',')])
      const own = within.filter(r => r['tenor'] === row.tenor)
      const values = own.map(r => r['spread_bps'] as number).sort((a, b) => a - b)
      const rank = (q: number) => {
        const place = q * (values.length - 1)
        const [low, high] = [values[Math.floor(place)]!, values[Math.ceil(place)]!]
        return low + (high - low) * (place - Math.floor(place))
      }
      t.equal(row.count, own.length)
      t.equal(row.companies, distinct(own, 'ticker').size)
      t.strictSame([row.min, row.max], [values[0], values.at(-1)])
      const mean = sum(values) / values.length
      t.ok(near(row.mean, mean))
      t.ok(near(row.stddev, Math.sqrt(sum(values.map(v => (v - mean) ** 2)) / (values.length - 1))))
      for (const [name, q] of Object.entries({ median: 0.5, p10: 0.1, p25: 0.25, p75: 0.75, p90: 0.9 }))
        t.ok(Math.abs(row[name] - rank(q)) < 1e-3, `${row.tenor} ${name}`)
    }
    const daily = await service.get(
      `/v1/market/cds/aggregate?group_by=spread_date,tenor&metrics=change,median&tenor=5Y&from_date=${days.from}&to_date=${days.to}`,
    )
    t.ok(daily.data.length > 10)
    for (const [i, { change, median }] of daily.data.entries()) {
      const before = daily.data[i - 1]
      t.ok(
        before ? near(change, median - before.median) : change === null,
        'a day is compared with the one before',
      )
    }
    for (const by of ['spread_date', 'week', 'month', 'sector', 'industry', 'rating_bucket', 'ticker'])
      t.ok((await service.get(`/v1/market/cds/aggregate?group_by=${by}&limit=1000`)).meta.total > 1, by)
    t.equal((await service.ask('/v1/market/cds/aggregate?limit=1001')).status, 400)
    t.equal((await service.get('/v1/market/cds/aggregate?limit=1000')).data.length, 598)
  })

  t.test('GET /v1/collateral: meta.total_estimated_value sums all matches, not the page', async t => {
    const rows = (await service.rows('collateral')).filter(row => row['type'] === 'real_estate')
    const { meta } = await service.get('/v1/collateral?collateral_type=real_estate&limit=1')
    t.equal(meta.total_estimated_value, sum(rows.map(row => (row['estimated_value'] as number | null) ?? 0)))
  })

  t.test('GET /v1/covenants: meta.covenant_types lists the four', async t => {
    const { meta } = await service.get('/v1/covenants?limit=1')
    t.strictSame(meta.covenant_types, ['financial', 'negative', 'incurrence', 'protective'])
  })

  t.test('GET /v1/companies/{ticker}/changes: what changed between two days', async t => {
    const { ticker } = (await service.rows('companies'))[0]!
    const body = await service.get(`/v1/companies/${String(ticker).toLowerCase()}/changes`)
    const since = await quarterAgo()
    const { as_of } = body.meta
    t.match(body.data, { ticker, company_name: String, since, until: as_of })
    const bounded = await service.get(`/v1/companies/${ticker}/changes?since=${since}&until=${as_of}`)
    t.strictSame(bounded.data, body.data)
    const { changes } = body.data
    for (const list of ['new_debt', 'removed_debt', 'rating_changes', 'pricing_changes', 'new_filings'])
      t.ok(Array.isArray(changes[list]), list)
    t.strictSame(Object.keys(changes.entity_changes), ['added', 'removed'])
    t.type(body.data.summary.net_debt_change, 'number')
    const metrics = Object.entries<Row>(changes.metric_changes)
    t.ok(metrics.length > 0)
    for (const [name, { previous, current, change }] of metrics)
      if (previous !== null && current !== null)
        t.ok(
          Math.abs(Number(current) - Number(previous) - Number(change)) <
            1e-4 * (1 + Math.abs(Number(change))),
          name,
        )
    t.equal(
      (await service.ask(`/v1/companies/${ticker}/changes?since=2024-02-01&until=2024-01-01`)).status,
      400,
    )
    t.equal((await service.ask('/v1/companies/NOSUCH/changes')).body.error.code, 'INVALID_TICKER')
    const early = await service.ask(`/v1/companies/${ticker}/changes?since=1901-01-01`)
    t.strictSame([early.status, early.body.error.code], [404, 'NO_SNAPSHOT'])
    t.match(early.body.error.details, { earliest: /^\d{4}-/ })
  })

  t.test('as_of answers as of the close of that day, and says so', async t => {
    const day = await quarterAgo()
    const then = await service.get(`/v1/ratings?as_of=${day}&limit=200`)
    t.equal(then.meta.as_of, day)
    const known = (await service.rows('ratings')).filter(row => String(row['effective_date']) <= day)
    t.equal(then.meta.total, known.length)
    t.ok(known.length < 607)
    const prices = await service.get(
      `/v1/bonds?as_of=${day}&has_pricing=true&sort=-pricing.last_trade_date&limit=5`,
    )
    t.ok(at(prices.data[0], 'pricing.last_trade_date')! <= day)
  })
}
