import { QueryError } from '../../engine/base/errors.ts'
import { type Input, parseParams } from '../../engine/schema/params.ts'
import type { ExpressExchange } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import { isSecure, publicOrigin } from '../http/public-url.ts'
import { readQuery } from '../http/query.ts'
import { jsonResponse } from '../http/respond.ts'
import { checkOrigin } from '../http/same-origin.ts'
import { setSession } from '../http/session-cookie.ts'
import { writeAnswer } from '../http/write-answer.ts'
import type { Accounts, Session } from '../state/accounts.ts'
import type { State } from '../state/state.ts'
import { checkThrottle } from '../v1/authenticate.ts'
import { sessionOf, signedIn } from '../v1/caller.ts'
import type { ServerContext } from '../v1/server-context.ts'
import type { AccountOperation, AccountReply } from './operation.ts'

/** Session answers are neither cached nor shared with other sites. */
const headers = { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' }

/** Maximum body of a web application form. */
const MOST_FORM_BYTES = 16 * 1024

/** Handles the web application's calls. API keys are ignored here: they may never change keys. */
export async function callAccount(
  context: ServerContext & { readonly accounts: State & Accounts },
  exchange: ExpressExchange,
  operation: AccountOperation,
  { named, search }: { named: Readonly<Record<string, string>>; search: string },
): Promise<void> {
  const { request, address, prefix, id, at } = exchange
  exchange.endpoint = operation.name
  Object.assign(exchange.headers, headers)
  checkOrigin(request, context.publicUrl)
  const session = await sessionFor(context, exchange, operation)
  if (request.method !== 'GET')
    checkThrottle(context.changes, 'that change something', session?.email ?? address(), at)
  const args = parseParams(operation.params, {
    ...(await readInput(context, exchange, operation, { named, search })),
    ...named,
  })
  const reply = await operation.handle(
    {
      engine: context.engine,
      state: context.accounts,
      session,
      visitor: { address: address(), agent: agentOf(request.headers['user-agent']) },
      origin: publicOrigin(context.publicUrl, request) + prefix,
      singleSignOn: context.singleSignOn,
      demo: context.demo && isDirect(exchange),
      now: at,
      actor: { who: session?.email ?? 'nobody', address: address(), requestId: id },
      audit: (event, about) =>
        context.log?.[event === 'sign-in locked' ? 'warn' : 'info'](
          { audit: event, ...about, address: address(), request_id: id },
          event,
        ),
    },
    args,
  )
  answer(exchange, reply, isSecure(context.publicUrl, request))
}

async function sessionFor(
  context: ServerContext,
  exchange: ExpressExchange,
  { who }: AccountOperation,
): Promise<Session | null> {
  if (who === 'anybody') return sessionOf(context, exchange)
  const session = await signedIn(context, exchange)
  if (who === 'admin' && session.role !== 'admin')
    throw new QueryError('FORBIDDEN', 'only administrators may see this', { reason: 'role' })
  return session
}

async function readInput(
  { mostBodyBytes }: ServerContext,
  { request }: ExpressExchange,
  { method, params, mostBytes = MOST_FORM_BYTES }: AccountOperation,
  { named, search }: { named: Readonly<Record<string, string>>; search: string },
): Promise<Input> {
  const inBody =
    (method === 'POST' || method === 'PATCH') && Object.keys(params).some(name => !Object.hasOwn(named, name))
  return inBody ? readJsonBody(request, Math.min(mostBodyBytes, mostBytes)) : readQuery(search)
}

function answer(
  exchange: ExpressExchange,
  { status = 200, body, opened }: AccountReply,
  secure: boolean,
): void {
  if (opened !== undefined) setSession(exchange.response, secure, opened)
  writeAnswer(exchange, body ? jsonResponse(status, body, exchange.id) : { status, headers: {} })
}

/** Only the user of this machine gets a demo session, so requests that came through a proxy are refused. */
const isDirect = ({ request: { headers } }: ExpressExchange): boolean =>
  !('x-forwarded-for' in headers || 'forwarded' in headers || 'via' in headers)

/** A browser's user agent, shortened, without control characters. */
const agentOf = (header: string | undefined): string | null =>
  header?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200) || null
