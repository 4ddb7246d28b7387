import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

t.test('the library takes as_of and asOf, and refuses unknown options', async t => {
  const lake = await makeLake(t.teardown, twoIssuers)
  await t.rejects(build(lake, { asof: '2025-06-02' } as never), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'asof' },
  })
  await build(lake, { as_of: '2025-06-02' })
  await t.rejects(open(lake, { hotmemory: '0' } as never), {
    code: 'INVALID_PARAMETER',
    message: /hotmemory; did you mean hotMemory/,
  })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const input = { ticker: 'ALFA', latest: true, sort: 'agency', fields: 'rating' } as const
  const own = await engine.call('search.ratings', { ...input, as_of: '2025-01-31' })
  t.strictSame(own.ratings, [{ rating: 'Ba3' }, { rating: 'BB-' }])
  t.equal(own.meta['as_of'], '2025-01-31')
  const others = [
    engine.call('search.ratings', { ...input, asOf: '2025-01-31' }),
    engine.call('search.ratings', input, { asOf: '2025-01-31' }),
    engine.call('search.ratings', input, { as_of: '2025-01-31' }),
    engine.call('search.ratings', { ...input, as_of: '2025-01-31' }, { asOf: '2025-01-31' }),
  ]
  for (const answer of await Promise.all(others)) t.strictSame(answer, own)
  await t.rejects(engine.call('search.ratings', { ...input, as_of: '2025-01-31', asOf: '2025-02-28' }), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'as_of' },
  })
  await t.rejects(engine.call('search.ratings', input, { as_off: '2025-01-31' } as never), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'as_off' },
  })
  const count = "SELECT count(*) AS n FROM ratings WHERE ticker = 'ALFA'"
  t.strictSame(await engine.sql(count, [], { asOf: '2025-01-31' }), [{ n: 2 }])
  t.strictSame(await engine.sql(count, [], { as_of: '2025-01-31' }), [{ n: 2 }])
  await t.rejects(engine.sql(count, [], { asof: '2025-01-31' } as never), { code: 'INVALID_PARAMETER' })
  const streamed = await engine.stream('search.ratings', input, { asOf: '2025-01-31' }, ({ meta }) => meta())
  t.match(streamed, { total: 2, as_of: '2025-01-31' })
})
