import t from 'tap'
import { open } from '../../engine/engine.ts'
import { freshnessText } from '../../engine/snapshot/as-of-day.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'

const later: Rows = {
  ...twoIssuers,
  ratings: [
    ...twoIssuers['ratings']!,
    {
      ticker: 'ALFA',
      agency: 'fitch',
      rating: 'BB',
      effective_date: null,
      known_from: '2026-07-26',
      source: 'list.csv:2',
    },
  ],
  treasury_yields: [
    ...twoIssuers['treasury_yields']!,
    { date: '2026-02-20', tenor_months: 12, rate: 4, publisher: 'fred', known_from: '2026-02-20' },
  ],
}

t.test('the newest trade, price or filing sets the as-of day, curves and lists do not', async t => {
  const lake = await makeLake(t.teardown.bind(t), later)
  const { as_of, freshness } = await build(lake)
  t.equal(as_of, '2025-06-02')
  t.match(freshness, {
    set_by: { dataset: 'prices', latest: '2025-06-02', source: 'test' },
    left_out: [
      { dataset: 'ratings', rows: 1, latest: '2026-07-26' },
      { dataset: 'treasury_yields', rows: 1, latest: '2026-02-20' },
    ],
    aged_out: { companies_with_figures: 1, stale_figures: 0, priced_bonds: 1, stale_prices: 0 },
  })
  const text = freshnessText(freshness!)
  t.match(
    text[0],
    /^as of 2025-06-02, set by the newest row of prices \(test\): 1 bond priced within 30 days/,
  )
  t.match(text.join('\n'), /left out: 1 row of ratings became known only later, up to 2026-07-26/)
  t.match(text.join('\n'), /--as-of 2026-07-26 \(newest ratings\): 0 bonds priced .*, 0 filers .*, no curve/)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  t.equal((await engine.call('search.companies', { ticker: 'ALFA' })).data[0]!.fitch_rating, null)
})

t.test('a given as-of day reports what has aged', async t => {
  const lake = await makeLake(t.teardown.bind(t), later)
  const { freshness } = await build(lake, { asOf: '2026-07-26' })
  t.match(freshness, {
    set_by: null,
    left_out: [],
    aged_out: { companies_with_figures: 1, stale_figures: 1, stale_prices: 1, prices_over_a_year: 1 },
    days: [
      { as_of: '2026-07-26', because: 'asked for', bonds_priced: 0 },
      { as_of: '2026-02-20', has_curve: true },
      { as_of: '2025-06-02', because: 'prices', bonds_priced: 1, filers_with_figures: 1 },
    ],
  })
})

t.test('a lake with only lists is as of the newest of them', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    companies: later['companies']!,
    ratings: later['ratings']!,
  })
  t.equal((await build(lake)).as_of, '2026-07-26')
})
