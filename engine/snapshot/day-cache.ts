import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Evictable, HotMemory } from '../query/memory/memory.ts'

/** A value computed from the tables of a day, with its approximate size in bytes. */
export interface Sized {
  readonly bytes: number
}

/** A value that is made once it is asked for again. */
export interface MadeOnRepeat<T extends Sized> {
  /** Its largest likely size in bytes. */
  readonly most: () => Promise<number>
  readonly make: () => Promise<T>
}

class TooLarge extends Error {}

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
  private readonly asked = new Set<string>()
  private readonly tooLarge = new Set<string>()
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

  /**
   * The value of that name if it is there, else null. A value that is asked for again is made meanwhile, if it takes at
   * most half of the memory, so a one-off query does not pay for it.
   */
  getOnRepeat<T extends Sized>(name: string, { most, make }: MadeOnRepeat<T>): T | null {
    const entry = this.entries.get(name)
    if (entry) {
      this.memory.touch(entry)
      return entry.value as T
    }
    if (this.memory.limit === 0 || this.tooLarge.has(name) || this.pending.has(name)) return null
    if (!this.asked.has(name)) {
      this.asked.add(name)
      return null
    }
    // A failure here also fails in the query that reads less, which reports it.
    this.make(name, async () => {
      if ((await most()) <= this.memory.limit / 2) return make()
      this.tooLarge.add(name)
      throw new TooLarge()
    }).catch(() => {})
    return null
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

  /** Resolves when nothing is being made. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.pending.values())
  }

  close(): void {
    this.closed = true
    for (const entry of this.entries.values()) this.memory.forget(entry)
    this.entries.clear()
  }
}
