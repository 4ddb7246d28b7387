import { readdirSync, readlinkSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { SILENT_MS, STARVED_MS } from '../../server/process/silence.ts'
import { builtLake } from '../built-lake.ts'
import { byNight } from '../by-night.ts'
import { testFolder } from '../folder.ts'
import { twoIssuers } from '../make-lake.ts'
import { type Serving, serving, until } from './serving.ts'
import { ask } from './start.ts'

const misbehave = fileURLToPath(import.meta.resolve('./misbehave.js'))
const lake = await builtLake(t.teardown, twoIssuers)

interface Way {
  readonly signal?: NodeJS.Signals
  readonly request?: string
  readonly hangs?: boolean
}

/** Every way in which a worker can end, or stop responding: by a signal, or by a request. */
const everyWay: Readonly<Record<string, Way>> = {
  'is killed': { signal: 'SIGKILL' },
  'crashes in native code': { signal: 'SIGSEGV' },
  aborts: { request: 'abort' },
  'throws where nothing catches it': { request: 'throw' },
  'runs out of memory': { request: 'memory' },
  'never returns to its event loop': { request: 'hang', hangs: true },
  'is stopped': { signal: 'SIGSTOP', hangs: true },
}

/** By an exception, and without an end; workers that are killed have a test of their own. */
const EACH_CHANGE = ['throws where nothing catches it', 'never returns to its event loop']
const ways = Object.entries(everyWay).filter(([name]) => byNight || EACH_CHANGE.includes(name))

/** How long a request may wait after its worker has died. */
const ANSWERED_WITHIN_MS = 5000

/** Pause between two requests of a client: load is not under test. */
const PAUSE_MS = 20

const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter(fd => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length

/** Clients that send requests repeatedly, on kept or new connections, and record how long each waited. */
function clients(port: number, count: number) {
  const waits: { began: number; ended: number }[] = []
  const outcomes = { answered: 0, reset: 0, refused: 0 }
  const waiting = new Map<object, number>()
  let stopped = false

  /** One request; true if the connection may be reused. */
  const request = (socket: ReturnType<typeof connect>) =>
    new Promise<boolean>(resolve => {
      if (socket.destroyed) return resolve(false)
      const began = performance.now()
      waiting.set(socket, began)
      let text = ''
      const over = (outcome: keyof typeof outcomes) => {
        socket.removeAllListeners('data').removeAllListeners('close')
        waiting.delete(socket)
        waits.push({ began, ended: performance.now() })
        outcomes[outcome]++
        resolve(outcome === 'answered')
      }
      socket.on('data', chunk => {
        text += chunk
        if (text.endsWith('\r\n0\r\n\r\n')) over('answered')
      })
      socket.on('close', () => over(socket.bytesWritten === 0 ? 'refused' : 'reset'))
      socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    })
  const client = async (keeps: boolean) => {
    while (!stopped) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      while ((await request(socket)) && keeps && !stopped) await setTimeout(PAUSE_MS)
      socket.destroy()
      await setTimeout(PAUSE_MS)
    }
  }
  const all = Array.from({ length: count }, (_, i) => client(i % 2 === 0))
  return {
    outcomes,
    waits,
    /** How long the longest-waiting request has waited. */
    longest: () => Math.max(0, ...[...waiting.values()].map(began => performance.now() - began)),
    async stop() {
      stopped = true
      await Promise.all(all)
    },
  }
}

/** Whether this many workers are serving, according to their counters. */
const serves = (server: Serving, workers: number) =>
  ask(server.url, '/metrics', {}).then(
    ({ text }) => text.includes(`\ntranche_processes ${workers}\n`),
    () => false,
  )

const server = await serving(t, ['--lake', lake.root, '--workers', '2'], {
  node: ['--import', misbehave, '--max-old-space-size=200'],
})
const pid = server.child.pid!
const before = socketsOf(pid)

for (const [name, { signal, request, hangs }] of ways)
  t.test(`a worker that ${name} is replaced, and no request hangs`, async t => {
    const load = clients(server.port, 10)
    await until(() => load.outcomes.answered > 50)
    const workers = server.workers()
    const said = server.err().length
    if (signal) process.kill(workers[0]!, signal)
    else void ask(server.url, '/readyz', { headers: { 'X-Misbehave': request! } }).catch(() => {})
    const told = performance.now()
    await until(() => workers.some(worker => !server.workers().includes(worker)))
    const died = performance.now()
    if (hangs)
      t.ok(died - told < STARVED_MS + ANSWERED_WITHIN_MS, `replaced after ${Math.round(died - told)} ms`)
    await until(() => serves(server, 2))
    const { answered } = load.outcomes
    await until(() => load.outcomes.answered > answered + 50)
    await load.stop()
    // Requests that began before: later ones may wait for the new worker.
    const waits = load.waits.filter(({ began }) => began < died).map(({ ended }) => ended - died)
    t.ok(Math.max(...waits) < ANSWERED_WITHIN_MS, `the longest wait was ${Math.round(Math.max(...waits))} ms`)
    t.equal(load.outcomes.refused, 0, 'the port stays open')
    await until(() => socketsOf(pid) === before)
    const log = server.err().slice(said)
    t.match(log, /a server process ended/)
    if (hangs) t.match(log, /server process \d+ \(.+\) has not answered for 5 seconds and is killed/)
    if (request === 'hang') {
      const lines = log.split('\n').filter(line => line.startsWith('{'))
      t.match(
        lines.map(line => JSON.parse(line)),
        [
          { msg: 'the event loop does not answer', requests: [{ request_id: String, endpoint: '/readyz' }] },
          { msg: 'where the event loop was held up', stack: [/^hangsForEver misbehave\.[jt]s:\d+$/] },
        ],
      )
    }
  })

t.test(
  'while no worker can start, a request is reset within seconds, and served again after that',
  async t => {
    const folder = testFolder(t, { 'needed.mjs': '' })
    const needed = join(folder, 'needed.mjs')
    const server = await serving(t, ['--lake', lake.root], { node: ['--import', needed] })
    await rm(needed)
    process.kill(server.workers()[0]!, 'SIGKILL')
    await until(() => server.err().includes('cannot start'))
    const began = performance.now()
    await t.rejects(ask(server.url, '/healthz', {}))
    const waited = performance.now() - began
    t.ok(waited < SILENT_MS + ANSWERED_WITHIN_MS, `${Math.round(waited)} ms`)
    await writeFile(needed, '')
    await until(() =>
      ask(server.url, '/healthz', {}).then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
    await server.stop()
  },
)

t.test(
  'when the only worker is killed repeatedly, every request is answered or reset, and no descriptor leaks',
  async t => {
    const server = await serving(t, ['--lake', lake.root])
    const pid = server.child.pid!
    const before = socketsOf(pid)
    const load = clients(server.port, 40)
    for (let kills = 0; kills < 4; kills++) {
      const [worker] = await until(() => (server.workers().length > 0 ? server.workers() : null))
      const { answered } = load.outcomes
      await until(() => load.outcomes.answered > answered + 50)
      process.kill(worker!, 'SIGKILL')
      await until(() => !server.workers().includes(worker!))
    }
    await until(() => serves(server, 1))
    t.ok(load.longest() < ANSWERED_WITHIN_MS)
    await load.stop()
    t.equal(load.outcomes.refused, 0, 'the port stays open')
    await until(() => socketsOf(pid) === before)
    await server.stop()
  },
)
