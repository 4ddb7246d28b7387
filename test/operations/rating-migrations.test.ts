import t from 'tap'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import { type Rows, twoIssuers } from '../make-lake.ts'

const names = ['FALL', 'RISE', 'DOWN', 'SAME', 'LONG', 'ADDS']
const rating = (ticker: string, agency: string, letter: string, day: string, known = day) => ({
  ticker,
  agency,
  rating: letter,
  effective_date: day,
  known_from: known,
})

const rows: Rows = {
  prices: twoIssuers['prices']!,
  bonds: twoIssuers['bonds']!,
  companies: names.map((ticker, i) => ({
    ticker,
    name: `${ticker} Corp`,
    sector: i % 2 === 0 ? 'Energy' : 'Utilities',
    ...(ticker === 'DOWN' && { coverage: 'extended' }),
  })),
  ratings: [
    rating('FALL', 'sp', 'BBB-', '2023-01-10'),
    rating('FALL', 'moodys', 'Baa3', '2023-01-10'),
    rating('FALL', 'moodys', 'Ba1', '2024-06-10', '2024-06-12'),
    rating('RISE', 'sp', 'BB+', '2023-02-10'),
    rating('RISE', 'sp', 'BBB', '2024-07-10'),
    rating('DOWN', 'fitch', 'BB', '2023-02-10'),
    rating('DOWN', 'fitch', 'B+', '2024-07-10'),
    rating('SAME', 'sp', 'A', '2023-02-10'),
    // A rating too old to count on the first day.
    rating('LONG', 'sp', 'A', '2010-02-10'),
    rating('LONG', 'sp', 'BB', '2024-07-10'),
    // The lower of two moves the composite, and no agency changed its mind.
    rating('ADDS', 'fitch', 'BBB', '2023-02-10'),
    rating('ADDS', 'sp', 'BB', '2024-08-10'),
  ],
}

const crossing = 'fallen_angel,rising_star'

t.test('issuers whose composite rating moved between two days', async t => {
  const lake = await builtLake(t.teardown.bind(t), rows)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const ask = (input: Record<string, unknown>, options = {}) =>
    engine.call('search.migrations', { since: '2024-01-01', until: '2025-01-01', ...input }, options)
  const found = async (input: Record<string, unknown>) =>
    (await ask(input)).data.map(row => `${row.ticker} ${row.migration}`)

  const { data, meta } = await ask({ migration: crossing })
  t.match(meta, { total: 2, since: '2024-01-01', until: '2025-01-01' })
  t.match(data, [
    {
      ticker: 'FALL',
      migration: 'fallen_angel',
      previous_bucket: 'IG',
      rating_bucket: 'HY-BB',
      notches: -1,
      previous_moodys_rating: 'Baa3',
      moodys_rating: 'Ba1',
      sp_rating: 'BBB-',
      rating_date: '2024-06-10',
    },
    { ticker: 'RISE', migration: 'rising_star', previous_bucket: 'HY-BB', rating_bucket: 'IG', notches: 2 },
  ])
  t.strictSame(await found({ migration: 'downgrade' }), ['DOWN downgrade'])
  t.strictSame(await found({ sector: 'energy' }), ['DOWN downgrade', 'FALL fallen_angel'])
  t.strictSame(await found({ ticker: 'RISE' }), ['RISE rising_star'])
  t.strictSame(await found({ ticker: 'ADDS' }), [], 'a further agency is no rating action')
  t.strictSame(await found({ sort: '-ticker' }), ['RISE rising_star', 'FALL fallen_angel', 'DOWN downgrade'])
  const early = await ask({ until: '2024-06-11' })
  t.strictSame(early.data, [], 'what was not known yet moved nobody')
  t.strictSame(early.meta['empty_because'], [
    '5 issuers have a composite rating on both days, and 0 of them moved',
  ])
  t.strictSame((await ask({ rating_max_age: 30 })).meta['empty_because'], [
    '6 issuers are rated on both days, but have no composite: their ratings are older than 30 days (rating_max_age), or withdrawn',
  ])
  t.strictSame(await found({ rating_max_age: 'none', ticker: 'LONG' }), ['LONG fallen_angel'])
  t.strictSame((await ask({ migration: 'downgrade' }, { coverage: 'standard' })).data, [])
  const { data: explained } = await ask({ ticker: 'FALL', explain: true })
  t.match(explained[0], {
    _explain: {
      previous: { rating_rank: 10, letters: [{ agency: 'moodys', rating: 'Baa3' }, { agency: 'sp' }] },
      current: {
        rating_rank: 11,
        letters: [{ rating: 'Ba1', rating_date: '2024-06-10', source: 'test' }, {}],
      },
    },
  })
  t.strictSame((await ask({ migration: crossing, fields: 'ticker', limit: 1, offset: 1 })).data, [
    { ticker: 'RISE' },
  ])
  await t.rejects(ask({ since: '2025-01-01' }), { code: 'INVALID_PARAMETER' })
  await t.rejects(ask({ until: '2030-01-01' }), { code: 'INVALID_PARAMETER' })
})
