import { stored } from '../../engine/database/views.ts'
import { datasetNamed } from '../../engine/schema/datasets/datasets.ts'
import { tableNamed } from '../../engine/schema/resources/tables.ts'
import type { Naming, Visibility } from '../../engine/schema/visibility.ts'

export type Coverage = 'all' | 'standard'

/** The column of `bonds` or `entities` that holds what a column of another table says: `bond_id` is their `id`. */
const target = (names: Naming['names'], column: string): string =>
  names !== 'companies' && column.endsWith('_id') ? 'id' : column

const namedBy = ({ names, by }: Naming): string =>
  by
    .map(
      column =>
        `${column} IN (SELECT ${target(names, column)} FROM ${stored(names)} WHERE coverage = 'standard')`,
    )
    .join(' OR ')

const conditionOf = (visible: Visibility): string =>
  visible === 'all' ? 'TRUE' : visible.map(naming => `(${namedBy(naming)})`).join(' AND ')

const visibilityOf = (table: string): Visibility | undefined =>
  (tableNamed(table) ?? datasetNamed(table))?.visible

/**
 * The rows of `stored.<table>` that a caller may see. A table with neither a coverage column nor a rule is visible to
 * the owner only.
 */
export function visibleSql(table: string, columns: readonly string[], coverage: Coverage): string {
  const all = `SELECT * FROM ${stored(table)}`
  if (coverage === 'all') return all
  const visible = visibilityOf(table)
  const condition = visible
    ? conditionOf(visible)
    : columns.includes('coverage')
      ? "coverage = 'standard'"
      : 'FALSE'
  return `${all} WHERE ${condition}`
}

/** Some tables, and those that decide which of their rows a caller may see. */
export function tablesThatDecide(names: readonly string[], coverage: Coverage): readonly string[] {
  const deciding = names.flatMap(name => {
    const visible = coverage === 'all' ? undefined : visibilityOf(name)
    return visible && visible !== 'all' ? visible.map(naming => naming.names) : []
  })
  return [...new Set([...names, ...deciding])]
}
