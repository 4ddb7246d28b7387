import { type Database, literal } from '../../database/database.ts'
import type { CacheOptions } from '../cache/derivation-cache.ts'
import type { FactsByDay } from '../cache/facts-by-day.ts'
import { deriveOtherStatements } from '../statements/statements.ts'
import type { CompanyParts } from './company-parts.ts'
import { createFinancials } from './metrics.ts'

/** What a snapshot has of statements. */
export interface SnapshotStatements {
  /** The file of `financials`. */
  readonly financials: string
  /** The file of `statement_keys`. */
  readonly keys: string
  /** Names what both hold. */
  readonly content: string
}

export interface OtherFinancialsOptions extends CacheOptions, FactsByDay, CompanyParts {
  readonly snapshotStatements?: (() => Promise<SnapshotStatements | null>) | undefined
}

const columns = { ticker: 'ticker', company_name: 'name', coverage: 'coverage', sector: 'sector' }
const isOther = Object.entries(columns)
  .map(([shown, own]) => `f.${shown} IS DISTINCT FROM c.${own}`)
  .join(' OR ')

/** Companies of the snapshot whose rows show what they were not named or classed as on the day, or one period with several ends. */
const othersSql = (financials: string): string => `
    SELECT company_id FROM (SELECT DISTINCT company_id, ${Object.keys(columns).join(', ')} FROM ${financials}) f
    LEFT JOIN companies_base c USING (company_id) WHERE ${isOther}
    UNION SELECT company_id FROM ${financials} GROUP BY company_id, fiscal_year, fiscal_quarter, basis HAVING min(period_end_date) <> max(period_end_date)`

/**
 * `other_financials`: the rows of `financials` as of a day that are not rows of a snapshot known by then; `other_companies`:
 * whose rows of the snapshot are none of the day. The rest is a filter: see `financialsOfDay`.
 */
export async function deriveOtherFinancials(db: Database, options: OtherFinancialsOptions): Promise<void> {
  const stored = await options.snapshotStatements?.()
  if (!stored) throw new Error('other financials are those that a snapshot does not have, and there is none')
  const financials = `read_parquet(${literal(stored.financials)})`
  const later = await db.rows<{ company_id: string; key: string }>(
    `SELECT company_id, key FROM read_parquet(${literal(stored.keys)}) WHERE company_id NOT IN (${othersSql(financials)}) ORDER BY ALL`,
  )
  const same = await deriveOtherStatements(
    db,
    options,
    new Map(later.map(each => [each.company_id, each.key])),
  )
  await createFinancials(db, 'other_financials', 'other_statements_derived', options)
  await db.run(
    `CREATE OR REPLACE TABLE other_companies AS SELECT DISTINCT company_id FROM ${financials}
     WHERE company_id NOT IN (SELECT unnest(?::JSON::VARCHAR[])) ORDER BY ALL`,
    [JSON.stringify([...same])],
  )
  await db.run('DROP TABLE other_statements_derived')
}

interface FinancialsOfDay {
  readonly day: string
  /** The file of a snapshot. */
  readonly snapshot: string
  /** The other rows of the day, as in a file. */
  readonly others: string
  readonly otherCompanies: readonly string[]
}

/**
 * `financials` as of a day. What is true of a row until a later version or period is known is read off the day before that. Without
 * joins: rows come in the order of the file, as columns of a table are loaded one after the other.
 */
export function financialsOfDay({ day, snapshot, others, otherCompanies }: FinancialsOfDay): string {
  const today = `DATE ${literal(day)}`
  const until = (column: string) => `CASE WHEN ${column} < ${today} THEN ${column} END AS ${column}`
  const isStill = (column: string) => `coalesce(${column} >= ${today}, TRUE)`
  const left =
    otherCompanies.length === 0 ? '' : `AND company_id NOT IN (${otherCompanies.map(literal).join(', ')})`
  return `SELECT * REPLACE (${isStill('valid_to')} AS is_latest, ${isStill('newest_to')} AS is_newest, ${until('valid_to')}, ${until('newest_to')})
    FROM read_parquet(${literal(snapshot)}) WHERE known_from <= ${today} ${left}
    UNION ALL SELECT * FROM ${others}`
}
