import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

/** What a statement answers, page by page: columns are of all pages. */
export interface Result {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly pages: readonly (readonly (readonly unknown[])[])[]
}

export interface Failure {
  readonly message: string
  readonly errorName: string
  readonly errorType: 'USER_ERROR' | 'INTERNAL_ERROR' | 'INSUFFICIENT_RESOURCES' | 'EXTERNAL'
}

export type Reply = Result | { readonly error: Failure } | 'runs for ever'

/** What goes wrong with the next request. */
export type Fault =
  | { readonly status: number; readonly body?: string }
  /** The connection is cut. */
  | 'cut'
  /** No answer ever comes. */
  | 'silent'
  /** Half of an answer. */
  | 'half'

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/**
 * Speaks Trino's HTTP protocol: a statement is posted, and answered at first by an address without rows; each GET of the
 * next address brings a page, and DELETE cancels it.
 */
export class FakeTrino {
  readonly asked: Asked[] = []
  readonly statements: string[] = []
  readonly cancelled: string[] = []
  /** Host of the addresses that it gives; its own unless a proxy stands before it. */
  host: string
  readonly port: number
  readonly close: () => Promise<void>
  private readonly scheme: 'http' | 'https'
  private readonly reply: (sql: string) => Promise<Reply>
  private readonly replies: Reply[] = []
  private readonly faults: Fault[] = []

  private constructor(
    scheme: 'http' | 'https',
    port: number,
    reply: (sql: string) => Promise<Reply>,
    close: () => Promise<void>,
  ) {
    this.scheme = scheme
    this.port = port
    this.host = `127.0.0.1:${port}`
    this.reply = reply
    this.close = close
  }

  static async start(
    reply: (sql: string) => Promise<Reply> | Reply,
    tls?: { readonly cert: Buffer; readonly key: Buffer },
  ): Promise<FakeTrino> {
    const answer = (request: IncomingMessage, response: ServerResponse) => fake.answer(request, response)
    const server = tls ? createSecureServer(tls, answer) : createServer(answer)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const fake = new FakeTrino(
      tls ? 'https' : 'http',
      port,
      async sql => reply(sql),
      async () => {
        if (!server.listening) return
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    )
    return fake
  }

  get address(): string {
    return `trino://127.0.0.1:${this.port}/debt/lake`
  }

  /** The next requests go wrong, one after the other. */
  spoil(...faults: readonly Fault[]): void {
    this.faults.push(...faults)
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [method, path] = [request.method!, request.url!]
    const body = await readText(request)
    this.asked.push({ method, path, headers: request.headers, body })
    const fault = this.faults.shift()
    if (fault === 'silent') return
    if (fault === 'cut') return void request.socket.destroy()
    if (fault === 'half') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
      response.write('{"nextUri": "')
      return void setImmediate(() => request.socket.destroy())
    }
    if (fault) return void response.writeHead(fault.status).end(fault.body ?? '')
    if (method === 'DELETE') {
      this.cancelled.push(path)
      return void response.writeHead(204).end()
    }
    const headers = /^START TRANSACTION/.test(body) ? { 'X-Trino-Started-Transaction-Id': 'T1' } : {}
    const told = method === 'POST' ? await this.post(body) : this.page(path)
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(told))
  }

  private async post(sql: string): Promise<object> {
    this.statements.push(sql)
    const no =
      this.replies.push(/^(START TRANSACTION|ROLLBACK)/.test(sql) ? NOTHING : await this.reply(sql)) - 1
    return { id: `q${no}`, nextUri: `${this.scheme}://${this.host}/v1/statement/executing/${no}/0` }
  }

  private page(path: string): object {
    const [no = 0, at = 0] = path.split('/').slice(-2).map(Number)
    const reply = this.replies[no]!
    const next = (page: number) => ({
      nextUri: `${this.scheme}://${this.host}/v1/statement/executing/${no}/${page}`,
    })
    if (reply === 'runs for ever') return next(at)
    if ('error' in reply) return { error: reply.error }
    const { columns, pages } = reply
    const isLast = at + 1 >= pages.length
    return { columns, ...(pages[at] && { data: pages[at] }), ...(!isLast && next(at + 1)) }
  }
}

const NOTHING: Result = { columns: [], pages: [] }
