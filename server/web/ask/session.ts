import type { Tier } from '../../limits/tiers.ts'
import { prefix } from '../app/server.ts'
import { failureOf } from './failure.ts'

/** Who is signed in, and which of the account's keys is in use. */
export interface Session {
  readonly account: {
    readonly email: string
    readonly role: 'member' | 'admin'
    readonly tier: Tier
    /** Whether they may add and remove seats of the account. */
    readonly owner: boolean
  }
  readonly csrf: string
  readonly key: {
    readonly id: string
    readonly label: string | null
    readonly prefix: string
    readonly tier: Tier
  } | null
  readonly demo: boolean
}

let csrf = ''

/** A provider at which people sign in. */
export interface Provider {
  readonly name: string
  readonly path: string
}

let provider: Provider | null = null

/** The provider that the server named when nobody was signed in. */
export const knownProvider = (): Provider | null => provider

/** Null if nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  const response = await fetch(`${prefix}/session`)
  if (response.status === 401) {
    const { error } = (await response.json()) as { error: { details?: { provider?: Provider } } }
    provider = error.details?.provider ?? null
    return null
  }
  return keep(await jsonOf<Session>(response))
}

function keep(session: Session): Session {
  csrf = session.csrf
  return session
}

async function jsonOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw await failureOf(response)
  return (response.status === 204 ? null : await response.json()) as T
}

/** Headers of a browser's call: the cookie is automatic, the CSRF token explicit. */
export const withCsrf = (method: string): Record<string, string> =>
  method === 'GET' || method === 'HEAD' ? {} : { 'X-CSRF-Token': csrf }

/** A call of the account's own routes. */
export async function callOwn<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(prefix + path, {
    method,
    headers: { ...withCsrf(method), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return jsonOf<T>(response)
}
