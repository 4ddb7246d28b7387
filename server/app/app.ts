import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'
import compression from 'compression'
import cors from 'cors'
import express, { type Request, type Response } from 'express'
import helmet from 'helmet'
import { QueryError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { nearest } from '../../engine/names/nearest.ts'
import { callAccount } from '../account/call-account.ts'
import { accountOperations } from '../account/operations.ts'
import { problemOf } from '../http/errors.ts'
import { type Exchange, requestId, splitTarget } from '../http/exchange.ts'
import { namesThisMachine } from '../http/loopback.ts'
import { hasDotSegment, segmentsOf } from '../http/match.ts'
import type { Page } from '../http/page.ts'
import { send } from '../http/respond.ts'
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
import { recognise } from '../v1/authenticate.ts'
import { callEndpoint, count } from '../v1/call-endpoint.ts'
import { endpointsWith } from '../v1/endpoints.ts'
import { type FindRoute, type RawRoute, routes } from '../v1/routes.ts'
import type { ServerContext } from '../v1/server-context.ts'
import { usageLog } from '../v1/usage-log.ts'

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
  /** Whose X-Forwarded-For is believed, as Express takes it. */
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

export interface App {
  readonly handler: RequestListener
  /** Writes what is not written yet. */
  close(): Promise<void>
}

const EXPOSED = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Total-Count',
  'X-Truncated',
  'ETag',
  'Retry-After',
  'Idempotency-Replayed',
]

/** What a request is for. */
interface Sought {
  readonly path: string
  readonly search: string
  readonly found: ReturnType<FindRoute>
}

