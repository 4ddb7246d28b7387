// Indices below are within bounds by construction: checks would cost in the loops.

/**
 * Binary search for the index of the first element that fails a test (the length if none does), in a list whose
 * passing elements come first.
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
