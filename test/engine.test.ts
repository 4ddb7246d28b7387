import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { QueryError } from '../engine/base/errors.ts'
import { type Engine, open } from '../engine/engine.ts'
import { inLake } from '../engine/lake/lake.ts'
import { currentManifest } from '../engine/lake/snapshot.ts'
import { build } from '../engine/snapshot/build.ts'
import { builtLake } from './built-lake.ts'
import { addRows, twoIssuers } from './make-lake.ts'

const refusal = async (asked: Promise<unknown>) => {
  try {
    await asked
  } catch (error) {
    if (error instanceof QueryError)
      return { code: error.code, details: error.details, message: error.message }
    throw error
  }
  return null
}

async function opened(t: Test): Promise<Engine> {
  const lake = await builtLake(t.teardown, twoIssuers)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}

t.test('a bond at par yields its coupon, and its spread is to the interpolated curve', async t => {
  const engine = await opened(t)
  const { data, meta } = await engine.call('search.bonds', {
    cusip: '000000AA7',
    fields: 'id,coupon_rate,pricing.last_price,pricing.ytm,pricing.spread,pricing.staleness_days',
  })
  t.strictSame(
    data.map(d => ({ ...d, pricing: { ...d.pricing, ytm: Math.round(d.pricing!.ytm! * 1e4) / 1e4 } })),
    [
      {
        id: '000000AA7',
        coupon_rate: 6,
        // 5.03 years left: the par curve is 4% at 5 years and rises to 4.5% at 10.
        pricing: { last_price: 100, ytm: 5.9994, spread: 200, staleness_days: 0 },
      },
    ],
  )
  t.equal(meta.total, 1)
  t.equal(meta['as_of'], '2025-06-02')
})

t.test('active US dollar debt is the default, and an unpriced bond has null pricing', async t => {
  const engine = await opened(t)
  const { data } = await engine.call('search.bonds', { fields: 'id,pricing', ticker: 'alfb' })
  t.strictSame(
    data.map(d => [d.id, d.pricing === null]),
    [
      ['ALFA-TLB', true],
      ['000000AA7', false],
    ],
  )
})

t.test('an earlier day sees only what was known then', async t => {
  const engine = await opened(t)
  const then = await engine.call('search.bonds', {
    cusip: '000000AA7',
    as_of: '2025-02-01',
    fields: 'pricing.last_price',
  })
  t.strictSame(then.data, [{ pricing: { last_price: 95 } }])
  const ratings = (await engine.call('search.ratings', {
    ticker: 'ALFA',
    latest: true,
    as_of: '2025-05-19',
    fields: 'agency,rating',
    sort: 'agency',
  })) as unknown as { ratings: unknown[] }
  t.strictSame(ratings.ratings, [
    { agency: 'moodys', rating: 'Ba3' },
    { agency: 'sp', rating: 'BB-' },
  ])
  t.match(await refusal(engine.call('search.bonds', { as_of: '2026-01-01' })), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'as_of', max: '2025-06-02' },
  })
  t.match(await refusal(engine.call('search.bonds', { as_of: '1999-01-01' })), {
    code: 'NO_SNAPSHOT',
    details: { earliest: '2020-06-15' },
  })
})

t.test('trailing figures sum four quarters, the fourth being the year less three', async t => {
  const engine = await opened(t)
  const { data } = await engine.call('search.financials', {
    ticker: 'ALFA',
    period: 'TTM',
    fields: 'fiscal_year,fiscal_quarter,revenue,ebitda,leverage_ratio,is_annualized',
  })
  t.strictSame(data, [
    {
      fiscal_year: 2025,
      fiscal_quarter: 1,
      revenue: 400_000_000,
      ebitda: 80_000_000,
      leverage_ratio: 4,
      is_annualized: false,
    },
  ])
  const fourth = await engine.call('search.financials', { period: '2024Q4', fields: 'revenue,filing_type' })
  t.strictSame(fourth.data, [{ revenue: 100_000_000, filing_type: '10-K' }])
})

