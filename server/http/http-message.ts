// Indices below are within bounds by construction: checks would cost in the loops.

import type { IncomingMessage } from 'node:http'
import { QueryError } from '../../engine/base/errors.ts'
import { isThisMachine } from './loopback.ts'

/** Headers that decide what a request means, of which Node silently drops all but the first. */
const single = new Set(['host', 'content-type'])

const invalidRequest = (message: string) => new QueryError('INVALID_REQUEST', message)

/**
 * Refuses requests that two programs may read in two ways, and reads an absolute target (`GET http://host/path`) as the
 * path on that host, which it must be one of ours to be.
 * @param names by which this server is known, with their ports (`debt.example.com:443`), beside the address that the
 * request came to
 */
export function normalizeRequest(request: IncomingMessage, names: ReadonlySet<string>): void {
  checkSingleHeaders(request)
  if (!request.url!.startsWith('/') && request.url !== '*') readAbsoluteTarget(request, names)
}

function checkSingleHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0')
    throw invalidRequest('send a Host header: HTTP/1.1 needs one')
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const { length } = rawHeaders[i]!
    // Most names differ in length already.
    if (length !== 4 && length !== 12) continue
    const name = rawHeaders[i]!.toLowerCase()
    if (!single.has(name)) continue
    if (seen.has(name)) throw invalidRequest(`send the ${rawHeaders[i]} header once`)
    seen.add(name)
  }
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Host and port of a URL, the port said in any case: `debt.example.com:443`. */
export const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port || defaultPorts[protocol]}`

function readAbsoluteTarget(request: IncomingMessage, names: ReadonlySet<string>): void {
  const target = request.url!
  const after = target.indexOf('://')
  const url = after < 0 || !URL.canParse(target) ? null : new URL(target)
  const port = url && defaultPorts[url.protocol]
  if (!url || port === undefined || url.username || url.password)
    throw invalidRequest('the target of a request is a path that begins with /, or a whole http(s) URL')
  if (!names.has(hostAndPort(url)) && !isOwnAddress(request, url.hostname, Number(url.port || port)))
    throw new QueryError(
      'MISDIRECTED_REQUEST',
      `this server is not ${url.host.slice(0, 120)} and passes nothing on: send the path alone, to the server that you mean`,
    )
  // As it was sent: a URL would resolve dots and encode the rest anew.
  const path = target.slice(after + 3).search(/[/?]/)
  const rest = path < 0 ? '' : target.slice(after + 3 + path)
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  // Whoever looks at Host from here on sees what the target says, which goes before it.
  request.headers.host = url.host
}

/** The address and port that a connection came to, or a name of this machine for its loopback address. */
function isOwnAddress({ socket }: IncomingMessage, hostname: string, port: number): boolean {
  if (port !== socket.localPort) return false
  const name = hostname.replace(/^\[|\]$/g, '')
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '')
  return name === address || (name === 'localhost' && isThisMachine(address))
}
