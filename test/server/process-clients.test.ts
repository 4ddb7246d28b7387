import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type Patience, serveConnections } from '../../server/http/connections.ts'
import { listen } from '../../server/http/listen.ts'
import { until } from './serving.ts'
import { ask } from './start.ts'

/** Answers with as many bytes as the path says. */
const handler: RequestListener = (request, response) => {
  request.resume()
  request.on('end', () => response.end(Buffer.alloc(Number(request.url!.slice(1)) || 2, 'ok')))
}

async function opened(
  t: Test,
  { most, ...patience }: Partial<Patience> & { most?: number } = {},
  handle: RequestListener = handler,
) {
  const connections = serveConnections(handle, {
    patience: { checked: 20, ...patience },
    ...(most !== undefined && { most }),
  })
  const door = await listen({ host: '127.0.0.1', port: 0 }, connections.take)
  const clients: Client[] = []
  t.teardown(async () => {
    await door.stop()
    for (const { socket } of clients) socket.destroy()
    await connections.drain(0)
  })
  return {
    ...connections,
    door,
    url: `http://127.0.0.1:${door.port}`,
    async client(text = ''): Promise<Client> {
      const made = clientOf(connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true }))
      clients.push(made)
      await once(made.socket, 'connect')
      made.socket.write(text)
      return made
    },
  }
}

interface Client {
  readonly socket: Socket
  readonly text: () => string
  readonly ended: () => boolean
}

function clientOf(socket: Socket): Client {
  let [text, ended] = ['', false]
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('error', () => {})
  for (const end of ['end', 'close'] as const)
    socket.on(end, () => {
      ended = true
    })
  return { socket, text: () => text, ended: () => ended }
}

const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(m => m[1]!)

t.test('clients that send headers or a body too slowly are cut off, and others are answered', async t => {
  const { client, url } = await opened(t, { headers: 2000, request: 4000 })
  const slow = [
    ...(await Promise.all(Array.from({ length: 20 }, () => client('GET / HTTP/1.1\r\n')))),
    ...(await Promise.all(
      Array.from({ length: 20 }, () => client('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n')),
    )),
    await client(),
  ]
  const drip = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('a')
  }, 600)
  for (let i = 0; i < 20; i++) t.equal((await ask(url, '/', {})).text, 'ok')
  await until(() => slow.every(({ ended }) => ended()))
  clearInterval(drip)
  const told = slow.slice(0, 40).map(({ text }) => statuses(text())[0])
  t.strictSame(new Set(told), new Set(['408']))
})

t.test('clients that do not read are cut off, and others are answered', async t => {
  let cut = false
  const { client, url } = await opened(
    t,
    { reading: 1000, slowest: Number.POSITIVE_INFINITY },
    (request, response) => {
      if (request.url !== '/')
        request.socket.once('close', () => {
          cut = true
        })
      handler(request, response)
    },
  )
  const { socket } = await client()
  socket.pause()
  // More than both systems buffer for a reader.
  socket.write(`GET /${64 << 20} HTTP/1.1\r\nHost: x\r\n\r\n`)
  for (let i = 0; i < 20; i++) t.equal((await ask(url, '/', {})).text, 'ok')
  await until(() => cut)
})

t.test('input that is not HTTP is refused with a status', async t => {
  const { client } = await opened(t)
  const cases: [text: string, status: string][] = [
    ['GET\r\n\r\n', '400'],
    ['\0\x01\x02\r\n\r\n', '400'],
    ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', '400'],
    ['GET / HTTP/1.1\r\n\r\n', '400'],
    ['GET / HTTP/1.1\r\nHost: x\r\nA\x01: b\r\n\r\n', '400'],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', '400'],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', '400'],
    ['POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '400'],
    [`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(64 * 1024)}\r\n\r\n`, '431'],
  ]
  for (const [text, status] of cases) {
    const { text: got, ended } = await client(text)
    await until(ended)
    t.equal(statuses(got()).at(-1), status, JSON.stringify(text.slice(0, 60)))
  }
})

