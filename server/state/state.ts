import type { MaybePromise } from '../../engine/base/maybe-promise.ts'
import type { Tier } from '../limits/tiers.ts'

/** An active key and its account. The key itself is never stored. */
export interface Principal {
  readonly keyId: string
  readonly accountId: string
  readonly email: string
  readonly tier: Tier
  readonly label: string | null
  /** The first characters of the key, for display. */
  readonly prefix: string
  /** ISO timestamp, UTC. */
  readonly createdAt: string
}

/** A new key: the only moment at which the key itself is known. */
export interface NewKey extends Principal {
  readonly key: string
  readonly credits: number
}

export interface KeyRecord extends Principal {
  readonly credits: number
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

/** A key's window of requests: `resetsAt` is in Unix epoch milliseconds. */
export interface Window {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
}

export type Balance = { readonly remaining: number; readonly used: number; readonly purchased: number }

/** The cost of a call, held until it is known to have succeeded. */
export type CreditHold =
  | { readonly kind: 'held'; readonly id: string; readonly remaining: number }
  | { readonly kind: 'short'; readonly required: number; readonly remaining: number }

/** An answer stored under an idempotency key. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * `mine`: this request runs it. `kept`: it has run. `running`: another request runs it. `other`: the key was used for
 * another request.
 */
export type IdempotencyClaim =
  | { readonly kind: 'mine' }
  | { readonly kind: 'kept'; readonly answer: StoredResponse }
  | { readonly kind: 'running' }
  | { readonly kind: 'other' }

/** One answered call. */
export interface Call {
  readonly keyId: string
  /** The operation's name, or `unknown`. */
  readonly endpoint: string
  readonly status: number
  readonly cost: number
  readonly milliseconds: number
  /** Unix epoch milliseconds. */
  readonly at: number
}

/** Who changes accounts and keys, for the audit log: an email, or the user of a machine that has the store. */
export interface Actor {
  readonly who: string
  readonly address?: string | null
  readonly requestId?: string | null
}

export interface CoverageRequest {
  readonly ticker: string
  readonly companyName: string
  readonly cik: string | null
  readonly note: string | null
}

/**
 * Everything that changes while a server runs: accounts, keys, limits, credits, usage. Every method is one
 * transaction; several processes may share a store.
 */
export interface State {
  readonly kind: 'sqlite' | 'postgres'
  /**
   * Creates a key for an email: in its account, else in a new one. With `account`, the email of another account's
   * owner, the email takes a seat there.
   */
  createKey(wanted: {
    email: string
    tier: Tier
    label?: string | null | undefined
    credits?: number | undefined
    account?: string | undefined
    /** Maximum active keys of the email, including this one. */
    most?: number
    by?: Actor
  }): Promise<NewKey>
  listKeys(filter?: { accountId?: string; revoked?: boolean }): Promise<KeyRecord[]>
  labelKey(keyId: string, label: string | null, by?: Actor): Promise<KeyRecord>
  /** Replaces a key under the same id; the old one is invalid from now on. */
  regenerateKey(keyId: string, by?: Actor): Promise<NewKey>
  revokeKey(keyId: string, by?: Actor): Promise<KeyRecord>
  /** Adds bought credits. */
  creditKey(keyId: string, credits: number, reason: string, by?: Actor): Promise<Balance>

  /** The owner of a key; null if it is not an active key. */
  authenticate(presented: string): MaybePromise<Principal | null>
  /** Counts `n` requests against the key's window of 60 seconds, all or none. */
  take(keyId: string, limit: number, n: number, now: number): MaybePromise<Window>
  balance(keyId: string): Promise<Balance>
  /** Reserves credits before a call runs; the balance never goes below zero. */
  hold(keyId: string, credits: number, request: { requestId: string; endpoint: string }): Promise<CreditHold>
  /**
   * The call succeeded: the reserved credits are spent. `credits` may be less than reserved (a batch with failures).
   * With `answer`, it is stored in the same transaction, so that a retried request is never charged again.
   */
  settle(
    holdId: string,
    credits?: number,
    answer?: { keyId: string; idempotencyKey: string; answer: StoredResponse },
  ): Promise<void>
  /** The call failed: the reserved credits are returned. */
  release(holdId: string): Promise<void>
  claim(keyId: string, idempotencyKey: string, fingerprint: string, now: number): Promise<IdempotencyClaim>
  keep(keyId: string, idempotencyKey: string, answer: StoredResponse): Promise<void>
  /** Releases an idempotency key: the request failed in a way that may be retried. */
  abandon(keyId: string, idempotencyKey: string): Promise<void>

  record(calls: readonly Call[]): Promise<void>
  usage(accountId: string, from: number, to: number): Promise<UsageRows>
  /** Deletes calls older than a moment. */
  forget(before: number): Promise<number>

  requestCoverage(
    accountId: string,
    wanted: CoverageRequest,
    now: number,
  ): Promise<{ id: string; created: boolean; requestedAt: string }>
  seats(accountId: string): Promise<{ used: number; total: number }>
  /** Whether the store responds. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** Calls of an account, aggregated in the store. */
export interface UsageRows {
  readonly daily: readonly { date: string; queries: number; cost: number; errors: number }[]
  readonly endpoints: readonly { endpoint: string; queries: number; cost: number; avg_ms: number }[]
  readonly keys: readonly { key_id: string; label: string | null; queries: number }[]
  readonly latency_ms: { p50: number | null; p95: number | null; p99: number | null }
}
