// Indices below are within bounds by construction: checks would cost in the loops.

import type { IncomingMessage } from 'node:http'
import { QueryError } from '../../engine/base/errors.ts'
import { isThisMachine } from './loopback.ts'

/** Headers that affect a request's meaning, of which Node silently drops all but the first. */
const single = new Set(['host', 'content-type'])

const invalidRequest = (message: string) => new QueryError('INVALID_REQUEST', message)

/**
 * Refuses ambiguous requests, and reads an absolute target (`GET http://host/path`) as a path if the host is ours.
 * @param names names of this server with ports (`debt.example.com:443`), beside the address the request came to
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
    // Most names already differ in length.
    if (length !== 4 && length !== 12) continue
    const name = rawHeaders[i]!.toLowerCase()
    if (!single.has(name)) continue
    if (seen.has(name)) throw invalidRequest(`send only one ${rawHeaders[i]} header`)
    seen.add(name)
  }
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Host and port of a URL, always with the port: `debt.example.com:443`. */
export const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port || defaultPorts[protocol]}`

function readAbsoluteTarget(request: IncomingMessage, names: ReadonlySet<string>): void {
  const target = request.url!
  const after = target.indexOf('://')
  const url = after < 0 || !URL.canParse(target) ? null : new URL(target)
  const port = url && defaultPorts[url.protocol]
  if (!url || port === undefined || url.username || url.password)
    throw invalidRequest('the request target must be a path that begins with /, or a full http(s) URL')
  if (!names.has(hostAndPort(url)) && !isOwnAddress(request, url.hostname, Number(url.port || port)))
    throw new QueryError(
      'MISDIRECTED_REQUEST',
      `this server is not ${url.host.slice(0, 120)} and does not proxy: send the path alone, to the intended server`,
    )
  // As sent: a URL would resolve dots and re-encode the rest.
  const path = target.slice(after + 3).search(/[/?]/)
  const rest = path < 0 ? '' : target.slice(after + 3 + path)
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  // From here on Host equals the target's host, which takes precedence.
  request.headers.host = url.host
}

/** The address and port that a connection came to, or a name of this machine for its loopback address. */
function isOwnAddress({ socket }: IncomingMessage, hostname: string, port: number): boolean {
  if (port !== socket.localPort) return false
  const name = hostname.replace(/^\[|\]$/g, '')
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '')
  return name === address || (name === 'localhost' && isThisMachine(address))
}
