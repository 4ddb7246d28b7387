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
import { openTraces } from '../log/traces.ts'
import { healthPages } from '../pages/health.ts'
import { type Oidc, singleSignOn } from '../pages/single-sign-on.ts'
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
  /** Enables SQL over HTTP, within these limits. */
  readonly sql?: Partial<Limits> | undefined
  readonly tls?: Tls | undefined
  /** Number of proxies in front whose X-Forwarded-For is trusted. */
  readonly trustProxy?: number | undefined
  readonly cors?: '*' | readonly string[] | undefined
  /** The server's public origin: see `AppOptions`. */
  readonly publicUrl?: string | undefined
  /** An OpenID provider at which people sign in. */
  readonly oidc?: Oidc | undefined
  /** Signs in every visitor, on this machine only. */
  readonly demo?: boolean
  readonly logLevel: LogLevel
  /** Days of calls to keep; one process of each server deletes older ones. */
  readonly retentionDays?: number | undefined
  /** How long running requests may take to finish on shutdown. */
  readonly graceMs: number
  /** Memory of DuckDB, `2GB`; default a share of half the machine. */
  readonly memory?: string | undefined
  readonly hotMemory?: string | undefined
  /** A Trino server that answers lists and aggregates of large tables, and from how many rows on. */
  readonly remote?: string | undefined
  readonly remoteAbove?: number | undefined
  /** Processes that share the machine. */
  readonly workers?: number | undefined
  /** Timeout of a query in milliseconds. */
  readonly timeout: number
  /** Whether unknown parameters are an error (default), or ignored with a warning. */
  readonly unknownParams?: 'error' | 'ignore'
  /** Default and maximum rows of a list in a format other than JSON. */
  readonly fileRows?: number
  /** Copies a snapshot from the store that the lake is a copy of: see `EngineOptions`. */
  readonly copySnapshot?: (id: string) => Promise<boolean>
  /** Records OpenTelemetry traces: see `openTraces`. */
  readonly traces?: boolean
  /** Collects the metrics of all processes, if there are several. */
  readonly gather?: (() => Promise<string>) | undefined
}

export interface RunningServer {
  readonly take: Connections['take']
  readonly counts: () => Promise<Counts>
  /** Running requests, newest first. */
  readonly running: () => RunningRequest[]
  /** Finishes running requests, writes pending data, and releases everything; false if not all could be written. */
  stop(): Promise<boolean>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Longer than the longest query, during which a waiting client neither sends nor reads. */
const SILENT_MS = 90_000

/** One server in this process; resolves when it is ready for connections. */
// Over 80 lines: puts the parts of a server together, and takes them apart again.
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { timeout, graceMs, tls, workers = 1 } = options
  const log = openLog(options.logLevel)
  const traces = options.traces ? await openTraces() : null
  const lake = await openLake(options.lake)
  // Exports that a killed server was writing.
  void removeAbandoned()
  const engine = new Engine(lake, {
    timeout,
    threads: usableThreads(),
    warmSwitch: true,
    memory: options.memory ?? shareOfMemory(workers),
    hotMemory: options.hotMemory ?? String(Math.floor(defaultHotMemory() / workers)),
    ...(options.remote !== undefined && { remote: options.remote }),
    ...(options.remoteAbove !== undefined && { remoteAbove: options.remoteAbove }),
    ...(options.copySnapshot && { copySnapshot: options.copySnapshot }),
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
      ...(options.oidc ? singleSignOn(options.oidc, { state, log }) : []),
      ...sitePages(sql),
    ],
    singleSignOn: options.oidc,
    ...(sql && { sql }),
    demo: options.demo ?? false,
    ...(options.unknownParams && { unknownParams: options.unknownParams }),
    ...(options.fileRows && { fileRows: options.fileRows }),
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
    log.warn('a proxy is in front and --public-url is not set: links use the address behind it')
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
      const written = await app.close().then(() => true, failed('unwritten usage is lost'))
      sql?.close()
      const closed = await state.close().then(() => true, failed('the state store could not be closed'))
      engine.close()
      await traces?.close()
      log.info('stopped')
      return written && closed
    },
  }
}

/** A lake without a usable snapshot is served too: requests get NOT_READY until there is one. */
function waitForBuild(error: unknown, log: Log): void {
  if (!(error instanceof QueryError) || error.code !== 'NOT_READY') throw error
  log.warn(`${error.message}; until then requests get 503`)
}

/** Half of the usable memory, for the tables of all processes. */
const shareOfMemory = (workers: number): string => memoryShare(1 / 2 / workers)

/** Maximum connections, leaving file descriptors for the lake, the store and DuckDB. */
const connectionsWithin = (files: number | null): number | null =>
  files === null ? null : Math.max(8, Math.floor((files - 128) / 2))

/** Deletes old calls now and every hour. */
function forgetting(state: State, days: number, log: Log): { stop(): void } {
  const forget = () =>
    state
      .forget(Date.now() - days * DAY_MS)
      .catch(error => log.error({ err: error }, 'old calls could not be deleted yet'))
  const timer = setInterval(forget, HOUR_MS)
  void forget()
  return { stop: () => clearInterval(timer) }
}
