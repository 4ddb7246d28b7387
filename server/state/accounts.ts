import type { Tier } from '../limits/tiers.ts'
import type { SavedWork } from './saved.ts'
import type { Actor, Principal } from './state.ts'

export const roles = ['user', 'admin'] as const
export type Role = (typeof roles)[number]

/** A person who may sign in. Instants are ISO timestamps, UTC. */
export interface AccountRecord {
  readonly email: string
  readonly accountId: string
  /** Email of the owner of the account in which this person holds a seat. */
  readonly owner: string
  readonly role: Role
  /** Tier of the keys they create. */
  readonly tier: Tier
  readonly hasPassword: boolean
  /** Expiry of the link that sets the password. */
  readonly linkUntil: string | null
  readonly createdAt: string
  readonly signedInAt: string | null
  readonly disabledAt: string | null
}

/** The token of a link, known only at this moment. */
export interface Invitation extends AccountRecord {
  readonly token: string
}

/** The client of a sign-in. */
export interface Visitor {
  readonly address: string
  /** The browser's user agent. */
  readonly agent: string | null
}

export interface Session {
  readonly id: string
  readonly email: string
  readonly accountId: string
  /** Email of the account's owner. */
  readonly owner: string
  readonly isOwner: boolean
  readonly role: Role
  readonly tier: Tier
  /** The token that requests with side effects must repeat. */
  readonly csrf: string
  /** The key it uses: the chosen one while active, else the first; null if there is none. */
  readonly key: Principal | null
}

/** The token of a session, known only at this moment. */
export interface OpenedSession {
  readonly token: string
  readonly session: Session
  /** Unix epoch milliseconds. */
  readonly endsAt: number
}

/** `email` is the account's, if there is one: for the log, never for the caller. */
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

/** What changes accounts, keys and credits, as entries name it. */
export const auditActions = [
  'account created',
  'account changed',
  'account reset',
  'account disabled',
  'account enabled',
  'seat removed',
  'password set',
  'key created',
  'key labelled',
  'key regenerated',
  'key revoked',
  'credits added',
] as const
export type AuditAction = (typeof auditActions)[number]

/** A change of an account, a key or its credits. */
export interface AuditEntry {
  readonly id: number
  readonly at: string
  /** An email, `name@machine` of a command, or `program`. */
  readonly who: string
  readonly action: AuditAction
  /** An email, or the id of a key. */
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
  readonly address: string | null
  readonly requestId: string | null
}

export interface CoverageRecord {
  readonly id: string
  /** The owner of the requesting account. */
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

/** People who sign in, and their view of an account. As with keys, secrets are stored hashed. */
export interface Accounts extends SavedWork {
  /** Invites a person who may sign in after following the link; with `owner`, in a seat of that account. */
  createAccount(wanted: {
    email: string
    role?: Role | undefined
    /** Default: the highest tier of the account's keys. */
    tier?: Tier | undefined
    owner?: string | undefined
    by?: Actor
  }): Promise<Invitation>
  accounts(
    filter?: { email?: string; accountId?: string },
    part?: PageRequest,
  ): Promise<PageOf<AccountRecord>>
  changeAccount(
    email: string,
    to: { role?: Role | undefined; tier?: Tier | undefined },
    by?: Actor,
  ): Promise<AccountRecord>
  /** Creates a new link; the password and all sessions are invalid from now on. */
  resetAccount(email: string, by?: Actor): Promise<Invitation>
  /** Allows or blocks sign-in; blocking ends all sessions. Keys stay active. */
  enableAccount(email: string, enabled: boolean, by?: Actor): Promise<AccountRecord>
  /** Removes a seat: its sign-in, sessions and keys. */
  removeSeat(accountId: string, email: string, by?: Actor): Promise<void>

  signIn(given: { email: string; password: unknown }, from: Visitor): Promise<SignIn>
  /** Changes the password and returns this session; all other sessions end. */
  changePassword(
    given: { email: string; current: unknown; password: unknown },
    from: Visitor,
  ): Promise<SignIn>
  /** Sets the password by a link and signs in; null if the link is not valid. Other sessions end. */
  acceptLink(given: { token: string; password: unknown }, from: Visitor): Promise<OpenedSession | null>
  /** A session without a password: for a demo. */
  openSession(email: string, from: Visitor): Promise<OpenedSession>
  /** The session of a token; null if it is not valid. */
  session(token: string): Promise<Session | null>
  chooseKey(sessionId: string, keyId: string): Promise<void>
  sessions(email: string): Promise<SessionRecord[]>
  /** False if this email has no such session. */
  endSession(email: string, id: string): Promise<boolean>

  /** Ledger entries, newest first. */
  ledger(keyIds: readonly string[], part: PageRequest): Promise<PageOf<LedgerRow>>
  /** Changes of accounts, keys and credits, newest first: those of a person or key, those that somebody made, or all. */
  auditLog(filter?: { subject?: string; who?: string }, part?: PageRequest): Promise<PageOf<AuditEntry>>
  /** Newest first; of all accounts unless one is given. */
  coverageRequests(accountId: string | null, part: PageRequest): Promise<PageOf<CoverageRecord>>
}
