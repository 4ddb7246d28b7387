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

// What one client does must not slow down the others: serves the sample, asks for a page again and again, and compares
// the 99th percentile of all windows in which a hostile request ran with that of the quiet windows between them.
// An ordinary request, sent as fast, is measured first: what it costs the others is the price of load, not of malice.
//
//   node dist/scripts/hostile.js [--lake DIR] [--seconds N] [--rounds N] [--only TEXT] [--most RATIO]
//
// Exits with 1 where a ratio is above the most that is allowed, or where the server does not answer.

const value = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
/** Length of a window, and how many windows of each kind there are for a hostile request. */
const seconds = Number(value('seconds') ?? 3)
const rounds = Number(value('rounds') ?? 3)
const most = Number(value('most') ?? 3)
const only = value('only') ?? ''
/** Below this a percentile is a matter of scheduling, not of what the server does. */
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
/** Enough that no limit is met: each may be asked with 500 times a minute. */
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
/** Milliseconds that one page took; infinite where it was not answered. */
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

/** Milliseconds of the pages that some clients ask for, each 25 times a second at most. */
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

/** The attack runs in a process of its own, at low priority: it stands for another machine. */
const attacker = fork(fileURLToPath(new URL('./hostile-attacker.js', import.meta.url)))
const tell = async (attack: Attack) => {
  attacker.send(attack)
  await once(attacker, 'message')
}

/** Pages while a request runs, and in the quiet between, by turns. */
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
