import t from 'tap'
import { open } from '../../engine/engine.ts'
import { exportedResources } from '../../engine/operations/export.ts'
import { byNight } from '../by-night.ts'
import { openSample } from '../sample-engine.ts'

// The sample is generated first if it was not prepared.
t.setTimeout(600_000)

const warm = await openSample(t)
/** Has no table in memory: every record and count is DuckDB's. */
const cold = await open(warm.lake, { hotMemory: '0' })
t.teardown(() => cold.close())

const tickers = (
  await warm.sql<{ ticker: string }>('SELECT ticker FROM companies WHERE ticker IS NOT NULL ORDER BY ticker')
).map(row => row.ticker)
const latest = warm.manifest.as_of!

type Input = Readonly<Record<string, unknown>>
/** Repeated until the tables are in memory. */
const asked = async (name: string, input: Input): Promise<string[]> => {
  const answers: string[] = []
  for (let i = 0; i < 3; i++) answers.push(JSON.stringify(await warm.ask(name, input)))
  return answers
}

t.test("facets counted in memory equal DuckDB's", async t => {
  const filters: readonly Input[] = [
    { ticker: tickers.slice(0, 40) },
    { min_coupon: 4, max_coupon: 7 },
    { newest: true },
  ]
  for (const data_type of Object.keys(exportedResources))
    for (const filter of filters) {
      const input = { data_type, ...filter }
      const wanted = await cold.ask('count.facets', input).catch((error: Error) => error.message)
      if (typeof wanted === 'string') continue
      // The first queries arrive while the tables are being loaded.
      await asked('count.facets', input)
      t.equal(
        JSON.stringify(await warm.ask('count.facets', input)),
        JSON.stringify(wanted),
        JSON.stringify(input),
      )
    }
})

t.test('records of a traversal are the same from memory', async t => {
  for (const ticker of tickers.slice(0, 12))
    for (const relationships of ['subsidiaries', 'guarantees', 'debt']) {
      const input = { start: `company:${ticker}`, relationships, direction: 'both', depth: 4 }
      const wanted = JSON.stringify(await cold.ask('traverse.entities', input))
      for (const answer of await asked('traverse.entities', input)) t.equal(answer, wanted, ticker)
    }
})

t.test('records of resolved bonds are the same from memory', async t => {
  for (const ticker of tickers.slice(0, 12)) {
    const input = { q: `${ticker} 2030`, limit: 20 }
    const wanted = JSON.stringify(await cold.ask('resolve.bond', input))
    for (const answer of await asked('resolve.bond', input)) t.equal(answer, wanted, ticker)
  }
})

t.test('changes of every company are the same from the states of all in memory', async t => {
  const since = `${Number(latest.slice(0, 4)) - 1}${latest.slice(4)}`
  for (const ticker of tickers.slice(0, byNight ? 20 : 6)) {
    // With explain only one company's rows are read.
    const input = { ticker, since }
    const { data } = await warm.call('changes.company', { ...input, explain: true })
    const { _explain, ...wanted } = data
    t.ok(_explain)
    t.strictSame((await warm.call('changes.company', input)).data, wanted, ticker)
  }
})
