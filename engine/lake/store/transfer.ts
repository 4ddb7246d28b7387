import { QueryError } from '../../base/errors.ts'
import { checkedLocation, type IcebergOptions, writeIceberg } from '../iceberg/keep-tables.ts'
import type { OpenTable } from '../iceberg/write-tables.ts'
import { openLake } from '../lake.ts'
import { readCurrent } from '../snapshot.ts'
import { follow } from './follow.ts'
import { openStore } from './open-store.ts'
import { type Pulled, type PullOptions, pull } from './pull.ts'
import { type Pushed, type PushOptions, push } from './push.ts'
import type { Store } from './store.ts'
import { pushTables } from './store-tables.ts'

export type { TransferStep } from './push.ts'
export type { IcebergOptions, OpenTable, Pulled, PullOptions, Pushed, PushOptions }

export interface Published extends Pushed {
  /** Iceberg tables of the store, if they were asked for. */
  readonly iceberg_tables?: number
}

export interface PublishOptions extends PushOptions {
  /** Default the current one. */
  readonly snapshot?: string
  /** Writes Iceberg tables of the snapshots in the store, for other engines. */
  readonly iceberg?: boolean
  /** The store as readers of its Iceberg tables name it: a URL or an absolute path. Default its address. */
  readonly icebergLocation?: string
}

/**
 * Publishes a snapshot of a lake, its current one by default, to a store: `s3://BUCKET/NAME` or `file:///PATH`. Of several
 * writers at once one publishes; the others get OVERLOADED and may push again. A push that was cut off is continued by the
 * next.
 * @param lake its folder
 */
export async function pushSnapshot(
  lake: string,
  store: string,
  { snapshot, iceberg = false, icebergLocation: location, ...options }: PublishOptions = {},
): Promise<Published> {
  if (location !== undefined) checkedLocation(location)
  const opened = await openLake(lake)
  const id = snapshot ?? (await readCurrent(opened))
  if (id === null)
    throw new QueryError('NOT_READY', `${lake} has no snapshot yet: run "tranche build"`, { lake })
  return using(store, async to => {
    const pushed = await push(opened, id, to, options)
    if (!iceberg && location === undefined) return pushed
    const open = await pushTables(opened, id, to, location === undefined ? {} : { location }, options.signal)
    return { ...pushed, iceberg_tables: open.length }
  })
}

/**
 * Copies the store's current snapshot into a folder, which then answers as any lake does, as of any day. Every file is
 * checked against its SHA-256, and the snapshot becomes current when all are there. A pull that was cut off is continued by
 * the next. Throws NOT_READY if nothing was pushed yet.
 * @param lake the folder: empty, or an earlier copy of the store
 */
export const pullSnapshot = (store: string, lake: string, options: PullOptions = {}): Promise<Pulled> =>
  using(store, from => pull(from, lake, options))

/**
 * Keeps a copy up to date until the signal; an engine that has it open switches to each new snapshot by itself. `onFailure`
 * hears once of each failure, during which the last snapshot goes on answering.
 */
export const followStore = (
  store: string,
  lake: string,
  options: Parameters<typeof follow>[2],
): Promise<void> => using(store, from => follow(from, lake, options).done)

/**
 * Writes Iceberg tables of a lake with a snapshot, or brings them up to date; later builds keep them. Throws NOT_READY
 * before the first build.
 * @param lake its folder
 */
export const writeIcebergTables = async (
  lake: string,
  options: IcebergOptions = {},
): Promise<readonly OpenTable[]> => writeIceberg(await openLake(lake), options)

async function using<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url)
  try {
    return await work(store)
  } finally {
    store.close()
  }
}
