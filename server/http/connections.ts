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

/** How long a client may take, in milliseconds, and how slowly it may read. */
export interface Patience {
  /** To say what it wants: TLS, and the headers of a request. */
  readonly headers: number
  /** To send its whole request. */
  readonly request: number
  /** To say or read anything at all while it is owed an answer. */
  readonly silent: number
  /** Between two requests. */
  readonly idle: number
  /** To read the last of an answer, and the time more that it takes at `slowest` bytes a second. */
  readonly reading: number
  readonly slowest: number
  /** How often the headers and the request are looked at. */
  readonly checked: number
}

const patience: Patience = {
  headers: 10_000,
  request: 30_000,
  silent: 120_000,
  // Longer than proxies keep a connection, so that it is they who close it.
  idle: 75_000,
  reading: 60_000,
  slowest: 16 * 1024,
  checked: 1000,
}

const LONGEST_HEADERS_BYTES = 32 * 1024
const MOST_HEADERS = 100
/** What is on its way on a kept connection when a server is told to stop arrives within this, and is answered. */
const LINGER_MS = 100
/** The same for a connection that is just made. */
const FRESH_MS = 1000

export interface ConnectionOptions {
  readonly tls?: Tls | undefined
  readonly patience?: Partial<Patience>
  /** Connections beyond which requests are told to come again later; twice as many are not taken at all. */
  readonly most?: number
  /** Hosts that this server is known as, with their ports, beside the addresses that it is reached at. */
  readonly names?: ReadonlySet<string>
  /** Told of every request that is refused here. */
  readonly onRefused?: (refused: Refused) => void
}

export interface Connections {
  /** Serves whoever is at the other end. */
  take(socket: Socket): void
  /** How many are open. */
  readonly open: () => number
  /** Lets what runs finish, and cuts off what has not after the grace. */
  drain(graceMs: number): Promise<void>
}

/** Speaks HTTP on connections that somebody else accepts, with limits on how slowly a client may speak. */
export function serveConnections(handler: RequestListener, options: ConnectionOptions = {}): Connections {
  const { tls, most = Number.POSITIVE_INFINITY, names = new Set(), onRefused = () => {} } = options
  const allowed = { ...patience, ...options.patience }
  const http = {
    headersTimeout: allowed.headers,
    requestTimeout: allowed.request,
    keepAliveTimeout: allowed.idle,
    connectionsCheckingInterval: allowed.checked,
    maxHeaderSize: LONGEST_HEADERS_BYTES,
    // Without a Host header a request is refused in our own words.
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
  // One more than is allowed, by which a request that has too many is known.
  server.maxHeadersCount = MOST_HEADERS + 1
  server.on('clientError', (error, socket) => {
    const refused = refuseConnection(error, socket as Socket)
    if (refused) onRefused(refused)
  })
  // The only expectation there is, 100-continue, Node meets by itself; any other may be ignored.
  server.on('checkExpectation', serve)
  // It never listens itself; this is when it begins to look at how long its clients take.
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
      // It came paused; TLS reads by itself.
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
      // Answers that were cut are told so after their sockets.
      await setImmediate()
    },
  }
}

/** Says in the last answer of each connection, and in no other, that it is closed: requests may stand in line on it. */
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
