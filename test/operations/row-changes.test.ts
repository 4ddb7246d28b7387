import t from 'tap'
import type { QueryError } from '../../engine/base/errors.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import { lastDay, richRows } from '../point-in-time/rich-lake.ts'

// Several days are derived, which takes a while on a busy machine.
t.setTimeout(180_000)

const lake = await builtLake(t.teardown, richRows, { asOf: lastDay })
const engine: Engine = await open(lake)
t.teardown(() => engine.close())

type Row = Record<string, unknown>

const differences = (input: Row, coverage: 'all' | 'standard' = 'all') =>
  engine.ask('search.changes', input, { coverage }) as Promise<{ data: Row[]; meta: Row & { total: number } }>

/** A value at a path of nested objects. */
const at = (row: Row, name: string): unknown =>
  name.split('.').reduce<unknown>((value, key) => (value as Row | null)?.[key], row) ?? null

/** Every row of a list as of a day, by its key. */
async function listed(name: string, day: string, key: string): Promise<Map<string, Row>> {
  const fields = [key, ...columnsOf[name]!]
  const rows = new Map<string, Row>()
  for (const given of everything[name] ?? [{}]) {
    const answer = await engine.ask(name, { as_of: day, fields, ...given })
    for (const row of (answer['data'] ?? answer['ratings']) as Row[]) rows.set(String(row[key]), row)
  }
  return rows
}

const columnsOf: Readonly<Record<string, readonly string[]>> = {
  'search.companies': ['name', 'leverage_ratio', 'total_debt', 'aliases', 'sp_rating', 'period_end_date'],
  'search.bonds': ['outstanding', 'status', 'pricing.last_price', 'pricing.ytm', 'collateral.assets'],
  'search.ratings': ['outlook', 'rating', 'sector'],
}

/** Lists show only some rows by default: several questions together ask for all. */
const everything: Readonly<Record<string, readonly Row[]>> = {
  'search.bonds': [true, false].map(is_active => ({ is_active, currency: 'USD,EUR,GBP' })),
}

t.test('differences are those between the lists of the two days', async t => {
  for (const [since, until] of [
    ['2024-07-02', '2025-03-31'],
    ['2025-02-17', lastDay],
  ] as const)
    for (const [resource, name, key] of [
      ['companies', 'search.companies', 'company_id'],
      ['bonds', 'search.bonds', 'id'],
      ['ratings', 'search.ratings', 'id'],
    ] as const) {
      const was = await listed(name, since, key)
      const is = await listed(name, until, key)
      const wanted: Row[] = []
      for (const id of new Set([...was.keys(), ...is.keys()])) {
        const [before, after] = [was.get(id), is.get(id)]
        if (!before || !after)
          wanted.push({ id, change: after ? 'added' : 'removed', column: null, difference: null })
        else
          for (const column of columnsOf[name]!) {
            const [x, y] = [at(before, column), at(after, column)]
            if (JSON.stringify(x) === JSON.stringify(y)) continue
            const difference = typeof x === 'number' && typeof y === 'number' ? y - x : null
            wanted.push({ id, change: 'changed', column, difference })
          }
      }
      const found = await differences({ resource, since, until, column: columnsOf[name] })
      const text = (rows: Row[]) =>
        rows
          .map(({ id, change, column, difference }) => JSON.stringify([id, change, column, difference]))
          .sort()
      t.strictSame(text(found.data), text(wanted), `${resource} ${since} ${until}`)
      t.equal(found.meta.total, wanted.length)
      t.ok(wanted.length > 0)
      for (const kind of ['added', 'removed', 'changed'])
        t.equal(
          (found.meta['summary'] as Row)[kind],
          new Set(wanted.filter(row => row['change'] === kind).map(row => row['id'])).size,
        )
    }
})

t.test('values are shown as text, numbers with their difference and unit', async t => {
  const { data, meta } = await differences({
    resource: 'bonds',
    since: '2024-06-09',
    until: '2025-03-31',
    ticker: 'ALFA',
    column: 'outstanding,status',
  })
  t.match(
    data.filter(row => row['id'] === 'B001'),
    [
      {
        ticker: 'ALFA',
        name: 'ALFA 4.5 01/15/29',
        change: 'changed',
        column: 'outstanding',
        before: '10100000000',
        after: '45000000000',
        difference: 34_900_000_000,
        unit: 'cents',
      },
    ],
  )
  t.match(
    data.find(row => row['column'] === 'status'),
    { before: 'active', difference: null, unit: null },
  )
  t.match(meta, {
    since: '2024-06-09',
    until: '2025-03-31',
    filters_applied: { column: ['outstanding', 'status'] },
  })
  t.ok(data.every(row => row['ticker'] === 'ALFA'))
})

t.test('the last version of a statement is compared with the last of the earlier day', async t => {
  // The second quarter of 2024 is restated on 2025-03-14.
  const { data } = await differences({
    resource: 'financials',
    since: '2025-03-13',
    until: '2025-03-14',
    ticker: 'GAMA',
    change: 'changed',
    column: 'operating_income,accession',
  })
  t.match(
    data.filter(row => row['name'] === '2024Q2 quarter'),
    [
      { column: 'accession', before: /-2024-2$/, after: /-R$/ },
      { column: 'operating_income', before: '1500000000', after: '900000000', difference: -600_000_000 },
    ],
  )
})

