// A server under load for minutes: node dist/scripts/soak.js [--minutes 10] [--clients 50] [--out soak.json]
// Makes the sample in a temporary folder, serves it, sends requests generated from the OpenAPI document with keys of
// every tier, and builds new snapshots meanwhile. The exit code is 1 if memory or descriptors grow, a request fails
// or a process ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Tier } from '../server/limits/tiers.ts'
import { openState } from '../server/state/open.ts'
import { type Load, runClients } from './soak/load.ts'
import { processTree } from './soak/processes.ts'
import { isFlat, quantile, type Sample, type Tolerance, type Trend, trendOf } from './soak/trend.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '50' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
})
const minutes = within('minutes', Number(options.minutes), 0.5, 24 * 60)
const clients = within('clients', Number(options.clients), 1, 1000)
const workers = within('workers', Number(options.workers), 1, 64)
const seed = within('seed', Number(options.seed), 0, 1e6)

/** Warm-up: tables are loaded and caches filled in the first minute, or the first third of a short run. */
const warmUp = Math.min(60, minutes * 20)
const SAMPLED_EVERY_MS = 1000
/** Builds, evenly spaced over the run. */
const BUILDS = Math.max(2, Math.round(minutes / 2))

const tolerances = {
  megabytes: { share: 0.1, least: 32 },
  // Each day and snapshot in memory has files open: some dozens come and go.
  descriptors: { share: 0.1, least: 32 },
} as const satisfies Record<string, Tolerance>

/** DuckDB fills its share of memory with each new kind of statement and snapshot. */
const STATEMENT_MEGABYTES: Tolerance = { share: 0.1, least: 96 }

/** Clients that never pause ask for more than the server can do: this share of their requests may run out of time. */
const MOST_LATE = 0.001

/** One process over the whole run. */
interface Watched {
  readonly role: string
  readonly megabytes: Sample[]
  readonly descriptors: Sample[]
}

const program = fileURLToPath(new URL('../cli/main.js', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'tranche-soak-'))
const lake = join(folder, 'lake')
const stopping: (() => void)[] = []

try {
  tell(`making the sample in ${lake}`)
  await tranche('sample', '--lake', lake)
  const server = await startServer()
  stopping.push(() => void server.child.kill('SIGKILL'))
  const keys = await makeKeys()
  tell(`${clients} clients for ${minutes} minutes at ${server.url}, ${workers} workers, ${BUILDS} builds`)

  const over = new AbortController()
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const timer = setTimeout(() => over.abort(), minutes * 60_000)
  const lost = server.ended.then(() => over.abort())
  const [load, watched, builds] = await Promise.all([
    runClients({ url: server.url, keys, seed, signal: over.signal }),
    watch(server.child.pid!, seconds, over.signal),
    publishNowAndThen(over.signal),
  ])
  clearTimeout(timer)
  const lasted = seconds()
  const code = await server.stop()
  await lost
  const report = reportOf({ load, watched, builds, lasted, code, complaints: server.complaints() })
  if (options.out) await writeFile(options.out, `${JSON.stringify(report, null, 2)}\n`)
  print(report)
  if (report.failures.length > 0) process.exitCode = 1
} finally {
  for (const stop of stopping) stop()
  await rm(folder, { recursive: true, force: true })
}

function within(name: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value
  throw new Error(`--${name} is a number from ${least} to ${most}`)
}

function tell(text: string): void {
  process.stderr.write(`soak: ${text}\n`)
}

/** Runs a command to its end. */
async function tranche(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', part => {
    said = `${said}${part}`.slice(-2000)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`tranche ${args[0]} ended with ${code}: ${said}`)
}

