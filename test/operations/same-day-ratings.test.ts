import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'

t.test('of several ratings of one day a withdrawal is the newest, else the lower', async t => {
  const companies = ['A', 'B', 'C', 'D', 'E', 'F'].map(letter => ({
    ticker: `ZZ${letter}`,
    name: `Zeta ${letter} Corp`,
  }))
  // Several, as the order of ids is as good as random.
  const pairs = [
    ['BB', 'NR'],
    ['B', 'NR'],
    ['CCC', 'NR'],
    ['BB', 'B+'],
    ['BBB', 'BB'],
    ['B', 'CCC'],
  ] as const
  const ratings = companies.flatMap(({ ticker }, i) =>
    pairs[i]!.map(rating => ({
      ticker,
      agency: 'sp',
      rating,
      rating_type: 'issuer',
      effective_date: '2024-01-05',
      known_from: '2024-01-05',
    })),
  )
  const lake = await builtLake(t.teardown, { companies, ratings })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const newest = ['NR', 'NR', 'NR', 'B+', 'BB', 'CCC']
  const listed = await engine.call('search.companies', { sort: 'ticker' })
  t.strictSame(
    listed.data.map(row => row.sp_rating),
    newest,
  )
  t.strictSame(
    listed.data.map(row => row.rating_bucket),
    ['NR', 'NR', 'NR', 'HY-B', 'HY-BB', 'HY-CCC'],
  )
  const { ratings: latest } = await engine.call('search.ratings', { latest: true, sort: 'ticker' })
  t.strictSame(
    latest.map(row => row.rating),
    newest,
  )
  const found: unknown[] = []
  await verifyFigures(lake, await currentManifest(lake), { found: difference => found.push(difference) })
  t.strictSame(found, [])
})
