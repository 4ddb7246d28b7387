import type { Configuration } from 'openid-client'
import { type ExpressExchange, throughExpress } from '../http/exchange.ts'
import type { Page } from '../http/page.ts'
import { isSecure } from '../http/public-url.ts'
import { cookieOf, setSession } from '../http/session-cookie.ts'
import { writeAnswer } from '../http/write-answer.ts'
import { throttle } from '../limits/throttle.ts'
import type { Log } from '../log/log.ts'
import type { AccountRecord, Accounts } from '../state/accounts.ts'
import { type SingleSignOn, SSO_PATH } from '../v1/server-context.ts'

/** An OpenID provider at which people sign in, and this server as its client. */
export interface Oidc extends Pick<SingleSignOn, 'name'> {
  /** `https://login.example.com`; its configuration is at `/.well-known/openid-configuration`. */
  readonly issuer: string
  readonly clientId: string
  /** A client without one is a public client. */
  readonly secret?: string | undefined
  /** The claim that names the account. `email` has to be verified by the provider; another is taken as it is. */
  readonly emailClaim: string
  /** Where the provider sends people back: the server's public origin. */
  readonly publicUrl: string
}

interface Parts {
  readonly state: Accounts
  readonly log: Log
  readonly clock?: () => number
}

/** Why somebody is not signed in, as the sign-in page is told. */
type Refusal = 'expired' | 'refused' | 'unverified' | 'unknown' | 'unavailable'

/** A sign-in between the two requests, kept in a cookie of the browser that began it. */
interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

const CALLBACK = `${SSO_PATH}/callback`
/** Time for signing in at the provider. */
const PENDING_MS = 600_000
/** Returns a minute from one address: each asks the provider. */
const RETURNS = 30

class Refused extends Error {
  readonly reason: Refusal
  constructor(reason: Refusal, why: string) {
    super(why)
    this.reason = reason
  }
}

/**
 * Sign-in at an OpenID provider, by the authorization code flow with PKCE. The first page sends the browser there, the
 * second takes it back: the account must exist already, under the email that the provider vouches for.
 */
export function singleSignOn(oidc: Oidc, { state, log, clock = Date.now }: Parts): Page[] {
  const returns = throttle({ allowed: RETURNS })
  const provider = providerOf(oidc)
  const name = `${oidc.publicUrl.startsWith('https:') ? '__Host-' : ''}tranche_sign_in`
  const redirect_uri = oidc.publicUrl + CALLBACK
  // Lax, unlike the session's: the browser comes back from another site.
  const flags = { httpOnly: true, sameSite: 'lax', secure: name.startsWith('__Host-'), path: '/' } as const

  const refuse = (exchange: ExpressExchange, error: unknown, email: string | null = null) => {
    const reason = error instanceof Refused ? error.reason : 'unavailable'
    const about = {
      audit: 'sign-in refused',
      reason,
      email,
      address: exchange.address(),
      request_id: exchange.id,
    }
    if (error instanceof Refused) log.info({ ...about, why: error.message }, 'sign-in refused')
    else log.error({ ...about, err: error }, 'the provider of sign-ins cannot be used')
    redirect(exchange, `${oidc.publicUrl}/#/sign-in?refused=${reason}`)
  }

  async function begin(exchange: ExpressExchange): Promise<void> {
    try {
      const [client, configuration] = await provider()
      const pending: Pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      })
      const value = Buffer.from(JSON.stringify(pending)).toString('base64url')
      exchange.response.cookie(name, value, { ...flags, maxAge: PENDING_MS })
      redirect(exchange, address.href)
    } catch (error) {
      refuse(exchange, error)
    }
  }

  async function finish(exchange: ExpressExchange): Promise<void> {
    const { request, response } = exchange
    let email: string | null = null
    try {
      const pending = pendingOf(cookieOf(request, name))
      if (!pending) throw new Refused('expired', 'no sign-in was begun in this browser, or it took too long')
      response.clearCookie(name, flags)
      if (returns(exchange.address(), clock()) > 0) throw new Refused('refused', 'too many attempts')
      const returned = new URL(request.originalUrl, oidc.publicUrl)
      email = await emailFrom(await provider(), oidc.emailClaim, { returned, pending })
      const account = await accountOf(state, email)
      const visitor = { address: exchange.address(), agent: null }
      const opened = await state.openSession(account.email, visitor)
      log.info(
        { audit: 'signed in', by: oidc.name, email, address: visitor.address, request_id: exchange.id },
        'signed in',
      )
      setSession(response, isSecure(oidc.publicUrl, request), opened)
      redirect(exchange, `${oidc.publicUrl}/`)
    } catch (error) {
      refuse(exchange, error, email)
    }
  }

  const page = (path: string, handle: (exchange: ExpressExchange) => Promise<void>): Page => ({
    method: 'GET',
    path,
    handle: exchange => handle(throughExpress(exchange)),
  })
  return [page(SSO_PATH, begin), page(CALLBACK, finish)]
}

type Provider = readonly [typeof import('openid-client'), Configuration]

/** The address that the provider vouches for. */
async function emailFrom(
  [client, configuration]: Provider,
  emailClaim: string,
  { returned, pending }: { returned: URL; pending: Pending },
): Promise<string> {
  const { state, nonce, verifier } = pending
  const tokens = await client
    .authorizationCodeGrant(configuration, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    .catch(error => {
      // Its messages name what was wrong, never a code or token.
      throw isUnreachable(error) ? error : new Refused('refused', String(error?.message ?? error))
    })
  const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {}
  const email = claims[emailClaim]
  if (typeof email !== 'string' || email === '')
    throw new Refused('unverified', `the provider sent no claim ${emailClaim}`)
  // Anybody can have an account with any address at some providers.
  if (emailClaim === 'email' && claims['email_verified'] !== true)
    throw new Refused('unverified', 'the provider has not verified the email')
  return email
}

/** The provider's configuration, read at the first sign-in; read again if that failed. */
function providerOf({ issuer, clientId, secret }: Oidc) {
  let found: Promise<Provider> | null = null
  return () => {
    found ??= import('openid-client')
      .then(async client => {
        // Also of tokens that came straight from the provider, over TLS.
        const checks = [client.enableNonRepudiationChecks]
        const execute = issuer.startsWith('http:') ? [...checks, client.allowInsecureRequests] : checks
        const authentication = secret === undefined ? client.None() : undefined
        const configuration = await client.discovery(new URL(issuer), clientId, secret, authentication, {
          execute,
        })
        return [client, configuration] as const
      })
      .catch(error => {
        found = null
        throw error
      })
    return found
  }
}

/** The enabled account of an email. */
async function accountOf(state: Accounts, email: string): Promise<AccountRecord> {
  const { rows } = await state.accounts({ email }).catch(() => ({ rows: [] }))
  const [account] = rows
  if (!account) throw new Refused('unknown', 'there is no account of this email')
  if (account.disabledAt !== null) throw new Refused('unknown', 'the account is disabled')
  return account
}

/** Whether the provider did not answer, rather than refuse. */
const isUnreachable = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code === 'OAUTH_TIMEOUT' || error instanceof TypeError || cause instanceof TypeError
}

function pendingOf(cookie: string | null): Pending | null {
  if (cookie === null) return null
  try {
    const { state, nonce, verifier } = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as Pending
    return [state, nonce, verifier].every(one => typeof one === 'string' && one !== '')
      ? { state, nonce, verifier }
      : null
  } catch {
    return null
  }
}

const redirect = (exchange: ExpressExchange, to: string): void =>
  writeAnswer(exchange, { status: 303, headers: { Location: to, 'Cache-Control': 'no-store' } })
