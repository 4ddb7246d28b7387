import t from 'tap'
import type { Lake } from '../../engine/lake/lake.ts'
import { prune } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { client } from '../../server/v1/client.ts'
import { builtLake } from '../built-lake.ts'
import { addRows, twoIssuers } from '../make-lake.ts'
import { start } from './start.ts'

t.setTimeout(120_000)

/** Publishes a snapshot with one more company. */
async function publishWith(lake: Lake, ticker: string): Promise<string> {
  await addRows(lake, { companies: [{ ticker, name: `${ticker} Corp` }] })
  return (await build(lake)).id
}

const tickersOf = (body: { data: { ticker: string }[] }) => body.data.map(({ ticker }) => ticker)

/** One lake for all tests, each of which adds to its snapshots or takes from them. */
const lake = await builtLake(t.teardown, twoIssuers)
const { ask, keys, url, engine } = await start(t, { lake })
const first = engine.snapshot
let second = ''
let third = ''

t.test('pages of a named snapshot have its rows while builds publish others', async t => {
  const page = (more: string, how = {}) => ask(`/v1/companies?fields=ticker&sort=ticker&limit=1${more}`, how)
  const opening = await page('')
  t.match(opening.body, { data: [{ ticker: 'ALFA' }], meta: { snapshot: first } })
  second = await publishWith(lake, 'AAAA')
  t.match(await page(''), { body: { data: [{ ticker: 'AAAA' }], meta: { total: 3, snapshot: second } } })

  const next = await page(`&offset=1&snapshot=${first}`)
  t.match(next.body, { data: [{ ticker: 'BETA' }], meta: { total: 2, snapshot: first } })
  t.strictSame(next.body.meta.filters_applied, {})
  const tag = next.headers['etag'] as string
  const again = await page(`&offset=1&snapshot=${first}`, { headers: { 'If-None-Match': tag } })
  t.equal(again.status, 304)
  t.match(await page(`&snapshot=${second}`), { body: { data: [{ ticker: 'AAAA' }] } })
  t.match(await page(`&snapshot=${first.toLowerCase()}`), { body: { meta: { snapshot: first } } })

  const csv = await ask(`/v1/companies?fields=ticker&format=csv&snapshot=${first}`)
  t.equal(csv.text, 'ticker\r\nALFA\r\nBETA\r\n')
  t.equal(csv.headers['x-total-count'], '2')
  const exported = await ask(`/v1/export?data_type=companies&fields=ticker&snapshot=${first}`)
  t.equal(exported.text, csv.text)
  const earlier = await ask(`/v1/financials?ticker=ALFA&as_of=2024-07-01&limit=1&snapshot=${first}`)
  t.match(earlier.body.meta, { snapshot: first, as_of: '2024-07-01' })
  t.match(await ask(`/v1/companies?ticker=AAAA&snapshot=${first}`), {
    status: 404,
    body: { error: { code: 'INVALID_TICKER' } },
  })
  t.match(await ask(`/v1/companies?ticker=BETA&snapshot=${first}`, { key: keys.pro }), { status: 403 })
  const operations = [{ primitive: 'search.companies', params: { fields: 'ticker', snapshot: first } }]
  t.match((await ask('/v1/batch', { body: { operations } })).body, {
    results: [{ data: [{ ticker: 'ALFA' }, { ticker: 'BETA' }], meta: { snapshot: first } }],
  })
})

t.test('the client reads all pages of the snapshot that it began with', async t => {
  const tickers: string[] = []
  const asked = { fields: 'ticker', sort: 'ticker', limit: 1 } as const
  for await (const { ticker } of client({ url, key: keys.business }).pages('search.companies', asked)) {
    tickers.push(ticker!)
    if (tickers.length === 1) third = await publishWith(lake, 'AAAB')
  }
  t.strictSame(tickers, ['AAAA', 'ALFA', 'BETA'])
})

t.test('the library answers from any kept snapshot, in any order', async t => {
  const ids = [first, second, third]
  for (const turn of [ids, ids.toReversed(), ids])
    await Promise.all(
      turn.map(async snapshot => {
        const { meta } = await engine.call('search.companies', { snapshot })
        t.strictSame([meta.snapshot, meta.total], [snapshot, 2 + ids.indexOf(snapshot)])
      }),
    )
  t.equal(engine.snapshot, third)
  const rows: unknown[] = []
  for await (const row of engine.rows('search.companies', { fields: 'ticker', snapshot: first }))
    rows.push(row)
  t.strictSame(rows, [{ ticker: 'ALFA' }, { ticker: 'BETA' }])
})

t.test('a snapshot that is no longer kept is SNAPSHOT_GONE, with those that are', async t => {
  const pinned = `/v1/companies?fields=ticker&snapshot=${first}`
  t.strictSame(tickersOf((await ask(pinned)).body), ['ALFA', 'BETA'], 'open')
  await prune(lake, 2)
  const gone = { code: 'SNAPSHOT_GONE', details: { snapshot: first, available: [third, second] } }
  t.match(await ask(`/v1/bonds?snapshot=${first}`), { status: 410, body: { error: gone } })
  t.match(await ask(`${pinned}&format=csv`), { status: 410, body: { error: gone } })
  t.match(await ask('/v1/companies?snapshot=20200101T000000Z-0123abcd'), {
    status: 410,
    body: { error: { code: 'SNAPSHOT_GONE', details: { snapshot: '20200101T000000Z-0123abcd' } } },
  })
  for (const wrong of ['latest', '../..', `${second}x`])
    t.match(await ask(`/v1/companies?snapshot=${encodeURIComponent(wrong)}`), {
      status: 400,
      body: { error: { code: 'INVALID_PARAMETER', details: { parameter: 'snapshot' } } },
    })
  t.equal((await ask('/v1/companies')).body.meta.total, 4)
})
