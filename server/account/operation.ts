import type { Engine } from '../../engine/engine.ts'
import type { ArgsOf, Params } from '../../engine/schema/params.ts'
import type { Accounts, OpenedSession, Session, Visitor } from '../state/accounts.ts'
import type { State } from '../state/state.ts'

/** One request of the web application that passed its checks. */
export interface AccountCall<S> {
  readonly engine: Engine
  readonly state: State & Accounts
  readonly session: S
  readonly visitor: Visitor
  /** Where people reach this server: `https://debt.example.com`. */
  readonly origin: string
  /** Whoever asks may have a session of the demo's. */
  readonly demo: boolean
  /** Unix epoch milliseconds at which the request came. */
  readonly now: number
  /** Writes down who did what. */
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

export interface AccountReply {
  /** 204 where there is no body. */
  readonly status?: number
  readonly body?: Readonly<Record<string, unknown>>
  /** A session that begins; null where the one there is ends. */
  readonly opened?: OpenedSession | null
}

/**
 * What the web application asks beside `/v1`, by the cookie of a session. It changes with the application, and programs have
 * no use for it: it is in no OpenAPI document.
 */
export interface AccountOperation<P extends Params = Params, S = Session | null> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly who: 'anybody' | 'signed in' | 'admin'
  /** Those that are not in the path stand in the query of a GET, else in a JSON body. */
  readonly params: P
  readonly handle: (call: AccountCall<S>, args: ArgsOf<P>) => Promise<AccountReply>
}

type Without<P extends Params, S> = Omit<AccountOperation<P, S>, 'who'>

export const forAnybody = <const P extends Params>(declared: Without<P, Session | null>): AccountOperation =>
  ({ ...declared, who: 'anybody' }) as unknown as AccountOperation

export const forSignedIn = <const P extends Params>(declared: Without<P, Session>): AccountOperation =>
  ({ ...declared, who: 'signed in' }) as unknown as AccountOperation

export const forAdmins = <const P extends Params>(declared: Without<P, Session>): AccountOperation =>
  ({ ...declared, who: 'admin' }) as unknown as AccountOperation
