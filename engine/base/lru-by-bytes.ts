/** A least-recently-used cache limited by bytes. */
export class LruByBytes<T, K = number> {
  private readonly most: number
  private readonly sizeOf: (value: T) => number
  private readonly values = new Map<K, T>()
  private bytes = 0

  constructor(most: number, sizeOf: (value: T) => number) {
    this.most = most
    this.sizeOf = sizeOf
  }

  get(key: K, make: () => T): T {
    return this.find(key) ?? this.keep(key, make())
  }

  /** The value of a key, if it is still there. */
  find(key: K): T | undefined {
    const value = this.values.get(key)
    if (value === undefined || this.bytes <= this.most / 2) return value
    this.values.delete(key)
    this.values.set(key, value)
    return value
  }

  /** Adds a value; it stays until others come, even if it is larger than the limit. */
  keep(key: K, value: T): T {
    const before = this.values.get(key)
    if (before !== undefined) this.bytes -= this.sizeOf(before)
    this.values.delete(key)
    this.values.set(key, value)
    this.bytes += this.sizeOf(value)
    for (const [oldest, gone] of this.values) {
      if (this.bytes <= this.most || oldest === key) break
      this.values.delete(oldest)
      this.bytes -= this.sizeOf(gone)
    }
    return value
  }
}
