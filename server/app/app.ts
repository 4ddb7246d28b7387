import type { IncomingMessage, ServerResponse } from 'node:http'
import compression from 'compression'
import express, { type Express, type Request, type Response } from 'express'
import proxyaddr from 'proxy-addr'
import { withinSpan } from '../../engine/base/spans.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Page } from '../http/page.ts'
import type { UnknownParams } from '../http/unknown-params.ts'
import { type FairQueue, fairQueue } from '../limits/fair-queue.ts'
import { ROWS_OF_A_FILE } from '../limits/rows-of-a-file.ts'
import { throttle } from '../limits/throttle.ts'
import type { AnsweredRequest } from '../log/answered-request.ts'
import type { Log } from '../log/log.ts'
import type { RunningRequests } from '../log/running-requests.ts'
import type { SqlRunner } from '../sql/runner.ts'
import type { Accounts } from '../state/accounts.ts'
import type { State } from '../state/state.ts'
import { responseCache } from '../v1/answers.ts'
import { endpointsWith } from '../v1/endpoints.ts'
import type { ServerContext, SingleSignOn } from '../v1/server-context.ts'
import { usageLog } from '../v1/usage-log.ts'
import { commonHeaders } from './common-headers.ts'
import { answerFailure, record } from './conclude.ts'
import { dispatcher, isEndpoint, ownPages, pathOf, routeName, type Target } from './dispatch.ts'
import { OpenExchange } from './open-exchange.ts'
import { beginRequestSpan } from './request-span.ts'

export interface AppOptions {
  readonly engine: Engine
  readonly state: State
  readonly log?: Log
  /** Enables sign-in: the same state store, with its accounts. */
  readonly accounts?: State & Accounts
  /** What the sign-in page offers beside a password; the pages of the provider are in `pages`. */
  readonly singleSignOn?: SingleSignOn | undefined
  /** Signs in every visitor; requests are then answered only under this machine's own names. */
  readonly demo?: boolean
  /** Enables SQL over HTTP. */
  readonly sql?: SqlRunner
  /** Routes outside keys and limits. */
  readonly pages?: readonly Page[]
  /** Called after every answer. */
  readonly observe?: (seen: AnsweredRequest) => void
  /** Records running requests, so that a hung process can be diagnosed. */
  readonly running?: Pick<RunningRequests, 'begin' | 'end'>
  /** Called with the number of answered calls that will be missing from usage. */
  readonly usageDropped?: (calls: number) => void
  /**
   * The origin at which people and proxies reach the server, `https://debt.example.com`, for links. Default: the
   * address that a connection came to; never the Host header, which the client chooses.
   */
  readonly publicUrl?: string | undefined
  /** Origins whose pages may call; `*` for all. Default none. */
  readonly cors?: '*' | readonly string[]
  /**
   * Proxies whose X-Forwarded-* headers are trusted, as in Express's setting `trust proxy`. Default none, or those of
   * the application that mounts this one.
   */
  readonly trustProxy?: boolean | number | string
  /** Timeout of a statement in milliseconds. */
  readonly timeout?: number
  readonly mostBodyBytes?: number
  /** Whether an undeclared parameter is an error (default), or ignored with a warning. */
  readonly unknownParams?: UnknownParams
  /** Default and maximum rows of a list in a format other than JSON; default 1,000. */
  readonly fileRows?: number
  /** Requests per minute without a valid key, per address, that still get a 401; further ones get a 429. */
  readonly unauthorized?: number
  /** Concurrent heavy requests, and queued ones per key. */
  readonly heavy?: { readonly running: number; readonly waiting: number }
  /** Maximum bytes of cached answers; 0 caches none. */
  readonly keptAnswers?: number
  /** Unix epoch milliseconds. */
  readonly clock?: () => number
}

/**
 * An Express application, to be served by `http.createServer` or mounted in another one with `use`, at its root or
 * under a prefix. It answers every request that reaches it, unknown paths with its own 404, so at the root of another
 * application it must be mounted last. It reads bodies itself, so it must be mounted before any body parser.
 */
