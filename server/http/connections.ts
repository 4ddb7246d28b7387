import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { QueryError } from '../../engine/base/errors.ts'
import { normalizeRequest } from './http-message.ts'
import { type Refused, refuse, refuseConnection } from './refusals.ts'

export interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Time limits for clients in milliseconds, and a minimum reading speed. */
export interface Patience {
  /** For a first message: TLS, and the headers of a request. */
  readonly headers: number
  /** For the whole request. */
  readonly request: number
  /** Without reading or writing while an answer is due. */
  readonly silent: number
  /** Between two requests. */
  readonly idle: number
  /** For reading the rest of an answer, plus the time it takes at `slowest` bytes a second. */
  readonly reading: number
  readonly slowest: number
  /** Interval at which header and request timeouts are checked. */
  readonly checked: number
}

const patience: Patience = {
  headers: 10_000,
  request: 30_000,
  silent: 120_000,
  // Longer than proxies keep a connection, so that they close it first.
  idle: 75_000,
  reading: 60_000,
  slowest: 16 * 1024,
  checked: 1000,
}

const LONGEST_HEADERS_BYTES = 32 * 1024
const MOST_HEADERS = 100
/** On shutdown, requests already under way on a kept-alive connection arrive within this time and are answered. */
const LINGER_MS = 100
/** The same for a new connection. */
const FRESH_MS = 1000

export interface ConnectionOptions {
  readonly tls?: Tls | undefined
  readonly patience?: Partial<Patience>
  /** Above this many connections requests are answered 503; above twice as many, connections are refused. */
  readonly most?: number
  /** Host names and ports of this server, beside the addresses at which it is reached. */
  readonly names?: ReadonlySet<string>
  /** Called for every request refused here. */
  readonly onRefused?: (refused: Refused) => void
}

export interface Connections {
  /** Serves one connection. */
  take(socket: Socket): void
  /** The number of open connections. */
  readonly open: () => number
  /** Lets running requests finish, and aborts them after the grace period. */
  drain(graceMs: number): Promise<void>
}

/** Speaks HTTP on connections accepted elsewhere, with limits on slow clients. */
export function serveConnections(handler: RequestListener, options: ConnectionOptions = {}): Connections {
  const { tls, most = Number.POSITIVE_INFINITY, names = new Set(), onRefused = () => {} } = options
  const allowed = { ...patience, ...options.patience }
  const http = {
    headersTimeout: allowed.headers,
    requestTimeout: allowed.request,
    keepAliveTimeout: allowed.idle,
    connectionsCheckingInterval: allowed.checked,
    maxHeaderSize: LONGEST_HEADERS_BYTES,
    // A request without Host is refused with our own error.
    requireHostHeader: false,
  }
  const sockets = new Set<Socket>()
  const last = lastAnswers()
  const serve: RequestListener = (request, response) => {
    last.follow(request, response)
    response.once('prefinish', () => cutSlowReader(response, allowed))
    const error = sockets.size > most ? tooMany() : refusalOf(request, names)
    if (error) onRefused(refuse(request, response, error))
    else handler(request, response)
  }
  const server = tls
    ? createTlsServer({ ...http, ...tls, handshakeTimeout: allowed.headers }, serve)
    : createServer(http, serve)
  server.setTimeout(allowed.silent)
  // One above the limit, to recognise a request with too many.
  server.maxHeadersCount = MOST_HEADERS + 1
  server.on('clientError', (error, socket) => {
    const refused = refuseConnection(error, socket as Socket)
    if (refused) onRefused(refused)
  })
  // Node handles 100-continue, the only expectation there is; any other may be ignored.
  server.on('checkExpectation', serve)
  // It never listens itself; this starts its timeout checks.
  server.emit('listening')
  return {
    take(socket) {
      if (sockets.size >= 2 * most) {
        socket.destroy()
        return
      }
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      server.emit('connection', socket)
      // It arrives paused; TLS starts reading by itself.
      if (!tls) socket.resume()
    },
    open: () => sockets.size,
    async drain(graceMs) {
      last.close()
      const began = performance.now()
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, graceMs)
      while (sockets.size > 0) {
        await pause(LINGER_MS)
        server.closeIdleConnections()
        if (performance.now() - began < FRESH_MS) continue
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }
      clearTimeout(cut)
      // Aborted answers are reported after their sockets.
      await setImmediate()
    },
  }
}

/** Sends `Connection: close` with the last answer only: further requests may be pipelined. */
function lastAnswers() {
  const last = new Map<Socket, ServerResponse>()
  let closing = false
  const keep = (response: ServerResponse, alive: boolean) => {
    if (!response.headersSent) response.shouldKeepAlive = alive
  }
  return {
    follow({ socket }: IncomingMessage, response: ServerResponse): void {
      const before = last.get(socket)
      if (!before) socket.once('close', () => last.delete(socket))
      last.set(socket, response)
      if (!closing) return
      if (before) keep(before, true)
      keep(response, false)
    },
    close(): void {
      closing = true
      for (const response of last.values()) keep(response, false)
    },
  }
}

function cutSlowReader(response: ServerResponse, { reading, slowest }: Patience): void {
  if (response.writableFinished) return
  const owed = response.socket?.writableLength ?? 0
  const cut = setTimeout(() => response.destroy(), reading + (1000 * owed) / slowest)
  response.once('close', () => clearTimeout(cut))
}

const tooMany = () => new QueryError('OVERLOADED', 'too many connections are open: try again in a second')

function refusalOf(request: IncomingMessage, names: ReadonlySet<string>): QueryError | null {
  if (request.rawHeaders.length > 2 * MOST_HEADERS)
    return new QueryError(
      'HEADERS_TOO_LARGE',
      `the request has more than ${MOST_HEADERS} headers: send fewer`,
    )
  try {
    normalizeRequest(request, names)
    return null
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
}
