import { QueryError } from '../../engine/base/errors.ts'
import type { MaybePromise } from '../../engine/base/maybe-promise.ts'
import { type Exchange, type ExpressExchange, throughExpress } from '../http/exchange.ts'
import { isSecure } from '../http/public-url.ts'
import { checkCsrf, checkOrigin } from '../http/same-origin.ts'
import { sessionToken } from '../http/session-cookie.ts'
import type { Session } from '../state/accounts.ts'
import type { Principal } from '../state/state.ts'
import { authenticate, checkThrottle } from './authenticate.ts'
import { DEMO_EMAIL } from './demo-account.ts'
import type { ServerContext } from './server-context.ts'

/** The session of a request, if any; throws if another site sent it. */
export async function sessionOf(
  { accounts, demo, publicUrl }: ServerContext,
  { request }: ExpressExchange,
): Promise<Session | null> {
  const token = accounts ? sessionToken(request, isSecure(publicUrl, request)) : null
  const found = token === null ? null : await accounts!.session(token)
  const session = found?.email === DEMO_EMAIL && !demo ? null : found
  if (session) checkOrigin(request, publicUrl)
  return session
}

/** The same, of a request that needs one. */
export async function signedIn(context: ServerContext, exchange: ExpressExchange): Promise<Session> {
  const { request, at } = exchange
  const session = await sessionOf(context, exchange)
  if (session) {
    checkCsrf(request, session.csrf)
    return session
  }
  checkThrottle(
    context.unauthorized,
    'without a valid session came from this address',
    exchange.address(),
    at,
  )
  throw new QueryError('UNAUTHORIZED', 'sign in first: the session has ended, or there is none')
}

/** The principal of a /v1 request: its key, else the key chosen in its session. */
export function callerOf(context: ServerContext, exchange: Exchange): MaybePromise<Principal> {
  const { state, unauthorized } = context
  const { request, at: now, address } = exchange
  const key = request.headers['x-api-key']
  if (key === undefined) return callerInSession(context, throughExpress(exchange))
  return authenticate(state, unauthorized, { key, address, now })
}

async function callerInSession(context: ServerContext, exchange: ExpressExchange): Promise<Principal> {
  const { request, at: now, address } = exchange
  const session = await sessionOf(context, exchange)
  if (!session) return authenticate(context.state, context.unauthorized, { key: undefined, address, now })
  checkCsrf(request, session.csrf)
  if (session.key) return session.key
  throw new QueryError('FORBIDDEN', 'you have no active key: create one first', { reason: 'no_key' })
}
