import t from 'tap'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'

t.test('a bound that is far below its column is answered with a word on the unit', async t => {
  const lake = await builtLake(t.teardown.bind(t), twoIssuers)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const warned = async (name: string, input: Record<string, unknown>) =>
    ((await engine.ask(name, input))['meta'] as { warnings?: string[] }).warnings
  t.strictSame(await warned('search.bonds', { min_ytm: '0.08', max_coupon: '0.125' }), [
    'max_coupon is in percent: 0.125 is 0.125%; for 12.5% write 12.5',
    'min_ytm is in percent: 0.08 is 0.08%; for 8% write 8',
  ])
  t.strictSame(await warned('search.bonds', { min_spread: '4' }), [
    'min_spread is in basis points: 4 is 0.04%; for 4% write 400',
  ])
  t.strictSame(await warned('search.companies', { min_debt: '5000' }), [
    'min_debt is in cents: 5000 is 50 in dollars; a million dollars is 100000000',
  ])
  t.equal(await warned('search.bonds', { min_ytm: '8', min_spread: '0', max_spread: '10' }), undefined)
})
