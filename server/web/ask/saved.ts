import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callOwn } from './session.ts'

interface Saved {
  readonly id: string
  readonly changed_by: string
  readonly changed_at: string
}

export interface SavedScreen extends Saved {
  readonly name: string
  readonly resource: string
  readonly query: string
}

export interface ColumnPreset extends Saved {
  readonly name: string
  readonly resource: string
  readonly fields: readonly string[]
}

export interface Watchlist extends Saved {
  readonly name: string
  /** `company:FRNLL`, `bond:000000AA7`. */
  readonly members: readonly string[]
  /** The as-of day of the reader's last look. */
  readonly seen: string | null
}

export interface Note extends Saved {
  readonly subject: string
  readonly text: string
}

interface Lists {
  readonly screens: SavedScreen
  readonly columns: ColumnPreset
  readonly watchlists: Watchlist
  readonly notes: Note
}

/** What the account has saved of one kind. */
export function useSaved<K extends keyof Lists>(kind: K): UseQueryResult<Lists[K][]> {
  return useQuery({
    queryKey: ['saved', kind],
    queryFn: async () => (await callOwn<{ data: Lists[K][] }>('GET', `/account/${kind}`)).data,
  })
}

/** Changes saved work, reads it again, and keeps the error. */
export function useSaving() {
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  async function run<T>(method: string, path: string, body?: object): Promise<T | null> {
    setBusy(true)
    setError(null)
    try {
      const answer = await callOwn<{ data: T } | null>(method, `/account/${path}`, body)
      await queries.invalidateQueries({ queryKey: ['saved'] })
      return answer?.data ?? ({} as T)
    } catch (failure) {
      setError(failure)
      return null
    } finally {
      setBusy(false)
    }
  }
  return { run, error, busy }
}
