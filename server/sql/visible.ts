import { stored } from '../../engine/database/views.ts'

export type Coverage = 'all' | 'standard'

const standard = (table: string, column: string): string =>
  `SELECT ${column} FROM ${stored(table)} WHERE coverage = 'standard'`

const instrument = ['cusip', 'isin']
  .map(column => `${column} IN (${standard('bonds', column)})`)
  .concat(`bond_id IN (${standard('bonds', 'id')})`)
  .join(' OR ')

const filer = `cik IN (${standard('companies', 'cik')})`
const entity = (column: string): string => `${column} IN (${standard('entities', 'id')})`

/** How rows of tables without a coverage column are attributed to a standard company. */
const rules: Readonly<Record<string, string>> = {
  ownership: `${entity('parent_id')} AND ${entity('child_id')}`,
  guarantees: `${entity('guarantor_id')} AND bond_id IN (${standard('bonds', 'id')})`,
  treasury_yields: 'TRUE',
  indices: 'TRUE',
  index_spreads: 'TRUE',
  facts: filer,
  filings: filer,
  trades: instrument,
  prices: instrument,
}

/**
 * The rows of `stored.<table>` that a caller may see. A table with neither a coverage column nor a rule is visible to
 * the owner only.
 */
export function visibleSql(table: string, columns: readonly string[], coverage: Coverage): string {
  const all = `SELECT * FROM ${stored(table)}`
  if (coverage === 'all') return all
  const rule = rules[table] ?? (columns.includes('coverage') ? "coverage = 'standard'" : 'FALSE')
  return `${all} WHERE ${rule}`
}
