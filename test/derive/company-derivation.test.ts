import t from 'tap'
import { open } from '../../engine/engine.ts'
import { openSample } from '../sample-engine.ts'

/** Companies of the sample that each pair of days is looked at for; all of them where the environment says so. */
const some = process.env['TRANCHE_ALL_COMPANIES'] ? Number.POSITIVE_INFINITY : 3

// The sample is made first where it was not. A company takes about a second, and the whole sample has 253, twice.
t.setTimeout(some === Number.POSITIVE_INFINITY ? 7_200_000 : 600_000)

t.test('changes derived for one company equal those from whole days', async t => {
  const whole = await openSample(t)
  const alone = await open(whole.lake, { companiesOfDay: 1_000_000 })
  t.teardown(() => alone.close())
  const tickers = (
    await whole.sql<{ ticker: string }>(
      'SELECT ticker FROM companies WHERE ticker IS NOT NULL ORDER BY md5(ticker)',
    )
  ).map(row => row.ticker)
  const latest = whole.manifest.as_of!
  const year = Number(latest.slice(0, 4))
  const pairs = [
    [`${year - 1}${latest.slice(4)}`, latest],
    [`${year - 2}-03-31`, `${year - 1}-10-31`],
  ] as const
  for (const [since, until] of pairs) {
    // A query of the whole day derives it, and every company is then read from it.
    for (const as_of of [since, until]) await whole.call('search.companies', { as_of, limit: 1 })
    for (const ticker of tickers.slice(0, some)) {
      const input = { ticker, since, until }
      const wanted = (await whole.call('changes.company', input)).data
      t.strictSame((await alone.call('changes.company', input)).data, wanted, `${ticker} ${since} ${until}`)
    }
  }
})
