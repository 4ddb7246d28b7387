/**
 * Computes a value once per object and keeps it as long as the object lives. For what is derived from declarations.
 */
export function memoize<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const made = new WeakMap<K, V>()
  return from => {
    let value = made.get(from)
    if (value === undefined) {
      value = make(from)
      made.set(from, value)
    }
    return value
  }
}
