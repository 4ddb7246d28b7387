import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'

const bond = (cusip: string, ticker: string) => ({
  cusip,
  name: `${ticker} 5% 2031`,
  ticker,
  coupon_rate: 5,
  rate_type: 'fixed',
  maturity_date: '2031-06-15',
  known_from: '2024-01-01',
})

async function opened(bonds: NonNullable<Rows[string]>) {
  const lake = await makeLake(t.teardown.bind(t), {
    ...twoIssuers,
    bonds: [...twoIssuers['bonds']!, ...bonds],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}

t.test('a list of bonds counts those that it leaves out because their currency is unknown', async t => {
  const engine = await opened([bond('000000CC1', 'ALFA'), bond('000000DD8', 'BETA')])
  const ask = async (input: Record<string, unknown> = {}) => {
    const { data, meta } = await engine.call('search.bonds', { fields: ['id'], ...input } as never)
    return [(data as { id: string }[]).map(({ id }) => id), meta['warnings']]
  }
  const two =
    '2 bonds without a known currency left out: load their currency, or list them with has_currency=false'
  const one =
    '1 bond without a known currency left out: load its currency, or list them with has_currency=false'
  t.strictSame(await ask(), [['ALFA-TLB', '000000AA7', '000000BB4'], [two]])
  t.strictSame(await ask({ currency: 'EUR' }), [[], [two]], 'also of a currency that was asked for')
  t.strictSame(await ask({ ticker: 'BETA' }), [['000000BB4'], [one]], 'of those that the other filters pass')
  t.strictSame(await ask({ min_coupon: 6 }), [['000000AA7'], undefined])
  t.strictSame(await ask({ has_currency: false }), [['000000CC1', '000000DD8'], undefined])
  t.strictSame(await ask({ cusip: '000000CC1' }), [['000000CC1'], undefined])
})

t.test('a list of bonds with known currencies has no warning', async t => {
  const { meta } = await (await opened([])).call('search.bonds', {})
  t.notOk(meta['warnings'])
})