t.test('a company has its metrics, and a warning where a figure is missing', async t => {
  const engine = await opened(t)
  const { data } = await engine.call('search.companies', {
    sort: 'ticker',
    fields:
      'ticker,total_debt,leverage_ratio,net_leverage_ratio,debt_due_1yr,rating_bucket,has_floating_rate',
    include_metadata: true,
  })
  t.match(data, [
    {
      ticker: 'ALFA',
      total_debt: 320_000_000,
      leverage_ratio: 4,
      net_leverage_ratio: 3,
      debt_due_1yr: 30_000_000_00,
      rating_bucket: 'HY-BB',
      has_floating_rate: true,
    },
    { ticker: 'BETA', total_debt: null, leverage_ratio: null, rating_bucket: 'IG' },
  ])
  const warned = data[1] as unknown as { _metadata: { warnings: string[] } }
  t.match(warned._metadata.warnings, [/leverage is null/])
})

t.test('an unknown ticker is an error with the nearest one, or is skipped and listed', async t => {
  const engine = await opened(t)
  t.match(await refusal(engine.call('search.bonds', { ticker: 'ALFA,ALFX' })), {
    code: 'INVALID_TICKER',
    details: { unknown: ['ALFX'], suggestion: /ALF/ },
  })
  for (const ticker of ['NETWORKS', 'Beta Networks', 'Beta Networks Inc'])
    t.match(
      await refusal(engine.call('search.bonds', { ticker })),
      { code: 'INVALID_TICKER', details: { suggestion: 'BETA' } },
      ticker,
    )
  t.match(await refusal(engine.call('search.bonds', { ticker: 'NETWORKS' })), {
    details: {
      suggestion: (await engine.call('search.companies', {})).data.find(c => c.name === 'Beta Networks Inc')!
        .ticker,
    },
  })
  const { meta } = await engine.call('search.bonds', { ticker: 'ALFA,ZZZZZ', on_unknown: 'skip' })
  t.strictSame(meta['unknown'], ['ZZZZZ'])
  const unknown = await engine.call('search.bonds', { cusip: '037833AK6' })
  t.strictSame([unknown.data, unknown.meta['unknown']], [[], ['037833AK6']])
})

t.test('a misspelt field, sort key or operation gets a suggestion', async t => {
  const engine = await opened(t)
  t.match(await refusal(engine.ask('search.bonds', { fields: 'pricing.ytn' })), {
    details: { parameter: 'fields', suggestion: 'pricing.ytm' },
  })
  t.match(await refusal(engine.ask('search.bonds', { sort: '-cupon_rate' })), {
    details: { parameter: 'sort', suggestion: 'coupon_rate' },
  })
  t.match(await refusal(engine.ask('search.bond', {})), { details: { suggestion: 'search.bonds' } })
  for (const name of ['__proto__', 'constructor', 'toString', 'id"; drop table bonds; --'])
    for (const parameter of ['fields', 'sort'])
      t.match(
        await refusal(engine.ask('search.bonds', { [parameter]: name })),
        { code: 'INVALID_PARAMETER' },
        name,
      )
})

t.test('an inverted range is refused', async t => {
  const engine = await opened(t)
  t.match(await refusal(engine.call('search.bonds', { min_coupon: 5, max_coupon: 4 })), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'min_coupon' },
  })
  t.match(await refusal(engine.call('search.pricing', { date_from: '2025-02-01', date_to: '2025-01-01' })), {
    code: 'INVALID_PARAMETER',
  })
})

t.test('LIKE wildcards in a text filter are literal', async t => {
  const engine = await opened(t)
  t.equal((await engine.call('search.companies', { sector: '%' })).meta.total, 0)
  t.equal((await engine.call('search.companies', { sector: 'eNeRgY' })).meta.total, 1)
})

