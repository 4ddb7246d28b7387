import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { readCurrent } from '../../engine/lake/snapshot.ts'
import { openStore } from '../../engine/lake/store/open-store.ts'
import { push } from '../../engine/lake/store/push.ts'
import { openState } from '../../server/state/open.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { twoIssuers } from '../make-lake.ts'
import { patient, serving } from './serving.ts'
import { ask } from './start.ts'
import { traceReceiver } from './trace-receiver.ts'

t.setTimeout(300_000)

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${CALLER}-01`

t.test('a request is a span with the parts of its work, under the span of its caller', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const folder = testFolder(t)
  const url = pathToFileURL(join(folder, 'store')).href
  const snapshot = (await readCurrent(lake))!
  await push(lake, snapshot, await openStore(url))
  const state = join(folder, 'state.db')
  const keys = await openState(state)
  const { key, accountId } = await keys.createKey({ email: 'a@example.com', tier: 'business' })
  await keys.close()
  const receiver = await traceReceiver()
  t.teardown(() => receiver.close())

  const args = ['--traces', '--lake', url, '--state', state, '--cache-in', join(folder, 'cache'), ...patient]
  const server = await serving(t, [...args, '--enable-sql'], { env: receiver.env })
  const get = (path: string) => ask(server.url, path, { key, headers: { traceparent } })
  t.match(await get('/v1/bonds?limit=1'), { status: 200 })
  t.match(await get('/v1/bonds?limit=2&format=csv'), { status: 200 })
  t.match(await get('/v1/documents/search?q=hunter2'), { status: 200 })
  t.match(await get('/v1/companies?ticker=HUNTER2'), { status: 404 })
  t.match(await ask(server.url, '/v1/companies', {}), { status: 401 })
  const sql = { sql: "SELECT 'hunter2' AS x" }
  t.match(await ask(server.url, '/v1/sql', { method: 'POST', key, body: sql, headers: { traceparent } }), {
    status: 200,
  })
  t.match(await server.stop(), { code: 0 })
  t.match(server.err(), /^snapshot \S+ of file:\S+ is current\n$/)

  const { spans } = receiver
  const requests = spans.filter(({ kind }) => kind === 2)
  const request = (name: string, status: number, operation?: string) =>
    requests.find(
      ({ name: own, attributes }) =>
        own === name &&
        attributes['http.response.status_code'] === status &&
        (operation === undefined || attributes['tranche.operation'] === operation),
    )!
  const partsOf = (id: string) => spans.filter(({ parent }) => parent === id).map(({ name }) => name)
  t.equal(requests.length, 6)
  t.strictSame([...new Set(receiver.resources.map(each => each['service.name']))], ['tranche'])

  const lists = requests.filter(({ name }) => name === 'GET /v1/bonds')
  t.equal(lists.length, 2)
  for (const list of lists) {
    t.match(list, { trace: TRACE, parent: CALLER, status: 0 })
    t.match(list.attributes, {
      'http.route': '/v1/bonds',
      'tranche.operation': 'search.bonds',
      'tranche.account': accountId,
      'tranche.snapshot': snapshot,
      'tranche.lane': 'duckdb',
      'tranche.credits': 1,
    })
    const parts = partsOf(list.id)
    for (const part of ['plan', 'DuckDB', 'encode']) t.ok(parts.includes(part), part)
  }
  t.strictSame(lists.map(({ attributes }) => attributes['tranche.rows']).sort(), [1, 2])

  const search = request('GET /v1/documents/search', 200)
  for (const part of ['queue', 'plan', 'search']) t.ok(partsOf(search.id).includes(part), part)
  t.ok(partsOf(request('POST /v1/sql', 200).id).includes('SQL process'))

  const missing = request('GET /v1/companies', 404)
  t.match(missing, { status: 0, attributes: { 'error.type': 'INVALID_TICKER', 'tranche.credits': 0 } })
  const stranger = request('GET /v1/companies', 401)
  t.match(stranger, { attributes: { 'error.type': 'UNAUTHORIZED' }, parent: '' })
  t.notOk('tranche.account' in stranger.attributes)

  const pulls = spans.filter(({ name }) => name === 'store pull')
  t.match(pulls, [{ parent: '', attributes: { 'tranche.store': url, 'tranche.snapshot': snapshot } }])
  t.notMatch(receiver.text(), /hunter2/i, 'nothing that was asked for is sent')
  t.notMatch(receiver.text(), new RegExp(key.slice(3)), 'no key is sent')
  t.notMatch(receiver.text(), /command/, 'no command line is sent')
})

t.test('a server answers, and stops, although nobody takes its traces', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const server = await serving(t, ['--traces', '--lake', lake.root, ...patient], { env })
  t.match(await ask(server.url, '/healthz', {}), { status: 200 })
  t.match(await server.stop(), { code: 0 })
})

t.test('a server without the package says what to install', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const absent = `export const resolve = (name, context, next) => name === '@opentelemetry/sdk-node' ? next('./absent.js', context) : next(name, context)`
  const hook = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(absent)}`)})`
  await t.rejects(
    serving(t, ['--traces', '--lake', lake.root], {
      node: ['--import', `data:text/javascript,${encodeURIComponent(hook)}`],
    }),
    /ended with code 2: .*--traces needs a package that is not installed: npm install @opentelemetry\/sdk-node/,
  )
})
