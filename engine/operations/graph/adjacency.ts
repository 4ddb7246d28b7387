/** Adjacency list: the targets of node `n` are at `offsets[n]` up to `offsets[n + 1]`. */
export interface Adjacency {
  readonly offsets: Int32Array
  readonly targets: Int32Array
}

/** Packs edges by source node; a node's targets keep the order of the edges. */
export function adjacency(nodes: number, from: Int32Array, to: Int32Array): Adjacency {
  const offsets = new Int32Array(nodes + 1)
  for (let i = 0; i < from.length; i++) offsets[from[i]! + 1]!++
  for (let n = 0; n < nodes; n++) offsets[n + 1]! += offsets[n]!
  const next = offsets.slice(0, nodes)
  const targets = new Int32Array(to.length)
  for (let i = 0; i < to.length; i++) targets[next[from[i]!]!++] = to[i]!
  return { offsets, targets }
}

/** Edges as they are collected. */
export class Edges {
  private from = new Int32Array(1024)
  private to = new Int32Array(1024)
  private length = 0

  add(from: number, to: number): void {
    if (this.length === this.from.length) {
      this.from = grown(this.from)
      this.to = grown(this.to)
    }
    this.from[this.length] = from
    this.to[this.length++] = to
  }

  *[Symbol.iterator](): Generator<[from: number, to: number]> {
    for (let i = 0; i < this.length; i++) yield [this.from[i]!, this.to[i]!]
  }

  static joined(parts: readonly Edges[]): Edges {
    if (parts.length === 1) return parts[0]!
    const joined = new Edges()
    for (const part of parts) for (const [from, to] of part) joined.add(from, to)
    return joined
  }

  reversed(): Edges {
    const reversed = new Edges()
    for (const [from, to] of this) reversed.add(to, from)
    return reversed
  }

  pack(nodes: number): Adjacency {
    return adjacency(nodes, this.from.subarray(0, this.length), this.to.subarray(0, this.length))
  }
}

function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}
