import { readFile } from 'node:fs/promises'
import { QueryError } from '../../base/errors.ts'
import type { Fingerprint } from '../fingerprint.ts'
import { inLake, type Lake } from '../lake.ts'
import { type Manifest, readManifest } from '../snapshot.ts'
import { verifyFile } from '../verify.ts'
import type { Store } from './store.ts'

/** A file of a snapshot, or one of the batches that it was built from: its name in lake and store. */
export interface SnapshotFile extends Fingerprint {
  readonly name: string
}

/** What readers of a snapshot need: its own files, and the batches, from which earlier days are derived. */
export const filesOf = ({ id, tables, files, inputs }: Manifest): readonly SnapshotFile[] => [
  ...[...tables, ...files].map(({ file, bytes, sha256 }) => ({
    name: `snapshots/${id}/${file}`,
    bytes,
    sha256,
  })),
  ...inputs.map(({ path, bytes, sha256 }) => ({ name: path, bytes, sha256 })),
]

export const manifestName = (id: string): string => `snapshots/${id}/manifest.json`

/** How far a transfer is. */
export interface TransferStep {
  readonly file: string
  /** Bytes of the whole transfer: those before this file, and all. */
  readonly done: number
  readonly total: number
}

export interface PushOptions {
  /** Also where the store's current snapshot is newer. */
  readonly force?: boolean
  readonly signal?: AbortSignal | undefined
  readonly progress?: ((step: TransferStep) => void) | undefined
}

export interface Pushed {
  readonly snapshot: string
  /** The store's current snapshot before. */
  readonly before: string | null
  /** Files sent, and those that the store had already. */
  readonly sent: number
  readonly present: number
  readonly bytes: number
}

/**
 * Publishes a snapshot to a store: first its files, each checked before and by the store, then its manifest, then the
 * name of the current snapshot. Readers see the old snapshot until the last step. Of several writers at once one
 * publishes; the others get OVERLOADED and may push again. A push that was cut off is continued by the next.
 */
export async function push(
  lake: Lake,
  id: string,
  store: Store,
  { force = false, signal, progress }: PushOptions = {},
): Promise<Pushed> {
  const manifest = await readManifest(lake, id)
  const current = await store.read('CURRENT', signal)
  const before = current?.text.trim() ?? null
  // Ids begin with the time of their build.
  if (before !== null && before > id && !force)
    throw new QueryError(
      'INVALID_PARAMETER',
      `${store.url} has a newer snapshot, ${before}: push that one's successor, or add --force to go back to ${id}`,
      { parameter: 'force', current: before },
    )
  const files = filesOf(manifest)
  const total = files.reduce((sum, file) => sum + file.bytes, 0)
  const counts = { sent: 0, present: 0, bytes: 0 }
  let done = 0
  for (const file of files) {
    signal?.throwIfAborted()
    progress?.({ file: file.name, done, total })
    if (await send(lake, store, file, signal)) {
      counts.sent++
      counts.bytes += file.bytes
    } else counts.present++
    done += file.bytes
  }
  const text = await readFile(inLake(lake, manifestName(id)), 'utf8')
  const ownManifest = await store.swap(manifestName(id), text, null, signal)
  if (!ownManifest) {
    const there = await store.read(manifestName(id), signal)
    if (there?.text !== text) throw clash(store, manifestName(id))
  }
  if (before !== id && !(await store.swap('CURRENT', `${id}\n`, current?.tag ?? null, signal)))
    throw new QueryError(
      'OVERLOADED',
      `another push to ${store.url} was first: look at what it published, then push again`,
      { store: store.url },
    )
  return { snapshot: id, before, ...counts }
}

/** Sends a file unless the store has it. */
async function send(lake: Lake, store: Store, file: SnapshotFile, signal?: AbortSignal): Promise<boolean> {
  const there = await store.describe(file.name, signal)
  if (there !== null) {
    if (there.sha256 !== file.sha256) throw clash(store, file.name)
    if (there.bytes === file.bytes) return false
  }
  const path = inLake(lake, file.name)
  await verifyFile(path, file, file.name)
  await store.put(file.name, path, file, signal)
  return true
}

const clash = (store: Store, name: string) =>
  new QueryError(
    'INVALID_PARAMETER',
    `${store.url} has another ${name}: it holds a different lake, so choose another place; if it is damaged there, delete it and push again`,
    { parameter: 'store', file: name },
  )
