import { literal, quote } from '../database/database.ts'
import {
  type CorrectedTable,
  correctable,
  correctedTables,
  valueSql,
} from '../schema/datasets/corrections.ts'
import { exact, type Recomputation } from './recomputation.ts'

/** The last word on each row and field. */
const lastWords = `(SELECT corrects, row_id, field, max_by({'action': action, 'value': value, 'made_by': made_by, 'reason': reason},
    [CAST(made_at AS VARCHAR), CAST(ingested_at AS VARCHAR), source]) AS said
  FROM raw_corrections GROUP BY corrects, row_id, field)`

/** Corrections in force, and whether their row is there. */
const corrections: Recomputation = {
  table: 'corrections',
  how: 'the last correction loaded for the row and field',
  columns: { action: exact, value: exact, made_by: exact, reason: exact, is_applied: exact },
  whole: true,
  make: async () => `
    SELECT w.corrects, w.row_id, w.field, w.said.action AS action, w.said.value AS value, w.said.made_by AS made_by, w.said.reason AS reason,
      CASE WHEN w.said.action = 'drop' THEN NOT coalesce(r.is_there, FALSE) ELSE coalesce(r.is_there, FALSE) END AS is_applied
    FROM ${lastWords} w LEFT JOIN (${correctedTables
      .map(table => `SELECT ${literal(table)} AS corrects, id AS row_id, TRUE AS is_there FROM kept_${table}`)
      .join(' UNION ALL ')}) r ON r.corrects = w.corrects AND r.row_id = w.row_id
    WHERE w.said.action <> 'remove'`,
}

/** The corrected cells of a table: as the corrections loaded say. */
const cellsOf = (table: CorrectedTable): Recomputation => ({
  table,
  how: 'the last correction loaded for the cell',
  columns: Object.fromEntries(Object.keys(correctable[table]).map(name => [name, exact])),
  whole: false,
  ofCorrected: true,
  make: async () => `
    SELECT k.id, ${Object.entries(correctable[table])
      .map(
        ([name, column]) =>
          `CASE WHEN w.fields[${literal(name)}] IS NULL THEN k.${quote(name)} ELSE ${valueSql(column, `w.fields[${literal(name)}].value`)} END AS ${quote(name)}`,
      )
      .join(', ')}
    FROM kept_${table} k JOIN (
      SELECT row_id, map_from_entries(list({'k': field, 'v': said})) AS fields FROM ${lastWords}
      WHERE corrects = ${literal(table)} AND said.action = 'set' GROUP BY row_id) w ON w.row_id = k.id`,
})

export const correctionChecks: readonly Recomputation[] = [corrections, ...correctedTables.map(cellsOf)]