/** The HTTP application: no listening, no process. */
export function createApp(options: AppOptions): App {
  const { engine, state, log, clock = Date.now } = options
  const endpoints = endpointsWith(options.sql)
  const { accounts } = options
  const route = routes(endpoints, options.pages ?? [], [...mcpDoors(), ...accountDoors()])
  const paths = endpoints.map(endpoint => endpoint.path)
  const usage = usageLog(state, { log, dropped: options.usageDropped })
  const means: ServerContext = {
    engine,
    state,
    log,
    clock,
    timeout: options.timeout ?? 30_000,
    mostBodyBytes: options.mostBodyBytes ?? 1 << 20,
    unknownParams: options.unknownParams ?? 'error',
    unauthorized: throttle({ allowed: options.unauthorized ?? 100 }),
    answers: responseCache(options.keptAnswers ?? 32 << 20),
    changes: throttle({ allowed: 120 }),
    accounts,
    demo: options.demo ?? false,
    heavy: heavyRequests(options.heavy ?? { running: 1, waiting: 32 }),
    publicUrl: options.publicUrl ?? null,
  }

  /** The Model Context Protocol: one message a request, so there is no stream to open and no session to end. */
  function mcpDoors(): RawRoute[] {
    const path = '/mcp'
    const closed = (method: 'GET' | 'DELETE'): RawRoute => ({
      method,
      path,
      enter: async () => {
        throw wrongMethod(method, ['POST'])
      },
    })
    const enter = async (exchange: Exchange) => {
      const { answerMessage } = await import('../mcp/over-http.ts')
      return answerMessage(means, exchange, { endpoints, origins: options.cors })
    }
    return [{ method: 'POST', path, enter }, closed('GET'), closed('DELETE')]
  }

  /** What the web application asks beside `/v1`. */
  function accountDoors(): RawRoute[] {
    if (!accounts) return []
    return accountOperations.map(operation => ({
      method: operation.method,
      path: operation.path,
      enter: (exchange, asked) => callAccount({ ...means, accounts }, exchange, operation, asked),
    }))
  }

  function seek({ method, url }: IncomingMessage): Sought {
    const { path, search } = splitTarget(url!)
    return { path, search, found: hasDotSegment(path) ? { kind: 'none' } : route(method!, path) }
  }

  async function serve(exchange: Exchange, { path, search, found }: Sought): Promise<void> {
    const { request, response } = exchange
    if (means.demo) checkHost(request)
    if (found.kind === 'found') {
      const { route: to, named } = found
      if ('endpoint' in to) return callEndpoint(means, exchange, to.endpoint, { named, search })
      if ('enter' in to) return to.enter(exchange, { named, search })
      exchange.endpoint = to.path
      return to.page.handle(request, response, named)
    }
    const principal = await recognise(state, request.headers['x-api-key'])
    if (principal) await count(state, exchange, principal, 1)
    if (found.kind === 'none') throw hasDotSegment(path) ? dotSegment() : unknownRoute(path, paths)
    if (request.method !== 'OPTIONS') throw wrongMethod(request.method, found.allow)
    send(response, { status: 204, headers: { Allow: found.allow.join(', ') } })
  }

  function fail(exchange: Exchange, error: unknown): void {
    const { request, response, id, principal, gone } = exchange
    if (gone) return
    const problem = problemOf(error, { requestId: id, ...(principal && { tier: principal.tier }) })
    if (problem.grave) log?.error({ err: error, request_id: id }, 'a request failed')
    // A part of the answer is sent: to cut it off is the only way left to say that it is not whole.
    if (response.headersSent) {
      exchange.failed = 500
      response.destroy()
      return
    }
    send(response, problem)
    // What is left of a body that is too large is let pass, so that its sender reads the answer.
    if (!request.complete) request.resume()
  }

  function over(exchange: Exchange): void {
    const { request, response, endpoint, principal, at, started, id, cost, failed } = exchange
    const milliseconds = performance.now() - started
    const status = failed ?? (response.headersSent ? response.statusCode : LEFT)
    if (principal) usage.add({ keyId: principal.keyId, endpoint, status, cost, milliseconds, at })
    options.observe?.({ endpoint, method: request.method, status, milliseconds })
    const caller = principal && { key_id: principal.keyId, cost }
    const ms = Math.round(milliseconds * 10) / 10
    log?.info({ request_id: id, method: request.method, endpoint, status, ms, ...caller }, 'request')
  }

  const pages = express()
  pages.disable('x-powered-by')
  pages.disable('etag')
  pages.set('query parser', false)
  pages.set('trust proxy', options.trustProxy ?? false)
  const always = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      crossOriginResourcePolicy: { policy: options.cors ? 'cross-origin' : 'same-origin' },
    }),
  )
  const varies = {
    Vary: `X-API-Key, Cookie, Accept, Accept-Encoding${Array.isArray(options.cors) ? ', Origin' : ''}`,
  }
  const shared =
    options.cors &&
    cors({
      origin: options.cors === '*' ? '*' : [...options.cors],
      methods: ['GET', 'HEAD', 'POST'],
      exposedHeaders: EXPOSED,
      maxAge: 600,
      preflightContinue: true,
    })
  const compressed = compression({ filter: (_, response) => compresses(response) })

  function begin(sought: Sought, request: Request, response: Response, headers: Exchange['headers']): void {
    const left = new AbortController()
    const exchange: Exchange = {
      request,
      response,
      address: () => asExpress(request).ip ?? '',
      id: headers['X-Request-Id']!,
      headers,
      at: clock(),
      started: performance.now(),
      get signal() {
        return left.signal
      },
      gone: false,
      endpoint: 'unknown',
      principal: null,
      cost: 0,
      failed: null,
    }
    const noted = options.running?.begin(exchange.id, routeName(sought.found), exchange.at)
    response.once('close', () => {
      if (noted !== undefined) options.running?.end(noted)
      if (!response.writableFinished) {
        exchange.gone = true
        left.abort()
      }
      over(exchange)
    })
    serve(exchange, sought).catch(error => fail(exchange, error))
  }

  function answer(sought: Sought, request: Request, response: Response): void {
    const headers: Record<string, string> = { 'X-Request-Id': requestId(request.headers['x-request-id']) }
    // Said all at once when the answer begins: Node takes one by one twice as long. What compresses says them before.
    const { writeHead } = response
    response.writeHead = ((status: number, own: OutgoingHttpHeaders = response.getHeaders()) => {
      const layers = [always, headers, own, varies]
      const alone = response.getHeaderNames().length === 0
      return writeHead.call(response, status, alone ? inTurn(layers) : Object.assign({}, ...layers))
    }) as typeof writeHead
    const go = () => begin(sought, request, response, headers)
    // It takes its part in every write, whether or not anything is compressed.
    const squeeze = () =>
      request.headers['accept-encoding'] === undefined ? go() : compressed(request, response, go)
    if (shared && !isOurOwn(request.url)) shared(request, response, squeeze)
    else squeeze()
  }
  pages.use((request, response) => answer(seek(request), request, response))

  /**
   * Express makes each request and answer its own before anything sees them, which takes three times as long as Node's
   * part. An endpoint that is asked with a key needs nothing of it but the address of who comes with a wrong one.
   */
  const handler: RequestListener = (request, response) => {
    const sought = request.headers['x-api-key'] === undefined ? null : seek(request)
    if (sought?.found.kind === 'found' && 'endpoint' in sought.found.route)
      answer(sought, request as Request, response as Response)
    else pages(request, response)
  }
  /** A request with what Express knows of it. */
  const asExpress = (request: Request): Request =>
    'app' in request ? request : Object.setPrototypeOf(request, pages.request)
  return { handler, close: () => usage.close() }
}

