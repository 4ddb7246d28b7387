import { type History, historyOf } from '../schema/history.ts'
import type { Resource } from '../schema/resource.ts'
import { literal, quote } from './database.ts'
import { nestedSql, stored, viewSql } from './views.ts'

/**
 * The views of a table for people who write SQL over several days: its rows, each led by the column `as_of`, and its history.
 * @param days in order
 */
export function viewsOverDays(table: Resource, days: readonly string[]): string[] {
  const history = historyOf(table)
  return [viewSql(table.table, table.columns, ['as_of']), ...(history ? [historySql(history, days)] : [])]
}

/**
 * A view of the intervals in which the rows of a table stood so, from the stored rows of several days, each led by its day. An
 * interval ends before the first of the days on which the row differs or is missing.
 * @param days in order
 */
function historySql({ name, of, columns }: History, days: readonly string[]): string {
  const { valid_from: _from, valid_to: _to, ...kept } = columns
  const key = of.key.map(column => `row_.${quote(column)}`).join(', ')
  const known = `[${days.map(day => `DATE ${literal(day)}`).join(', ')}]`
  return `CREATE OR REPLACE VIEW main.${quote(name)} AS
    WITH rows_ AS (
      SELECT list_position(${known}, as_of) AS nth, row_
      FROM ${stored(of.table)}, LATERAL (SELECT kept AS row_ FROM (SELECT ${nestedSql(kept).join(', ')}) kept)),
    changes AS (
      SELECT nth, row_, row_ IS DISTINCT FROM lag(row_) OVER in_order OR nth IS DISTINCT FROM 1 + lag(nth) OVER in_order AS begins
      FROM rows_ WINDOW in_order AS (PARTITION BY ${key} ORDER BY nth)),
    runs AS (SELECT nth, row_, count_if(begins) OVER (PARTITION BY ${key} ORDER BY nth) AS run FROM changes),
    intervals AS (
      SELECT min(nth) AS first_nth, max(nth) AS last_nth, arg_min(row_, nth) AS row_
      FROM runs GROUP BY ${key}, run)
    SELECT ${known}[first_nth] AS valid_from, ${known}[last_nth + 1] - 1 AS valid_to, unnest(row_) FROM intervals`
}
