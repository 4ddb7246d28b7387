import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { type Client, client, TrancheError } from '../../server/v1/client.ts'
import { clientRoutesText } from '../../server/v1/client-routes-text.ts'
import { everyEndpoint } from '../../server/v1/every-endpoint.ts'
import { root } from '../root.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit
}

/** A client whose server answers from a list. */
function answered(...answers: (Response | (() => Response))[]) {
  const sent: Sent[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    sent.push({ url: String(url), init })
    const next = answers[sent.length - 1]
    if (!next) throw new Error('one request too many')
    return typeof next === 'function' ? next() : next
  }
  return {
    sent,
    client: client({ url: 'https://debt.test/', key: 'tr_1', fetch: fetch as typeof globalThis.fetch }),
  }
}

const ok = (body: unknown) => Response.json(body)
const page = (data: unknown[], total: number, snapshot = 's1') =>
  ok({ data, meta: { total, limit: 2, offset: 0, snapshot, request_id: 'r' } })
const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { code, message: `m ${code}`, details: { a: 1 }, request_id: 'r9' } },
    { status, headers },
  )

t.test("the client's routes equal the declarations", async t => {
  const text = await readFile(join(root, 'server/v1/client-routes.ts'), 'utf8')
  t.equal(text, clientRoutesText(everyEndpoint), 'run "npm run docs"')
})

t.test('the client imports little enough to run in a browser', async t => {
  const text = await readFile(join(root, 'server/v1/client.ts'), 'utf8')
  const imported = [...text.matchAll(/^import (?!type )[^;]*?from '([^']+)'/gm)].map(m => m[1])
  t.strictSame(imported, ['../../engine/base/exact-number.ts', './client-routes.ts'])
  for (const name of ['engine/base/exact-number.ts', 'server/v1/client-routes.ts'])
    t.notMatch(await readFile(join(root, name), 'utf8'), /^import/m)
})

t.test('a call becomes a path and a query, with lists as comma text, quoted where necessary', async t => {
  const { sent, client } = answered(page([], 0), page([], 0), ok({ data: {}, meta: {} }))
  await client.call('search.bonds', {
    ticker: ['ALFA', 'BETA'],
    sector: ['Oil, Gas'],
    min_ytm: 8,
    has_pricing: true,
    fields: undefined,
  })
  await client.call('history.pricing', { cusip: '000000AA7', aggregation: 'weekly' })
  await client.call('traverse.entities', {
    start: { type: 'company', id: 'ALFA' },
    relationships: ['debt'],
  })
  t.strictSame(
    sent.map(s => [s.init.method, s.url]),
    [
      [
        'GET',
        'https://debt.test/v1/bonds?ticker=ALFA%2CBETA&sector=%22Oil%2C+Gas%22&min_ytm=8&has_pricing=true',
      ],
      ['GET', 'https://debt.test/v1/bonds/000000AA7/pricing/history?aggregation=weekly'],
      ['POST', 'https://debt.test/v1/entities/traverse'],
    ],
  )
  t.match(sent[0]!.init.headers, { 'X-API-Key': 'tr_1' })
  t.equal(sent[2]!.init.body, '{"start":{"type":"company","id":"ALFA"},"relationships":["debt"]}')
  t.match(sent[2]!.init.headers, { 'Content-Type': 'application/json' })
})

t.test('SQL keeps numbers beyond a double in both directions, like the library', async t => {
  const big = '9007199254740993'
  const { sent, client } = answered(
    new Response(
      `{"data":[{"n":${big},"list":[${big}],"d":12345678901234567890.5,"x":1.5}],"meta":{"total":1}}`,
    ),
  )
  const { data } = await client.call('sql', { sql: 'SELECT $n', params: { n: BigInt(big) } })
  t.equal(sent[0]!.init.body, `{"sql":"SELECT $n","params":{"n":${big}}}`)
  t.strictSame(data, [{ n: BigInt(big), list: [BigInt(big)], d: '12345678901234567890.5', x: 1.5 }])
})

t.test("an error answer is an error with the server's message", async t => {
  const { client } = answered(refused(404, 'INVALID_TICKER'), new Response('<html>', { status: 502 }))
  const error = await client.call('search.companies', { ticker: 'X' }).catch(e => e)
  t.ok(error instanceof TrancheError)
  t.match(error, {
    status: 404,
    code: 'INVALID_TICKER',
    message: 'm INVALID_TICKER',
    details: { a: 1 },
    requestId: 'r9',
  })
  await t.rejects(client.call('auth.me'), { status: 502, code: 'HTTP_502', message: '<html>' })
})

