import { QueryError } from '../base/errors.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Lake } from '../lake/lake.ts'
import { noteUse } from '../lake/last-use.ts'
import {
  hasSnapshot,
  isSnapshotId,
  type Manifest,
  readableSnapshots,
  readManifest,
} from '../lake/snapshot.ts'
import { layout } from '../schema/resources/layout.ts'
import { SnapshotLease } from './lease.ts'
import type { OpenSnapshot } from './open-snapshot.ts'

/** How many earlier snapshots stay open: each has a database of its own. */
const KEPT_OPEN = 2

/** How often the use of one is noted. */
const NOTE_MS = 60_000

/** They are closed when none was asked for in this time. */
const IDLE_MS = 5 * 60_000

/**
 * Snapshots other than the current one, opened when a caller names one and while the lake keeps its files. A copy of a store
 * may be asked for one that it does not hold yet: another copy answered with it.
 */
export class EarlierSnapshots {
  private readonly lake: Lake
  private readonly open: (manifest: Manifest) => OpenSnapshot
  private readonly copy: (id: string) => Promise<boolean>
  private readonly opened = new Map<string, OpenSnapshot>()
  private readonly noted = new Map<string, number>()
  private idle: NodeJS.Timeout | null = null

  constructor(
    lake: Lake,
    open: (manifest: Manifest) => OpenSnapshot,
    copy: (id: string) => Promise<boolean> = async () => false,
  ) {
    this.lake = lake
    this.open = open
    this.copy = copy
  }

  /** The lease on the current snapshot if that has the id, else one on the earlier snapshot. */
  async leaseOr(current: MaybePromise<SnapshotLease>, id: string): Promise<SnapshotLease> {
    const lease = await current
    if (lease.manifest.id === id) return lease
    lease.release()
    return this.lease(id)
  }

  /** SNAPSHOT_GONE if neither the lake nor its store keeps the snapshot. */
  private async lease(id: string): Promise<SnapshotLease> {
    const isKept = (await hasSnapshot(this.lake, id)) || (isSnapshotId(id) && (await this.copy(id)))
    if (!isKept) {
      this.retire(id)
      throw await snapshotGone(this.lake, id)
    }
    const manifest = this.opened.get(id)?.manifest ?? (await this.read(id))
    // From here to the lease nothing waits, so that no other request closes the snapshot in between.
    const snapshot = this.opened.get(id) ?? this.open(manifest)
    const lease = new SnapshotLease(snapshot)
    this.opened.delete(id)
    this.opened.set(id, snapshot)
    for (const oldest of [...this.opened.keys()].slice(0, -KEPT_OPEN)) this.retire(oldest)
    this.closeWhenIdle()
    this.note(id)
    return lease
  }

  private note(id: string): void {
    const now = performance.now()
    if (now < (this.noted.get(id) ?? Number.NEGATIVE_INFINITY) + NOTE_MS) return
    this.noted.set(id, now)
    // A copy that may not be written to is pulled by another, which then goes by what it notes itself.
    noteUse(this.lake, id).catch(() => {})
  }

  close(): void {
    if (this.idle) clearTimeout(this.idle)
    for (const id of [...this.opened.keys()]) this.retire(id)
  }

  private async read(id: string): Promise<Manifest> {
    const manifest = await readManifest(this.lake, id).catch(async error => {
      // Pruned since it was looked for.
      throw (await hasSnapshot(this.lake, id)) ? error : await snapshotGone(this.lake, id)
    })
    if (manifest.layout !== layout)
      throw await snapshotGone(this.lake, id, 'was built by another version of Tranche')
    return manifest
  }

  private retire(id: string): void {
    this.opened.get(id)?.retire()
    this.opened.delete(id)
    this.noted.delete(id)
  }

  private closeWhenIdle(): void {
    if (this.idle) clearTimeout(this.idle)
    this.idle = setTimeout(() => this.close(), IDLE_MS)
    this.idle.unref()
  }
}

/** The cause of a failed query: SNAPSHOT_GONE if the snapshot that its caller named was removed meanwhile. */
export async function goneIfRemoved(lake: Lake, id: string, cause: unknown): Promise<unknown> {
  return isDamage(cause) && !(await hasSnapshot(lake, id)) ? snapshotGone(lake, id) : cause
}

export const isDamage = (cause: unknown): boolean =>
  cause instanceof QueryError && cause.code === 'DATA_DAMAGED'

/** For a query of which a part was answered from a snapshot that its caller did not name. */
export const removedMeanwhile = (id: string): QueryError =>
  new QueryError('NOT_READY', `snapshot ${id} was replaced and removed while it was read: try again`, {
    snapshot: id,
  })

/** How many kept snapshots a message names; the details have more. */
const NAMED = 3

/** The error for a snapshot that is not there, or was built by another version. */
async function snapshotGone(lake: Lake, id: string, why = 'is no longer kept'): Promise<QueryError> {
  const available = await readableSnapshots(lake, layout)
  const kept = available.slice(0, NAMED).join(', ')
  return new QueryError(
    'SNAPSHOT_GONE',
    `snapshot ${id} ${why}: start again without it${kept && `, or with one that is kept: ${kept}`}`,
    { snapshot: id, available },
  )
}
