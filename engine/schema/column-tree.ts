/** A column in the tree: its own name within its parent, and its index among the columns. */
export interface Leaf {
  readonly key: string
  readonly at: number
}
export interface Branch {
  readonly key: string
  readonly members: readonly Node[]
}
export type Node = Leaf | Branch

export const isLeaf = (node: Node): node is Leaf => 'at' in node

interface Growing extends Branch {
  readonly members: (Growing | Leaf)[]
}

/**
 * The objects that dotted names spell: `pricing.ytm` is the member `ytm` of `pricing`. Parents come in order of first
 * appearance. If there is a column `a`, `a.b` cannot be a member of it and keeps its whole name.
 */
export function columnTree(names: readonly string[]): readonly Node[] {
  const known = new Set(names)
  const root: Growing = { key: '', members: [] }
  for (const [at, name] of names.entries()) {
    const parts = name.split('.')
    const clashes = parts.some((_, depth) => depth > 0 && known.has(parts.slice(0, depth).join('.')))
    const path = clashes ? [name] : parts
    let parent = root
    for (const key of path.slice(0, -1)) {
      let next = parent.members.find((m): m is Growing => m.key === key && !isLeaf(m))
      if (!next) {
        next = { key, members: [] }
        parent.members.push(next)
      }
      parent = next
    }
    parent.members.push({ key: path.at(-1)!, at })
  }
  return root.members
}
