// Indices below are within bounds by construction: checks would cost in the loops.

/**
 * Where a list stops passing a test, by halving: the place of the first element that fails it, and the length of the list if
 * none does. The elements that pass stand before those that fail.
 */
export function partitionPoint<T>(list: readonly T[], passes: (element: T) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(list[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
