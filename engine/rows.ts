import type { Column } from './column.ts'
import { madeOnce } from './made-once.ts'

interface Output {
  readonly name: string
  readonly column: Column
}

/** A value as JSON has it: parsed where the column holds JSON. */
export const jsonValue = (column: Column, value: unknown): unknown =>
  column.kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value

type Row = Record<string, unknown>
type Columns = readonly (readonly unknown[])[]

/** Where a value goes: the object it is put into, made before it, and its name there. */
interface Member {
  readonly name: string
  readonly at: number
  readonly column: Column
}
interface Parent {
  readonly name: string
  readonly members: (Member | Parent)[]
}

/** Columns as a tree: dotted names share their parents, in the order they first appear. */
const treeOf = madeOnce((outputs: readonly Output[]): readonly (Member | Parent)[] => {
  const root: Parent = { name: '', members: [] }
  for (const [at, { name, column }] of outputs.entries()) {
    const path = name.split('.')
    let parent = root
    for (const part of path.slice(0, -1)) {
      let next = parent.members.find((m): m is Parent => m.name === part && 'members' in m)
      if (!next) {
        next = { name: part, members: [] }
        parent.members.push(next)
      }
      parent = next
    }
    parent.members.push({ name: path.at(-1)!, at, column })
  }
  return root.members
})

/**
 * Rows as objects: `pricing.ytm` becomes `pricing: { ytm }`, in the order of the columns.
 * An object whose members are all null is null.
 */
export function nest(outputs: readonly Output[], columns: Columns, rowCount: number): Row[] {
  const members = treeOf(outputs)
  const rows: Row[] = []
  for (let i = 0; i < rowCount; i++) rows.push(objectOf(members, columns, i))
  return rows
}

function objectOf(members: readonly (Member | Parent)[], columns: Columns, i: number): Row {
  const row: Row = {}
  for (const member of members)
    row[member.name] =
      'at' in member
        ? jsonValue(member.column, columns[member.at]![i] ?? null)
        : orNull(objectOf(member.members, columns, i))
  return row
}

function orNull(row: Row): Row | null {
  for (const name in row) if (row[name] !== null) return row
  return null
}
