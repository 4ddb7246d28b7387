import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { type Code, codes } from '../../engine/base/errors.ts'
import { type ConnectionOptions, serveConnections } from '../../server/http/connections.ts'
import { listen } from '../../server/http/listen.ts'
import type { Refused } from '../../server/http/refusals.ts'
import { testFolder } from '../folder.ts'
import { start } from './start.ts'

/** Reports the path and host that a request is taken for. */
const echo: RequestListener = (request, response) => {
  request.resume()
  request.on('end', () => response.end(`${request.headers.host} ${request.url}`))
}

async function opened(t: Test, options: ConnectionOptions = {}, handler = echo) {
  const refused: Refused[] = []
  const connections = serveConnections(handler, {
    ...options,
    patience: { checked: 20, ...options.patience },
    onRefused: told => refused.push(told),
  })
  const door = await listen({ host: '127.0.0.1', port: 0 }, connections.take)
  t.teardown(async () => {
    await door.stop()
    await connections.drain(0)
  })
  const dial = (): Socket =>
    options.tls
      ? connectTls({ port: door.port, host: '127.0.0.1', ca: options.tls.cert, servername: 'localhost' })
      : connect(door.port, '127.0.0.1')
  /** Everything that comes back until the server closes the connection. */
  async function send(text: string): Promise<string> {
    const socket = dial()
    let got = ''
    socket.on('data', chunk => {
      got += chunk
    })
    socket.on('error', () => {})
    socket.write(text)
    await once(socket, 'close')
    return got
  }
  return { port: door.port, send, refused }
}

function parsed(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line = '', ...headers] = head.split('\r\n')
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers.map(h => [h.split(': ')[0]!.toLowerCase(), h.split(': ')[1]!])),
    body,
  }
}

/** The whole form of an error: one body, one request id, a closed connection. */
function isRefusal(t: Test, text: string, code: Code, name: string): void {
  const { status, headers, body } = parsed(text)
  t.equal(status, codes[code].status, name)
  const { error } = JSON.parse(body)
  t.equal(error.code, code, name)
  t.strictSame(Object.keys(error), ['code', 'message', 'details', 'request_id'])
  t.equal(headers['x-request-id'], error.request_id)
  t.equal(headers['content-length'], String(Buffer.byteLength(body)))
  t.match(headers, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
}

const long = 'a'.repeat(64 * 1024)
const refusedTexts: readonly [text: string, code: Code][] = [
  ['GET\r\n\r\n', 'INVALID_REQUEST'],
  ['\0\x01\x02\r\n\r\n', 'INVALID_REQUEST'],
  ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', 'INVALID_REQUEST'],
  ['GET / HTTP/1.1\r\n\r\n', 'INVALID_REQUEST'],
  ['GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 'INVALID_REQUEST'],
  ['GET / HTTP/1.1\r\nhost: x\r\nHOST: y\r\n\r\n', 'INVALID_REQUEST'],
  ['POST / HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n\r\n', 'INVALID_REQUEST'],
  ['GET / HTTP/1.1\r\nHost: x\r\nA\x01: b\r\n\r\n', 'INVALID_REQUEST'],
  [
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'INVALID_REQUEST',
  ],
  ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'INVALID_REQUEST'],
  ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 'INVALID_REQUEST'],
  ['GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n', 'INVALID_REQUEST'],
  ['GET http://a@x/ HTTP/1.1\r\nHost: x\r\n\r\n', 'INVALID_REQUEST'],
  ['GET http://foreign.example/ HTTP/1.1\r\nHost: foreign.example\r\n\r\n', 'MISDIRECTED_REQUEST'],
  [`GET / HTTP/1.1\r\nHost: x\r\nA: ${long}\r\n\r\n`, 'HEADERS_TOO_LARGE'],
  [`GET /${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 'HEADERS_TOO_LARGE'],
  [`GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(100)}\r\n`, 'HEADERS_TOO_LARGE'],
  [`GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(2000)}\r\n`, 'HEADERS_TOO_LARGE'],
  ['GET / HTTP/1.1\r\nHost: x\r\n', 'REQUEST_TIMEOUT'],
  ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n', 'REQUEST_TIMEOUT'],
]

const certificate = (() => {
  const folder = testFolder(t)
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject],
      { stdio: 'ignore' },
    )
    return { cert: readFileSync(cert), key: readFileSync(key) }
  } catch {
    return null
  }
})()

const transports: Readonly<Record<string, ConnectionOptions | null>> = {
  'in the clear': {},
  'over TLS': certificate && { tls: certificate },
}

for (const [transport, options] of Object.entries(transports))
  t.test(
    `refusals before the application have the usual error form, ${transport}`,
    { skip: options ? false : 'openssl, which makes the certificate, is not installed here' },
    async t => {
      const { send, refused } = await opened(t, { ...options })
      const hasty = await opened(t, { ...options, patience: { headers: 300, request: 600 } })
      const isLate = (code: Code) => code === 'REQUEST_TIMEOUT'
      const answers = await Promise.all(
        refusedTexts.map(([text, code]) => (isLate(code) ? hasty.send(text) : send(text))),
      )
      for (const [i, [text, code]] of refusedTexts.entries())
        isRefusal(t, answers[i]!, code, JSON.stringify(text.slice(0, 60)))
      t.strictSame(
        [...refused, ...hasty.refused].map(({ code }) => code).sort(),
        refusedTexts.map(([, code]) => code).sort(),
        'each is reported once',
      )
    },
  )

t.test('an invalid request adds nothing to the answer before it', async t => {
  const { port, refused } = await opened(t, {}, (_request, response) => {
    response.writeHead(200, { 'Content-Length': 100 })
    response.write('half')
  })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let text = ''
  socket.on('data', chunk => {
    text += chunk
    if (text.endsWith('half')) socket.write('nonsense\r\n\r\n')
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'close')
  t.match(text, /half$/)
  t.strictSame(refused, [])
})

t.test('an absolute target of our own host is served, and takes precedence over Host', async t => {
  const { port, send } = await opened(t, { names: new Set(['debt.example.com:443']) })
  const get = async (target: string, host = 'x') =>
    parsed(await send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).body
  t.equal(await get('/a?b=http://c'), 'x /a?b=http://c')
  t.equal(await get(`http://127.0.0.1:${port}/a/../b?c=%2e`), `127.0.0.1:${port} /a/../b?c=%2e`)
  t.equal(await get(`HTTP://LocalHost:${port}`), `localhost:${port} /`)
  t.equal(await get(`http://localhost:${port}?a=b`), `localhost:${port} /?a=b`)
  t.equal(await get('https://debt.example.com/v1/bonds'), 'debt.example.com /v1/bonds')
})

