import type { IncomingMessage, ServerResponse } from 'node:http'
import compression from 'compression'
import express, { type Express, type Request, type Response } from 'express'
import proxyaddr from 'proxy-addr'
import type { Engine } from '../../engine/engine.ts'
import type { Page } from '../http/page.ts'
import type { UnknownParams } from '../http/unknown-params.ts'
import { type FairQueue, fairQueue } from '../limits/fair-queue.ts'
import { throttle } from '../limits/throttle.ts'
import type { AnsweredRequest } from '../log/answered-request.ts'
import type { Log } from '../log/log.ts'
import type { RunningRequests } from '../log/running-requests.ts'
import type { SqlRunner } from '../sql/runner.ts'
import type { Accounts } from '../state/accounts.ts'
import type { State } from '../state/state.ts'
import { responseCache } from '../v1/answers.ts'
import { endpointsWith } from '../v1/endpoints.ts'
import type { ServerContext } from '../v1/server-context.ts'
import { usageLog } from '../v1/usage-log.ts'
import { commonHeaders } from './common-headers.ts'
import { answerFailure, record } from './conclude.ts'
import { dispatcher, isEndpoint, ownPages, routeName, type Target } from './dispatch.ts'
import { OpenExchange } from './open-exchange.ts'

export interface AppOptions {
  readonly engine: Engine
  readonly state: State
  readonly log?: Log
  /** Lets people sign in: the same state, with what it knows of them. */
  readonly accounts?: State & Accounts
  /** Signs in whoever asks; only this machine's own names are answered then. */
  readonly demo?: boolean
  /** Turns SQL over HTTP on. */
  readonly sql?: SqlRunner
  /** Routes outside keys and limits. */
  readonly pages?: readonly Page[]
  /** Told of every answer when it is over. */
  readonly observe?: (seen: AnsweredRequest) => void
  /** Notes which requests run, for whoever asks why this process does not answer. */
  readonly running?: Pick<RunningRequests, 'begin' | 'end'>
  /** Told of calls that were answered and will be missing from usage. */
  readonly usageDropped?: (calls: number) => void
  /**
   * The origin at which people and proxies reach the server, `https://debt.example.com`: links are made from it. The
   * address that a connection came to, if not said; never the Host header, which whoever asks may choose.
   */
  readonly publicUrl?: string | undefined
  /** Origins whose pages may call; `*` for all. None if not said. */
  readonly cors?: '*' | readonly string[]
  /**
   * Proxies whose X-Forwarded-* headers are believed, as the setting `trust proxy` of Express takes them. If not said: none,
   * or those of the application that mounts this one.
   */
  readonly trustProxy?: boolean | number | string
  /** Milliseconds that a statement may run. */
  readonly timeout?: number
  readonly mostBodyBytes?: number
  /** Whether a parameter that nobody declares is an error (if not said), or is left out with a warning. */
  readonly unknownParams?: UnknownParams
  /** Requests a minute without a valid key, from one address, that are still told why. */
  readonly unauthorized?: number
  /** Heavy requests that run at once, and those of one key that wait for them. */
  readonly heavy?: { readonly running: number; readonly waiting: number }
  /** Bytes of answers that are kept for those who ask the same; none if 0. */
  readonly keptAnswers?: number
  /** Unix epoch milliseconds. */
  readonly clock?: () => number
}

/**
 * An Express application, to be served by `http.createServer` or mounted in another one with `use`, at its root or under
 * a prefix. It answers every request that reaches it, unknown paths with its own 404: at the root of another application
 * it comes last. It reads bodies itself: it goes before any body parser.
 */
export interface App extends Express {
  /** Writes usage that is not written yet. */
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
    const slot = running?.begin(exchange.id, routeName(to), exchange.at)
    response.once('close', () => {
      if (slot !== undefined) running?.end(slot)
      exchange.closed()
      record(exchange, usage, observe, log)
    })
    answer(exchange, to).catch(error => answerFailure(exchange, error, log))
  }

  function serve(to: Target, request: IncomingMessage, response: ServerResponse): void {
    // Compression takes part in every write, whether or not it compresses anything.
    if (request.headers['accept-encoding'] === undefined) begin(to, request, response)
    else compress(request, response, () => begin(to, request, response))
  }

  app.use((request, response) => serve(target(request), request, response))
  /**
   * Express makes each request and response its own before its first middleware, which takes three times as long as all
   * that Node does for them (50 us where a keyed request has 10). An endpoint that is called with a key needs nothing of it.
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
    unauthorized: throttle({ allowed: options.unauthorized ?? 100 }),
    answers: responseCache(options.keptAnswers ?? 32 << 20),
    changes: throttle({ allowed: 120 }),
    accounts: options.accounts,
    demo: options.demo ?? false,
    heavy: heavyRequests(options.heavy ?? { running: 1, waiting: 32 }),
    publicUrl: options.publicUrl ?? null,
  }
}

/** Heavy requests wait in a queue for each key, and the keys take turns. */
const heavyRequests = ({ running, waiting }: { running: number; waiting: number }): FairQueue =>
  fairQueue({ running, runningPerKey: running, waitingPerKey: waiting, waiting: waiting * 8 })

function expressApp(trustProxy: AppOptions['trustProxy']): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy)
  return app
}

/** What Express calls for each request, also where the application is mounted. Its types leave it out. */
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
