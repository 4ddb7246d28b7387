import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Evictable, HotMemory } from '../query/memory/memory.ts'

/** A value computed from the tables of a day, with its approximate size in bytes. */
export interface Sized {
  readonly bytes: number
}

interface Entry extends Evictable {
  value: Sized | null
}

/**
 * Values that operations derive from a day's tables and reuse: indexes and graphs. Computed on first use, counted in
 * table memory, evicted when that is full, and dropped with the day.
 */
export class DayCache {
  private readonly memory: HotMemory
  private readonly entries = new Map<string, Entry>()
  private readonly pending = new Map<string, Promise<Sized>>()
  private closed = false

  constructor(memory: HotMemory) {
    this.memory = memory
  }

  /** The value of that name. Concurrent callers share one computation; a failure is retried. */
  get<T extends Sized>(name: string, make: () => Promise<T>): MaybePromise<T> {
    const entry = this.entries.get(name)
    if (!entry) return (this.pending.get(name) ?? this.make(name, make)) as Promise<T>
    this.memory.touch(entry)
    return entry.value as T
  }

  private make<T extends Sized>(name: string, make: () => Promise<T>): Promise<T> {
    const made = make().then(value => {
      this.pending.delete(name)
      if (!this.closed) this.keep(name, value)
      return value
    })
    this.pending.set(name, made)
    made.catch(() => this.pending.delete(name))
    return made
  }

  private keep(name: string, value: Sized): void {
    const entry: Entry = {
      value,
      drop: () => {
        entry.value = null
        this.entries.delete(name)
      },
    }
    this.entries.set(name, entry)
    this.memory.touch(entry, value.bytes)
  }

  close(): void {
    this.closed = true
    for (const entry of this.entries.values()) this.memory.forget(entry)
    this.entries.clear()
  }
}
