import { connect, type Socket } from 'node:net'
import { elementAt } from '../engine/base/elements.ts'

/** One hostile behaviour, repeated until told to stop. */
export interface Hostile {
  readonly name: string
  /** Sends over connections that it opens; resolves when stopped. */
  readonly run: (target: Target) => Promise<void>
}

export interface Target {
  readonly host: string
  readonly port: number
  /** Keys of other users than those measured, used in turn. */
  readonly keys: readonly string[]
  readonly signal: AbortSignal
}

/** Prepared once, so that sending costs little. */
interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged; JSON unless the headers say otherwise. */
  readonly body?: string
  readonly withKey?: boolean
}

/** Writes bytes on a new connection, and waits until it is closed or answered. */
function exchange({ host, port, signal }: Target, bytes: string | Buffer): Promise<void> {
  return new Promise(resolve => {
    const socket = connect(port, host)
    const end = () => {
      signal.removeEventListener('abort', end)
      socket.destroy()
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
    socket.on('error', end).on('close', end).on('data', end)
    socket.write(bytes)
  })
}

function textOf(
  { method, path, headers = {}, body, withKey }: Sent,
  { host, port }: Target,
  key: string,
): string {
  const all = {
    Host: `${host}:${port}`,
    Connection: 'close',
    ...(withKey && { 'X-API-Key': key }),
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

/** Two clients that send the same request without a pause. */
const repeated = (name: string, sent: Sent | string): Hostile => ({
  name,
  async run(target) {
    const all = target.keys.map(key =>
      Buffer.from(typeof sent === 'string' ? sent : textOf(sent, target, key)),
    )
    let sending = 0
    const client = async () => {
      while (!target.signal.aborted) await exchange(target, elementAt(all, sending++ % all.length))
    }
    await Promise.all([client(), client()])
  },
})

/** A number of connections that stay open; `each` gives their action and its interval in milliseconds. */
const open = (
  name: string,
  count: number,
  each: { readonly first?: string; readonly drip?: string; readonly every?: number },
): Hostile => ({
  name,
  async run({ host, port, signal }) {
    const sockets = new Set<Socket>()
    const dial = () => {
      if (signal.aborted) return
      const socket = connect(port, host).on('error', () => {})
      sockets.add(socket)
      // A closed one is reopened after a while.
      socket.on('close', () => sockets.delete(socket) && setTimeout(dial, 200).unref())
      if (each.first) socket.write(each.first)
    }
    for (let i = 0; i < count; i++) dial()
    const { drip } = each
    const timer =
      drip &&
      setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write(drip)
      }, each.every ?? 1000)
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    clearInterval(timer || undefined)
    for (const socket of [...sockets]) socket.destroy()
  },
})

const json = (path: string, body: string, withKey = false): Sent => ({ path, body, withKey })
const batch = (params: object): string =>
  JSON.stringify({ operations: [{ primitive: 'search.companies', params }] })

/** Not hostile: the effect of load alone. */
export const ordinary = repeated('an ordinary page, as fast as the others', {
  path: '/v1/companies?min_leverage=4&limit=50',
  withKey: true,
})

/** The list. Add anything found to stall a server: a name and what to send. */
export const hostile: readonly Hostile[] = [
  repeated(
    'JSON that is an unterminated string of escapes',
    json('/session', `{"a":"${'\\"'.repeat(100_000)}`),
  ),
  repeated('JSON that opens 100,000 arrays', json('/session', '['.repeat(100_000))),
  repeated(
    'JSON with 20,000 members',
    json('/session', `{${Array.from({ length: 20_000 }, (_, i) => `"m${i}":${i}`)}}`),
  ),
  repeated(
    'a batch with 20,000 members',
    json('/v1/batch', `{${Array.from({ length: 20_000 }, (_, i) => `"m${i}":${i}`)}}`, true),
  ),
  repeated('a body without an end', {
    path: '/session',
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
  }),
  repeated(
    'a number of 80,000 digits in a batch',
    json('/v1/batch', batch({ min_leverage: '9'.repeat(80_000) }), true),
  ),
  repeated(
    'a number of 80,000 digits and a letter in a batch',
    json('/v1/batch', batch({ min_leverage: `${'9'.repeat(80_000)}x` }), true),
  ),
  repeated(
    'a list of 20,000 tickers in a batch',
    json('/v1/batch', batch({ ticker: 'x,'.repeat(20_000) }), true),
  ),
  repeated('a query of 15,000 commas', { path: `/v1/companies?ticker=${','.repeat(15_000)}`, withKey: true }),
  repeated('a search for 5,000 quotes', {
    path: `/v1/documents/search?q=${'%22'.repeat(5000)}`,
    withKey: true,
  }),
  repeated('a description of 5,000 words', {
    path: `/v1/bonds/resolve?q=${'operating+'.repeat(1500)}`,
    withKey: true,
  }),
  repeated('a path of 15,000 segments', { path: '/a'.repeat(7500) }),
  repeated('a path of dots', { path: '/%2e%2e'.repeat(2000) }),
  repeated('a request id of 20,000 characters', {
    path: '/healthz',
    headers: { 'X-Request-Id': `${'a_0'.repeat(6600)}!` },
  }),
  repeated('a key of 20,000 characters', {
    path: '/v1/bonds',
    headers: { 'X-API-Key': 'tr_0'.repeat(5000) },
  }),
  repeated('a cookie of 10,000 parts', { path: '/session', headers: { Cookie: 'a=b; '.repeat(5000) } }),
  repeated('an Accept header of 5,000 types', {
    path: '/v1/bonds',
    withKey: true,
    headers: { Accept: 'a/b;q=0.1,'.repeat(2500) },
  }),
  repeated('an If-None-Match of 5,000 tags', {
    path: '/v1/bonds',
    withKey: true,
    headers: { 'If-None-Match': 'W/"a",'.repeat(4000) },
  }),
  repeated('two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'),
  repeated('headers of 64 kB', `GET / HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(64 * 1024)}\r\n\r\n`),
  repeated('2,000 headers', `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(2000)}\r\n`),
  repeated(
    'a target of another host',
    'GET http://foreign.example/ HTTP/1.1\r\nHost: foreign.example\r\n\r\n',
  ),
  repeated('nothing that is HTTP', '\0\x01\x02\r\n\r\n'),
  repeated('a list of everything, and gone', { path: '/v1/bonds?format=csv&limit=1000', withKey: true }),
  open('200 connections that send a byte a second', 200, {
    first: 'GET / HTTP/1.1\r\nHost: a\r\nA: ',
    drip: 'a',
  }),
  open('100 bodies that come a byte a second', 100, {
    first:
      'POST /session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
    drip: ' ',
  }),
  open('400 connections that say nothing', 400, {}),
]