t.test('an absolute target of another host or port is refused, whatever Host says', async t => {
  const { port, send } = await opened(t)
  for (const target of [
    'http://foreign.example/',
    `http://foreign.example:${port}/`,
    `http://127.0.0.1:${port + 1}/`,
    `http://127.0.0.1.foreign.example:${port}/`,
    `http://[::1]:${port}/`,
  ])
    isRefusal(
      t,
      await send(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
      'MISDIRECTED_REQUEST',
      target,
    )
})

t.test('an unknown expectation is ignored', async t => {
  const { send } = await opened(t)
  const text = await send('GET /a HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n')
  t.match(parsed(text), { status: 200, body: 'x /a' })
})

t.test('dot segments are refused on every path and never resolved', async t => {
  const { ask } = await start(t, {
    pages: [{ method: 'GET', path: '/assets/{file}', handle: ({ response }) => void response.end('file') }],
  })
  t.equal((await ask('/assets/a.js', {})).status, 200)
  for (const path of [
    '/v1/x/../bonds',
    '/v1/./bonds',
    '/v1/bonds/.',
    '/v1/bonds/..',
    '/v1/%2e/bonds',
    '/v1/x/%2E%2e/bonds',
    '/v1/x/.%2e/bonds',
    '/assets/..',
    '/assets/..%2fa.js',
    '/assets/%2e%2e%5ca.js',
    '/assets/..\\a.js',
    '/session/../v1/bonds',
    '/..',
  ])
    for (const key of [undefined, null])
      t.match(
        await ask(path, key === null ? { key } : {}),
        { status: 400, body: { error: { code: 'INVALID_REQUEST', request_id: String } } },
        path,
      )
  t.equal((await ask('/v1/bonds?ticker=../x', {})).body.error.code, 'INVALID_TICKER', 'a value is no path')
  t.equal((await ask('/assets/...', {})).status, 200, 'three dots are a name')
})
