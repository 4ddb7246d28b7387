import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'
import helmet from 'helmet'
import { splitTarget } from '../http/exchange.ts'
import { segmentsOf } from '../http/match.ts'
import type { CommonHeaders, Headers } from '../http/write-answer.ts'

/** Origins whose pages may call; `*` for all. None if undefined. */
export type AllowedOrigins = '*' | readonly string[] | undefined

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

/**
 * The headers of every answer: security, `Vary` and, where other origins may call, CORS for this request. `ownPages`
 * are the first segments of paths that only our own pages may call.
 */
export function commonHeaders(
  allowed: AllowedOrigins,
  ownPages: ReadonlySet<string>,
): (request: IncomingMessage) => CommonHeaders {
  const security = securityHeaders(allowed)
  const fixed = {
    Vary: `X-API-Key, Cookie, Accept, Accept-Encoding${Array.isArray(allowed) ? ', Origin' : ''}`,
  }
  const common = { defaults: [security], fixed }
  if (!allowed) return () => common
  const crossOrigin = cors({
    origin: allowed === '*' ? '*' : [...allowed],
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  })
  const isOwnPage = (url: string) => ownPages.has(segmentsOf(splitTarget(url).path)?.[0]?.toLowerCase() ?? '')
  return request =>
    isOwnPage(request.url!) ? common : { defaults: [headersSetBy(crossOrigin, request), security], fixed }
}

const securityHeaders = (allowed: AllowedOrigins): Headers =>
  headersSetBy(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      crossOriginResourcePolicy: { policy: allowed ? 'cross-origin' : 'same-origin' },
    }),
    {} as IncomingMessage,
  )

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** The headers that a middleware sets on the answer to a request. */
function headersSetBy(middleware: Middleware, request: IncomingMessage): Headers {
  const headers: Record<string, string> = {}
  const response = {
    getHeader: (name: string) => headers[name],
    setHeader(name: string, value: string) {
      headers[name] = value
    },
    removeHeader() {},
  }
  middleware(request, response as unknown as ServerResponse, () => {})
  return headers
}
