// Values spread into the arguments of a call go onto the stack: about 120,000 of them overflow it. Lists of rows, lines
// and facts may be longer, so they are appended and compared in loops.

/** Adds all items to the end of a list. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}

/** The largest of some numbers, and of `least` if given; -Infinity of none. */
export function largest(numbers: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let found = least
  for (const number of numbers) found = Math.max(found, number)
  return found
}

/** The smallest of some numbers, and of `most` if given; Infinity of none. */
export function smallest(numbers: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let found = most
  for (const number of numbers) found = Math.min(found, number)
  return found
}
