import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { DatasetQuality } from '../../../engine/lake/quality-report.ts'
import type { SourceKind, StaleTable } from '../../../engine/snapshot/data-health.ts'
import { callOwn } from './session.ts'

/** Answer of `/admin/data-health`. */
export interface DataHealth {
  readonly snapshot: string
  readonly built_at: string
  readonly as_of: string | null
  readonly tables: readonly DatasetQuality[]
  readonly stale: readonly StaleTable[]
  readonly freshness: readonly string[]
  readonly notes: readonly string[]
  readonly findings: readonly {
    readonly check: string
    readonly severity: 'note' | 'problem'
    readonly says: string
    readonly do: string
  }[]
  readonly sources: readonly SourceKind[]
  readonly rejected: readonly { readonly reason: string; readonly count: number; readonly do: string }[]
  readonly refused: readonly {
    readonly reason: string
    readonly count: number
    readonly examples: readonly string[]
    readonly do: string
  }[]
}

/** An issuer that no company was found for. */
export interface UnlinkedIssuer {
  /** Its name, LEI or CIK. */
  readonly who: string
  readonly rows: number
  readonly datasets: readonly string[]
  readonly candidates: readonly {
    readonly ticker: string | null
    readonly name: string
    readonly reason: string
  }[]
  /** The ticker it was linked to since the last build. */
  readonly link: string | null
}

interface Unlinked {
  readonly data: readonly UnlinkedIssuer[]
  readonly meta: { readonly total: number; readonly writable: boolean; readonly pending: number }
}

export const useUnlinkedIssuers = (limit: number): UseQueryResult<Unlinked> =>
  useQuery({
    queryKey: ['own', 'unlinked issuers', limit],
    queryFn: () => callOwn<Unlinked>('GET', `/admin/unlinked-issuers?limit=${limit}`),
    placeholderData: before => before,
    staleTime: 0,
  })

/** A correction in force. */
export interface Correction {
  readonly corrects: string
  readonly row_id: string
  readonly action: 'set' | 'drop'
  readonly field: string | null
  readonly value: string | null
  readonly reason: string
  readonly made_by: string
  readonly made_on: string
  /** Made since the last build. */
  readonly is_pending: boolean
}

export interface CorrectedField {
  readonly name: string
  readonly kind: string
  readonly values: readonly string[] | null
}

interface Corrected {
  readonly data: readonly Correction[]
  readonly meta: {
    readonly total: number
    readonly writable: boolean
    readonly pending: number
    /** What can be corrected, by table. */
    readonly fields: Readonly<Record<string, readonly CorrectedField[]>>
  }
}

export const useCorrections = (): UseQueryResult<Corrected> =>
  useQuery({
    queryKey: ['own', 'corrections'],
    queryFn: () => callOwn<Corrected>('GET', '/admin/corrections?limit=500'),
    placeholderData: before => before,
    staleTime: 0,
  })
