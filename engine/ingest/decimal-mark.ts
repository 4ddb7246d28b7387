import { literal, quote } from '../database/database.ts'
import { type Column, isNumeric } from '../schema/column.ts'
import type { MappedColumn } from './mapping.ts'
import { CLEAR_DECIMALS } from './readers/localized-cells.ts'
import type { Settlement } from './settle.ts'

/** How a delimited file writes its numbers; `unclear` where none of them tells. */
export type DecimalMark = 'point' | 'comma' | 'unclear'

export const COMMA_NOTE = 'numbers have decimal commas, by all numbers of the file'

/** Below a thousand there are no groups: in a column of percent `98,125` can only have a decimal comma. */
const CLEAR_PERCENT = { comma: '-?\\d{1,3},\\d+', point: '-?\\d{1,3}\\.\\d+' } as const

const isPercent = ({ kind, unit = '' }: Column): boolean => kind === 'percent' || unit.startsWith('percent')

/**
 * From all numbers of the file: those that only make sense with one mark decide, if all of them agree. Where they do
 * not, numbers keep decimal points, and the others are rejected.
 * @param scan the file as a relation of texts
 * @param columns what its columns are read as
 */
export async function decimalMarkOf(
  settlement: Settlement,
  scan: string,
  columns: readonly (readonly [Column, MappedColumn])[],
): Promise<DecimalMark> {
  const read = columns.flatMap(([column, { from, unit }]) => {
    if (from === undefined || !isNumeric(column)) return []
    return [{ from, clear: isPercent(column) && unit === undefined ? CLEAR_PERCENT : CLEAR_DECIMALS }]
  })
  if (read.length === 0) return 'point'
  const matching = (mark: keyof typeof CLEAR_DECIMALS) =>
    read
      .map(({ from, clear }) => `count_if(regexp_full_match(trim(${quote(from)}), ${literal(clear[mark])}))`)
      .join(' + ')
  const [counts] = await settlement.rows<{ comma: number; point: number }>(
    `SELECT ${matching('comma')} AS comma, ${matching('point')} AS point FROM ${scan}`,
  )
  const { comma = 0, point = 0 } = counts ?? {}
  if (point > 0) return 'point'
  return comma > 0 ? 'comma' : 'unclear'
}

/** Digits in groups, as text without the groups; with a decimal comma, with a point in its place. Other text stays. */
const withPoint = (text: string) =>
  `CASE WHEN regexp_full_match(trim(${text}), '[+-]?(\\d{1,3}([. ]\\d{3})+|\\d+)(,\\d*)?') ` +
  `THEN replace(regexp_replace(trim(${text}), '[. ]', '', 'g'), ',', '.') ELSE ${text} END`

/**
 * The text of a number with a decimal point. Where the mark is unclear, `500.000` of a whole number may be 500 or
 * 500,000: its text says so, and fails the check of the column.
 */
export function numberText(text: string, column: Column, { unit }: MappedColumn, mark: DecimalMark): string {
  if (!isNumeric(column) || mark === 'point') return text
  if (mark === 'comma') return withPoint(text)
  const isWhole = column.kind === 'cents' || column.kind === 'integer'
  if (!isWhole || unit !== undefined) return text
  const thousands = `regexp_full_match(trim(${text}), '[+-]?[1-9]\\d{0,2}\\.000')`
  const meanings = `trim(${text}) || ' (' || replace(trim(${text}), '.000', '') || ' or ' || replace(trim(${text}), '.', '') || '?)'`
  return `CASE WHEN ${thousands} THEN ${meanings} ELSE ${text} END`
}
