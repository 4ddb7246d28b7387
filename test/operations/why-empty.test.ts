import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const spread = (ticker: string, spread_date: string) => ({
  ticker,
  spread_date,
  tenor: '5Y',
  spread_bps: 200,
  feed: 'settlement_price',
  known_from: spread_date,
})

// Without a curve no spread is derived, so only the loaded ones exist.
const { treasury_yields: _, ...withoutCurve } = twoIssuers

t.test('an empty answer says why', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    ...withoutCurve,
    spreads: [spread('BETA', '2025-05-01'), spread('BETA', '2025-05-02')],
  })
  await build(lake)
  for (const hotMemory of ['0', '64MB']) {
    const engine = await open(lake, { hotMemory })
    t.teardown(() => engine.close())
    const why = async (name: string, input: Record<string, unknown>) => {
      if (hotMemory !== '0') await engine.warm(name, input)
      const { meta } = await engine.ask(name, input)
      return (meta as { empty_because?: string[] }).empty_because
    }
    const cases: [string, Record<string, unknown>, string[] | undefined][] = [
      [
        'search.spreads',
        { from_date: '2019-01-01', to_date: '2019-12-31' },
        [
          '2 rows without from_date=2019-01-01 and to_date=2019-12-31, spread_date from 2025-05-01 to 2025-05-02',
        ],
      ],
      ['search.spreads', { sector: 'Energy' }, ['2 rows without sector=Energy, sector Technology']],
      [
        'search.spreads',
        { sector: 'Tech' },
        ['2 rows without sector=Tech, sector Technology; did you mean Technology?'],
      ],
      [
        'search.spreads',
        { sector: 'Information Technology,Oil & Gas' },
        [
          '2 rows without sector=Information Technology,Oil & Gas, sector Technology; did you mean Technology?',
        ],
      ],
      [
        'search.companies',
        { sector: 'Technologie,Energie' },
        [
          '2 rows without sector=Technologie,Energie, sector Energy, Technology; did you mean Technology or Energy?',
        ],
      ],
      ['search.spreads', { as_of: '2025-04-30' }, ['no spreads are known as of 2025-04-30']],
      [
        'aggregate.spreads',
        { sector: 'Energy', from_date: '2019-01-01', to_date: '2019-12-31' },
        ['from_date=2019-01-01 and to_date=2019-12-31 leaves none of the 2 rows with sector=Energy'],
      ],
      ['search.bonds', { currency: 'EUR' }, ['3 rows without currency=EUR, currency USD']],
      [
        'search.bonds',
        { ticker: 'BETA', has_pricing: true },
        ['1 row without ticker=BETA', '1 row without has_pricing=true, none has pricing.last_price'],
      ],
      [
        'search.ratings',
        { latest: true, ticker: 'ALFA', rating_bucket: 'IG' },
        ['1 row without ticker=ALFA', '2 rows without rating_bucket=IG, rating_bucket HY-BB'],
      ],
      ['search.financials', { ticker: 'BETA' }, ['5 rows without ticker=BETA']],
      [
        'search.companies',
        { min_leverage: 1, max_age: 0 },
        [
          '1 row with max_age=none and rating_max_age=none',
          '2 rows without min_leverage=1, none has leverage_ratio',
        ],
      ],
      [
        'search.companies',
        { min_leverage: 99, max_leverage: 100 },
        ['2 rows without min_leverage=99 and max_leverage=100, leverage_ratio from 4 to 4'],
      ],
      ['search.companies', { sp_rating: 'AAA' }, ['2 rows without sp_rating=AAA, sp_rating BB']],
      [
        'search.companies',
        { ticker: 'BETA', sector: 'Energy', rating_bucket: 'NR' },
        ['sector=Energy leaves none of the 1 row with ticker=BETA'],
      ],
      ['search.bonds', {}, undefined],
      // A code that differs in a character is another code.
      [
        'search.financials',
        { filing_type: '8-K' },
        ['5 rows without filing_type=8-K, filing_type 10-Q, 10-K'],
      ],
      [
        'search.financials',
        { filing_type: '10q' },
        ['5 rows without filing_type=10q, filing_type 10-Q, 10-K; did you mean 10-Q?'],
      ],
    ]
    for (const [name, input, reasons] of cases) {
      const said = await why(name, input)
      if (name === 'aggregate.spreads') {
        t.match(said?.[0], /without sector=Energy|leaves none/, JSON.stringify(input))
        continue
      }
      t.strictSame(said, reasons, `${name} ${JSON.stringify(input)} ${hotMemory}`)
    }
  }
})

t.test('prices that were all set aside are counted where there are none', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    ...twoIssuers,
    prices: [
      {
        cusip: '000000AA7',
        price_date: '2025-06-02',
        price: 0.93,
        price_source: 'vendor',
        known_from: '2025-06-02',
      },
    ],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { meta } = await engine.ask('search.pricing', {})
  t.match(meta, {
    empty_because: ['no prices are known as of 2025-06-02', '1 row of excluded_prices, with the reason'],
  })
})

t.test('a value that other rows have is not taken for a slip', async t => {
  const sectors = ['Consumer Staples', 'Consumer Discretionary']
  const lake = await makeLake(t.teardown.bind(t), {
    ...withoutCurve,
    companies: (twoIssuers['companies'] ?? []).map((company, i) => ({ ...company, sector: sectors[i] })),
    spreads: [spread('ALFA', '2024-05-01'), spread('BETA', '2025-05-01')],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const why = async (sector: string) => {
    const { meta } = await engine.ask('search.spreads', { sector, from_date: '2025-01-01' })
    return (meta as { empty_because?: string[] }).empty_because
  }
  t.strictSame(await why('Consumer Staples'), [
    '1 row without sector=Consumer Staples, sector Consumer Discretionary',
    '1 row without from_date=2025-01-01, spread_date from 2024-05-01 to 2024-05-01',
  ])
  t.strictSame(await why('Consumer Discretion'), [
    '1 row without sector=Consumer Discretion, sector Consumer Discretionary; did you mean Consumer Discretionary?',
  ])
})
