import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { QueryError } from '../../engine/base/errors.ts'
import { problemOf } from './errors.ts'
import { requestId } from './exchange.ts'

/** A request refused before the application saw it. */
export interface Refused {
  readonly requestId: string
  /** `unknown` if no request could be read. */
  readonly method: string
  readonly status: number
  readonly code: string
}

/** The error for a request that the HTTP parser rejected. */
function errorOf(code: string | undefined): QueryError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new QueryError('HEADERS_TOO_LARGE', 'the headers of the request are larger than 32 kB: send fewer')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new QueryError(
      'REQUEST_TIMEOUT',
      'the request did not arrive in time: the limit is 10 seconds for headers, 30 for the whole',
    )
  return new QueryError('INVALID_REQUEST', 'this is not a valid HTTP/1.1 request')
}

const closing = (id: string, headers: Readonly<Record<string, string>>, { byteLength }: Uint8Array) => ({
  ...headers,
  'X-Request-Id': id,
  'X-Content-Type-Options': 'nosniff',
  'Content-Length': String(byteLength),
  Connection: 'close',
})

/** Answers a request that the application must not see, and closes the connection. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: QueryError): Refused {
  const id = requestId(request.headers['x-request-id'])
  const { status, headers, body } = problemOf(error, { requestId: id })
  response.writeHead(status, closing(id, headers, body))
  response.end(body)
  // The rest of its body is discarded, so that the client reads the answer.
  request.resume()
  return { requestId: id, method: request.method!, status, code: error.code }
}

interface ParsingSocket extends Socket {
  /** The answer being written on this connection, where Node keeps it. */
  readonly _httpMessage?: ServerResponse | null
}

/** Answers on a connection whose request Node could not parse, and closes it. Null if nobody can be reached. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: ParsingSocket): Refused | null {
  // In the middle of another answer, this one would be read as part of it.
  const begun = socket._httpMessage?.headersSent === true && !socket._httpMessage.writableFinished
  if (!socket.writable || error.code === 'ECONNRESET' || begun) {
    socket.destroy()
    return null
  }
  const refusal = errorOf(error.code)
  const id = requestId(undefined)
  const { status, headers, body } = problemOf(refusal, { requestId: id })
  const lines = Object.entries(closing(id, headers, body)).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\n${lines.join('')}\r\n`
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy())
  return { requestId: id, method: 'unknown', status, code: refusal.code }
}
