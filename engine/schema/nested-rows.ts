// Indices below are within bounds by construction: checks would cost in the loops.

import { memoize } from '../base/memoize.ts'
import type { Column } from './column.ts'
import { columnTree, isLeaf, type Node } from './column-tree.ts'

interface Output {
  readonly name: string
  readonly column: Column
}

/** A value as in JSON: parsed if the column holds JSON. */
export const jsonValue = (column: Column, value: unknown): unknown =>
  column.kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value

type Row = Record<string, unknown>
type Columns = readonly (readonly unknown[])[]

/** Where a value goes: its parent object, created before it, and its name there. */
interface Member {
  readonly name: string
  readonly at: number
  readonly column: Column
}
interface Parent {
  readonly name: string
  readonly members: readonly (Member | Parent)[]
  /** An object with these members, all null: copying it is faster than adding members one by one. */
  readonly empty: Row
}

/** Columns as a tree: dotted names share parents, in order of first appearance. */
const treeOf = memoize((outputs: readonly Output[]): Parent => {
  const parentOf = (name: string, nodes: readonly Node[]): Parent => ({
    name,
    members: nodes.map(node =>
      isLeaf(node)
        ? { name: node.key, at: node.at, column: outputs[node.at]!.column }
        : parentOf(node.key, node.members),
    ),
    empty: Object.fromEntries(nodes.map(({ key }) => [key, null])),
  })
  return parentOf('', columnTree(outputs.map(({ name }) => name)))
})

/**
 * Rows as objects: `pricing.ytm` becomes `pricing: { ytm }`, in the order of the columns.
 * An object whose members are all null is null.
 */
export function nest(outputs: readonly Output[], columns: Columns, rowCount: number): Row[] {
  const root = treeOf(outputs)
  const rows: Row[] = []
  for (let i = 0; i < rowCount; i++) rows.push(objectOf(root, columns, i))
  return rows
}

function objectOf({ members, empty }: Parent, columns: Columns, i: number): Row {
  const row = { ...empty }
  for (const member of members)
    row[member.name] =
      'at' in member
        ? jsonValue(member.column, columns[member.at]![i] ?? null)
        : orNull(objectOf(member, columns, i))
  return row
}

function orNull(row: Row): Row | null {
  for (const name in row) if (row[name] !== null) return row
  return null
}
