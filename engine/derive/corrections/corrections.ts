import { type Database, literal, quote } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import {
  type CorrectedTable,
  correctable,
  correctedTables,
  valueSql,
} from '../../schema/datasets/corrections.ts'

/** The table of what the corrections of a table found: each row and field, and the value read. `applyCorrections` makes it. */
export const foundBy = (corrects: CorrectedTable): string => `corrected_in_${corrects}`

/** `corrections_in_force`: of each row and field the last correction known on the day, unless it was taken back. */
export const deriveCorrectionsInForce = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE corrections_in_force AS
    SELECT * EXCLUDE (ingested_at) FROM (
      SELECT * FROM in_corrections QUALIFY row_number() OVER (PARTITION BY corrects, row_id, field
        ORDER BY made_at DESC, source DESC, ${tieBreak('in_corrections')}) = 1)
    WHERE action <> 'remove'`)

/**
 * Corrects the rows of a table that has an `id`: drops rows, sets fields, and says of each row in the column
 * `corrections` what was set, by whom and why.
 */
export async function applyCorrections(
  db: Database,
  corrects: CorrectedTable,
  table: string = corrects,
): Promise<void> {
  const cells = foundBy(corrects)
  await db.run(`
    CREATE OR REPLACE TABLE ${cells} (corrects VARCHAR, row_id VARCHAR, field VARCHAR, was VARCHAR, company_id VARCHAR);
    ALTER TABLE ${table} ADD COLUMN corrections VARCHAR`)
  const inForce = `(SELECT * FROM corrections_in_force WHERE corrects = ${literal(corrects)})`
  const given = await db.rows<{ field: string | null }>(
    `SELECT DISTINCT field FROM ${inForce} ORDER BY field NULLS FIRST`,
  )
  if (given.length === 0) return
  const fields = given.flatMap(({ field }) => field ?? [])
  const found = (was: string, condition: string) => `
    INSERT INTO ${cells} SELECT c.corrects, t.id, c.field, ${was}, t.company_id
    FROM ${table} t JOIN ${inForce} c ON c.row_id = t.id AND ${condition};`
  await db.run(`
    ${found('NULL', "c.action = 'drop'")}
    DELETE FROM ${table} WHERE id IN (SELECT row_id FROM ${cells});
    ${fields.map(name => found(`CAST(to_json(t.${quote(name)}) AS VARCHAR)`, `c.field = ${literal(name)}`)).join('\n')}
    UPDATE ${table} SET corrections = s.said FROM (
      SELECT row_id, CAST(to_json(list({'field': c.field, 'was': CAST(w.was AS JSON), 'value': c.value, 'by': c.made_by,
        'on': c.made_on, 'because': c.reason} ORDER BY c.field)) AS VARCHAR) AS said
      FROM ${inForce} c JOIN ${cells} w USING (corrects, row_id, field) GROUP BY row_id) s
    WHERE ${table}.id = s.row_id;
    ${fields
      .map(name => {
        const value = valueSql(correctable[corrects][name]!, 'c.value')
        return `UPDATE ${table} SET ${quote(name)} = ${value} FROM ${inForce} c
          WHERE c.row_id = ${table}.id AND c.field = ${literal(name)};`
      })
      .join('\n')}`)
}

/** `corrections`: those in force, with the value that was read, and whether the row is still there. */
export const deriveCorrections = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE corrections AS
    SELECT company.ticker AS ticker, company.name AS company_name, c.corrects, c.row_id, c.action, c.field, c.value, w.was,
      w.row_id IS NOT NULL AS is_applied, c.reason, c.made_by, c.made_on, c.made_at, c.source,
      company.company_id AS company_id, company.coverage AS coverage, c.known_from
    FROM corrections_in_force c
    LEFT JOIN (${correctedTables.map(table => `FROM ${foundBy(table)}`).join(' UNION ALL ')}) w ON w.corrects = c.corrects AND w.row_id = c.row_id AND w.field IS NOT DISTINCT FROM c.field
    LEFT JOIN companies_base company ON company.company_id = w.company_id`)
