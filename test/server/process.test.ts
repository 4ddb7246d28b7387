import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:https'
import { connect } from 'node:net'
import { availableParallelism, getPriority } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { build } from '../../engine/snapshot/build.ts'
import { pauseAfter } from '../../server/process/restart-pause.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'
import { childrenOf, lives, type Serving, serving, stateOf, until } from './serving.ts'
import { ask } from './start.ts'

const lake = await builtLake(t.teardown, twoIssuers)

const readyz = (url: string) => ask(url, '/readyz', {})
const requestsCounted = async ({ url }: Serving, endpoint: string): Promise<number> => {
  const { text } = await ask(url, '/metrics', {})
  const lines = text
    .split('\n')
    .filter(line => line.startsWith(`tranche_requests_total{endpoint="${endpoint}"`))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** The distinct priorities of these threads. */
const prioritiesOf = (ids: readonly number[]) => [
  ...new Set(
    ids.flatMap(id => {
      try {
        return getPriority(id)
      } catch {
        return [] // It has ended.
      }
    }),
  ),
]

t.test('a lake without a snapshot is served once it has one', async t => {
  const lake = await makeLake(t.teardown, twoIssuers)
  const { key } = await (await stateOf(t, lake.root)).createKey({ email: 'ana@example.com', tier: 'pro' })
  const { url, stop } = await serving(t, ['--lake', lake.root])
  t.match(await ask(url, '/v1/bonds', { key }), {
    status: 503,
    headers: { 'retry-after': '5' },
    body: { error: { code: 'NOT_READY', message: /tranche build/ } },
  })
  t.match(await readyz(url), {
    status: 503,
    body: { status: 'not ready', data: /tranche build/, state: 'ok' },
  })
  t.equal((await ask(url, '/healthz', {})).status, 200)
  t.match((await ask(url, '/metrics', {})).text, /^tranche_snapshot_built_seconds 0$/m)

  const { id } = await build(lake)
  t.match(await readyz(url), { status: 200, body: { status: 'ready', snapshot: id, as_of: '2025-06-02' } })
  t.equal((await ask(url, '/v1/bonds', { key })).body.meta.snapshot, id)
  t.strictSame(await stop(), { code: 0, signal: null })
})

t.test(
  'statements run at lower priority than the answering thread',
  { skip: process.platform !== 'linux' && 'threads have a priority of their own on Linux alone' },
  async t => {
    const { key } = await (await stateOf(t, lake.root)).createKey({
      email: 'g@example.com',
      tier: 'business',
    })
    const { url, workers } = await serving(t, ['--lake', lake.root, '--enable-sql'])
    // DuckDB starts threads on its first query.
    t.equal((await ask(url, '/v1/bonds', { key })).status, 200)
    const pid = workers()[0]!
    const own = getPriority(pid)
    const others = readdirSync(`/proc/${pid}/task`)
      .map(Number)
      .filter(thread => thread !== pid)
    t.ok(others.length > 16)
    const lower = availableParallelism() > 1 ? 19 : Math.min(own + 10, 19)
    t.strictSame(prioritiesOf(others), [lower])
    t.strictSame(prioritiesOf(childrenOf(pid)), [Math.min(own + 10, 19)], 'or its statements hardly run')
  },
)

t.test('a killed worker is replaced, without loss of keys, credits or counts', async t => {
  const state = await stateOf(t, lake.root)
  const { key, keyId } = await state.createKey({ email: 'p@example.com', tier: 'pay_as_you_go', credits: 10 })
  const server = await serving(t, ['--lake', lake.root])
  const began = Date.now()
  for (let i = 0; i < 3; i++) t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)
  t.equal(await requestsCounted(server, 'search.bonds'), 3)

  const [killed] = server.workers()
  process.kill(killed!, 'SIGKILL')
  await until(() => server.err())
  // The port stays bound: clients that connect meanwhile wait.
  const answer = await ask(server.url, '/v1/bonds', { key })
  t.equal(answer.status, 200)
  const remaining = Number(answer.headers['x-ratelimit-remaining'])
  if (Date.now() - began < 59_000)
    t.ok(remaining <= 56 && remaining > 45, `the minute goes on: ${remaining} are left`)
  t.notSame(server.workers(), [killed])
  t.match(server.err(), /a server process ended \(SIGKILL\): starting another/)
  t.match(await state.balance(keyId), { remaining: 6, used: 4 })
  t.equal(await requestsCounted(server, 'search.bonds'), 4, 'a counter does not fall')
  await server.stop()
})

t.test('a worker that keeps dying is restarted with growing pauses of at most half a minute', t => {
  t.strictSame([0, 1, 2, 3, 20].map(pauseAfter), [0, 500, 1000, 2000, 30_000])
  t.end()
})

t.test('workers end when their parent is killed, and the port is free', async t => {
  const server = await serving(t, ['--lake', lake.root, '--workers', '2'])
  const workers = server.workers()
  t.equal(workers.length, 2)
  await server.stop('SIGKILL')
  await until(() => !workers.some(lives))
  const again = await serving(t, ['--lake', lake.root, '--port', String(server.port)])
  t.equal((await readyz(again.url)).status, 200)
  await again.stop()
})

