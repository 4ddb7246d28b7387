import type { Database } from '../database/database.ts'

/** The number of spreads of each source, and the companies with spreads from several sources. */
export interface SpreadSources {
  readonly rows: Readonly<Record<string, number>>
  readonly mixedCompanies: readonly string[]
}

export async function readSpreadSources(db: Database, table = 'spreads'): Promise<SpreadSources> {
  const counts = await db.rows<{ source: string; rows: number }>(
    `SELECT source, count(*) AS rows FROM ${table} GROUP BY source ORDER BY source`,
  )
  const rows = Object.fromEntries(counts.map(count => [count.source, count.rows]))
  if (counts.length < 2) return { rows, mixedCompanies: [] }
  const mixed = await db.rows<{ company_id: string }>(
    `SELECT company_id FROM ${table} GROUP BY company_id HAVING min(source) <> max(source) ORDER BY company_id`,
  )
  return { rows, mixedCompanies: mixed.map(({ company_id }) => company_id) }
}

/** The default source for statistics: the bonds' own series, else the one with most rows; null without spreads. */
export function usualSource({ rows }: SpreadSources): string | null {
  if (rows['bond_spread_proxy']) return 'bond_spread_proxy'
  const [fullest] = Object.entries(rows).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return fullest?.[0] ?? null
}
