import { QueryError } from '../../engine/base/errors.ts'
import { memoryShare, usableThreads } from '../../engine/base/machine.ts'
import { removeAbandoned } from '../../engine/base/owned-folder.ts'
import { Engine } from '../../engine/engine.ts'
import { openLake } from '../../engine/lake/lake.ts'
import { defaultHotMemory } from '../../engine/query/memory/memory.ts'
import { createApp } from '../app/app.ts'
import { type Connections, serveConnections, type Tls } from '../http/connections.ts'
import { hostAndPort } from '../http/http-message.ts'
import { openFiles } from '../limits/open-files.ts'
import { lowerOtherThreads } from '../limits/thread-priority.ts'
import { type Log, openLog } from '../log/log.ts'
import type { LogLevel } from '../log/log-levels.ts'
import { type Counts, openMetrics } from '../log/metrics.ts'
import { type RunningRequest, requestsIn, runningRequests } from '../log/running-requests.ts'
import { healthPages } from '../pages/health.ts'
import { sitePages } from '../pages/site-pages.ts'
import type { Limits } from '../sql/limits.ts'
import { openSqlRunner } from '../sql/runner.ts'
import { openState } from '../state/open.ts'
import type { State } from '../state/state.ts'
import { reportHangs } from './report-hangs.ts'

export interface ServeOptions {
  /** Folder of the lake. */
  readonly lake: string
  /** Path of a SQLite file, or `postgres://...`. */
  readonly state: string
  /** Turns SQL over HTTP on, within these limits. */
  readonly sql?: Partial<Limits> | undefined
  readonly tls?: Tls | undefined
  /** Proxies in front, whose X-Forwarded-For is believed. */
  readonly trustProxy?: number | undefined
  readonly cors?: '*' | readonly string[] | undefined
  /** The origin at which people reach the server: see `AppOptions`. */
  readonly publicUrl?: string | undefined
  /** Signs in whoever asks, on this machine only. */
  readonly demo?: boolean
  readonly logLevel: LogLevel
  /** Days for which calls are remembered; of several processes of one server one forgets. */
  readonly retentionDays?: number | undefined
  /** How long running requests may take to finish when the server is told to stop. */
  readonly graceMs: number
  /** Memory of DuckDB, `2GB`; a share of half the machine if not said. */
  readonly memory?: string | undefined
  readonly hotMemory?: string | undefined
  /** Processes that share the machine. */
  readonly workers?: number | undefined
  /** Milliseconds a question may take. */
  readonly timeout: number
  /** Whether a parameter that nobody declares is an error (if not said), or is left out with a warning. */
  readonly unknownParams?: 'error' | 'ignore'
  /** Gathers the metrics of all processes where there are several. */
  readonly gather?: (() => Promise<string>) | undefined
}

export interface RunningServer {
  readonly take: Connections['take']
  readonly counts: () => Promise<Counts>
  /** What has begun and is not over, the newest first. */
  readonly running: () => RunningRequest[]
  /** Finishes what runs, writes what is not written, and lets everything go; false where not all could be written. */
  stop(): Promise<boolean>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Beyond the longest question, in which a client that waits for its answer says and reads nothing. */
const SILENT_MS = 90_000

// Over 80 lines: puts the parts of a server together, and takes them apart again.
/** One server in this process, ready for connections when this returns. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { timeout, graceMs, tls, workers = 1 } = options
  const log = openLog(options.logLevel)
  const lake = await openLake(options.lake)
  // Exports that a killed server was writing.
  void removeAbandoned()
  const engine = new Engine(lake, {
    timeout,
    threads: usableThreads(),
    memory: options.memory ?? shareOfMemory(workers),
    hotMemory: options.hotMemory ?? String(Math.floor(defaultHotMemory() / workers)),
  })
  const [state] = await Promise.all([
    openState(options.state),
    engine.refresh().catch(error => waitForBuild(error, log)),
  ])
  const requests = runningRequests()
  if (options.logLevel !== 'silent') reportHangs(requests)
  lowerOtherThreads()
  const sql = options.sql && (await openSqlRunner({ lake, limits: options.sql }))
  const metrics = openMetrics({
    connections: () => connections.open(),
    manifest: () =>
      engine.refresh().then(
        () => engine.manifest,
        () => null,
      ),
  })
  let draining = false
  const app = createApp({
    engine,
    state,
    accounts: state,
    log,
    timeout,
    observe: metrics.observe,
    running: requests,
    usageDropped: metrics.usageDropped,
    publicUrl: options.publicUrl,
    pages: [
      ...healthPages({
        isDraining: () => draining,
        engine,
        state,
        metrics: options.gather ?? metrics.text,
        log,
      }),
      ...sitePages(sql),
    ],
    ...(sql && { sql }),
    demo: options.demo ?? false,
    ...(options.unknownParams && { unknownParams: options.unknownParams }),
    ...(options.cors && { cors: options.cors }),
    ...(options.trustProxy !== undefined && { trustProxy: options.trustProxy }),
  })
  const most = connectionsWithin(openFiles())
  const connections = serveConnections(app, {
    tls,
    patience: { silent: timeout + SILENT_MS },
    ...(most !== null && { most }),
    ...(options.publicUrl && { names: new Set([hostAndPort(new URL(options.publicUrl))]) }),
    onRefused({ requestId, method, status, code }) {
      metrics.observe({ endpoint: 'unknown', method, status, milliseconds: 0 })
      log.info({ request_id: requestId, method, endpoint: 'unknown', status, code }, 'request')
    },
  })
  const retention = options.retentionDays ? forgetting(state, options.retentionDays, log) : null
  if (options.trustProxy && !options.publicUrl)
    log.warn('a proxy is in front and --public-url is not set: links lead to the address behind it')
  log.info('ready')
  return {
    take: connections.take,
    counts: metrics.counts,
    running: () => requestsIn(requests.memory, Date.now()),
    async stop() {
      draining = true
      retention?.stop()
      await connections.drain(graceMs)
      const failed = (what: string) => (error: unknown) => {
        log.error({ err: error }, what)
        return false
      }
      const written = await app.close().then(() => true, failed('usage that was not written is lost'))
      sql?.close()
      const closed = await state.close().then(() => true, failed('the state store could not be closed'))
      engine.close()
      log.info('stopped')
      return written && closed
    },
  }
}

/** A lake without a snapshot that can be used is served too: questions are NOT_READY until it has one. */
function waitForBuild(error: unknown, log: Log): void {
  if (!(error instanceof QueryError) || error.code !== 'NOT_READY') throw error
  log.warn(`${error.message}; until then questions are answered 503`)
}

/** Half of the usable memory, for the tables of all processes. */
const shareOfMemory = (workers: number): string => memoryShare(1 / 2 / workers)

/** Connections that leave files for the lake, the store and DuckDB. */
const connectionsWithin = (files: number | null): number | null =>
  files === null ? null : Math.max(8, Math.floor((files - 128) / 2))

/** Forgets old calls now and every hour. */
function forgetting(state: State, days: number, log: Log): { stop(): void } {
  const forget = () =>
    state
      .forget(Date.now() - days * DAY_MS)
      .catch(error => log.error({ err: error }, 'old calls are not forgotten yet'))
  const timer = setInterval(forget, HOUR_MS)
  void forget()
  return { stop: () => clearInterval(timer) }
}
