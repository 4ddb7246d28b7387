import fc from 'fast-check'
import t from 'tap'
import { Edges } from '../../../engine/operations/graph/adjacency.ts'
import { walk } from '../../../engine/operations/graph/walk.ts'

const packed = (nodes: number, pairs: readonly (readonly [number, number])[]) => {
  const edges = new Edges()
  for (const [from, to] of pairs) edges.add(from, to)
  return edges.pack(nodes)
}

const all = { most: 1000, sees: () => true }

t.test('a subsidiary of a subsidiary is reached once, at level two, even in a ring of owners', t => {
  const ring = packed(4, [
    [0, 1],
    [1, 2],
    [2, 0],
    [0, 3],
    [1, 3],
  ])
  const reached = walk([0], [ring], { ...all, depth: 10 })
  t.same(reached.nodes, [1, 3, 2])
  t.same(reached.levels, [1, 1, 2])
  t.same(reached.from, [0, 0, 1])
  t.end()
})

t.test('invisible nodes are not passed through', t => {
  const chain = packed(3, [
    [0, 1],
    [1, 2],
  ])
  t.same(walk([0], [chain], { ...all, depth: 5, sees: node => node !== 1 }).nodes, [])
  t.end()
})

t.test('a walk out of time is marked, with what it reached', t => {
  const star = packed(
    200_001,
    Array.from({ length: 200_000 }, (_, i) => [0, i + 1] as const),
  )
  t.match(walk([0], [star], { most: 1e6, sees: () => true, depth: 1, isLate: () => true }), {
    truncated: true,
    nodes: [],
  })
  t.equal(walk([0], [star], { most: 1e6, sees: () => true, depth: 1 }).nodes.length, 200_000)
  t.end()
})

t.test('a walk at its limit is marked', t => {
  const star = packed(
    101,
    Array.from({ length: 100 }, (_, i) => [0, i + 1] as const),
  )
  const cut = walk([0], [star], { ...all, depth: 1, most: 10 })
  t.equal(cut.nodes.length, 10)
  t.ok(cut.truncated)
  t.notOk(walk([0], [star], { ...all, depth: 1, most: 100 }).truncated)
  t.end()
})

t.test('levels are the shortest distances over all relations together', t => {
  const graph = fc.record({
    nodes: fc.constant(12),
    one: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 }),
    other: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 }),
    depth: fc.integer({ min: 1, max: 10 }),
  })
  fc.assert(
    fc.property(graph, ({ nodes, one, other, depth }) => {
      const distance = new Map([[0, 0]])
      for (let level = 1; level <= depth; level++)
        for (const [from, to] of [...one, ...other])
          if (distance.get(from) === level - 1 && !distance.has(to)) distance.set(to, level)
      distance.delete(0)
      const reached = walk([0], [packed(nodes, one), packed(nodes, other)], { ...all, depth })
      return (
        reached.nodes.length === distance.size &&
        reached.nodes.every((node, i) => distance.get(node) === reached.levels[i])
      )
    }),
  )
  t.end()
})
