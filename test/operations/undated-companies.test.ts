import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

t.test('companies that only reference rows without a date name are counted under as_of', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    ...twoIssuers,
    // A curve makes an early day one that can be asked for.
    treasury_yields: [
      { ...twoIssuers['treasury_yields']?.[0], date: '1985-01-02', known_from: '1985-01-02' },
    ],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const asked = async (input: Record<string, unknown>) => {
    const { meta } = await engine.call('search.companies', input)
    return [meta.total, meta['warnings']]
  }
  t.strictSame(await asked({ as_of: '1990-01-01' }), [
    2,
    [
      '2 companies are named by reference rows without a date only: no statement, rating or bond is known as of 1990-01-01',
    ],
  ])
  t.strictSame(await asked({ as_of: '1990-01-01', sector: 'Energy' }), [
    1,
    [
      '1 company is named by reference rows without a date only: no statement, rating or bond is known as of 1990-01-01',
    ],
  ])
  t.strictSame(await asked({ as_of: '1990-01-01', min_leverage: 0 }), [0, undefined])
  t.strictSame(await asked({}), [2, undefined])
  t.strictSame(await asked({ as_of: '2025-06-02' }), [2, undefined])
})
