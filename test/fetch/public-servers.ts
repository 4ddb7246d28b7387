import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip, gzipSync } from 'node:zlib'

export interface Asked {
  /** Without the mirror: `www.sec.gov/files/company_tickers.json`. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly at: number
  status: number
}

/** What goes wrong with the next answer for a path. */
export type Fault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }
  /** The connection is cut in the middle, with the length stated. */
  | { readonly kind: 'cut' }
  /** A whole answer with half of the content. */
  | { readonly kind: 'short' }
  /** Half of the content, and then silence. */
  | { readonly kind: 'stall' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Bytes without an end, compressed to a thousandth or as they are. */
  | { readonly kind: 'endless'; readonly isCompressed?: boolean }
  /** A byte now and then, for ever. */
  | { readonly kind: 'drip' }

/**
 * Answers as the public servers do: 403 without a declared agent, 304 for what has not changed, ranges, gzip. Every
 * public host is a folder of it, as `--mirror` expects.
 */
export class PublicServers {
  readonly asked: Asked[] = []
  readonly url: string
  readonly close: () => Promise<void>
  private readonly files: Map<string, Buffer>
  private readonly faults = new Map<string, Fault[]>()

  private constructor(url: string, close: () => Promise<void>, files: Map<string, Buffer>) {
    this.url = url
    this.close = close
    this.files = files
  }

  static async start(files: Readonly<Record<string, string | Buffer>>): Promise<PublicServers> {
    const content = new Map(Object.entries(files).map(([path, body]) => [path, Buffer.from(body)]))
    const server = createServer((request, response) => servers.answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const close = async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
    const { port } = server.address() as AddressInfo
    const servers = new PublicServers(`http://127.0.0.1:${port}`, close, content)
    return servers
  }

  publish(path: string, body: string | Buffer): void {
    this.files.set(path, Buffer.from(body))
  }

  /** The next answers for a path go wrong, one after the other. */
  spoil(path: string, ...faults: readonly Fault[]): void {
    this.faults.set(path, [...faults])
  }

  /** Paths asked for since the last call. */
  takePaths(): string[] {
    return this.asked.splice(0).map(({ path }) => path)
  }

  private answer(request: IncomingMessage, response: ServerResponse): unknown {
    const path = request.url!.slice(1)
    const asked: Asked = { path, headers: request.headers, at: Date.now(), status: 0 }
    this.asked.push(asked)
    const end = (status: number, headers: Record<string, string | number>, body: Buffer | string = '') => {
      asked.status = status
      response.writeHead(status, headers).end(body)
    }
    if (!/\S+ \S+@\S+\.\S+/.test(request.headers['user-agent'] ?? ''))
      return end(403, { 'content-type': 'text/html' }, UNDECLARED)
    const fault = this.faults.get(path)?.shift()
    const body = this.files.get(path)
    if (fault?.kind === 'status') return end(fault.status, fault.headers ?? {}, fault.body ?? '')
    if (fault?.kind === 'redirect') return end(302, { location: fault.to })
    if (fault?.kind === 'endless' || fault?.kind === 'drip') {
      asked.status = 200
      return pour(response, fault)
    }
    if (!body)
      return end(404, { 'content-type': 'text/html' }, '<!DOCTYPE html><html><title>404</title></html>')
    const etag = `"${createHash('sha1').update(body).digest('hex').slice(0, 12)}"`
    if (request.headers['if-none-match'] === etag) return end(304, { etag })
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const isPart = from > 0 && from < body.length && request.headers['if-range'] === etag
    const rest = isPart ? body.subarray(from) : body
    const status = isPart ? 206 : 200
    const isZipped = !fault && !isPart && (request.headers['accept-encoding'] ?? '').includes('gzip')
    const headers = {
      etag,
      ...(isPart && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }),
      ...(isZipped && { 'content-encoding': 'gzip' }),
    }
    const half = rest.subarray(0, Math.ceil(rest.length / 2))
    if (fault?.kind === 'short') return end(status, { ...headers, 'content-length': half.length }, half)
    if (fault) {
      asked.status = status
      response.writeHead(status, { ...headers, 'content-length': rest.length })
      response.write(half, () => {
        // The bytes sent so far must arrive before the end of the connection.
        if (fault.kind === 'cut') setTimeout(() => response.destroy(), 50)
      })
      return undefined
    }
    return end(status, headers, isZipped ? gzipSync(rest) : rest)
  }
}

function pour(response: ServerResponse, fault: Fault): void {
  const isCompressed = fault.kind === 'endless' && fault.isCompressed === true
  response.writeHead(200, isCompressed ? { 'content-encoding': 'gzip' } : {})
  const gzip = createGzip()
  if (isCompressed) gzip.pipe(response)
  const to = isCompressed ? gzip : response
  const part = fault.kind === 'drip' ? ' ' : Buffer.alloc(1 << 20, ' ')
  const timer = setInterval(() => to.write(part), fault.kind === 'drip' ? 20 : 1)
  response.on('close', () => clearInterval(timer))
}

const UNDECLARED =
  '<!DOCTYPE html><html><head><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head></html>'
