import type { Column } from './column.ts'

interface Output {
  readonly name: string
  readonly column: Column
}

/** A value as JSON has it: parsed where the column holds JSON. */
export const jsonValue = (column: Column, value: unknown): unknown =>
  column.kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value

/**
 * Rows as objects: `pricing.ytm` becomes `pricing: { ytm }`, in the order of the columns.
 * An object whose members are all null is null.
 */
export function nest(
  outputs: readonly Output[],
  columns: readonly (readonly unknown[])[],
  rowCount: number,
): Record<string, unknown>[] {
  const paths = outputs.map(o => o.name.split('.'))
  const rows: Record<string, unknown>[] = new Array(rowCount)
  for (let i = 0; i < rowCount; i++) {
    const row: Record<string, unknown> = {}
    for (const [j, path] of paths.entries())
      put(row, path, jsonValue(outputs[j]!.column, columns[j]![i] ?? null))
    for (const path of paths) if (path.length > 1) collapse(row, path[0]!)
    rows[i] = row
  }
  return rows
}

function put(row: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = row
  for (const part of path.slice(0, -1)) {
    at[part] ??= {}
    at = at[part] as Record<string, unknown>
  }
  at[path[path.length - 1]!] = value
}

function collapse(row: Record<string, unknown>, name: string): void {
  const value = row[name]
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return
  const members = value as Record<string, unknown>
  for (const member of Object.keys(members)) collapse(members, member)
  if (Object.values(members).every(v => v === null)) row[name] = null
}
