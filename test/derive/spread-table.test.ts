import t from 'tap'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'

t.test('a spread is known on the day on which the last price behind it became known', async t => {
  const bond = (cusip: string, maturity_date: string) => ({
    cusip,
    ticker: 'ALFA',
    issuer_name: 'Alfa Corp',
    coupon_rate: 5,
    rate_type: 'fixed',
    rate_structure: 'fixed',
    seniority: 'senior_unsecured',
    currency: 'USD',
    maturity_date,
    known_from: '2020-01-02',
  })
  const price = (cusip: string, price_source: string, known_from: string | null) => ({
    cusip,
    price_date: '2025-03-31',
    price: 99,
    price_source,
    known_from,
  })
  const lake = await builtLake(
    t.teardown,
    {
      companies: [{ ticker: 'ALFA', name: 'Alfa Corp', cik: '0000000001' }],
      bonds: [
        bond('000000AA7', '2028-04-15'),
        bond('000000AB5', '2028-10-15'),
        bond('000000AC3', '2030-04-15'),
      ],
      prices: [
        price('000000AA7', 'vendor', '2025-03-31'),
        price('000000AB5', 'fund_mark', '2025-05-30'),
        price('000000AC3', 'vendor', '2025-03-31'),
      ],
      treasury_yields: [12, 60, 120].map(tenor_months => ({
        date: '2025-03-31',
        tenor_months,
        rate: 4,
        publisher: 'treasury',
        known_from: '2025-03-31',
      })),
    },
    { asOf: '2025-06-30' },
  )
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const spreads = (asOf?: string) =>
    engine.sql(
      'SELECT tenor, bond_count, CAST(known_from AS VARCHAR) AS known FROM spreads ORDER BY tenor',
      {},
      asOf ? { asOf } : {},
    )
  t.strictSame(await spreads(), [
    { tenor: '3Y', bond_count: 2, known: '2025-05-30' },
    { tenor: '5Y', bond_count: 1, known: '2025-03-31' },
  ])
  t.strictSame(
    await spreads('2025-04-15'),
    [
      { tenor: '3Y', bond_count: 1, known: '2025-03-31' },
      { tenor: '5Y', bond_count: 1, known: '2025-03-31' },
    ],
    'of the prices known by then',
  )
})