t.test('metrics are summed over workers', async t => {
  const { key } = await (await stateOf(t, lake.root)).createKey({
    email: 'ana@example.com',
    tier: 'business',
  })
  const server = await serving(t, ['--lake', lake.root, '--workers', '2'])
  for (let i = 0; i < 10; i++) await ask(server.url, '/v1/bonds', { key })
  t.equal(await requestsCounted(server, 'search.bonds'), 10)
  const { text } = await ask(server.url, '/metrics', {})
  t.match(text, /^tranche_processes 2$/m)
  t.match(text, /^tranche_request_seconds_count\{endpoint="search.bonds"\} 10$/m)
  await server.stop()
})

t.test('every request is one JSON line with its id, and no line contains a key', async t => {
  const state = await stateOf(t, lake.root)
  const { key, keyId } = await state.createKey({ email: 'ana@example.com', tier: 'business' })
  const { url, stop, err, out } = await serving(t, ['--lake', lake.root, '--log-level', 'debug'])
  await ask(url, '/v1/bonds', { key, headers: { 'X-Request-Id': 'desk-1' } })
  await ask(url, `/v1/bonds?api_key=${key}`, { key })
  await ask(url, `/v1/${key}`, { key })
  await ask(url, '/v1/bonds', { key, headers: { 'X-Request-Id': key } })
  await ask(url, '/v1/batch', { key, body: { operations: [{ primitive: key, params: { ticker: key } }] } })
  await ask(url, '/v1/batch', { key, body: `{"${key}` })
  await state.revokeKey(keyId)
  await ask(url, '/v1/bonds', { key })
  await stop()
  const lines = err()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const requests = lines.filter(line => line.msg === 'request')
  t.equal(requests.length, 7)
  t.match(requests[0], {
    request_id: 'desk-1',
    method: 'GET',
    endpoint: 'search.bonds',
    status: 200,
    ms: Number,
    key_id: keyId,
    cost: 1,
  })
  t.ok(requests.every(({ request_id }) => /^[\w-]+$/.test(request_id)))
  t.notMatch(err() + out(), key)
  t.notMatch(err(), key.slice(-24))
  t.equal(lines.at(-1).msg, 'stopped', 'the last line is written')
})

t.test('calls are deleted after their retention', async t => {
  const state = await stateOf(t, lake.root)
  const { keyId, accountId } = await state.createKey({ email: 'long@example.com', tier: 'business' })
  const day = 86_400_000
  const call = (at: number) => ({
    keyId,
    endpoint: 'search.bonds',
    status: 200,
    cost: 1,
    milliseconds: 1,
    at,
  })
  const now = Date.now()
  await state.record([call(now - 3 * day), call(now - 1.5 * day), call(now)])
  const { stop } = await serving(t, ['--lake', lake.root, '--retention', '2'])
  const left = async () =>
    (await state.usage(accountId, now - 5 * day, now + day)).daily.reduce(
      (sum, { queries }) => sum + queries,
      0,
    )
  await until(async () => (await left()) < 3)
  t.equal(await left(), 2)
  await stop()
})

t.test('a second signal ends a server that is still finishing requests', async t => {
  const server = await serving(t, ['--lake', lake.root])
  const slow = connect(server.port, '127.0.0.1')
  slow.on('error', () => {})
  slow.write('POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
  await until(async () => /^tranche_connections 2$/m.test((await ask(server.url, '/metrics', {})).text))
  const workers = server.workers()
  server.child.kill('SIGTERM')
  // It refuses connections, and waits for the rest of the body.
  await until(() =>
    ask(server.url, '/healthz', {}).then(
      () => false,
      () => true,
    ),
  )
  t.ok(workers.every(lives))
  t.strictSame(await server.stop(), { code: 130, signal: null })
  await until(() => !workers.some(lives))
})

const noOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'openssl, which makes the certificate, is not installed here'
  }
})()

t.test('TLS uses the given certificate', { skip: noOpenssl }, async t => {
  const folder = testFolder(t)
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject]
  execFileSync('openssl', made, { stdio: 'ignore' })
  const server = await serving(t, ['--lake', lake.root, '--tls-cert', cert, '--tls-key', key])
  t.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const status = await new Promise((resolve, reject) => {
    get(`${server.url}/readyz`, { ca: readFileSync(cert), agent: false }, response => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
  t.equal(status, 200)
  t.strictSame(await server.stop(), { code: 0, signal: null })
})

const noLimits = process.platform === 'linux' ? false : 'the limit of open files is set as on Linux'

t.test(
  'a server short of file descriptors refuses new clients, and recovers',
  { skip: noLimits },
  async t => {
    const { key } = await (await stateOf(t, lake.root)).createKey({
      email: 'ana@example.com',
      tier: 'business',
    })
    const server = await serving(t, ['--lake', lake.root], { shell: 'ulimit -n 512' })
    const status = () =>
      ask(server.url, '/v1/bonds', { key, headers: { Connection: 'close' } }).then(a => a.status)
    t.equal(await status(), 200)
    const workers = server.workers()
    const clients = Array.from({ length: 300 }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
    await until(async () => (await status().catch(() => 0)) === 503)
    for (const client of clients) client.destroy()
    await until(async () => (await status().catch(() => 0)) === 200)
    t.strictSame(server.workers(), workers, 'no process ended over it')
    await server.stop()
  },
)