async function startServer() {
  const args = ['serve', '--lake', lake, '--port', '0', '--workers', String(workers), '--enable-sql']
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const complaints: string[] = []
  createInterface(child.stderr!).on('line', line => complaints.length < 100 && complaints.push(line))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const url = await Promise.race([
    once(createInterface(child.stdout!), 'line').then(([line]) => String(line).replace('listening on ', '')),
    ended.then(code => Promise.reject(new Error(`serve ended with ${code}: ${complaints.join('\n')}`))),
  ])
  return {
    url,
    child,
    ended,
    complaints: () => complaints,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Keys of every tier, mostly business. Each client has enough to run without a pause. */
async function makeKeys(): Promise<string[][]> {
  const state = await openState(join(lake, 'state.db'))
  try {
    const made: string[][] = []
    for (let i = 0; i < clients; i++) {
      const tier: Tier = i % 10 === 8 ? 'pro' : i % 10 === 9 ? 'pay_as_you_go' : 'business'
      const credits = tier === 'pay_as_you_go' ? 1_000_000 : 0
      const own: string[] = []
      for (let k = 0; k < 4; k++)
        own.push((await state.createKey({ email: `client${i}@example.com`, tier, credits })).key)
      made.push(own)
    }
    return made
  } finally {
    await state.close()
  }
}

/** Samples every process of the server each second. */
async function watch(pid: number, seconds: () => number, signal: AbortSignal): Promise<Map<number, Watched>> {
  const watched = new Map<number, Watched>()
  while (!signal.aborted) {
    const at = seconds()
    for (const { pid: id, role, megabytes, descriptors } of processTree(pid)) {
      const found = watched.get(id) ?? { role, megabytes: [], descriptors: [] }
      watched.set(id, found)
      if (at < warmUp) continue
      found.megabytes.push({ at, value: megabytes })
      found.descriptors.push({ at, value: descriptors })
    }
    await pause(SAMPLED_EVERY_MS, undefined, { signal }).catch(() => {})
  }
  return watched
}

/** Builds and prunes as an operator does after each ingest; returns the number of builds. */
async function publishNowAndThen(signal: AbortSignal): Promise<number> {
  let builds = 0
  while (!signal.aborted) {
    await pause((minutes * 60_000) / (BUILDS + 1), undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    await tranche('build', '--lake', lake)
    await tranche('snapshots', 'prune', '--keep', '2', '--lake', lake)
    builds++
  }
  return builds
}

interface Findings {
  readonly load: Load
  readonly watched: ReadonlyMap<number, Watched>
  readonly builds: number
  readonly lasted: number
  readonly code: number | null
  readonly complaints: readonly string[]
}

interface ProcessReport {
  readonly pid: number
  readonly role: string
  readonly megabytes: Trend
  readonly descriptors: Trend
}

function reportOf({ load, watched, builds, lasted, code, complaints }: Findings) {
  const failures: string[] = []
  const processes: ProcessReport[] = []
  // SQL processes come and go with their snapshots: those that live for most of the run are judged.
  const most = [...watched.values()].reduce((n, { megabytes }) => Math.max(n, megabytes.length), 0)
  for (const [pid, { role, ...measures }] of watched) {
    processes.push({
      pid,
      role,
      megabytes: trendOf(measures.megabytes),
      descriptors: trendOf(measures.descriptors),
    })
    if (measures.megabytes.length < most * 0.6) continue
    for (const measure of ['megabytes', 'descriptors'] as const) {
      const ofStatements = measure === 'megabytes' && role === 'statement process'
      if (!isFlat(measures[measure], ofStatements ? STATEMENT_MEGABYTES : tolerances[measure])) {
        const { first, last, growth } = trendOf(measures[measure])
        failures.push(
          `${role} ${pid} grows by ${growth.toFixed(0)} ${measure}, from ${first.toFixed(0)} to ${last.toFixed(0)}`,
        )
      }
    }
  }
  const requests = load.latencies.length
  if (requests < clients * minutes * 10) failures.push(`only ${requests} requests were answered`)
  if (load.errorCount > 0) failures.push(`${load.errorCount} requests failed`)
  const late = load.statuses.get(504) ?? 0
  if (late > requests * MOST_LATE) failures.push(`${late} of ${requests} requests ran out of time`)
  if (code !== 0) failures.push(`the server ended with ${code}`)
  const grave = complaints.filter(line => /"level":[56]0/.test(line) || !line.startsWith('{'))
  if (grave.length > 0) failures.push(`the server complained ${grave.length} times: ${grave[0]}`)
  const judged = processes.filter(({ megabytes }) => megabytes.samples > 0)
  return {
    minutes: lasted / 60,
    clients,
    workers,
    seed,
    builds,
    requests,
    per_second: requests / lasted,
    statuses: Object.fromEntries([...load.statuses].toSorted(([a], [b]) => a - b)),
    latency_ms: Object.fromEntries(
      [0.5, 0.95, 0.99, 0.999, 1].map(share => [`p${share * 100}`, quantile(load.latencies, share)]),
    ),
    processes: judged,
    errors: load.errors,
    late: load.late,
    complaints,
    failures,
  }
}

function print(report: ReturnType<typeof reportOf>): void {
  const line = (text: string) => process.stdout.write(`${text}\n`)
  line(
    `${report.requests} requests in ${report.minutes.toFixed(1)} minutes, ${report.per_second.toFixed(0)} a second, ${report.builds} builds`,
  )
  line(
    `statuses ${Object.entries(report.statuses)
      .map(([status, n]) => `${status}: ${n}`)
      .join(', ')}`,
  )
  line(
    `latency ${Object.entries(report.latency_ms)
      .map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`)
      .join(', ')}`,
  )
  for (const { pid, role, megabytes: m, descriptors: d } of report.processes)
    line(
      `${role} ${pid}: ${m.first.toFixed(0)} to ${m.last.toFixed(0)} MB (most ${m.most.toFixed(0)}, trend ${m.growth.toFixed(1)}), ` +
        `descriptors ${d.first} to ${d.last} (most ${d.most}, trend ${d.growth.toFixed(1)}), ${m.samples} samples`,
    )
  for (const error of report.errors) line(`error ${error}`)
  for (const request of report.late) line(`out of time ${request}`)
  line(report.failures.length === 0 ? 'passed' : `FAILED\n  ${report.failures.join('\n  ')}`)
}
