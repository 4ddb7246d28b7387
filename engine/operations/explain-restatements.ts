import { literal } from '../database/database.ts'
import { stored } from '../database/views.ts'
import type { Context, ListAnswer } from './operation.ts'

const ofPeriod = ['company_id', 'fiscal_year', 'fiscal_quarter', 'basis'] as const

interface Explained {
  readonly before: string | null
  readonly after: string | null
}

/** How both values of a restated figure were formed, from which facts of which filings. */
export const explainRestatements = (context: Context): NonNullable<ListAnswer['explain']> => ({
  needs: [...ofPeriod, 'version', 'figure'],
  async of(rows) {
    if (rows.length === 0) return []
    await context.tables('financials')
    const of = (row: Readonly<Record<string, unknown>>, n: number) =>
      `(${n}, ${literal(String(row['company_id']))}, ${Number(row['fiscal_year'])}, ${Number(row['fiscal_quarter'])}, ${literal(String(row['basis']))},
        ${Number(row['version'])}, ${literal(String(row['figure']))})`
    const said = (version: string) =>
      `max(CAST(json_extract(s._explain, '$.' || r.figure) AS VARCHAR)) FILTER (WHERE s.version = ${version})`
    const found = await context.database.rows<Explained>(
      `WITH r AS (SELECT * FROM (VALUES ${rows.map(of).join(', ')}) r(n, ${ofPeriod.join(', ')}, version, figure)),
       compared AS (SELECT r.*, max(s.version) FILTER (WHERE s.version < r.version AND json_extract_string(s._explain, '$.' || r.figure || '.value') IS NOT NULL) AS earlier
         FROM r JOIN ${stored('financials')} s USING (${ofPeriod.join(', ')}) GROUP BY ALL)
       SELECT ${said('r.earlier')} AS before, ${said('r.version')} AS after
       FROM compared r JOIN ${stored('financials')} s USING (${ofPeriod.join(', ')}) GROUP BY r.n ORDER BY r.n`,
    )
    return found.map(({ before, after }) => ({ before: parsed(before), after: parsed(after) }))
  },
})

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
