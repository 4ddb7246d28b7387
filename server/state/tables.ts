import type { Generated } from 'kysely'
import type { Tier } from '../limits/tiers.ts'
import type { AuditAction, Role } from './accounts.ts'
import type { SavedKind } from './saved.ts'

/** Instants are Unix epoch milliseconds. */
export interface Tables {
  settings: { name: string; value: string }
  /** `email` is the owner's; taking a seat writes `seated_at`, to lock the row. */
  accounts: {
    id: string
    email: string
    created_at: number
    seated_at: number
    /** Tier of the keys that its people create. */
    tier: Generated<Tier | null>
  }
  /** The account of an email. */
  members: { email: string; account_id: string; created_at: number }
  keys: {
    id: string
    account_id: string
    email: string
    tier: Tier
    label: string | null
    prefix: string
    hash: string
    created_at: number
    revoked_at: number | null
    last_used_at: number | null
  }
  /** A key's window of requests: see `Counted`. */
  windows: {
    key_id: string
    started_at: number
    used: number
    lent: Generated<number>
    recalled: Generated<number>
    /** The run that holds the lease. */
    holder: Generated<string | null>
  }
  credits: { key_id: string; remaining: number; purchased: number }
  /** Every change of a balance; `held_by` is the run in which the charged call is still running. */
  ledger: {
    id: Generated<number>
    key_id: string
    at: number
    kind: 'grant' | 'charge' | 'refund'
    credits: number
    endpoint: string | null
    request_id: string | null
    reason: string | null
    held_by: string | null
  }
  /** Changes of accounts, keys and credits; `details` is JSON. */
  audit_entries: {
    id: Generated<number>
    at: number
    who: string
    action: AuditAction
    subject: string
    details: string
    address: string | null
    request_id: string | null
  }
  /** Processes that hold credits or idempotency keys, with their last heartbeat. */
  runs: { id: string; host: string; pid: number; started: string | null; seen_at: number }
  /** Idempotency keys; `status` is null while the request runs. */
  claims: {
    key_id: string
    name: string
    fingerprint: string
    run: string
    at: number
    status: number | null
    headers: string | null
    body: Uint8Array | null
  }
  /** Unindexed calls: groups of them as JSON arrays. */
  call_batches: { id: Generated<number>; calls: string }
  /** Calls of a key to an endpoint within a minute: `times` are their durations in milliseconds as a JSON array. */
  call_groups: {
    id: Generated<number>
    key_id: string
    endpoint: string
    at: number
    queries: number
    errors: number
    cost: number
    milliseconds: number
    times: string
  }
  coverage_requests: {
    id: string
    account_id: string
    ticker: string
    company_name: string
    cik: string | null
    note: string | null
    requested_at: number
  }
  /** People who may sign in. A link that sets the password is valid once, until `link_until`. */
  logins: {
    email: string
    role: Role
    password: string | null
    link_hash: string | null
    link_until: number | null
    created_at: number
    signed_in_at: number | null
    disabled_at: number | null
  }
  /** `hash` is of the cookie's token; `key_id` is the key the session uses. */
  sessions: {
    id: string
    hash: string
    email: string
    key_id: string | null
    agent: string | null
    address: string | null
    created_at: number
    seen_at: number
    ends_at: number
  }
  /** What people of an account saved; `body` is JSON by kind. */
  saved_items: {
    id: string
    account_id: string
    kind: SavedKind
    name: string
    body: string
    changed_by: string
    created_at: number
    changed_at: number
  }
  /** The day up to which a person has seen the changes of a watchlist. */
  watchlist_looks: { watchlist_id: string; email: string; day: string }
  /** Sign-in attempts, by hashed email and by address. */
  attempts: { who: string; tries: number; until: number }
}
