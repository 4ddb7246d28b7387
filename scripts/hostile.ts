import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { elementAt } from '../engine/base/elements.ts'
import type { Attack } from './hostile-attacker.ts'
import { hostile, ordinary } from './hostile-requests.ts'

// One client must not slow down others: serves the sample, requests a page repeatedly, and compares the 99th
// percentile of all windows in which a hostile request ran with that of the quiet windows between them. An ordinary
// request at the same rate is measured first: its cost to others is the price of load, not of malice.
//   node dist/scripts/hostile.js [--lake DIR] [--seconds N] [--rounds N] [--only TEXT] [--most RATIO]
// Exits with 1 if a ratio exceeds the maximum, or the server does not answer.

const value = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
/** Length of a window, and number of windows of each kind per hostile request. */
const seconds = Number(value('seconds') ?? 3)
const rounds = Number(value('rounds') ?? 3)
const most = Number(value('most') ?? 3)
const only = value('only') ?? ''
/** Below this a percentile reflects scheduling, not the server. */
const FLOOR_MS = 10
/** Clients whose latency is measured. */
const CLIENTS = 4
const PAGE = '/v1/companies?min_leverage=4&limit=50'

const main = fileURLToPath(new URL('../cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tranche-hostile-'))
const lake = value('lake') ?? join(folder, 'lake')
const state = join(folder, 'state.db')

const tranche = (...args: string[]): string =>
  execFileSync(process.execPath, [main, ...args, '--lake', lake], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
const newKey = (): string =>
  JSON.parse(
    tranche('keys', 'create', '--email', 'a@b.example', '--tier', 'business', '--state', state, '--json'),
  ).key

if (!value('lake')) tranche('sample')
/** Enough keys to stay below their limits of 500 requests a minute. */
const keys = Array.from({ length: 40 }, newKey)
const attackers = Array.from({ length: 10 }, newKey)

const server = spawn(
  process.execPath,
  [main, 'serve', '--lake', lake, '--state', state, '--port', '0', '--workers', '2'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const port = await new Promise<number>((resolve, reject) => {
  server.stdout.on('data', chunk => {
    const found = /:(\d+)\n/.exec(String(chunk))
    if (found) resolve(Number(found[1]))
  })
  server.once('exit', () => reject(new Error('the server did not start')))
})

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
let asked = 0
/** Milliseconds for one page; infinite if it was not answered. */
const page = () =>
  new Promise<number>(resolve => {
    const began = performance.now()
    const headers = { 'X-API-Key': elementAt(keys, asked++ % keys.length) }
    const over = (ms: number) => resolve(ms)
    request({ host: '127.0.0.1', port, path: PAGE, agent, headers, timeout: 30_000 }, response => {
      response.resume()
      response.once('end', () =>
        over(response.statusCode === 200 ? performance.now() - began : Number.POSITIVE_INFINITY),
      )
    })
      .once('timeout', () => over(Number.POSITIVE_INFINITY))
      .once('error', () => over(Number.POSITIVE_INFINITY))
      .end()
  })

/** Milliseconds for the pages of some clients, each at most 25 times a second. */
async function pages(ms: number): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + ms
  const client = async () => {
    while (performance.now() < until) {
      const took = await page()
      times.push(took)
      if (took < 40) await setTimeout(40 - took)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return times
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY

/** The attack runs in its own low-priority process: it represents another machine. */
const attacker = fork(fileURLToPath(new URL('./hostile-attacker.js', import.meta.url)))
const tell = async (attack: Attack) => {
  attacker.send(attack)
  await once(attacker, 'message')
}

/** Pages during an attack and in quiet windows, alternately. */
async function measure(name: string): Promise<{ during: number; quiet: number }> {
  const during: number[] = []
  const quiet: number[] = []
  for (let round = 0; round < rounds; round++) {
    quiet.push(...(await pages(seconds * 1000)))
    await tell({ name, host: '127.0.0.1', port, keys: attackers })
    await setTimeout(300)
    during.push(...(await pages(seconds * 1000)))
    await tell({})
    await setTimeout(300)
  }
  return { during: Math.max(p99(during), FLOOR_MS), quiet: Math.max(p99(quiet), FLOOR_MS) }
}

let bad = 0
try {
  await pages(3000)
  for (const { name } of [ordinary, ...hostile.filter(({ name }) => name.includes(only))]) {
    const { during, quiet } = await measure(name)
    const ratio = during / quiet
    const held = ratio <= most || name === ordinary.name
    if (!held) bad++
    console.log(
      `${held ? 'ok ' : 'BAD'} ${ratio.toFixed(1).padStart(6)}x  p99 ${during.toFixed(1)} ms beside ${quiet.toFixed(1)} ms  ${name}`,
    )
  }
} finally {
  attacker.kill()
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'exit')
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
}
if (bad > 0) {
  console.error(`${bad} of the hostile requests made others wait more than ${most} times as long`)
  process.exitCode = 1
}
