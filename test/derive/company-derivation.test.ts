import { readdir } from 'node:fs/promises'
import t from 'tap'
import { open } from '../../engine/engine.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { openSample } from '../sample-engine.ts'

/** Companies of the sample that each pair of days is looked at for; all of them where the environment says so. */
const some = process.env['TRANCHE_ALL_COMPANIES'] ? Number.POSITIVE_INFINITY : 2

// The sample is made first where it was not. A company takes about a second, and the whole sample has 253, twice.
t.setTimeout(some === Number.POSITIVE_INFINITY ? 7_200_000 : 600_000)

t.test('changes derived for one company equal those from whole days', async t => {
  // In lakes of their own: a day whose tables are in files is read from these.
  const whole = await open((await openSample(t)).lake, { companiesOfDay: 0 })
  const alone = await open((await openSample(t)).lake, { companiesOfDay: 1_000_000 })
  for (const engine of [whole, alone]) t.teardown(() => engine.close())
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
  for (const [since, until] of some === Number.POSITIVE_INFINITY ? pairs : pairs.slice(1)) {
    for (const ticker of tickers.slice(0, some)) {
      const input = { ticker, since, until, explain: true }
      const wanted = (await whole.call('changes.company', input)).data
      t.ok(wanted._explain)
      t.strictSame((await alone.call('changes.company', input)).data, wanted, `${ticker} ${since} ${until}`)
    }
  }
})

t.test('changes of a day of which only some tables are derived do not derive the others', async t => {
  const engine = await openSample(t)
  const { lake } = engine
  const since = `${Number(engine.manifest.as_of!.slice(0, 4)) - 1}-03-29`
  const kept = async (): Promise<string[]> => {
    const days = await readdir(inLake(lake, 'days', since), { recursive: true })
    return days.filter(name => /\b(pricing_history|(other_)?financials(-\w+)?)\.json$/.test(name))
  }
  const { data } = await engine.call('search.bonds', { as_of: since, has_pricing: true, limit: 1 })
  const input = { ticker: data[0]!.company_ticker!, since }
  const wanted = (await engine.call('changes.company', input)).data
  engine.close()
  t.strictSame(await kept(), [])

  const whole = await open(lake, { companiesOfDay: 0 })
  t.teardown(() => whole.close())
  t.strictSame((await whole.call('changes.company', input)).data, wanted)
  t.equal((await kept()).length, 2)
  const later = await open(lake)
  t.teardown(() => later.close())
  t.strictSame((await later.call('changes.company', input)).data, wanted, 'read from the files of the day')
})
