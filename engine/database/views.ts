import { type Columns, sqlType } from '../schema/column.ts'
import { columnTree, isLeaf, type Node } from '../schema/column-tree.ts'
import type { Resource } from '../schema/resource.ts'
import { type Database, literal, quote } from './database.ts'

/** Exposes a table as stored, one column per dotted name: what plans and operations read. */
export const stored = (table: string): string => `stored.${quote(table)}`

/** A view for people who write SQL: `pricing.ytm` is a member of `pricing`, as in the API. */
export function viewSql(table: string, columns: Columns, leading: readonly string[] = []): string {
  const selected = [...leading.map(quote), ...nestedSql(columns)]
  return `CREATE OR REPLACE VIEW main.${quote(table)} AS SELECT ${selected.join(', ')} FROM ${stored(table)}`
}

/** Columns of a stored table, `pricing.ytm` as a member of `pricing`. */
export function nestedSql(columns: Columns): string[] {
  const names = Object.keys(columns)
  const value = (node: Node): string =>
    isLeaf(node)
      ? quote(names[node.at]!)
      : `{${node.members.map(member => `${literal(member.key)}: ${value(member)}`).join(', ')}}`
  return columnTree(names).map(node => (isLeaf(node) ? value(node) : `${value(node)} AS ${quote(node.key)}`))
}

/** A query with typed columns and no rows. */
export const emptyRowsSql = (columns: Columns): string =>
  `SELECT ${Object.entries(columns)
    .map(([name, column]) => `CAST(NULL AS ${sqlType(column)}) AS ${quote(name)}`)
    .join(', ')} WHERE FALSE`

const selectColumns = (columns: Columns, present: ReadonlySet<string>): string =>
  Object.entries(columns)
    .map(([name, column]) =>
      present.has(name)
        ? `CAST(${quote(name)} AS ${sqlType(column)}) AS ${quote(name)}`
        : `CAST(NULL AS ${sqlType(column)}) AS ${quote(name)}`,
    )
    .join(', ')

/** The declared columns of a derived table, with types, in order; `from` is its source where the name differs. */
export async function publicSql(db: Database, table: Resource, from = table.table): Promise<string> {
  const present = await db.rows<{ column_name: string }>(`SELECT column_name FROM (DESCRIBE ${quote(from)})`)
  return `SELECT ${selectColumns(table.columns, new Set(present.map(p => p.column_name)))} FROM main.${quote(from)}`
}
