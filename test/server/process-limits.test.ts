import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { serving, stateOf, until } from './serving.ts'
import { ask } from './start.ts'

const skip = process.platform !== 'linux' && 'processes are looked at as on Linux'
const lake = await builtLake(t.teardown, twoIssuers)
const state = await stateOf(t, lake.root)
const { key } = await state.createKey({ email: 'ana@example.com', tier: 'business' })

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024

const dial = (port: number): Socket => connect(port, '127.0.0.1').on('error', () => {})

t.test('a server limited to 64 files starts, refuses what is too much, and recovers', { skip }, async t => {
  const server = await serving(t, ['--lake', lake.root], { shell: 'ulimit -n 64' })
  const status = (path = '/v1/bonds') =>
    ask(server.url, path, { key, headers: { Connection: 'close' } }).then(
      answer => answer.status,
      () => 0,
    )
  t.equal(await status(), 200)
  const workers = server.workers()
  const pids = [server.child.pid!, ...workers]
  const before = pids.map(filesOf)
  for (let round = 0; round < 2; round++) {
    const clients = Array.from({ length: 200 }, () => dial(server.port))
    // 503, or reset where even that is too much.
    const refused = await until(async () => {
      const got = await status()
      return got === 200 ? null : { got }
    })
    t.ok([0, 503].includes(refused.got), `it is told ${refused.got}`)
    for (const client of clients) client.destroy()
    await until(async () => (await status()) === 200)
  }
  t.equal(await status('/v1/companies?format=csv'), 200)
  t.strictSame(server.workers(), workers, 'no process ended over it')
  await until(() => pids.every((pid, i) => filesOf(pid) <= before[i]! + 1))
  t.strictSame(await server.stop(), { code: 0, signal: null })
})

const idleSockets = Number(process.env['TRANCHE_IDLE_SOCKETS'] ?? 400)
/** A generous bound: both processes have some buffers and objects per connection. */
const BYTES_EACH = 64 << 10

t.test(
  `${idleSockets} idle connections cost a bounded amount, and others are answered`,
  { skip },
  async t => {
    const server = await serving(t, ['--lake', lake.root])
    const count = async () => {
      const { text } = await ask(server.url, '/metrics', {})
      return Number(/^tranche_connections (\d+)$/m.exec(text)![1])
    }
    for (let i = 0; i < 20; i++) t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)
    await count()
    const pids = [server.child.pid!, ...server.workers()]
    const files = pids.map(filesOf)
    const memory = pids.map(memoryOf).reduce((a, b) => a + b)
    const clients: Socket[] = []
    // Half of them send nothing, half begin a request and never end it.
    while (clients.length < idleSockets) {
      const some = Array.from({ length: Math.min(100, idleSockets - clients.length) }, () =>
        dial(server.port),
      )
      for (const [i, client] of some.entries()) if (i % 2) client.write('GET / HTTP/1.1\r\nHost: x\r\nX-')
      clients.push(...some)
      const open = () => clients.filter(client => client.readyState === 'open').length
      await until(async () => (await count()) >= Math.min(open(), clients.length - 50))
      t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)
    }
    const grown = pids.map(memoryOf).reduce((a, b) => a + b) - memory
    t.ok(grown < (64 << 20) + idleSockets * BYTES_EACH, `${Math.round(grown / 2 ** 20)} MB more`)
    t.ok(filesOf(pids[0]!) <= files[0]! + 2, 'the process that holds the port holds none of them')
    for (const client of clients) client.destroy()
    await until(async () => (await count()) <= 2)
    await until(() => pids.every((pid, i) => filesOf(pid) <= files[i]! + 2))
    t.strictSame(await server.stop(), { code: 0, signal: null })
  },
)
