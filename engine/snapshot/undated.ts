import type { Database } from '../database/database.ts'
import { joinCompany } from '../derive/issuers/join-company.ts'
import type { Manifest } from '../lake/snapshot.ts'
import { issuerDatasets } from '../schema/datasets/datasets.ts'

/** More companies than this are not listed in a manifest. */
const MOST_COMPANIES = 2000

/**
 * The companies that undated rows of some datasets are about; null if there are many, or if a dataset does not say whose its
 * rows are. `db` holds the derived tables of a build.
 */
async function undatedCompanies(
  db: Database,
  undatedIn: readonly string[],
): Promise<readonly string[] | null> {
  const named = new Set(issuerDatasets.map(({ name }) => name))
  if (!undatedIn.every(name => named.has(name))) return null
  const rows = await db.rows<{ company_id: string }>(
    `SELECT DISTINCT company_id FROM (${undatedIn
      .map(
        name =>
          `SELECT company.company_id FROM in_${name} e ${joinCompany('e')} WHERE e.known_from IS NULL AND company.company_id IS NOT NULL`,
      )
      .join(' UNION ALL ')}) ORDER BY company_id LIMIT ${MOST_COMPANIES + 1}`,
  )
  return rows.length > MOST_COMPANIES ? null : rows.map(({ company_id }) => company_id)
}

/** What a manifest says of undated rows: how many, of which datasets, and about which companies. */
export const undatedOptions = async (db: Database, rows: number, datasets: readonly string[]) => ({
  undated_rows: rows,
  ...(datasets.length > 0 && {
    undated_in: datasets,
    undated_companies: await undatedCompanies(db, datasets),
  }),
})

/** What a query reads of a snapshot's own tables. */
export interface ReadOf {
  readonly datasets?: readonly string[]
  readonly company?: string
}

/** Whether undated rows, which no past day has, may be in what is read: of one of the datasets, or of the company. */
export function readsUndated({ options }: Manifest, { datasets, company }: ReadOf): boolean {
  if (((options['undated_rows'] as number | undefined) ?? 0) === 0) return false
  const undatedIn = options['undated_in'] as readonly string[] | undefined
  const companies = options['undated_companies'] as readonly string[] | null | undefined
  if (datasets !== undefined && undatedIn !== undefined && !datasets.some(name => undatedIn.includes(name)))
    return false
  return company === undefined || !companies || companies.includes(company)
}
