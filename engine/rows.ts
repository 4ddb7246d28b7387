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
  const parents = parentsOf(paths)
  const rows: Record<string, unknown>[] = new Array(rowCount)
  for (let i = 0; i < rowCount; i++) {
    const row: Record<string, unknown> = {}
    for (const [j, path] of paths.entries())
      put(row, path, jsonValue(outputs[j]!.column, columns[j]![i] ?? null))
    for (const parent of parents) collapse(row, parent)
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

/** The paths that hold members, deepest first: `_metadata.leverage_data_quality`, then `_metadata`. */
function parentsOf(paths: readonly (readonly string[])[]): string[][] {
  const parents = new Map<string, string[]>()
  for (const path of paths)
    for (let length = path.length - 1; length > 0; length--)
      parents.set(path.slice(0, length).join('.'), path.slice(0, length))
  return [...parents.values()].sort((a, b) => b.length - a.length)
}

function collapse(row: Record<string, unknown>, path: readonly string[]): void {
  let at = row
  for (const part of path.slice(0, -1)) at = at[part] as Record<string, unknown>
  const name = path[path.length - 1]!
  if (Object.values(at[name] as object).every(value => value === null)) at[name] = null
}
