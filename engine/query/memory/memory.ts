import { memberOf } from '../../base/elements.ts'
import { invalid } from '../../base/errors.ts'
import { usableMemory } from '../../base/machine.ts'

const units: Readonly<Record<string, number>> = {
  '': 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
}

/** `512MB` or `1.5GiB` as bytes. */
export function bytesOf(size: string, parameter = 'hot_memory'): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMG]i?B)?$/i.exec(String(size).trim()) ?? []
  if (number === undefined)
    throw invalid(parameter, size, 'a size is a number with a unit, such as 512MB or 2GB; 0 for none')
  return Math.floor(Number(number) * memberOf(units, (unit ?? '').toUpperCase()))
}

/** Default memory for tables: an eighth of what this process may use. */
export const defaultHotMemory = (): number => usableMemory() / 8

/** Something that can be evicted and recreated. */
export interface Evictable {
  drop(): void
}

/** Tracks the memory of loaded tables and evicts the least recently used. */
export class HotMemory {
  readonly limit: number
  private used = 0
  private readonly bytes = new Map<Evictable, number>()
  private last: Evictable | null = null

  /** In bytes; 0 loads nothing. */
  constructor(limit: number) {
    this.limit = limit
  }

  /** Marks an entry as just used, and grown by the given number of bytes. */
  touch(entry: Evictable, grown = 0): void {
    if (entry === this.last && grown === 0) return
    this.last = entry
    const before = this.bytes.get(entry) ?? 0
    this.bytes.delete(entry)
    this.bytes.set(entry, before + grown)
    this.used += grown
    if (this.used <= this.limit) return
    for (const other of [...this.bytes.keys()]) {
      if (this.used <= this.limit || other === entry) return
      other.drop()
      this.forget(other)
    }
  }

  forget(entry: Evictable): void {
    if (entry === this.last) this.last = null
    this.used -= this.bytes.get(entry) ?? 0
    this.bytes.delete(entry)
  }

  /** What can be loaded without evicting anything. */
  get free(): number {
    return Math.max(0, this.limit - this.used)
  }

  sizeOf(entry: Evictable): number {
    return this.bytes.get(entry) ?? 0
  }
}
