import type { IncomingMessage } from 'node:http'
import { QueryError } from '../../engine/base/errors.ts'
import { nearest } from '../../engine/names/nearest.ts'
import { callAccount } from '../account/call-account.ts'
import { accountOperations } from '../account/operations.ts'
import { type Exchange, splitTarget, throughExpress } from '../http/exchange.ts'
import { namesThisMachine } from '../http/loopback.ts'
import { hasDotSegment, segmentsOf } from '../http/match.ts'
import type { Page } from '../http/page.ts'
import { writeAnswer } from '../http/write-answer.ts'
import { recognise } from '../v1/authenticate.ts'
import { callEndpoint, count } from '../v1/call-endpoint.ts'
import type { Endpoint } from '../v1/operations/endpoint.ts'
import { type FindRoute, type RawRoute, routes } from '../v1/routes.ts'
import type { ServerContext } from '../v1/server-context.ts'
import type { AllowedOrigins } from './common-headers.ts'

/** A request's path, and the route it matches. */
export interface Target {
  readonly path: string
  readonly search: string
  readonly found: ReturnType<FindRoute>
}

export interface Routes {
  readonly endpoints: readonly Endpoint[]
  readonly pages: readonly Page[]
  readonly origins: AllowedOrigins
}

export interface Dispatcher {
  target(request: IncomingMessage): Target
  answer(exchange: Exchange, target: Target): Promise<void>
}

/** Finds the route of a request and has it answered there. */
export function dispatcher(context: ServerContext, { endpoints, pages, origins }: Routes): Dispatcher {
  const find = routes(endpoints, pages, [
    ...mcpRoutes(context, endpoints, origins),
    ...accountRoutes(context),
  ])
  const paths = endpoints.map(endpoint => endpoint.path)
  return {
    target({ method, url }) {
      const { path, search } = splitTarget(url!)
      return { path, search, found: hasDotSegment(path) ? { kind: 'none' } : find(method!, path) }
    },
    async answer(exchange, target) {
      if (context.demo) checkHost(exchange.request)
      const { found, search } = target
      if (found.kind !== 'found') return answerWithoutRoute(context, exchange, target, paths)
      const { route, named } = found
      if ('endpoint' in route) return callEndpoint(context, exchange, route.endpoint, { named, search })
      if ('enter' in route) return route.enter(exchange, { named, search })
      exchange.endpoint = route.path
      return route.page.handle(exchange, named)
    },
  }
}

/** A name for metrics and logs that contains no part of the request itself, which may hold a key. */
export function routeName({ found }: Target): string {
  if (found.kind !== 'found') return 'unknown'
  return 'endpoint' in found.route ? found.route.endpoint.name : found.route.path
}

/** The path of a route as it is declared, with the names of its parts. */
export function pathOf({ found }: Target): string {
  if (found.kind !== 'found') return 'unknown'
  return 'endpoint' in found.route ? found.route.endpoint.path : found.route.path
}

export const isEndpoint = ({ found }: Target): boolean => found.kind === 'found' && 'endpoint' in found.route

/** First segments of the paths that only our own pages may call, whichever other origins may call the rest. */
export const ownPages: ReadonlySet<string> = new Set(
  accountOperations.map(({ path }) => segmentsOf(path)![0]!),
)

/** The Model Context Protocol with one message per request: there is no stream to open and no session to end. */
function mcpRoutes(
  context: ServerContext,
  endpoints: readonly Endpoint[],
  origins: AllowedOrigins,
): RawRoute[] {
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
    return answerMessage(context, exchange, { endpoints, origins })
  }
  return [{ method: 'POST', path, enter }, closed('GET'), closed('DELETE')]
}

/** Requests of the web application outside `/v1`. */
function accountRoutes({ accounts, ...context }: ServerContext): RawRoute[] {
  if (!accounts) return []
  return accountOperations.map(operation => ({
    method: operation.method,
    path: operation.path,
    enter: (exchange, target) =>
      callAccount({ ...context, accounts }, throughExpress(exchange), operation, target),
  }))
}

/** Answers OPTIONS, and refuses unknown paths and methods. A request with a key still counts against its rate limit. */
async function answerWithoutRoute(
  { state }: ServerContext,
  exchange: Exchange,
  { path, found }: Target,
  paths: readonly string[],
): Promise<void> {
  const { request } = exchange
  const principal = await recognise(state, request.headers['x-api-key'])
  if (principal) await count(state, exchange, principal, 1)
  if (found.kind !== 'method') throw hasDotSegment(path) ? dotSegment() : unknownRoute(path, paths)
  if (request.method !== 'OPTIONS') throw wrongMethod(request.method!, found.allow)
  writeAnswer(exchange, { status: 204, headers: { Allow: found.allow.join(', ') } })
}

function checkHost({ headers: { host } }: IncomingMessage): void {
  if (!namesThisMachine(host))
    throw new QueryError('FORBIDDEN', 'a demo answers on this machine only: open it at http://127.0.0.1', {
      reason: 'host',
    })
}

const wrongMethod = (method: string, allowed: readonly string[]) =>
  new QueryError('METHOD_NOT_ALLOWED', `${method} is not for this path: use ${allowed.join(', ')}`, {
    allowed,
  })

const dotSegment = () =>
  new QueryError('INVALID_REQUEST', 'a path cannot contain the segments . and ..: send it resolved')

/** What a server may answer, if its operator says so. */
const OPTIONAL: ReadonlyMap<string, string> = new Map([
  ['/v1/sql', 'SQL over HTTP is off on this server: its operator enables it with --enable-sql'],
])

function unknownRoute(path: string, paths: readonly string[]) {
  const isOff = OPTIONAL.get(path)
  if (isOff !== undefined) return new QueryError('NOT_FOUND', isOff)
  const suggestion = nearest(path, paths)
  const shown = path.length > 120 ? `${path.slice(0, 120)}…` : path
  return new QueryError(
    'NOT_FOUND',
    `there is nothing at ${shown}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    suggestion ? { suggestion } : {},
  )
}
