import { setTimeout } from 'node:timers/promises'
import { yieldToEventLoop } from '../base/event-loop.ts'
import type { Context, Operation } from '../operations/operation.ts'
import { DayContext } from './day-context.ts'
import { SnapshotLease } from './lease.ts'
import type { OpenSnapshot } from './open-snapshot.ts'

/** A call to repeat on a new snapshot. */
export interface RecentCall {
  readonly operation: Operation
  readonly args: Readonly<Record<string, unknown>>
  readonly coverage: Context['coverage']
}

/** The last call of each operation, of those about the snapshot's own day. */
export class RecentCalls {
  private readonly calls = new Map<string, RecentCall>()

  note(call: RecentCall): void {
    const { operation, args } = call
    if (operation.bulk || operation.heavy === 'days') return
    if (args['as_of'] !== undefined || args['snapshot'] !== undefined) return
    this.calls.set(operation.name, call)
  }

  [Symbol.iterator](): IterableIterator<RecentCall> {
    return [...this.calls.values()].values()
  }
}

/** A new snapshot answers after this time, whatever is not in memory yet. */
const WARM_MS = 10_000

/** A snapshot that is read into memory before it becomes the current one. */
export class Successor {
  private readonly switchTo: (next: OpenSnapshot) => void
  private next: OpenSnapshot | null = null

  constructor(switchTo: (next: OpenSnapshot) => void) {
    this.switchTo = switchTo
  }

  /** Whether a snapshot is the current one, which then stays so, or is being prepared to become it. */
  isFollowed(id: string, current: OpenSnapshot | null): boolean {
    if (current?.manifest.id !== id) return this.next?.manifest.id === id
    this.cancel()
    return true
  }

  /** Prepares a snapshot, then switches to it; another one that was being prepared is given up. */
  prepare(next: OpenSnapshot, before: OpenSnapshot, recent: Iterable<RecentCall>): void {
    this.cancel()
    this.next = next
    // What fails here fails again in the call that needs it, which reports it.
    const warm = warmUp(next, before, recent).catch(() => {})
    void Promise.race([warm, setTimeout(WARM_MS, undefined, { ref: false })]).then(() => {
      if (this.next === next) this.switchNow()
    })
  }

  /** Switches to the snapshot that is being prepared, if there is one. */
  switchNow(): void {
    const { next } = this
    this.next = null
    if (next) this.switchTo(next)
  }

  cancel(): void {
    this.next?.retire()
    this.next = null
  }
}

/**
 * Calls an operation twice: what its calls share is made when it is called again. One that fails, because what it names is
 * gone for instance, does not keep the others from being repeated.
 */
async function repeat({ operation, args }: RecentCall, context: () => DayContext): Promise<void> {
  try {
    for (let call = 0; call < 2; call++) {
      await yieldToEventLoop()
      await operation.run(context(), args as never)
    }
  } catch {}
}

/**
 * Reads into memory what another snapshot has there: its tables, the search index, and by repeating the last call of each
 * operation what those share.
 */
async function warmUp(next: OpenSnapshot, before: OpenSnapshot, recent: Iterable<RecentCall>): Promise<void> {
  const leases = [new SnapshotLease(next), new SnapshotLease(before)] as const
  const [lease] = leases
  try {
    if (before.hasSearch) await lease.search()
    const former = before.ownDay
    if (!former) return
    const [day, { lane }] = [await lease.day(undefined), await former.ready()]
    for (const table of lane.loaded()) {
      await day.prepare([table])
      await day.lane.loadAs(lane, table)
    }
    for (const call of recent)
      await repeat(call, () => new DayContext(day, call.coverage, lease, { timeout: WARM_MS }))
  } finally {
    for (const each of leases) each.release()
  }
}
