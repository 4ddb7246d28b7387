import type { Generated } from 'kysely'
import type { Tier } from '../tiers.ts'

/** Instants are Unix epoch milliseconds. */
export interface Tables {
  settings: { name: string; value: string }
  /** `email` is the owner's; `seated_at` is written by whoever takes a seat, to be alone in it. */
  accounts: { id: string; email: string; created_at: number; seated_at: number }
  /** Which account an email belongs to. */
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
  /** A key's window of requests. */
  windows: { key_id: string; started_at: number; used: number }
  credits: { key_id: string; remaining: number; purchased: number }
  /** Every change of a balance; `held_by` is the run in which the call that is charged is still running. */
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
  /** Processes that hold credits or idempotency keys, and when they last said that they live. */
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
  calls: {
    id: Generated<number>
    key_id: string
    endpoint: string
    status: number
    cost: number
    milliseconds: number
    at: number
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
}
