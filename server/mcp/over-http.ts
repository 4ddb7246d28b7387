import type { IncomingHttpHeaders } from 'node:http'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { codes, QueryError } from '../../engine/base/errors.ts'
import { parseExactJson } from '../../engine/base/exact-number.ts'
import { memberError } from '../http/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import { writeAnswer } from '../http/write-answer.ts'
import { authenticate } from '../v1/authenticate.ts'
import { answerEndpoint, count } from '../v1/call-endpoint.ts'
import { mayAsk } from '../v1/operations/access.ts'
import type { Endpoint } from '../v1/operations/endpoint.ts'
import { checkLimit } from '../v1/rate-limit.ts'
import type { ServerContext } from '../v1/server-context.ts'
import { mcpServer, type ToolBackend } from './speak.ts'
import { isOffered, type Tool, toolOf } from './tools.ts'

const made = new WeakMap<readonly Endpoint[], readonly Tool[]>()

function toolsOf(endpoints: readonly Endpoint[]): readonly Tool[] {
  const before = made.get(endpoints)
  if (before) return before
  const tools = endpoints.filter(isOffered).map(toolOf)
  made.set(endpoints, tools)
  return tools
}

/**
 * Answers one message, statelessly: any process may answer the next. A tool is checked, charged and counted like its
 * endpoint; every other message is one free request.
 */
export async function answerMessage(
  means: ServerContext,
  exchange: Exchange,
  { endpoints, origins }: { endpoints: readonly Endpoint[]; origins: '*' | readonly string[] | undefined },
): Promise<void> {
  const { request, id, at, signal } = exchange
  exchange.endpoint = 'mcp'
  checkOrigin(request.headers.origin, origins)
  const principal = await authenticate(means.state, means.unauthorized, {
    key: request.headers['x-api-key'] ?? bearer(request.headers.authorization),
    address: exchange.address,
    now: at,
  })
  const window = await count(means.state, exchange, principal, 1)
  const message = await readJsonBody(request, means.mostBodyBytes)
  // A tool reports an exceeded limit itself, so that the model can read it.
  if (message['method'] !== 'tools/call') checkLimit(window, 1, at)
  const tools = toolsOf(endpoints)
  const behind: ToolBackend = {
    tools,
    listed: tools.filter(({ endpoint }) => mayAsk(endpoint, principal.tier)),
    async ask({ endpoint }, input) {
      const { body } = await answerEndpoint(means, exchange, endpoint, { input, window })
      return parseExactJson(Buffer.from(body).toString()) as Readonly<Record<string, unknown>>
    },
    async manifest() {
      await means.engine.refresh()
      return means.engine.manifest
    },
    told(error) {
      const told = memberError(error, principal.tier)
      const { kind, status } = codes[told.code]
      exchange.failed = status
      if (!(error instanceof QueryError)) means.log?.error({ err: error, request_id: id }, 'a tool failed')
      return { ...told, kind, details: { ...told.details, request_id: id } }
    },
  }
  const server = mcpServer(behind)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  signal.addEventListener('abort', () => void server.close(), { once: true })
  const answer = await transport.handleRequest(
    new Request('http://localhost/mcp', { method: 'POST', headers: spoken(request.headers) }),
    { parsedBody: message },
  )
  const body = Buffer.from(await answer.arrayBuffer())
  await server.close()
  const type = answer.headers.get('content-type')
  writeAnswer(exchange, {
    status: answer.status,
    headers: { ...(type && { 'Content-Type': type }), 'Cache-Control': 'no-store' },
    body,
  })
}

/** Web pages may call only from origins the operator allows; browsers send their origin. */
function checkOrigin(origin: string | undefined, allowed: '*' | readonly string[] | undefined): void {
  if (origin === undefined || allowed === '*' || allowed?.includes(origin)) return
  throw new QueryError('FORBIDDEN', 'this origin is not allowed: start the server with it in --cors', {
    origin: origin.slice(0, 120),
  })
}

/** The headers used by the protocol. */
const spoken = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    ['accept', 'content-type', 'mcp-protocol-version'].flatMap(name =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    ),
  )

/** Clients that support no other header send the key as a bearer token. */
const bearer = (authorization: string | undefined): string | undefined =>
  /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
