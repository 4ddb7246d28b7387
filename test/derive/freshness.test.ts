import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'
import { type Rows, twoIssuers } from '../make-lake.ts'

const schedule = (cik: string, end: string, filed: string) =>
  ['NextTwelveMonths', 'YearTwo', 'YearThree', 'YearFour', 'YearFive'].map((year, i) => ({
    ...fact(cik, `LongTermDebtMaturitiesRepaymentsOfPrincipalIn${year}`, (i + 1) * 10e6, end, filed),
  }))

const fact = (cik: string, concept: string, value: number, end: string, filed: string, start?: string) => ({
  cik,
  concept: `us-gaap:${concept}`,
  unit: 'USD',
  period_end: end,
  ...(start && { period_start: start }),
  value,
  accession: `${cik}-${end.slice(2, 4)}-000001`,
  form: '10-K',
  fiscal_year: Number(end.slice(0, 4)),
  filed_date: filed,
  known_from: filed,
})

/** A company whose last annual report is for one year. */
const annual = (cik: string, year: number) => {
  const [start, end, filed] = [`${year}-01-01`, `${year}-12-31`, `${year + 1}-02-15`]
  return [
    fact(cik, 'OperatingIncomeLoss', 90e6, end, filed, start),
    fact(cik, 'DepreciationDepletionAndAmortization', 30e6, end, filed, start),
    fact(cik, 'InterestExpense', 20e6, end, filed, start),
    fact(cik, 'LongTermDebtNoncurrent', 400e6, end, filed),
    fact(cik, 'LongTermDebtCurrent', 20e6, end, filed),
    fact(cik, 'CashAndCashEquivalentsAtCarryingValue', 50e6, end, filed),
    ...schedule(cik, end, filed),
  ]
}

const company = (ticker: string, cik: string) => ({
  ticker,
  name: `${ticker} Corp`,
  cik,
  sector: 'Industrials',
})

const rating = (ticker: string, agency: string, letter: string, day: string, more = {}) => ({
  ticker,
  agency,
  rating: letter,
  effective_date: day,
  known_from: day,
  ...more,
})

const rows: Rows = {
  ...twoIssuers,
  companies: [
    ...twoIssuers['companies']!,
    company('OLDC', '0000000010'),
    company('NEWC', '0000000011'),
    company('LIST', '0000000012'),
  ],
  facts: [...annual('0000000010', 2019), ...annual('0000000011', 2024)],
  ratings: [
    rating('OLDC', 'sp', 'BB+ *-', '2012-03-01'),
    rating('OLDC', 'moodys', 'Ba1', '2013-03-01'),
    rating('NEWC', 'sp', 'BBB-', '2024-03-01'),
    rating('NEWC', 'moodys', 'BB+', '2014-03-01'),
    rating('NEWC', 'moodys', 'Ba2', '2024-09-01', { cusip: '000000AA7', rating_type: 'senior_unsecured' }),
    // A list without dates is known from its own day.
    rating('LIST', 'sp', 'B', '2025-05-01', { effective_date: null }),
    rating('LIST', 'sp', 'B+', '2024-05-01'),
    rating('LIST', 'moodys', 'B1', '2025-05-01', { rating_type: 'issuer' }),
    rating('LIST', 'moodys', 'B2', '2025-05-01', { rating_type: 'corporate_family' }),
  ],
}

const metrics = [
  'total_debt',
  'net_debt',
  'cash',
  'ebitda_ttm',
  'leverage_ratio',
  'net_leverage_ratio',
  'interest_coverage',
  'debt_due_1yr',
  'debt_due_2yr',
] as const