t.test('covenants of companies are compared side by side', async t => {
  const engine = await opened(t)
  const compared = await engine.call('compare.covenants', { ticker: ['ALFA', 'BETA'] })
  t.match(compared, {
    tickers: ['ALFA', 'BETA'],
    companies: { ALFA: { covenant_count: 1 }, BETA: { covenant_count: 1 } },
    comparison_matrix: [
      {
        metric: 'leverage_ratio',
        ALFA: { threshold_value: 4.5, threshold_type: 'maximum', test_frequency: 'quarterly' },
        BETA: null,
      },
    ],
    presence_matrix: [
      { covenant_name: 'Change of control put', ALFA: false, BETA: true },
      { covenant_name: 'Maximum leverage', ALFA: true, BETA: false },
    ],
    meta: { tickers_compared: 2, total_covenants: 2 },
  })
})

t.test('changes compare two days of one lake', async t => {
  const engine = await opened(t)
  const { data } = await engine.call('changes.company', { ticker: 'ALFA', since: '2025-01-31' })
  t.match(data, {
    since: '2025-01-31',
    until: '2025-06-02',
    changes: {
      rating_changes: [{ agency: 'sp', previous: 'BB-', current: 'BB', direction: 'upgrade' }],
      pricing_changes: [{ cusip: '000000AA7', previous_price: 95, current_price: 100, price_change: 5 }],
      new_debt: [],
      removed_debt: [],
    },
  })
})

t.test('a description finds its bond, an identifier exactly one', async t => {
  const engine = await opened(t)
  const described = await engine.call('resolve.bond', { q: 'alfa 6% 2030' })
  t.equal(described.data.matches[0]!.bond.id, '000000AA7')
  t.equal(described.data.exact_match, false)
  t.ok(described.data.matches[0]!.confidence < 1)
  const exact = await engine.call('resolve.bond', { q: '000000aa7' })
  t.match(exact.data, { exact_match: true, matches: [{ confidence: 1, bond: { id: '000000AA7' } }] })
  const none = await engine.call('resolve.bond', { q: 'quite another thing' })
  t.strictSame(none.data.matches, [])
  t.match(await refusal(engine.call('resolve.bond', {})), { code: 'MISSING_PARAMETER' })
})

t.test('a page past the end is empty and has the total', async t => {
  const engine = await opened(t)
  for (const offset of [100, 2 ** 31, 2 ** 53 - 1]) {
    const { data, meta } = await engine.call('search.bonds', { offset })
    t.strictSame([data, meta.total], [[], 3])
  }
})

t.test('many days can be queried in turn and at once', async t => {
  const engine = await opened(t)
  const days = [
    '2024-03-01',
    '2024-06-03',
    '2024-09-02',
    '2025-01-02',
    '2025-02-03',
    '2025-03-03',
    '2025-04-01',
  ]
  const asked = (day: string) =>
    engine.call('search.bonds', { as_of: day, cusip: '000000AA7', fields: 'pricing.last_price' })
  const prices = async () =>
    (await Promise.all(days.map(asked))).map(({ data }) => data[0]!.pricing?.last_price ?? null)
  const expected = [null, null, null, 95, 95, 95, 95]
  t.strictSame(await prices(), expected)
  t.strictSame(await prices(), expected, 'also after the oldest were let go')
})

t.test('standard coverage excludes extended companies from every list', async t => {
  const engine = await opened(t)
  const standard = await engine.call('search.companies', {}, { coverage: 'standard' })
  t.strictSame(
    standard.data.map(c => c.ticker),
    ['ALFA'],
  )
})