t.test('pipelined requests are answered in order', async t => {
  const { client } = await opened(t)
  const many = Array.from({ length: 50 }, (_, i) => `GET /${i + 1} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const { text } = await client(many.join(''))
  await until(() => statuses(text()).length === 50)
  const lengths = [...text().matchAll(/Content-Length: (\d+)/g)].map(m => Number(m[1]))
  t.strictSame(
    lengths,
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
})

t.test('a client that closes its side has left: its query is stopped and nothing remains', async t => {
  let stopped = false
  const { client, open } = await opened(t, {}, (_request, response) => {
    response.once('close', () => {
      stopped = !response.writableFinished
    })
  })
  const { socket, ended } = await client()
  socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => ended() && stopped && open() === 0)
  const bare = await client()
  bare.socket.end()
  await until(() => bare.ended() && open() === 0)
})

t.test('a stopping server finishes accepted requests in order, and cuts the rest off', async t => {
  const finish: (() => void)[] = []
  const asked: string[] = []
  const { client, drain, door } = await opened(t, {}, (request, response) => {
    asked.push(request.url!)
    if (request.url === '/slow') finish.push(() => response.end('done'))
    else response.end('ok')
  })
  const idle = await client('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => statuses(idle.text()).length === 1)
  const silent = await client()
  const line = await client('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  const lone = await client('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => finish.length === 2)
  await door.stop()
  const drained = drain(300_000)
  // In transit when the server was told to stop: answered, after the one before it.
  line.socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => idle.ended() && silent.ended() && asked.includes('/next'))
  t.notOk(line.ended())
  for (const done of finish) done()
  await until(() => line.ended() && lone.ended())
  t.match(lone.text(), /Connection: close[\s\S]*done$/)
  t.strictSame(statuses(line.text()), ['200', '200'])
  t.match(line.text(), /keep-alive[\s\S]*done[\s\S]*Connection: close[\s\S]*ok$/)
  await drained
})

t.test('requests not finished within the grace period are cut off', async t => {
  const { client, drain, door, open } = await opened(t, {}, () => {})
  const { ended } = await client('GET /never HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => open() === 1)
  await door.stop()
  await drain(50)
  await until(ended)
  t.equal(open(), 0)
})

t.test('above the connection limit requests get 503, and further connections are refused', async t => {
  const { client, open } = await opened(t, { most: 4 })
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  const clients: Client[] = []
  for (let i = 0; i < 9; i++) {
    clients.push(await client(get))
    await until(() => i >= 8 || statuses(clients[i]!.text()).length === 1)
  }
  t.strictSame(
    clients.slice(0, 5).map(({ text }) => statuses(text())[0]),
    ['200', '200', '200', '200', '503'],
  )
  t.match(clients[4]!.text(), /Retry-After: 1\r\n[\s\S]*"code":"OVERLOADED"/)
  await until(clients.at(-1)!.ended)
  for (const { socket } of clients) socket.destroy()
  await until(() => open() === 0)
  const later = await client(get)
  await until(() => statuses(later.text())[0] === '200')
})

t.test('a port in use is reported', async t => {
  const other = createHttpServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as { port: number }
  await t.rejects(
    listen({ host: '127.0.0.1', port }, () => {}),
    {
      code: 'INVALID_PARAMETER',
      message: `cannot listen on 127.0.0.1:${port}: the port is in use: choose another with --port, or 0 for a free one`,
      details: { parameter: 'port', value: port },
    },
  )
  await t.rejects(
    listen({ host: '192.0.2.1', port: 0 }, () => {}),
    { message: /choose another with --host/ },
  )
})

const idleSockets = Number(process.env['TRANCHE_IDLE_SOCKETS'] ?? 500)

t.test(`${idleSockets} idle connections cost little, and others are answered`, async t => {
  const { client, open, url } = await opened(t)
  for (let i = 0; i < idleSockets; i += 100)
    await Promise.all(Array.from({ length: Math.min(100, idleSockets - i) }, () => client()))
  await until(() => open() === idleSockets)
  for (let i = 0; i < 10; i++) t.equal((await ask(url, '/', {})).text, 'ok')
})
