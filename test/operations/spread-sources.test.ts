import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'

const loaded = (ticker: string, feed: string, spread_bps: number) => ({
  ticker,
  spread_date: '2025-06-02',
  tenor: '5Y',
  spread_bps,
  feed,
  known_from: '2025-06-02',
})

async function opened(spreads: Rows[string]) {
  const lake = await builtLake(t.teardown, { ...twoIssuers, ...(spreads.length > 0 && { spreads }) })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}

const both = await opened([
  loaded('ALFA', 'settlement_price', 310),
  loaded('BETA', 'settlement_price', 150),
  loaded('BETA', 'trade_repository', 170),
])

const question = { group_by: ['spread_date'], metrics: ['median', 'count'], from_date: '2025-06-01' } as const

t.test('statistics use and name one source, unless several are requested', async t => {
  const ask = async (more: { source?: string[] } = {}) => {
    const { data, meta } = await both.call('aggregate.spreads', { ...question, ...more } as never)
    return [(data[0] as { count: number }).count, meta['source']]
  }
  t.strictSame(await ask(), [1, 'bond_spread_proxy'])
  t.strictSame(await ask({ source: ['settlement_price'] }), [2, 'settlement_price'])
  t.strictSame(await ask({ source: ['settlement_price', 'trade_repository'] }), [
    3,
    'settlement_price,trade_repository',
  ])
  t.strictSame(await ask({ source: ['all'] }), [4, 'all'])
  const past = await both.call('aggregate.spreads', { as_of: '2025-05-01', group_by: ['spread_date'] })
  t.equal(past.meta['source'], 'bond_spread_proxy')
})

t.test("without the bonds' own series the one with most rows is used", async t => {
  const { bonds: _bonds, prices: _prices, ...rest } = twoIssuers
  const lake = await makeLake(t.teardown, {
    ...rest,
    spreads: [
      loaded('ALFA', 'settlement_price', 310),
      loaded('BETA', 'settlement_price', 150),
      loaded('BETA', 'trade_repository', 170),
    ],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { meta } = await engine.call('aggregate.spreads', { group_by: ['tenor'] })
  t.equal(meta['source'], 'settlement_price')
})

t.test('a list warns of companies with rows from several sources', async t => {
  const warned = async (input: object) => (await both.call('search.spreads', input)).meta['warnings'] ?? []
  t.match(await warned({}), [/several sources \(bond_spread_proxy, settlement_price, trade_repository\)/])
  t.match(await warned({ ticker: 'BETA' }), [
    /\(settlement_price, trade_repository\): choose one with source/,
  ])
  t.strictSame(await warned({ source: 'settlement_price' }), [])
  t.strictSame(await warned({ ticker: 'ALFA', to_date: '2025-05-01' }), [])
  const alone = await opened([])
  t.strictSame((await alone.call('search.spreads', {})).meta['warnings'] ?? [], [])
  const { meta } = await alone.call('aggregate.spreads', { group_by: ['tenor'] })
  t.equal(meta['source'], 'bond_spread_proxy')
  t.strictSame(meta['filters_applied'], {})
})