t.test('old figures and ratings are not shown as current', async t => {
  const lake = await builtLake(t.teardown.bind(t), rows, { asOf: '2025-06-02' })
  const manifest = await currentManifest(lake)
  const engine = await open(lake, { hotMemory: '64MB' })
  t.teardown(() => engine.close())
  type Asked = Parameters<typeof engine.call<'search.companies'>>[1]
  const ask = async (ticker: string, input: Asked = {}) => {
    const { data } = await engine.call('search.companies', { ticker, explain: true, ...input })
    t.equal(data.length, 1, `${ticker} keeps its row`)
    return data[0]! as (typeof data)[0] & { _explain: Record<string, { null_because: string | null }> }
  }

  await t.test('stale figures are null with a reason, and keep their day and age', async t => {
    const old = await ask('OLDC')
    for (const name of metrics) t.equal(old[name], null, name)
    t.match(old, { period_end_date: '2019-12-31', figures_age_days: 1980, figures_null_because: 'stale' })
    t.match(
      old._explain['total_debt']!.null_because,
      /^stale: the newest figures are of 2019-12-31, 1980 days/,
    )
    t.match(old._explain['leverage_ratio']!.null_because, /^stale/)
    const current = await ask('NEWC')
    t.match(current, {
      total_debt: 420e8,
      leverage_ratio: 3.5,
      figures_age_days: 153,
      figures_null_because: null,
    })
    t.equal((await ask('BETA')).figures_null_because, 'no_statements')
  })

  await t.test('max_age moves the limit, and none removes it', async t => {
    t.match(await ask('OLDC', { max_age: 'none' }), {
      total_debt: 420e8,
      leverage_ratio: 3.5,
      figures_age_days: 1980,
      figures_null_because: null,
    })
    t.equal((await ask('OLDC', { max_age: 1980 })).total_debt, 420e8)
    t.equal((await ask('OLDC', { max_age: 1979 })).total_debt, null)
    t.equal((await ask('NEWC', { max_age: 152 })).figures_null_because, 'stale')
    t.equal((await ask('NEWC', { max_age: 152 })).debt_due_1yr, null, 'its maturity schedule is as old')
    await t.rejects(engine.call('search.companies', { max_age: '-1' }), { code: 'INVALID_PARAMETER' })
    await t.rejects(engine.call('search.companies', { max_age: 'all' }), /a whole number of days, or none/)
  })

  await t.test('filters, sorts, facets and exports see only figures within the limit', async t => {
    const names = async (input: Asked) =>
      (await engine.call('search.companies', { fields: 'ticker', ...input })).data.map(row => row.ticker)
    t.strictSame(await names({ min_debt: 1, sort: 'ticker' }), ['ALFA', 'NEWC'])
    t.strictSame(await names({ min_debt: 1, sort: 'ticker', max_age: 'none' }), ['ALFA', 'NEWC', 'OLDC'])
    const { data } = await engine.ask('count.facets', {
      data_type: 'companies',
      min_debt: 1,
      max_age: 'none',
    })
    t.match(data, { has_floating_rate: { missing: 2 } })
    const { data: exported } = await engine.ask('export', {
      data_type: 'companies',
      ticker: 'OLDC',
      max_age: 'none',
    })
    t.match(exported, [{ total_debt: 420e8 }])
    await t.rejects(engine.ask('export', { data_type: 'bonds', max_age: 'none' }), {
      code: 'INVALID_PARAMETER',
    })
  })

  await t.test('both lanes agree under every limit', async t => {
    const cold = await open(lake, { hotMemory: '0' })
    t.teardown(() => cold.close())
    for (const max_age of [456, 'none', 153, 0] as const)
      for (const rating_max_age of [1826, 'none', 500] as const) {
        const input = { max_age, rating_max_age, sort: '-total_debt', limit: 100 } as const
        await engine.warm('search.companies', input)
        const [hot, plain] = [
          await engine.call('search.companies', input),
          await cold.call('search.companies', input),
        ]
        t.strictSame(hot.data, plain.data, `${max_age} ${rating_max_age}`)
        t.equal(hot.data.length, 5)
      }
  })

  await t.test('a bucket needs a rating of the last five years, and ratings close together', async t => {
    t.match(await ask('OLDC'), {
      sp_rating: 'BB+ *-',
      moodys_rating: 'Ba1',
      rating_bucket: null,
      rating_null_because: 'stale',
      rating_date: '2013-03-01',
      rating_age_days: 4476,
    })
    t.match(await ask('OLDC', { rating_max_age: 'none' }), {
      rating_bucket: 'HY-BB',
      rating_null_because: null,
    })
    t.match(await ask('NEWC'), {
      rating_bucket: null,
      rating_null_because: 'far_apart',
      moodys_rating: 'BB+',
    })
    t.match(await ask('BETA'), { rating_bucket: null, rating_null_because: 'not_rated' })
  })

  await t.test('a list rating is dated by its list, and one rule finds the latest ratings', async t => {
    const latest = await engine.call('search.ratings', { latest: true, issuer_only: true, limit: 100 })
    const { data } = await engine.call('search.companies', { limit: 100 })
    for (const { ticker, sp_rating, moodys_rating, fitch_rating } of data) {
      const own = (agency: string) =>
        latest.ratings.find(r => r.ticker === ticker && r.agency === agency)?.rating ?? null
      t.strictSame(
        [sp_rating, moodys_rating, fitch_rating],
        ['sp', 'moodys', 'fitch'].map(own),
        String(ticker),
      )
    }
    const [list] = latest.ratings.filter(r => r.ticker === 'LIST' && r.agency === 'sp')
    t.match(list, { rating: 'B', effective_date: null, rating_date: '2025-05-01' })
    t.equal((await ask('LIST')).moodys_rating, 'B2')
  })

  await t.test('companies are filtered by their current ratings', async t => {
    const found = async (input: Asked) =>
      (await engine.call('search.companies', { fields: 'ticker', sort: 'ticker', ...input })).data.map(
        r => r.ticker,
      )
    t.strictSame(await found({ sp_rating: 'BB+' }), ['OLDC'], 'a watch mark is no part of the letter')
    t.strictSame(await found({ sp_rating: 'BB ' }), ['OLDC'], 'a plus that became a space is read as one')
    t.strictSame(await found({ sp_rating: 'BB ,BBB-' }), ['NEWC', 'OLDC'])
    t.strictSame(await found({ moodys_rating: 'ba1' }), ['NEWC', 'OLDC'], "BB+ of Moody's is Ba1")
    t.strictSame(await found({ sp_rating: 'BBB-', moodys_rating: 'Ba1' }), ['NEWC'])
    for (const sp_rating of ['Ba1', 'ZZ', 'BBB--'])
      await t.rejects(engine.ask('search.companies', { sp_rating }), { code: 'INVALID_PARAMETER' }, sp_rating)
    await t.rejects(engine.ask('search.ratings', { moodys_rating: 'BB+' }), { code: 'INVALID_PARAMETER' })
  })

  await t.test('ageing is not a change of a metric', async t => {
    const { data } = await engine.call('changes.company', {
      ticker: 'OLDC',
      since: '2020-03-01',
      until: '2025-06-01',
    })
    const moved = Object.keys(data.changes.metric_changes)
    t.notOk(moved.includes('total_debt'))
    t.notOk(moved.some(name => name.endsWith('_age_days')))
    for (const { current } of Object.values(data.changes.metric_changes)) t.not(current, null)
  })

  await t.test('figures as of an earlier day have their age of that day', async t => {
    t.match(await ask('OLDC', { as_of: '2020-06-30' }), { total_debt: 420e8, figures_age_days: 182 })
    t.match(await ask('OLDC', { as_of: '2021-06-30' }), { total_debt: null, figures_age_days: 547 })
  })

  await t.test('the independent recomputation agrees', async t => {
    const found: unknown[] = []
    await verifyFigures(lake, manifest, { found: difference => found.push(difference) })
    t.strictSame(found, [])
  })
})
