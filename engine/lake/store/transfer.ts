import { QueryError } from '../../base/errors.ts'
import { openLake } from '../lake.ts'
import { readCurrent } from '../snapshot.ts'
import { follow } from './follow.ts'
import { openStore } from './open-store.ts'
import { type Pulled, type PullOptions, pull } from './pull.ts'
import { type Pushed, type PushOptions, push } from './push.ts'
import type { Store } from './store.ts'

export type { TransferStep } from './push.ts'
export type { Pulled, PullOptions, Pushed, PushOptions }

/**
 * Publishes a snapshot of a lake, its current one by default, to a store: `s3://BUCKET/NAME` or `file:///PATH`. Of several
 * writers at once one publishes; the others get OVERLOADED and may push again. A push that was cut off is continued by the
 * next.
 * @param lake its folder
 */
export async function pushSnapshot(
  lake: string,
  store: string,
  { snapshot, ...options }: PushOptions & { readonly snapshot?: string } = {},
): Promise<Pushed> {
  const opened = await openLake(lake)
  const id = snapshot ?? (await readCurrent(opened))
  if (id === null)
    throw new QueryError('NOT_READY', `${lake} has no snapshot yet: run "tranche build"`, { lake })
  return using(store, to => push(opened, id, to, options))
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

async function using<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url)
  try {
    return await work(store)
  } finally {
    store.close()
  }
}
