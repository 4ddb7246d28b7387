import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { ownedPath } from '../../base/owned-folder.ts'
import { checkedLocation, type IcebergOptions } from '../iceberg/keep-tables.ts'
import type { TablePlace } from '../iceberg/table-place.ts'
import { type OpenTable, writeTables } from '../iceberg/write-tables.ts'
import type { Lake } from '../lake.ts'
import { readManifest } from '../snapshot.ts'
import type { Store } from './store.ts'

/**
 * Publishes Iceberg tables of a snapshot that the store holds and has as its current one. Earlier snapshots of the tables
 * stay in their history, since nothing is removed from a store. Of several writers at once one publishes; the others get
 * OVERLOADED.
 */
export async function pushTables(
  lake: Lake,
  id: string,
  store: Store,
  { location }: IcebergOptions = {},
  signal?: AbortSignal,
  now = new Date(),
): Promise<OpenTable[]> {
  return writeTables({
    lake,
    place: storePlace(store, signal),
    location: checkedLocation(location ?? store.url),
    manifests: [await readManifest(lake, id)],
    exists: () => true,
    current: id,
    now,
  })
}

const storePlace = (store: Store, signal?: AbortSignal): TablePlace => ({
  read: name => store.read(name, signal),
  swap: (name, text, tag) => store.swap(name, text, tag, signal),
  async put(name, content) {
    const path = ownedPath('iceberg')
    try {
      await writeFile(path, content, { mode: 0o600 })
      const sha256 = createHash('sha256').update(content).digest('hex')
      await store.put(name, path, { bytes: content.length, sha256 }, signal)
    } finally {
      await rm(path, { force: true })
    }
  },
})
