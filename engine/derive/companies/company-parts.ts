import { type Database, literal } from '../../database/database.ts'

/** Statements that a derivation reads at a time: with how each figure was formed, about 300 MB. */
const STATEMENTS_AT_A_TIME = 20_000

/** Some companies: a condition on their id. */
export type CompanyPart = (companyId: string) => string

/** Tables of statements by company. */
export type StatementTable = 'statements_derived' | 'newest_statements' | 'other_statements_derived'

export interface CompanyParts {
  readonly statementsAtATime?: number | undefined
}

/**
 * The companies in parts of about as many of their statements, by ranges of their id. What is derived of one
 * company reads no other, and DuckDB holds the texts of all rows that a window or a join reads, so memory is that of a
 * part, however many companies there are. Statements are stored by company, so a part reads only its own.
 */
export async function companyParts(
  db: Database,
  { statementsAtATime = STATEMENTS_AT_A_TIME }: CompanyParts = {},
  statements: StatementTable = 'statements_derived',
): Promise<CompanyPart[]> {
  const [found] = await db.rows<{ n: number }>(`SELECT count(*) AS n FROM ${statements}`)
  if (found!.n <= statementsAtATime) return [() => 'TRUE']
  const ends = await db.rows<{ last: string }>(`
    SELECT max(company_id) AS last FROM (
      SELECT company_id, sum(count(*)) OVER (ORDER BY company_id) - count(*) AS before FROM ${statements} GROUP BY company_id)
    GROUP BY before // ${statementsAtATime} ORDER BY last`)
  return ends.map(({ last }, i) => companyId => {
    const after = i === 0 ? 'TRUE' : `${companyId} > ${literal(ends[i - 1]!.last)}`
    const upTo = i === ends.length - 1 ? 'TRUE' : `${companyId} <= ${literal(last)}`
    return `${after} AND ${upTo}`
  })
}
