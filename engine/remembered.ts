/** The same, worked out once for each thing. */
export function remembered<T extends object, R>(work: (thing: T) => R): (thing: T) => R {
  const known = new WeakMap<T, R>()
  return thing => {
    const before = known.get(thing)
    if (before !== undefined) return before
    const result = work(thing)
    known.set(thing, result)
    return result
  }
}
