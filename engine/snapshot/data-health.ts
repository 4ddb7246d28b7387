import { daysBetween } from '../base/days.ts'
import type { ImportRecord } from '../lake/imports.ts'
import type { DatasetQuality } from '../lake/quality-report.ts'

export interface StaleTable {
  readonly table: string
  /** The newest day of its rows. */
  readonly last: string
  /** From that day to the as-of day. */
  readonly days: number
  /** What to do. */
  readonly do: string
}

/** Tables that a source feeds regularly, with the age in days from which one is missing. */
const regular: Readonly<Record<string, { readonly days: number; readonly do: string }>> = {
  pricing: { days: 7, do: 'ingest newer trades, marks or vendor prices' },
  index_spreads: { days: 7, do: 'ingest newer index spreads: "tranche fetch fred"' },
  spreads: { days: 7, do: 'ingest newer prices of senior unsecured bonds, or spreads' },
  financials: { days: 150, do: 'ingest newer filings: "tranche fetch sec"' },
}

/** Regular tables whose newest row is old on the as-of day, oldest first. */
export const staleTables = (tables: readonly DatasetQuality[], asOf: string): StaleTable[] =>
  tables
    .flatMap(({ table, last, newest_known_from }) => {
      const rule = regular[table]
      const newest = last ?? newest_known_from
      if (!rule || newest === null) return []
      const days = daysBetween(newest, asOf)
      return days > rule.days ? [{ table, last: newest, days, do: rule.do }] : []
    })
    .sort((a, b) => b.days - a.days)

export interface SourceKind {
  /** How the files were read. */
  readonly kind: string
  readonly files: number
  readonly refused: number
  readonly rows: number
  readonly rejected: number
  /** When the newest file was ingested. */
  readonly ingested_at: string
}

/** The ingested files by kind, the kind that was not ingested for longest first. */
export function sourceKinds(records: readonly ImportRecord[]): SourceKind[] {
  const kinds = new Map<string, SourceKind>()
  for (const { kinds: read, refused, report, at } of records) {
    const kind = read.join(', ') || 'unknown'
    const before = kinds.get(kind)
    kinds.set(kind, {
      kind,
      files: (before?.files ?? 0) + 1,
      refused: (before?.refused ?? 0) + (refused === null ? 0 : 1),
      rows: (before?.rows ?? 0) + report.accepted,
      rejected: (before?.rejected ?? 0) + report.rejected,
      ingested_at: before && before.ingested_at > at ? before.ingested_at : at,
    })
  }
  return [...kinds.values()].sort(
    (a, b) => Date.parse(a.ingested_at) - Date.parse(b.ingested_at) || (a.kind < b.kind ? -1 : 1),
  )
}