t.test('after 429 and 503 it waits as told, up to its maximum', async t => {
  const soon = { 'Retry-After': '0' }
  const again = answered(refused(429, 'RATE_LIMITED', soon), refused(503, 'OVERLOADED', soon), page([1], 1))
  t.strictSame((await again.client.call('search.companies')).data, [1])
  const thrice = answered(...[1, 2, 3].map(() => refused(429, 'RATE_LIMITED', soon)))
  await t.rejects(thrice.client.call('search.companies'), { code: 'RATE_LIMITED' })
  t.equal(thrice.sent.length, 3)
  const late = answered(refused(429, 'RATE_LIMITED', { 'Retry-After': '3600' }))
  await t.rejects(late.client.call('search.companies'), { code: 'RATE_LIMITED' })
  const never = answered(refused(400, 'INVALID_PARAMETER'))
  await t.rejects(never.client.call('search.companies'), { code: 'INVALID_PARAMETER' })
  const slow = answered(refused(503, 'NOT_READY', { 'Retry-After': '30' }))
  const leave = new AbortController()
  setTimeout(() => leave.abort(), 20)
  await t.rejects(slow.client.call('search.companies', {}, { signal: leave.signal }), { name: 'AbortError' })
})

t.test('pages returns every row of a list, from one snapshot', async t => {
  const all = answered(page([1, 2], 3), page([3], 3))
  const rows: unknown[] = []
  for await (const row of all.client.pages('search.companies', { limit: 2 })) rows.push(row)
  t.strictSame(rows, [1, 2, 3])
  t.notMatch(all.sent[0]!.url, /snapshot/)
  t.match(all.sent[1]!.url, /limit=2&offset=2&snapshot=s/)
  const ratings = answered(ok({ ratings: ['BB'], meta: { total: 1, snapshot: 's' } }))
  for await (const row of ratings.client.pages('search.ratings')) t.equal(row, 'BB')
  const moved = answered(page([1, 2], 4), page([3, 4], 4, 's2'))
  await t.rejects(
    (async () => {
      for await (const _ of moved.client.pages('search.companies', { limit: 2 }));
    })(),
    { code: 'SNAPSHOT_CHANGED' },
  )
})

t.test('other formats are returned as bytes or as a stream', async t => {
  const { sent, client } = answered(new Response('ticker\r\n'), new Response('a'))
  t.equal(new TextDecoder().decode(await client.bytes('search.companies', {}, 'csv')), 'ticker\r\n')
  t.match(sent[0]!.url, /\/v1\/companies\?format=csv$/)
  const reader = (await client.stream('export', { data_type: 'bonds' }, 'parquet')).getReader()
  t.strictSame((await reader.read()).value, new Uint8Array([97]))
})

t.test('a call of the wrong shape does not compile', async t => {
  const calls = (c: Client) => [
    c.call('search.companies'),
    c.call('search.bonds', { min_ytm: 5, seniority: 'senior_secured' }, { signal: AbortSignal.timeout(1) }),
    // @ts-expect-error a parameter that is not there
    c.call('search.bonds', { min_ytn: 5 }),
    // @ts-expect-error an operation that is not there
    c.call('search.bond', {}),
    // @ts-expect-error a company has to be named
    c.call('request.coverage'),
    c.call('search.companies', {}).then(({ data }) => [
      data[0]?.leverage_ratio,
      // @ts-expect-error a column that is not there
      data[0]?.leverage,
    ]),
    c.call('search.ratings').then(answer => [
      answer.ratings[0]?.rating,
      // @ts-expect-error ratings stand under their own name
      answer.data,
    ]),
    c.call('resolve.bond', { q: 'x' }).then(({ data }) => data.matches[0]?.bond.cusip),
    c.call('auth.me').then(({ credits }) => credits.remaining),
    c.call('sql', { sql: 'SELECT 1', params: { a: 1 } }).then(({ meta }) => meta.columns[0]?.kind),
    c.call('batch', { operations: [{ primitive: 'search.bonds', params: { min_ytm: 5 } }] }),
    // @ts-expect-error a list that cannot stand in a batch
    c.call('batch', { operations: [{ primitive: 'search.ratings' }] }),
    // @ts-expect-error an answer without rows has no pages
    c.pages('resolve.bond'),
  ]
  t.type(calls, 'function')
})