/** Headers as names and values in turn, of which Node makes text ten times as fast; what a later layer says stands. */
function inTurn(layers: readonly OutgoingHttpHeaders[]): OutgoingHttpHeader[] {
  const all: OutgoingHttpHeader[] = []
  for (const [i, layer] of layers.entries())
    for (const name in layer)
      if (!layers.some((later, j) => j > i && name in later)) all.push(name, layer[name]!)
  return all
}

/** What a middleware sets that looks at no request. */
function headersOf(
  middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader(name: string, value: string) {
      headers[name] = value
    },
    removeHeader() {},
  }
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return headers
}

/** Heavy requests wait in a queue for each key, and the keys take turns. */
const heavyRequests = ({ running, waiting }: { running: number; waiting: number }): FairQueue =>
  fairQueue({ running, runningPerKey: running, waitingPerKey: waiting, waiting: waiting * 8 })

/** What is recorded where the client left before its answer. */
const LEFT = 499

/** Without anything of the request itself, which may hold a key. */
function routeName(found: Sought['found']): string {
  if (found.kind !== 'found') return 'unknown'
  return 'endpoint' in found.route ? found.route.endpoint.name : found.route.path
}

const ours = new Set(accountOperations.map(({ path }) => segmentsOf(path)![0]))

/** Paths that are for our own pages, whichever other origins may call the rest. */
const isOurOwn = (url: string): boolean =>
  ours.has(segmentsOf(splitTarget(url).path)?.[0]?.toLowerCase() ?? '')

function checkHost({ headers: { host } }: Request): void {
  if (!namesThisMachine(host))
    throw new QueryError('FORBIDDEN', 'a demo answers on this machine only: open it at http://127.0.0.1', {
      reason: 'host',
    })
}

const compresses = (response: Response): boolean =>
  /^(text\/|application\/(json|x-ndjson|javascript|vnd\.apache\.arrow)|image\/svg)/.test(
    String(response.getHeader('Content-Type') ?? ''),
  )

const wrongMethod = (method: string, allowed: readonly string[]) =>
  new QueryError('METHOD_NOT_ALLOWED', `${method} is not for this path: use ${allowed.join(', ')}`, {
    allowed,
  })

const dotSegment = () =>
  new QueryError('INVALID_REQUEST', 'a path may not hold the segments . and ..: send the path that you mean')

function unknownRoute(path: string, paths: readonly string[]) {
  const suggestion = nearest(path, paths)
  const shown = path.length > 120 ? `${path.slice(0, 120)}…` : path
  return new QueryError(
    'NOT_FOUND',
    `there is nothing at ${shown}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    suggestion ? { suggestion } : {},
  )
}
