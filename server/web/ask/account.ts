import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Tier } from '../../limits/tiers.ts'
import { callOwn } from './session.ts'

/** Answers of the account's own routes. */
export interface Key {
  readonly id: string
  readonly label: string | null
  readonly prefix: string
  readonly email: string
  readonly tier: Tier
  readonly credits: number
  readonly created_at: string
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  readonly chosen: boolean
}

export interface NewKey extends Pick<Key, 'id' | 'label' | 'prefix'> {
  /** Shown once. */
  readonly key: string
}

export interface Credits {
  readonly balance: { readonly remaining: number; readonly used: number; readonly purchased: number }
  readonly keys: readonly (Pick<Key, 'id' | 'label' | 'prefix'> & {
    readonly unlimited: boolean
    readonly remaining: number
  })[]
  readonly packages: readonly { readonly dollars: number; readonly credits: number }[]
  readonly ledger: readonly Readonly<Record<string, unknown>>[]
}

/** An entry of the audit log. */
export interface Change {
  readonly at: string
  readonly who: string
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, string | number | null>>
  readonly address: string | null
}

export interface SignedIn {
  readonly id: string
  readonly agent: string | null
  readonly address: string | null
  readonly created_at: string
  readonly seen_at: string
  readonly ends_at: string
  readonly current: boolean
}

export interface Seat {
  readonly email: string
  readonly owner: boolean
  readonly keys: number
  readonly has_password: boolean
  readonly link_until: string | null
  readonly signed_in_at: string | null
}

export interface NewSeat extends Pick<Seat, 'email' | 'link_until'> {
  /** Shown once. */
  readonly link: string
}

export interface Requested {
  readonly id: string
  readonly account?: string
  readonly ticker: string
  readonly company_name: string
  readonly note: string | null
  readonly requested_at: string
}

export interface Account {
  readonly email: string
  readonly owner: string
  readonly role: string
  readonly tier: Tier
  readonly has_password: boolean
  readonly created_at: string
  readonly signed_in_at: string | null
  readonly disabled_at: string | null
}

interface Body<T> {
  readonly data: T
  readonly meta?: { readonly total?: number }
}

/** A route of the account. */
export function useAccountData<T>(path: string, enabled = true): UseQueryResult<T> {
  return useQuery({
    queryKey: ['own', path],
    queryFn: async () => (await callOwn<Body<T>>('GET', path)).data,
    enabled,
    staleTime: 0,
  })
}

/** Changes the account, reloads everything, and keeps the error. */
export function useAccountChange() {
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  async function run<T>(method: string, path: string, body?: object): Promise<T | null> {
    setBusy(true)
    setError(null)
    try {
      const answer = await callOwn<Body<T> | null>(method, path, body)
      // Another key may have other rights: reload everything.
      await queries.invalidateQueries()
      return answer?.data ?? null
    } catch (failure) {
      setError(failure)
      return null
    } finally {
      setBusy(false)
    }
  }
  return { run, error, busy }
}
