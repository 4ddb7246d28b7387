import { type Database, literal } from '../../database/database.ts'

/** The filers of so many companies are named in the query. */
const FEW = 100

/** What to read the facts of some companies from: where these are few, DuckDB reads only row groups with facts of theirs. */
export async function factsOfCompanies(db: Database, companies: ReadonlySet<string>): Promise<string> {
  if (companies.size > FEW) return 'in_facts'
  const filers = await db.rows<{ cik: string }>(
    'SELECT DISTINCT cik FROM company_of_cik WHERE company_id IN (SELECT unnest(?::JSON::VARCHAR[])) ORDER BY cik',
    [JSON.stringify([...companies])],
  )
  return `(FROM in_facts WHERE cik IN (${filers.map(({ cik }) => literal(cik)).join(', ') || 'NULL'}))`
}
