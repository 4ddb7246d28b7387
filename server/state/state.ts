import type { MaybePromise } from '../../engine/base/maybe-promise.ts'
import type { Tier } from '../limits/tiers.ts'

/** A key in use, and whose it is. The key itself is never kept. */
export interface Principal {
  readonly keyId: string
  readonly accountId: string
  readonly email: string
  readonly tier: Tier
  readonly label: string | null
  /** The first characters of the key, by which people tell keys apart. */
  readonly prefix: string
  /** ISO timestamp, UTC. */
  readonly createdAt: string
}

/** A key as it is made: the only moment at which the key itself is known. */
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

/** What a call costs, held until it is known to have succeeded. */
export type CreditHold =
  | { readonly kind: 'held'; readonly id: string; readonly remaining: number }
  | { readonly kind: 'short'; readonly required: number; readonly remaining: number }

/** An answer kept under an idempotency key. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** `mine`: this request runs. `kept`: it has run. `running`: another one runs it. `other`: the key was used for another request. */
export type IdempotencyClaim =
  | { readonly kind: 'mine' }
  | { readonly kind: 'kept'; readonly answer: StoredResponse }
  | { readonly kind: 'running' }
  | { readonly kind: 'other' }

/** One call that was answered. */
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

export interface CoverageRequest {
  readonly ticker: string
  readonly companyName: string
  readonly cik: string | null
  readonly note: string | null
}

/**
 * Everything that changes while a server runs: accounts, keys, limits, credits, usage. Every method is one transaction;
 * several processes may use one store at once.
 */
export interface State {
  readonly kind: 'sqlite' | 'postgres'
  /**
   * Makes a key for an email: in the account that it belongs to, else in one of its own. With `account`, the email of
   * another account's owner, the email takes a seat there.
   */
  createKey(wanted: {
    email: string
    tier: Tier
    label?: string | null | undefined
    credits?: number | undefined
    account?: string | undefined
    /** Keys in force that the email may have, this one counted. */
    most?: number
  }): Promise<NewKey>
  listKeys(filter?: { accountId?: string; revoked?: boolean }): Promise<KeyRecord[]>
  labelKey(keyId: string, label: string | null): Promise<KeyRecord>
  /** The same id with another key; the old one is dead when this returns. */
  regenerateKey(keyId: string): Promise<NewKey>
  revokeKey(keyId: string): Promise<KeyRecord>
  /** Adds bought credits. */
  creditKey(keyId: string, credits: number, reason: string): Promise<Balance>

  /** Whose key this is; null for anything that is not a key in force. */
  authenticate(presented: string): MaybePromise<Principal | null>
  /** Counts `n` requests against the key's window of 60 seconds, all or none. */
  take(keyId: string, limit: number, n: number, now: number): MaybePromise<Window>
  balance(keyId: string): Promise<Balance>
  /** Sets credits aside before a call runs: never below zero. */
  hold(keyId: string, credits: number, request: { requestId: string; endpoint: string }): Promise<CreditHold>
  /**
   * The call succeeded: the held credits are spent. `credits` may be less than was held (a batch with failures). With
   * `answer`, it is kept in the same step: a request that is tried again is then never charged a second time.
   */
  settle(
    holdId: string,
    credits?: number,
    answer?: { keyId: string; idempotencyKey: string; answer: StoredResponse },
  ): Promise<void>
  /** The call failed: the held credits go back. */
  release(holdId: string): Promise<void>
  claim(keyId: string, idempotencyKey: string, fingerprint: string, now: number): Promise<IdempotencyClaim>
  keep(keyId: string, idempotencyKey: string, answer: StoredResponse): Promise<void>
  /** Gives an idempotency key up: the request ended in an error that may be tried again. */
  abandon(keyId: string, idempotencyKey: string): Promise<void>

  record(calls: readonly Call[]): Promise<void>
  usage(accountId: string, from: number, to: number): Promise<UsageRows>
  /** Forgets calls older than a moment. */
  forget(before: number): Promise<number>

  requestCoverage(
    accountId: string,
    wanted: CoverageRequest,
    now: number,
  ): Promise<{ id: string; created: boolean; requestedAt: string }>
  seats(accountId: string): Promise<{ used: number; total: number }>
  /** True while the store answers. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** Calls of an account, summed where they happened. */
export interface UsageRows {
  readonly daily: readonly { date: string; queries: number; cost: number; errors: number }[]
  readonly endpoints: readonly { endpoint: string; queries: number; cost: number; avg_ms: number }[]
  readonly keys: readonly { key_id: string; label: string | null; queries: number }[]
  readonly latency_ms: { p50: number | null; p95: number | null; p99: number | null }
}
