import type { Matches } from './keyword.ts'

/** Places in `matches` of the best `count`, best first; equal scores in the order of the sections. */
export function best({ scores }: Matches, count: number): number[] {
  const worse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b)
  const inOrder = (places: number[]) => places.sort((a, b) => scores[b]! - scores[a]! || a - b)
  if (count >= scores.length) return inOrder(Array.from(scores.keys()))
  if (count <= 0) return []
  // A heap of the best so far, the worst of them on top.
  const heap = new Uint32Array(count)
  let size = 0
  for (let place = 0; place < scores.length; place++) {
    if (size < count) {
      let at = size++
      while (at > 0 && worse(place, heap[(at - 1) >> 1]!)) {
        heap[at] = heap[(at - 1) >> 1]!
        at = (at - 1) >> 1
      }
      heap[at] = place
    } else if (worse(heap[0]!, place)) {
      let at = 0
      for (;;) {
        let child = at * 2 + 1
        if (child >= count) break
        if (child + 1 < count && worse(heap[child + 1]!, heap[child]!)) child++
        if (!worse(heap[child]!, place)) break
        heap[at] = heap[child]!
        at = child
      }
      heap[at] = place
    }
  }
  return inOrder(Array.from(heap))
}
