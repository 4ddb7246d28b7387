import type { Test } from 'tap'
import type { Row, Service } from './service.ts'
import * as spec from './spec.ts'

const path = '/v1/financials'
const flows = [
  'revenue',
  'operating_income',
  'net_income',
  'operating_cash_flow',
  'capex',
  'free_cash_flow',
  'ebitda',
]

async function walk(service: Service, query: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let total = 1; rows.length < total; ) {
    const { data, meta } = await service.get(`${path}?${query}&limit=100&offset=${rows.length}`)
    rows.push(...data)
    total = meta.total
    if (data.length === 0) break
  }
  return rows
}

const quarterOf = (row: Row) => `${row['fiscal_year']}Q${row['fiscal_quarter']}`

export function walkFinancials(t: Test, service: Service) {
  t.test('GET /v1/financials: quarters of every company, with every member', async t => {
    const rows = await walk(service, 'ticker=')
    t.strictSame(spec.faultsOf(spec.statement, rows), [])
    const { meta } = await service.get(path)
    t.match(meta, { total: rows.length, period: String, limit: 50, offset: 0 })
    t.ok(new Set(rows.map(row => row['ticker'])).size > 200, 'without a ticker it is all companies')
    const once = new Set(rows.map(row => `${row['ticker']} ${quarterOf(row)}`))
    t.equal(once.size, rows.length)
    t.strictSame([...new Set(rows.map(row => row['fiscal_quarter']))].sort(), [1, 2, 3, 4])
    t.ok(rows.every(row => (row['fiscal_quarter'] === 4) === /^10-K/.test(String(row['filing_type']))))
  })

  t.test('GET /v1/financials: ticker, fiscal_year, fiscal_quarter and period narrow it', async t => {
    const all = await walk(service, 'ticker=')
    const { ticker } = all[0]!
    const cases: [query: string, holds: (row: Row) => boolean][] = [
      [`ticker=${ticker}`, row => row['ticker'] === ticker],
      ['fiscal_year=2024', row => row['fiscal_year'] === 2024],
      ['fiscal_quarter=3', row => row['fiscal_quarter'] === 3],
      [
        'fiscal_year=2023,2024&fiscal_quarter=1',
        row => [2023, 2024].includes(row['fiscal_year'] as number) && row['fiscal_quarter'] === 1,
      ],
      ['period=2024Q3', row => quarterOf(row) === '2024Q3'],
      ['period=Q3%202024', row => quarterOf(row) === '2024Q3'],
    ]
    for (const [query, holds] of cases) {
      const body = await service.get(`${path}?${query}&limit=100`)
      const expected = all.filter(holds)
      t.equal(body.meta.total, expected.length, query)
      t.ok(expected.length > 0 && body.data.every(holds), query)
    }
    t.equal((await service.get(`${path}?period=2024Q3`)).meta.period, '2024Q3')
    for (const query of [
      'period=2024Q5',
      'period=year',
      'fiscal_quarter=5',
      'fiscal_quarter=0',
      'fiscal_year=x',
    ]) {
      const { status, body } = await service.ask(`${path}?${query}`)
      t.strictSame([status, body.error.details.parameter], [400, query.split('=')[0]], query)
    }
  })

  t.test('TTM rules: annual as filed, four quarters summed, fewer annualised and flagged', async t => {
    const quarters = new Map(
      (await walk(service, 'ticker=')).map(row => [`${row['ticker']} ${quarterOf(row)}`, row]),
    )
    const rows = await walk(service, 'period=TTM&include_metadata=true')
    t.equal(rows.length, 253, 'the newest of each company')
    rows.push(...(await walk(service, 'period=TTM&fiscal_year=2024&fiscal_quarter=4&include_metadata=true')))
    t.strictSame(
      spec.faultsOf(
        { ...spec.statement, _metadata: { leverage_data_quality: spec.leverageDataQuality } },
        rows,
      ),
      [],
    )
    const seen = { annual: 0, summed: 0, annualized: 0, estimated: 0 }
    for (const row of rows) {
      const { leverage_data_quality: quality } = row['_metadata'] as { leverage_data_quality: Row }
      const labels = quality['ttm_quarters'] as string[] | null
      const says = String(row['ticker'])
      const parts = (labels ?? []).map(label => quarters.get(`${row['ticker']} ${label}`))
      t.equal(row['is_annualized'], quality['is_annualized'], says)
      if (row['is_annualized'] === true) {
        seen.annualized++
        t.ok((labels ?? []).length < 4, `${says} has fewer than four quarters`)
      } else if (parts.length === 4 && parts.every(part => part !== undefined)) {
        seen[/^10-K/.test(String(row['filing_type'])) ? 'annual' : 'summed']++
        for (const flow of flows) {
          if (flow === 'ebitda' && row['ebitda_estimated'] === true) continue
          const values = parts.map(part => part![flow] as number | null)
          if (values.every(value => value !== null) && row[flow] !== null)
            t.equal(
              row[flow],
              values.reduce<number>((a, b) => a + b!, 0),
              `${says} ${flow}`,
            )
        }
      }
      if (row['ebitda_estimated'] === true) {
        seen.estimated++
        t.equal(row['depreciation_amortization'], null, says)
        t.equal(row['ebitda'], row['operating_income'], `${says} operating income stands in`)
      } else if (
        row['ebitda'] !== null &&
        row['operating_income'] !== null &&
        row['depreciation_amortization'] !== null
      )
        t.equal(
          row['ebitda'],
          Number(row['operating_income']) + Number(row['depreciation_amortization']),
          says,
        )
      if (row['leverage_ratio'] !== null)
        t.ok(
          Math.abs(Number(row['leverage_ratio']) - Number(row['total_debt']) / Number(row['ebitda'])) < 1e-6,
          says,
        )
    }
    for (const [rule, times] of Object.entries(seen)) t.ok(times > 0, `${rule} occurs`)
    t.equal((await service.get(`${path}?period=ttm`)).meta.period.toUpperCase(), 'TTM')
  })

  t.test('GET /v1/financials: include_metadata, fields and csv', async t => {
    const plain = await service.get(`${path}?limit=5`)
    t.notOk(plain.data.some((row: Row) => '_metadata' in row))
    const { data } = await service.get(`${path}?fields=revenue,ticker&period=latest&limit=100`)
    for (const row of data) t.strictSame(Object.keys(row), ['revenue', 'ticker'])
    const csv = await service.ask(`${path}?format=csv&fields=ticker,fiscal_year,revenue`)
    t.match(csv.headers, { 'content-type': /^text\/csv/, 'x-truncated': 'true', 'x-total-count': /^\d{4}$/ })
    t.equal(csv.text.trim().split('\r\n').length, 1001)
  })
}
