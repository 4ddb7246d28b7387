import t from 'tap'
import { open } from '../../engine/engine.ts'
import { oneOf } from '../by-night.ts'
import { openSample } from '../sample-engine.ts'

// A day is derived anew, which takes a while on a busy machine.
t.setTimeout(180_000)

/** Lists computed for all companies at once, and a filter that narrows each. */
const lists = {
  'search.liquidity': { max_cover: 2, sort: '-cover_12m' },
  'search.maturities': { min_due_percent: 20, sort: '-due_percent' },
  'search.headroom': { max_headroom: 30, ebitda_shock: -10 },
  'search.trade_liquidity': { sort: '-trade_count' },
  'search.relative_value': { min_residual: 10 },
  'search.migrations': { migration: 'downgrade' },
}

t.test(
  'a page of computed rows is the same after other pages, days and coverages as when it is the first',
  async t => {
    const engine = await openSample(t)
    const ask = (of: typeof engine, name: string, input: object, coverage: 'all' | 'standard' = 'all') =>
      of.ask(name, { limit: 20, ...input }, { coverage })
    for (const [name, narrowed] of oneOf(2, Object.entries(lists))) {
      const fresh = await open(engine.lake)
      const expected = await ask(fresh, name, narrowed, 'standard')
      fresh.close()
      await ask(engine, name, {})
      await ask(engine, name, { limit: 5 }, 'standard')
      t.strictSame(await ask(engine, name, narrowed, 'standard'), expected, name)
      const all = (await ask(engine, name, { offset: 0, limit: 1 })) as { meta: { total: number } }
      const standard = (await ask(engine, name, { limit: 1 }, 'standard')) as { meta: { total: number } }
      t.ok(all.meta.total >= standard.meta.total && standard.meta.total > 0, `${name}: coverage`)
    }
  },
)

t.test('computed rows depend on the limit of age and on the day', async t => {
  const engine = await openSample(t)
  const total = async (input: object) => {
    const { data } = await engine.ask('search.liquidity', { limit: 200, ...input })
    return JSON.stringify(data)
  }
  const usual = await total({})
  t.not(await total({ max_age: 30 }), usual)
  t.not(await total({ as_of: '2025-01-31' }), usual)
  t.equal(await total({}), usual)
})
