import { largest } from '../engine/base/lists.ts'
import { type Column, isNumeric, number, text } from '../engine/schema/column.ts'
import { columnCells, plainText, printTable, type TableColumn, unitInTable } from './print-table.ts'

type Plain = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRows = (value: unknown): value is readonly Plain[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Objects of one shape under keys, `{ cash: { previous, current }, net_debt: { … } }`: rows named by the keys. */
const isKeyed = (value: unknown): value is Readonly<Record<string, Plain>> => {
  if (!isObject(value)) return false
  const members = Object.values(value)
  const shape = (v: unknown) =>
    isObject(v) && !Object.values(v).some(isNested) ? Object.keys(v).join() : null
  return (
    members.length > 1 && shape(members[0]) !== null && members.every(m => shape(m) === shape(members[0]))
  )
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null

/** `{ a: { b: 1 } }` as `[['a.b', 1]]`; lists stay whole. */
const leaves = (value: Plain, path = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([name, v]): [string, unknown][] =>
    isKeyed(v)
      ? [[`${path}${name}`, Object.entries(v).map(([key, members]) => ({ [' ']: key, ...members }))]]
      : isObject(v) && Object.keys(v).length > 0
        ? leaves(v, `${path}${name}.`)
        : [[`${path}${name}`, v]],
  )

/**
 * One object, readable: its single values as `name  value`, then every list of objects as a table under its name.
 * @param kinds kinds of fields, by name, if known
 */
export function printObject(
  value: Plain,
  width: number | null,
  kinds: Readonly<Record<string, Column>> = {},
): string {
  const all = leaves(value)
  const single = all.filter(([, v]) => !isRows(v))
  const pad = largest(
    single.map(([name]) => name.length),
    0,
  )
  const parts: string[] = []
  if (single.length > 0)
    parts.push(
      `${single.map(([name, v]) => `${plainText(name).padEnd(pad)}  ${shown(v, kindOf(kinds, name))}`).join('\n')}\n`,
    )
  for (const [name, rows] of all)
    if (isRows(rows)) parts.push(`${plainText(name)}\n${rowsTable(rows, width, kinds)}`)
  return parts.join('\n')
}

/** The kind of a field, by its path or its own name. */
const kindOf = (kinds: Readonly<Record<string, Column>>, path: string): Column | undefined =>
  kinds[path] ?? kinds[path.slice(path.lastIndexOf('.') + 1)]

const shown = (value: unknown, column: Column | undefined): string => {
  if (Array.isArray(value) && value.length === 0) return 'none'
  if (typeof value !== 'number' || !column || !isNumeric(column)) return plainText(value)
  const [cell] = columnCells(column, [value])
  return column.kind === 'cents' ? `${cell} ${unitInTable(column)}` : cell!
}

function rowsTable(
  rows: readonly Plain[],
  width: number | null,
  kinds: Readonly<Record<string, Column>>,
): string {
  const flat = rows.map(row => new Map(leaves(row)))
  const names = [...new Set(flat.flatMap(row => [...row.keys()]))]
  // An object that is null in some rows and has members in others needs no column of its own.
  const withoutParents = names.filter(name => !names.some(other => other.startsWith(`${name}.`)))
  const columns: TableColumn[] = withoutParents.map(name => {
    const values = flat.map(row => row.get(name)).filter(v => v !== null && v !== undefined)
    const numeric = values.length > 0 && values.every(v => typeof v === 'number')
    return { name, column: kinds[name] ?? (numeric ? number('') : text('')) }
  })
  return printTable(
    columns,
    flat.map(row => withoutParents.map(name => row.get(name) ?? null)),
    width,
  ).text
}
