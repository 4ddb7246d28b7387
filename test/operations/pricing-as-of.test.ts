import t from 'tap'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import { type Rows, twoIssuers } from '../make-lake.ts'

const [alfa] = twoIssuers['bonds']!
const price = (cusip: string, price_date: string, value: number) => ({
  cusip,
  price_date,
  price: value,
  price_source: 'vendor',
  known_from: price_date,
})

const rows: Rows = {
  ...twoIssuers,
  bonds: [
    ...twoIssuers['bonds']!,
    { ...alfa, cusip: '000000CC1', name: 'Alfa 5% 2025', coupon_rate: 5, maturity_date: '2025-04-01' },
    { ...alfa, cusip: '000000DD8', name: 'Alfa 4% 2031', maturity_date: '2031-04-01', status: 'active' },
    // Reported retired in error for some days.
    ...(
      [
        ['retired', '2024-12-02'],
        ['active', '2024-12-10'],
        ['retired', '2025-03-01'],
        ['retired', '2025-03-10'],
        [null, '2025-04-01'],
      ] as const
    ).map(([status, known_from]) => ({
      ...alfa,
      cusip: '000000DD8',
      name: 'Alfa 4% 2031',
      maturity_date: '2031-04-01',
      status,
      known_from,
    })),
  ],
  prices: [
    ...twoIssuers['prices']!,
    price('000000CC1', '2025-01-02', 99),
    price('000000DD8', '2025-01-02', 98),
  ],
}

t.test('prices of inactive bonds', async t => {
  const lake = await builtLake(t.teardown.bind(t), rows, { asOf: '2025-06-02' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  type Asked = Parameters<typeof engine.call<'search.pricing'>>[1]
  const cusips = async (input: Asked) =>
    [...new Set((await engine.call('search.pricing', input)).data.map(row => row.cusip))].sort()

  await t.test('matured and retired bonds are excluded unless requested', async t => {
    t.strictSame(await cusips({}), ['000000AA7'])
    t.strictSame(await cusips({ is_active: false }), ['000000CC1', '000000DD8'])
    t.strictSame(await cusips({ cusip: '000000CC1' }), ['000000CC1'])
    const all = ['000000AA7', '000000CC1', '000000DD8']
    t.strictSame(await cusips({ date_from: '2025-01-01' }), all)
    t.strictSame(await cusips({ as_of: '2025-02-01' }), all, 'then they were active')
    const { meta } = await engine.call('export', { data_type: 'pricing' })
    t.equal(meta.total, 3)
    t.strictSame(
      await cusips({ date_from: '2025-01-01', is_active: false }),
      [],
      'on their days they were active',
    )
  })

  await t.test('a bond is retired from the first report that no later one took back', async t => {
    const retiredFrom = async (as_of: string) => {
      const { data } = await engine.call('search.bonds', {
        cusip: '000000DD8',
        fields: ['status', 'retired_from', 'is_active'],
        as_of,
      })
      return data[0]
    }
    t.strictSame(await retiredFrom('2025-06-02'), {
      status: 'retired',
      retired_from: '2025-03-01',
      is_active: false,
    })
    t.match(await retiredFrom('2025-02-01'), { status: 'active', retired_from: null })
    t.match(await retiredFrom('2024-12-03'), { status: 'retired', retired_from: '2024-12-02' })
  })

  await t.test('date is the same as as_of', async t => {
    for (const day of ['2025-02-01', '2025-06-02', '2025-03-15']) {
      const [dated, asOf] = [
        await engine.call('search.pricing', { date: day, explain: true }),
        await engine.call('search.pricing', { as_of: day, explain: true }),
      ]
      t.strictSame(dated.data, asOf.data, day)
      t.equal(dated.meta['as_of'], `${day}T23:59:59Z`)
      t.strictSame(dated.meta, asOf.meta, day)
    }
    const [row] = (await engine.call('search.pricing', { date: '2025-02-01', cusip: '000000AA7' })).data
    t.match(row, { last_price: 95, staleness_days: 30, is_stale: false })
    t.type(row!.z_spread, 'number', 'figures of the latest price are there too')
    await t.rejects(engine.call('search.pricing', { date: '2025-07-01' }), {
      code: 'INVALID_PARAMETER',
      details: { parameter: 'date' },
    })
    await t.rejects(engine.call('search.pricing', { date: '2025-05-01', as_of: '2025-04-01' }), {
      code: 'INVALID_PARAMETER',
      details: { parameter: 'date' },
    })
  })

  await t.test('a price more than thirty days old is marked in every answer', async t => {
    const { data } = await engine.call('search.pricing', { is_active: false, limit: 1 })
    t.match(data[0], { staleness_days: 151, is_stale: true })
    const bonds = await engine.call('search.bonds', { cusip: '000000CC1,000000AA7,000000BB4', sort: 'cusip' })
    t.strictSame(
      bonds.data.map(({ pricing }) => pricing?.is_stale ?? null),
      [false, null, true],
    )
    const old = await engine.call('search.bonds', { is_active: false, max_staleness: 30 })
    t.equal(old.meta.total, 0)
    const { data: resolved } = await engine.call('resolve.bond', { cusip: '000000CC1' })
    t.equal(resolved.matches[0]!.bond.pricing?.is_stale, true)
  })
})