t.test('what moves as days pass is compared only if it is named', async t => {
  const ask = { resource: 'companies', since: '2025-06-27', until: '2025-06-29' }
  const columns = new Set((await differences(ask)).data.map(row => row['column']))
  t.notOk(columns.has('figures_age_days'))
  const { data } = await differences({ ...ask, column: 'figures_age_days' })
  t.ok(data.length > 0 && data.every(row => row['difference'] === 2 && row['unit'] === 'days'))
})

t.test('pages, orders and coverage', async t => {
  const ask = { resource: 'bonds', since: '2024-06-09', until: lastDay, limit: 1000 }
  const all = await differences(ask)
  const pages: Row[] = []
  for (let offset = 0; offset < all.meta.total; offset += 7)
    pages.push(...(await differences({ ...ask, limit: 7, offset })).data)
  t.strictSame(pages, all.data)
  const bySize = (await differences({ ...ask, sort: '-difference' })).data.map(row => row['difference'])
  const numbers = bySize.filter(x => x !== null) as number[]
  t.strictSame(
    numbers,
    [...numbers].sort((a, b) => b - a),
  )
  t.equal(bySize.indexOf(null), numbers.length, 'nulls last')
  const standard = await differences(ask, 'standard')
  t.ok(standard.data.length > 0 && standard.data.every(row => row['ticker'] !== 'BETA'), 'BETA is extended')
  t.ok(all.data.some(row => row['ticker'] === 'BETA'))
  const removed = await differences({ ...ask, change: 'removed' })
  t.ok(removed.data.every(row => row['change'] === 'removed'))
})

t.test('bad days, columns and tickers are refused with what to do', async t => {
  const refused = (input: Row) =>
    differences({ resource: 'companies', since: '2024-06-09', ...input }).then(
      () => t.fail(JSON.stringify(input)),
      (error: QueryError) => `${error.code} ${error.message}`,
    )
  t.match(await refused({ since: lastDay }), /INVALID_PARAMETER since must be before until/)
  t.match(await refused({ until: '2031-01-01' }), /until is after the as-of date/)
  t.match(
    await refused({ column: 'leverage' }),
    /companies has no column leverage to compare; did you mean leverage_ratio/,
  )
  t.match(await refused({ resource: 'bond' }), /resource/)
  t.match(await refused({ ticker: 'NOPE' }), /INVALID_TICKER/)
  const skipped = await differences({
    resource: 'companies',
    since: '2024-06-09',
    ticker: 'NOPE,ALFA',
    on_unknown: 'skip',
  })
  t.strictSame(skipped.meta['unknown'], ['NOPE'])
  const { data, meta } = await differences({
    resource: 'bonds',
    since: '2025-06-29',
    until: lastDay,
    column: 'coupon_rate',
  })
  t.strictSame(data, [])
  t.match(meta, { empty_because: [/nothing that was asked for differs between 2025-06-29 and/] })
})

t.test('amounts are in cents only of dollars, and have no difference between two currencies', async t => {
  const statement = (ticker: string, fiscal_year: number, currency: string, total_debt: number) => ({
    ticker,
    fiscal_year,
    fiscal_quarter: 4,
    period_months: 12,
    period_end_date: `${fiscal_year}-12-31`,
    filed_date: `${fiscal_year + 1}-02-10`,
    known_from: `${fiscal_year + 1}-02-10`,
    currency,
    total_debt,
    ebitda: 50_000,
  })
  const lake = await builtLake(
    t.teardown,
    {
      companies: ['USDC', 'CADC', 'MOVE'].map((ticker, i) => ({
        ticker,
        name: `${ticker} Corp`,
        cik: `000000007${i}`,
      })),
      financials: [
        ...['USD', 'CAD'].flatMap(currency => [
          statement(`${currency}C`, 2023, currency, 100_000),
          statement(`${currency}C`, 2024, currency, 150_000),
        ]),
        statement('MOVE', 2023, 'USD', 100_000),
        statement('MOVE', 2024, 'EUR', 150_000),
      ],
      bonds: [100_000, 150_000].map((outstanding, i) => ({
        bond_id: 'E1',
        ticker: 'USDC',
        coupon_rate: 5,
        maturity_date: '2030-06-01',
        currency: 'EUR',
        outstanding,
        known_from: `202${4 + i}-02-10`,
      })),
    },
    { asOf: '2025-06-30' },
  )
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const told = async (resource: string, column: string) =>
    (await engine.call('search.changes', { resource, since: '2024-06-28', column })).data
      .map(({ ticker, column, difference, unit }) => [ticker, column, difference, unit].join(' '))
      .sort()
  t.strictSame(await told('companies', 'total_debt,leverage_ratio'), [
    'CADC leverage_ratio 1 ratio',
    'CADC total_debt 50000 minor units',
    'MOVE leverage_ratio 1 ratio',
    'MOVE total_debt  minor units',
    'USDC leverage_ratio 1 ratio',
    'USDC total_debt 50000 cents',
  ])
  t.strictSame(await told('bonds', 'outstanding'), ['USDC outstanding 50000 minor units'])
})
