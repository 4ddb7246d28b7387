import type { Engine } from '../../engine/engine.ts'
import type { ArgsOf, Params } from '../../engine/schema/params.ts'
import type { Accounts, OpenedSession, Session, Visitor } from '../state/accounts.ts'
import type { Actor, State } from '../state/state.ts'
import type { SingleSignOn } from '../v1/server-context.ts'

/** A validated request of the web application. */
export interface AccountCall<S> {
  readonly engine: Engine
  readonly state: State & Accounts
  readonly session: S
  readonly visitor: Visitor
  /** The server's public origin: `https://debt.example.com`. */
  readonly origin: string
  readonly singleSignOn: SingleSignOn | null
  /** Whether a demo session is available. */
  readonly demo: boolean
  /** Unix epoch milliseconds of the request's arrival. */
  readonly now: number
  /** Who calls, for the audit log of the store. */
  readonly actor: Actor
  /** Writes a line of the log. */
  readonly audit: (event: Audit, about: Readonly<Record<string, unknown>>) => void
}

export type Audit =
  | 'signed in'
  | 'sign-in refused'
  | 'sign-in locked'
  | 'link refused'
  | 'password set'
  | 'password change refused'
  | 'signed out'
  | 'key created'
  | 'key labelled'
  | 'key regenerated'
  | 'key revoked'
  | 'seat added'
  | 'seat removed'
  | 'issuer linked'
  | 'fact corrected'

export interface AccountReply {
  /** 204 without a body. */
  readonly status?: number
  readonly body?: Readonly<Record<string, unknown>>
  /** A new session; null ends the current one. */
  readonly opened?: OpenedSession | null
}

/**
 * A web application call outside `/v1`, by session cookie. It changes with the application and is of no use to
 * programs, so it is in no OpenAPI document.
 */
export interface AccountOperation<P extends Params = Params, S = Session | null> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly who: 'anybody' | 'signed in' | 'admin'
  /** Those not in the path are in the query of a GET, else in a JSON body. */
  readonly params: P
  /** Maximum bytes of the body, where more than a form's is needed. */
  readonly mostBytes?: number
  readonly handle: (call: AccountCall<S>, args: ArgsOf<P>) => Promise<AccountReply>
}

type Without<P extends Params, S> = Omit<AccountOperation<P, S>, 'who'>

export const forAnybody = <const P extends Params>(declared: Without<P, Session | null>): AccountOperation =>
  ({ ...declared, who: 'anybody' }) as unknown as AccountOperation

export const forSignedIn = <const P extends Params>(declared: Without<P, Session>): AccountOperation =>
  ({ ...declared, who: 'signed in' }) as unknown as AccountOperation

export const forAdmins = <const P extends Params>(declared: Without<P, Session>): AccountOperation =>
  ({ ...declared, who: 'admin' }) as unknown as AccountOperation
