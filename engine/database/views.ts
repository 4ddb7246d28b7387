import { type Columns, sqlType } from '../schema/column.ts'
import type { Resource } from '../schema/resource.ts'
import { type Database, literal, quote } from './database.ts'

/** Exposes a table as stored, one column per dotted name: what plans and operations read. */
export const stored = (table: string): string => `stored.${quote(table)}`

type Tree = { [part: string]: Tree | string }

/** A view for SQL users: `pricing.ytm` is a member of `pricing`, as in the API. */
export function viewSql(table: string, columns: Columns): string {
  const tree: Tree = {}
  for (const name of Object.keys(columns)) {
    const parts = name.split('.')
    let at = tree
    for (const part of parts.slice(0, -1)) {
      at[part] ??= {}
      at = at[part] as Tree
    }
    at[parts[parts.length - 1]!] = name
  }
  const packed = (node: Tree): string =>
    `{${Object.entries(node)
      .map(([part, under]) => `${literal(part)}: ${typeof under === 'string' ? quote(under) : packed(under)}`)
      .join(', ')}}`
  const selected = Object.entries(tree).map(([part, under]) =>
    typeof under === 'string' ? quote(under) : `${packed(under)} AS ${quote(part)}`,
  )
  return `CREATE OR REPLACE VIEW main.${quote(table)} AS SELECT ${selected.join(', ')} FROM ${stored(table)}`
}

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
  const present = await db.rows<{ column_name: string }>(
    `SELECT column_name FROM (DESCRIBE ${quote(table.table)})`,
  )
  return `SELECT ${selectColumns(table.columns, new Set(present.map(p => p.column_name)))} FROM main.${quote(from)}`
}
