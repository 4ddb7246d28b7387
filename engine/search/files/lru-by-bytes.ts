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
    const before = this.values.get(key)
    const value = before ?? make()
    if (before !== undefined && this.bytes <= this.most / 2) return value
    this.values.delete(key)
    this.values.set(key, value)
    if (before !== undefined) return value
    this.bytes += this.sizeOf(value)
    for (const [oldest, gone] of this.values) {
      if (this.bytes <= this.most || oldest === key) break
      this.values.delete(oldest)
      this.bytes -= this.sizeOf(gone)
    }
    return value
  }
}