export interface App extends Express {
  /** Writes pending usage. */
  close(): Promise<void>
}

type Handle = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void

/** The HTTP application: no listening, no process. */
export function createApp(options: AppOptions): App {
  const { log, observe, running } = options
  const context = contextOf(options)
  const { target, answer } = dispatcher(context, {
    endpoints: endpointsWith(options.sql),
    pages: options.pages ?? [],
    origins: options.cors,
  })
  const usage = usageLog(options.state, { log, dropped: options.usageDropped })
  const commonOf = commonHeaders(options.cors, ownPages)
  const compress = compressed()
  const app = expressApp(options.trustProxy)
  const addressOf = (request: IncomingMessage) => proxyaddr(request, app.get('trust proxy fn')) ?? ''

  function begin(to: Target, request: IncomingMessage, response: ServerResponse): void {
    const exchange = new OpenExchange(request, response, {
      addressOf,
      common: commonOf(request),
      at: context.clock(),
    })
    const span = beginRequestSpan(request, pathOf(to))
    const slot = running?.begin(exchange.id, routeName(to), exchange.at)
    response.once('close', () => {
      if (slot !== undefined) running?.end(slot)
      exchange.closed()
      record(exchange, usage, { observe, log, span })
    })
    withinSpan(span, () => answer(exchange, to)).catch(error => answerFailure(exchange, error, log))
  }

  function serve(to: Target, request: IncomingMessage, response: ServerResponse): void {
    // The compression middleware wraps every write, even if it compresses nothing.
    if (request.headers['accept-encoding'] === undefined) begin(to, request, response)
    else compress(request, response, () => begin(to, request, response))
  }

  app.use((request, response) => serve(target(request), request, response))
  /**
   * Express replaces the prototypes of request and response before its first middleware, which takes three times as
   * long as everything Node does for them (50 us, against 10 for a whole keyed request). Endpoints called with a key
   * need nothing from Express.
   */
  const throughStack = handleOf(app)
  const handle: Handle = (request, response, next) => {
    const to = request.headers['x-api-key'] === undefined ? null : target(request)
    if (to && isEndpoint(to)) serve(to, request, response)
    else throughStack(request, response, next)
  }
  return Object.assign(app, { handle, close: () => usage.close() })
}

function contextOf(options: AppOptions): ServerContext {
  return {
    engine: options.engine,
    state: options.state,
    log: options.log,
    clock: options.clock ?? Date.now,
    timeout: options.timeout ?? 30_000,
    mostBodyBytes: options.mostBodyBytes ?? 1 << 20,
    unknownParams: options.unknownParams ?? 'error',
    fileRows: options.fileRows ?? ROWS_OF_A_FILE,
    unauthorized: throttle({ allowed: options.unauthorized ?? 100 }),
    answers: responseCache(options.keptAnswers ?? 32 << 20),
    changes: throttle({ allowed: 120 }),
    accounts: options.accounts,
    singleSignOn: options.singleSignOn ?? null,
    demo: options.demo ?? false,
    heavy: queueOf(options.heavy),
    cold: queueOf(options.heavy),
    publicUrl: options.publicUrl ?? null,
  }
}

/** Requests wait in one queue per key, and the keys take turns. */
const queueOf = (
  { running, waiting }: NonNullable<AppOptions['heavy']> = { running: 1, waiting: 32 },
): FairQueue => fairQueue({ running, runningPerKey: running, waitingPerKey: waiting, waiting: waiting * 8 })

function expressApp(trustProxy: AppOptions['trustProxy']): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy)
  return app
}

/** Express's entry point for each request, also where the application is mounted. Its types omit it. */
const handleOf = (app: Express): Handle => (app as unknown as { handle: Handle }).handle.bind(app)

function compressed() {
  const middleware = compression({ filter: (_, response) => isCompressible(response) })
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    middleware(request as Request, response as Response, next)
  }
}

const isCompressible = (response: ServerResponse): boolean =>
  /^(text\/|application\/(json|x-ndjson|javascript|vnd\.apache\.arrow)|image\/svg)/.test(
    String(response.getHeader('Content-Type') ?? ''),
  )