t.test('SQL reads the documented views as of a day, one SELECT at a time, and no files', async t => {
  const engine = await opened(t)
  t.strictSame(
    await engine.sql('SELECT id, pricing.last_price AS price FROM bonds WHERE pricing.last_price > $p', {
      p: 50,
    }),
    [{ id: '000000AA7', price: 100 }],
  )
  t.strictSame(await engine.sql('SELECT max(price) AS price FROM prices', [], { asOf: '2025-02-01' }), [
    { price: 95 },
  ])
  for (const text of [
    'DROP VIEW bonds',
    'CREATE TABLE x AS SELECT 1',
    'SELECT 1; SELECT 2',
    "SELECT * FROM read_csv('/etc/hostname')",
    "COPY bonds TO '/tmp/x.csv'",
    "ATTACH '/tmp/x.db'",
    'SET threads = 1',
    'PRAGMA enable_profiling',
    'SELEC 1',
    'SELECT no_such FROM bonds',
    '',
  ])
    t.match(await refusal(engine.sql(text)), { code: 'INVALID_SQL' }, text)
  const divided = await refusal(engine.sql('SELECT no_such // 2, price/100/1.0 FROM bonds'))
  t.match(divided?.message, 'LINE 1: SELECT no_such // 2, price/100/1.0 FROM bonds')
  const elsewhere = await refusal(engine.sql("SELECT * FROM read_csv('/etc/ssl/hostname')"))
  t.notMatch(elsewhere?.message, /\/etc/)
})

t.test('a statement beyond its time limit is stopped with an error', async t => {
  const engine = await opened(t)
  const long = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range % 7 = b.range % 3'
  t.match(await refusal(engine.sql(long, [], { timeout: 200 })), {
    code: 'QUERY_TIMEOUT',
    details: { timeout_ms: 200 },
  })
})

t.test('new snapshots are used without reopening, and each answer is of one snapshot', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const first = await currentManifest(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  t.equal((await engine.call('search.companies')).meta.snapshot, first.id)
  await addRows(lake, { companies: [{ ticker: 'GAMM', name: 'Gamma Foods Inc' }] })
  let done = false
  const asked = (async () => {
    const seen = new Set<string>()
    while (!done) {
      const { data, meta } = await engine.call('search.companies')
      seen.add(`${meta.snapshot} ${data.length}`)
      // The build runs in this process too, and yields between queries.
      await pause(2)
    }
    return seen
  })()
  const second = await build(lake)
  const after = await engine.call('search.companies')
  done = true
  const seen = await asked
  t.strictSame([after.meta.snapshot, after.data.length], [second.id, 3])
  t.ok([...seen].every(s => s === `${first.id} 2` || s === `${second.id} 3`))
})

t.test('a table with one flipped bit is refused by name and never used', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const { id } = await currentManifest(lake)
  const path = inLake(lake, 'snapshots', id, 'bonds.parquet')
  const bytes = await readFile(path)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  await writeFile(path, bytes)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  t.match(await refusal(engine.call('search.bonds')), { code: 'DATA_DAMAGED', message: /bonds\.parquet/ })
  t.equal((await engine.call('search.companies')).meta.total, 2, 'other tables still answer')
})

t.test('answers as of a day equal those of a lake without later data', async t => {
  const day = '2025-05-10'
  const known = Object.fromEntries(
    Object.entries(twoIssuers).map(([name, rows]) => [
      name,
      rows.filter(row => row['known_from'] === undefined || String(row['known_from']) <= day),
    ]),
  )
  const whole = await opened(t)
  const lake = await builtLake(t.teardown, known, { asOf: day })
  const partial = await open(lake)
  t.teardown(() => partial.close())
  const asked: [string, Record<string, unknown>][] = [
    ['search.companies', { include_metadata: true, explain: true }],
    ['search.bonds', {}],
    ['search.pricing', {}],
    ['search.pricing', { aggregation: 'daily' }],
    ['search.financials', {}],
    ['search.financials', { period: 'TTM' }],
    ['search.ratings', {}],
    ['search.spreads', {}],
    ['search.covenants', {}],
    ['search.collateral', {}],
  ]
  for (const [name, input] of asked) {
    const answer = async (engine: Engine) => {
      const envelope = await engine.ask(name, { ...input, as_of: day })
      return envelope['data'] ?? envelope['ratings']
    }
    t.strictSame(await answer(whole), await answer(partial), name)
  }
})
