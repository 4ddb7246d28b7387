import type { Tier } from '../limits/tiers.ts'
import type { Principal } from './state.ts'

export const roles = ['user', 'admin'] as const
export type Role = (typeof roles)[number]

/** Somebody who may sign in. Instants are ISO timestamps, UTC. */
export interface AccountRecord {
  readonly email: string
  readonly accountId: string
  /** Email of the owner of the account, in which this one may hold a seat. */
  readonly owner: string
  readonly role: Role
  /** What keys that they make may do. */
  readonly tier: Tier
  readonly hasPassword: boolean
  /** Until when a link that sets the password is in force. */
  readonly linkUntil: string | null
  readonly createdAt: string
  readonly signedInAt: string | null
  readonly disabledAt: string | null
}

/** The one moment at which the token of a link is known. */
export interface Invitation extends AccountRecord {
  readonly token: string
}

/** Where somebody signs in from. */
export interface Visitor {
  readonly address: string
  /** What the browser calls itself. */
  readonly agent: string | null
}

export interface Session {
  readonly id: string
  readonly email: string
  readonly accountId: string
  /** Email of the owner of the account. */
  readonly owner: string
  readonly isOwner: boolean
  readonly role: Role
  readonly tier: Tier
  /** What a request that changes something has to repeat. */
  readonly csrf: string
  /** On whose behalf it asks: the key that was chosen, while it is in force, else the first one; null where there is none. */
  readonly key: Principal | null
}

/** The one moment at which the token of a session is known. */
export interface OpenedSession {
  readonly token: string
  readonly session: Session
  /** Unix epoch milliseconds. */
  readonly endsAt: number
}

/** `email` says whose account it is where there is one: for the log, never for whoever asked. */
export type SignIn =
  | ({ readonly kind: 'in' } & OpenedSession)
  | { readonly kind: 'wrong'; readonly email: string | null }
  | { readonly kind: 'locked'; readonly email: string | null; readonly seconds: number }

export interface SessionRecord {
  readonly id: string
  readonly agent: string | null
  readonly address: string | null
  readonly createdAt: string
  readonly seenAt: string
  readonly endsAt: string
}

export interface LedgerRow {
  readonly id: number
  readonly keyId: string
  readonly at: string
  readonly kind: 'grant' | 'charge' | 'refund'
  readonly credits: number
  readonly endpoint: string | null
  readonly requestId: string | null
  readonly reason: string | null
}

export interface CoverageRecord {
  readonly id: string
  /** The owner of the account that asked. */
  readonly account: string
  readonly ticker: string
  readonly companyName: string
  readonly cik: string | null
  readonly note: string | null
  readonly requestedAt: string
}

export interface PageRequest {
  readonly limit: number
  readonly offset: number
}

export interface PageOf<T> {
  readonly rows: readonly T[]
  readonly total: number
}

/** People who sign in, and what they see of an account. As with keys: what is secret is kept hashed. */
export interface Accounts {
  /** Somebody who may sign in once they have followed the link; with `owner`, in a seat of that account. */
  createAccount(wanted: {
    email: string
    role?: Role | undefined
    /** The highest of the account's keys if not said. */
    tier?: Tier | undefined
    owner?: string | undefined
  }): Promise<Invitation>
  accounts(
    filter?: { email?: string; accountId?: string },
    part?: PageRequest,
  ): Promise<PageOf<AccountRecord>>
  changeAccount(
    email: string,
    to: { role?: Role | undefined; tier?: Tier | undefined },
  ): Promise<AccountRecord>
  /** A new link; the password and all sessions are dead when this returns. */
  resetAccount(email: string): Promise<Invitation>
  /** Lets an account sign in or not; one that may not has no sessions. Keys go on. */
  enableAccount(email: string, enabled: boolean): Promise<AccountRecord>
  /** Ends a seat: its sign-in, its sessions and its keys. */
  removeSeat(accountId: string, email: string): Promise<void>

  signIn(given: { email: string; password: unknown }, from: Visitor): Promise<SignIn>
  /** The same with another password from now on; all other sessions end. */
  changePassword(
    given: { email: string; current: unknown; password: unknown },
    from: Visitor,
  ): Promise<SignIn>
  /** Sets the password by a link and signs in; null where the link is not in force. Other sessions end. */
  acceptLink(given: { token: string; password: unknown }, from: Visitor): Promise<OpenedSession | null>
  /** A session without a password: for a demo. */
  openSession(email: string, from: Visitor): Promise<OpenedSession>
  /** Whose session a token is; null for anything that is not one in force. */
  session(token: string): Promise<Session | null>
  chooseKey(sessionId: string, keyId: string): Promise<void>
  sessions(email: string): Promise<SessionRecord[]>
  /** False where there is no such session of this email. */
  endSession(email: string, id: string): Promise<boolean>

  /** Changes of balances, newest first. */
  ledger(keyIds: readonly string[], part: PageRequest): Promise<PageOf<LedgerRow>>
  /** Newest first; of all accounts unless one is named. */
  coverageRequests(accountId: string | null, part: PageRequest): Promise<PageOf<CoverageRecord>>
}
