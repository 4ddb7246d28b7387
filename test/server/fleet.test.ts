import { rename } from 'node:fs/promises'
import { Agent, createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { openStore } from '../../engine/lake/store/open-store.ts'
import { push } from '../../engine/lake/store/push.ts'
import { build } from '../../engine/snapshot/build.ts'
import { openState } from '../../server/state/open.ts'
import { client, TrancheError } from '../../server/v1/client.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { addRows, twoIssuers } from '../make-lake.ts'
import { patient, type Serving, serving, until } from './serving.ts'
import { ask } from './start.ts'
import { startPostgres } from './state/postgres.ts'

/** The nightly run publishes more often. */
const PUBLICATIONS = Number(process.env['TRANCHE_FLEET_PUBLICATIONS'] ?? 7)
/** How long the store is away. */
const AWAY_MS = Number(process.env['TRANCHE_FLEET_AWAY_MS'] ?? 2500)
const SNAPSHOTS = 4
const REPLICAS = 3
const READERS = 3

const timeout = 600_000 + PUBLICATIONS * 10_000 + AWAY_MS
t.setTimeout(timeout)

/** A gateway before replicas: one request each in turn; the next one where a connection fails. */
async function gateway(t: Test, replicas: () => readonly Serving[]) {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((asked, answer) => {
    const targets = replicas()
    const first = turn++
    const forward = (attempt: number): void => {
      const { port } = targets[(first + attempt) % targets.length]!
      const { method, url, headers } = asked
      const sent = request({ agent, port, host: '127.0.0.1', method, path: url, headers }, received => {
        answer.writeHead(received.statusCode!, received.headers)
        received.on('error', () => answer.destroy()).pipe(answer)
      })
      sent.on('error', () => {
        if (answer.headersSent) answer.destroy()
        else if (attempt + 1 < targets.length) forward(attempt + 1)
        else unavailable(answer)
      })
      sent.end()
    }
    forward(0)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const unavailable = (answer: ServerResponse) =>
  answer.writeHead(503, { 'Retry-After': '1' }).end('no replica')

/** Three servers of one store and one state, behind a gateway; the companies of each snapshot. */
async function fleet(t: Test) {
  const lake = await builtLake(t.teardown, twoIssuers)
  const folder = testFolder(t)
  const store = await openStore(pathToFileURL(join(folder, 'store')).href)
  const postgres = await startPostgres()
  const state = typeof postgres === 'string' ? join(folder, 'state.db') : await postgres.database()
  if (typeof postgres === 'string') t.comment(`${postgres}; the replicas share a SQLite file`)
  else t.teardown(() => postgres.stop())

  const companies = new Map<string, readonly string[]>()
  const tickers = ['ALFA', 'BETA']
  for (let i = 0; i < SNAPSHOTS; i++) {
    tickers.push(`NEW${i}`)
    await addRows(lake, { companies: [{ ticker: `NEW${i}`, name: `Newcomer ${i} Corp` }] })
    const { id } = await build(lake)
    companies.set(id, [...tickers])
  }
  const ids = [...companies.keys()]
  const publish = (id: string) => push(lake, id, store, { force: true })
  for (const id of ids) await publish(id)

  const keys = await openState(state)
  t.teardown(() => keys.close())
  const replica = (place: number) =>
    serving(t, [
      ...['--lake', store.url, '--state', state, '--cache-in', join(folder, `copy${place}`)],
      ...['--every', '1', ...patient],
    ])
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, (_, place) => replica(place)))
  const url = await gateway(t, () => replicas)
  const makeKey = async (how: Parameters<typeof keys.createKey>[0]) => (await keys.createKey(how)).key
  const started = [...replicas]
  const addReplica = async (place: number) => {
    const added = await replica(place)
    started.push(added)
    replicas.push(added)
  }
  return { url, store, publish, ids, companies, replicas, started, addReplica, makeKey }
}

/** A failed request in words, with what the replicas logged of it. */
function failure(error: unknown, replicas: readonly Serving[]): string {
  if (!(error instanceof TrancheError)) return String(error)
  const { status, code, message, requestId } = error
  const lines = replicas.flatMap(({ out, err }) => `${out()}${err()}`.split('\n'))
  const logged = requestId === null ? [] : lines.filter(line => line.includes(requestId))
  return [`${status} ${code}: ${message}`, ...logged].join('\n')
}

t.test('three replicas of a store answer as one server', { timeout }, async t => {
  const { url, store, publish, ids, companies, replicas, started, addReplica, makeKey } = await fleet(t)
  const screen = { fields: 'ticker', sort: 'ticker' } as const
  const known = new Set([...companies.values()].map(tickers => tickers.join()))
  const wrong: string[] = []
  let passes = 0
  let reading = true

  /** Reads all pages, each from another replica, and single pages between. */
  const read = async (reader: number) => {
    for (let n = 0; reading; n++) {
      // A minute of one key allows 500 requests.
      const key = await makeKey({ email: `reader${reader}-${n}@example.com`, tier: 'business' })
      for (let pass = 0; reading && pass < 40; pass++) {
        const rows: string[] = []
        const { pages, call } = client({ url, key, retries: 30 })
        try {
          for await (const { ticker } of pages('search.companies', { ...screen, limit: 1 }))
            rows.push(ticker!)
          if (!known.has(rows.join())) wrong.push(`pages of several snapshots: ${rows.join()}`)
          const { data, meta } = await call('search.companies', screen)
          const expected = companies.get(meta.snapshot)!.join()
          if (data.map(row => row.ticker).join() !== expected)
            wrong.push(`${meta.snapshot} is not ${expected}`)
        } catch (error) {
          wrong.push(failure(error, started))
        }
        passes++
        await pause(20)
      }
    }
  }
  const readers = Array.from({ length: READERS }, (_, i) => read(i))
  const asked = passes
  const key = await makeKey({ email: 'asker@example.com', tier: 'business' })
  const answersOf = (id: string) =>
    until(async () => {
      const all = await Promise.all(replicas.map(one => ask(one.url, '/v1/companies', { key })))
      return all.every(({ body }) => body.meta?.snapshot === id) || pause(200).then(() => false)
    })

  for (let round = 0; round < PUBLICATIONS; round++) {
    await publish(ids[(round * 3) % SNAPSHOTS]!)
    const before = passes
    await until(() => passes > before || wrong.length > 0)
    if (round === Math.floor(PUBLICATIONS / 2)) {
      const [lost] = replicas.splice(1, 1)
      lost!.child.kill('SIGKILL')
      await lost!.ended
      await addReplica(1)
    }
  }
  const last = ids[1]!
  await publish(last)
  await answersOf(last)
  t.strictSame(wrong, [], 'while snapshots are published and a replica is killed')

  const folder = fileURLToPath(store.url)
  await rename(folder, `${folder}.away`)
  await pause(AWAY_MS)
  const before = passes
  await until(() => passes > before + READERS || wrong.length > 0)
  t.strictSame(wrong, [], 'while the store is away')
  await rename(`${folder}.away`, folder)
  await publish(ids[2]!)
  await answersOf(ids[2]!)

  reading = false
  await Promise.all(readers)
  t.strictSame(wrong, [])
  t.ok(passes > asked + PUBLICATIONS, `${passes} passes`)

  const paid = await makeKey({ email: 'paid@example.com', tier: 'pay_as_you_go', credits: 30 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ask(url, '/v1/companies?limit=1&fields=ticker', { key: paid })),
  )
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  t.strictSame(Object.fromEntries(counts), { 200: 30, 402: 20 }, 'thirty credits buy thirty answers')
})

t.test(
  'a snapshot that a replica does not hold is copied when a page of it is asked for',
  { timeout },
  async t => {
    const lake = await builtLake(t.teardown, twoIssuers)
    const folder = testFolder(t)
    const store = await openStore(pathToFileURL(join(folder, 'store')).href)
    const first = (await build(lake)).id
    await push(lake, first, store)
    await addRows(lake, { companies: [{ ticker: 'AAAA', name: 'AAAA Corp' }] })
    const second = (await build(lake)).id
    await push(lake, second, store)
    const state = join(folder, 'state.db')
    const keys = await openState(state)
    t.teardown(() => keys.close())
    const { key } = await keys.createKey({ email: 'a@example.com', tier: 'business' })
    const args = [
      '--lake',
      store.url,
      '--state',
      state,
      '--cache-in',
      join(folder, 'copy'),
      '--every',
      '3600',
    ]
    const { url } = await serving(t, args)
    const total = async (snapshot: string) =>
      (await ask(url, `/v1/companies?snapshot=${snapshot}`, { key })).body.meta?.total

    t.equal(await total(first), 2, 'of before this replica began')
    t.match(await ask(url, '/v1/companies', { key }), { body: { meta: { snapshot: second, total: 3 } } })
    await addRows(lake, { companies: [{ ticker: 'AAAB', name: 'AAAB Corp' }] })
    const third = (await build(lake)).id
    await push(lake, third, store)
    t.equal(await total(third), 4, 'newer than this replica')
    t.match(await ask(url, '/v1/companies?snapshot=20200101T000000Z-0123abcd', { key }), {
      status: 410,
      body: { error: { code: 'SNAPSHOT_GONE' } },
    })
    await rename(join(folder, 'store'), join(folder, 'away'))
    const unknown = await ask(url, '/v1/companies?snapshot=20200101T000000Z-0123abce', { key })
    t.match(unknown, {
      status: 503,
      headers: { 'retry-after': '5' },
      body: { error: { code: 'NOT_READY', message: /cannot be copied from the store now/ } },
    })
  },
)
