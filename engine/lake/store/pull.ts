import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { damaged, QueryError } from '../../base/errors.ts'
import { beginSpan } from '../../base/spans.ts'
import { COPY_OF, copyOf } from '../copy-of.ts'
import { storageError, sync, writeWhole } from '../durable.ts'
import type { Fingerprint } from '../fingerprint.ts'
import { keepTables } from '../iceberg/keep-tables.ts'
import {
  absent,
  ensureLake,
  inLake,
  type Lake,
  namesIn,
  openLake,
  removeFromLake,
  staysInside,
} from '../lake.ts'
import { lastUse, noteUse } from '../last-use.ts'
import { checkHeld, withLock } from '../lock.ts'
import { unsealed } from '../seal.ts'
import {
  isSnapshotId,
  listSnapshots,
  type Manifest,
  readCurrent,
  readManifest,
  snapshotIds,
  verifySnapshot,
} from '../snapshot.ts'
import { verifyFile } from '../verify.ts'
import { filesOf, manifestName, type SnapshotFile, type TransferStep } from './push.ts'
import type { Store } from './store.ts'

/** A stream that breaks is continued where it broke, so often without a new byte. */
const ATTEMPTS = 5

export interface PullOptions {
  /** A snapshot of the store to copy beside the current one; default the current one. */
  readonly snapshot?: string
  /** Bytes that snapshots and batches may take; those least recently used are removed first. Default no limit. */
  readonly most?: number
  readonly signal?: AbortSignal | undefined
  readonly progress?: ((step: TransferStep) => void) | undefined
}

export interface Pulled {
  readonly snapshot: string
  /** The snapshot that was current here before. */
  readonly before: string | null
  readonly received: number
  readonly present: number
  readonly bytes: number
  /** Snapshots removed to stay within the limit. */
  readonly removed: readonly string[]
}

/**
 * Copies the store's current snapshot into a folder, and makes it current there once every file is whole. A pull that
 * was cut off is continued by the next. The folder becomes a copy, which no ingest or build may write to. With `snapshot`
 * another is copied, and the current one of the folder stays.
 * Throws NOT_READY if nothing was pushed yet, DATA_DAMAGED if the store's bytes are not those that were pushed.
 */
export async function pull(store: Store, folder: string, options: PullOptions = {}): Promise<Pulled> {
  const span = beginSpan('store pull', { 'tranche.store': store.url })
  let failure: unknown
  try {
    const pulled = await pullWithin(store, folder, options)
    span?.set({
      'tranche.snapshot': pulled.snapshot,
      'tranche.files': pulled.received,
      'tranche.bytes': pulled.bytes,
    })
    return pulled
  } catch (error) {
    failure = error
    throw error
  } finally {
    span?.end(failure)
  }
}

async function pullWithin(
  store: Store,
  folder: string,
  { snapshot, most, signal, progress }: PullOptions,
): Promise<Pulled> {
  const current = await store.read('CURRENT', signal)
  if (current === null)
    throw new QueryError(
      'NOT_READY',
      `${store.url} has no snapshot yet: run "tranche push" where it is built`,
      {
        store: store.url,
      },
    )
  const lake = await copyIn(folder, store.url)
  return withLock(lake, 'pull', async () => {
    const id = snapshot ?? current.text.trim()
    if (!isSnapshotId(id)) throw damaged(`${store.url}/CURRENT`, 'does not name a snapshot')
    const before = await readCurrent(lake)
    if (before === id && (await isWhole(lake, id))) {
      // The bound may be lower than last time.
      const removed = await makeRoom(lake, { most, manifest: await readManifest(lake, id), store })
      return { snapshot: id, before, received: 0, present: 0, bytes: 0, removed }
    }
    const text = await manifestText(store, id, signal)
    const manifest = readable(unsealed<Manifest>(text, `${store.url}/${manifestName(id)}`), id, store)
    const files = filesOf(manifest)
    const total = files.reduce((sum, file) => sum + file.bytes, 0)
    const removed = await makeRoom(lake, { most, manifest, store })
    const counts = { received: 0, present: 0, bytes: 0 }
    let done = 0
    // Under its final name an incomplete snapshot would be listed.
    const scratch = `snapshots/.pull-${id}`
    await removeOtherScratch(lake, id)
    for (const file of files) {
      progress?.({ file: file.name, done, total })
      const name = file.name.replace(`snapshots/${id}/`, `${scratch}/`)
      const path = inLake(lake, name)
      if (name !== file.name) await reuse(inLake(lake, file.name), path)
      if (await receive(store, path, file, signal)) {
        counts.received++
        counts.bytes += file.bytes
      } else counts.present++
      done += file.bytes
    }
    await writeWhole(inLake(lake, scratch, 'manifest.json'), text)
    await putInPlace(lake, scratch, manifest)
    await readManifest(lake, id)
    await checkHeld(lake)
    if (snapshot === undefined && before !== id) {
      // It was current until now.
      if (before !== null) await noteUse(lake, before)
      await writeWhole(inLake(lake, 'CURRENT'), `${id}\n`)
    }
    await keepTables(lake)
    return { snapshot: id, before, ...counts, removed }
  }).catch(error => {
    throw storageError(error, '')
  })
}

/** The folder of a copy; refuses a lake of its own, and a copy of another store. */
async function copyIn(folder: string, url: string): Promise<Lake> {
  if (await stat(join(folder, 'lake.json')).catch(absent)) {
    const lake = await openLake(folder)
    const known = await copyOf(lake)
    if (known === url) return lake
    throw new QueryError(
      'INVALID_PARAMETER',
      known === null
        ? `${folder} is a lake of its own: choose an empty folder for the copy`
        : `${folder} is a copy of ${known}: choose another folder`,
      { parameter: 'lake', value: folder },
    )
  }
  // Marked before it is a lake, so that a crash leaves no copy without its mark.
  const lake = await ensureLake(folder, new Date(), async () =>
    writeWhole(join(folder, COPY_OF), `${JSON.stringify({ store: url })}\n`),
  )
  return lake
}

async function manifestText(store: Store, id: string, signal?: AbortSignal): Promise<string> {
  const found = await store.read(manifestName(id), signal)
  if (found === null)
    throw damaged(`${store.url}/${manifestName(id)}`, 'is missing, though CURRENT names it: push it again')
  return found.text
}

/** The manifest, if all its files belong where they would be written. */
function readable(manifest: Manifest, id: string, store: Store): Manifest {
  const name = `${store.url}/${manifestName(id)}`
  if (manifest.id !== id) throw damaged(name, `is the manifest of ${manifest.id}`)
  for (const { name: file } of filesOf(manifest))
    if (!staysInside(file) || !(file.startsWith('batches/') || file.startsWith(`snapshots/${id}/`)))
      throw damaged(name, `names a file outside its snapshot: ${file}`)
  return manifest
}

/** Whether every file of a snapshot and of its batches is as it was pushed. */
async function isWhole(lake: Lake, id: string): Promise<boolean> {
  if ((await verifySnapshot(lake, id)).problems.length > 0) return false
  for (const file of (await readManifest(lake, id)).inputs)
    if (!(await isSound(inLake(lake, file.path), file))) return false
  return true
}

const isSound = (path: string, file: Fingerprint): Promise<boolean> =>
  verifyFile(path, file).then(
    () => true,
    () => false,
  )

/** A file of a snapshot that was damaged here serves again if it is sound itself. */
async function reuse(from: string, to: string): Promise<void> {
  if (!(await stat(from).catch(absent)) || (await stat(to).catch(absent))) return
  await mkdir(dirname(to), { recursive: true })
  await link(from, to).catch(() => copyFile(from, to))
}

/**
 * Gives a received snapshot its name. If the copy holds one of that name, queries may be reading it: each file replaces its
 * predecessor in one step, so that none is ever missing.
 */
async function putInPlace(lake: Lake, scratch: string, manifest: Manifest): Promise<void> {
  const folder = inLake(lake, 'snapshots', manifest.id)
  const names = [...manifest.tables, ...manifest.files].map(({ file }) => file)
  if (!(await hasPlaces(folder, names))) {
    await removeSnapshot(lake, manifest.id)
    await rename(inLake(lake, scratch), folder)
    await sync(inLake(lake, 'snapshots'))
    return
  }
  // Of two links to one file, as of those that were sound before, a rename removes neither.
  for (const name of [...names, 'manifest.json']) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await rename(inLake(lake, scratch, name), join(folder, name))
  }
  for (const parent of new Set(names.map(name => dirname(join(folder, name))).concat(folder)))
    await sync(parent)
  await removeFromLake(lake, scratch)
}

/** Whether every file of a snapshot can be put into a folder: nothing else has its name or that of a folder on its way. */
async function hasPlaces(folder: string, names: readonly string[]): Promise<boolean> {
  if (!(await lstat(folder).catch(absent))?.isDirectory()) return false
  for (const name of [...names, 'manifest.json']) {
    const path = join(folder, name)
    const parent = await lstat(dirname(path)).catch(absent)
    if (parent && (!parent.isDirectory() || (await realpath(dirname(path))) !== dirname(path))) return false
    if ((await lstat(path).catch(absent))?.isFile() === false) return false
  }
  return true
}

/** Removes a snapshot at once for those who look for it, then its files. */
async function removeSnapshot(lake: Lake, id: string): Promise<void> {
  const doomed = `.old-${id}`
  await removeFromLake(lake, 'snapshots', doomed)
  await rename(inLake(lake, 'snapshots', id), inLake(lake, 'snapshots', doomed)).catch(absent)
  await removeFromLake(lake, 'snapshots', doomed)
}

/** Removes what pulls of other snapshots left. */
async function removeOtherScratch(lake: Lake, id: string): Promise<void> {
  for (const name of await namesIn(lake, 'snapshots'))
    if (/^\.(pull|old)-/.test(name) && name !== `.pull-${id}`) await removeFromLake(lake, 'snapshots', name)
}

/** Receives a file unless it is there; its bytes are verified before it gets its name. */
async function receive(
  store: Store,
  path: string,
  file: SnapshotFile,
  signal?: AbortSignal,
): Promise<boolean> {
  if (await isSound(path, file)) return false
  await mkdir(dirname(path), { recursive: true })
  const part = `${path}.part`
  const received = async () => (await stat(part).catch(absent))?.size ?? 0
  for (let attempt = 1; ; attempt++) {
    const before = await received()
    try {
      await extend(store, part, file, signal)
      break
    } catch (thrown) {
      signal?.throwIfAborted()
      const error = storageError(thrown, '')
      if (error instanceof QueryError) throw error
      if ((await received()) > before) attempt = 0
      if (attempt >= ATTEMPTS)
        throw new QueryError(
          'STORAGE_FAILED',
          `${store.url}: ${file.name} could not be read (${(thrown as Error).message}): pull again, it is continued`,
          { store: store.url, file: file.name },
        )
    }
  }
  await rename(part, path)
  return true
}

/** Brings the part of a file to its end; throws DATA_DAMAGED and removes it if the whole has other bytes. */
async function extend(store: Store, part: string, file: SnapshotFile, signal?: AbortSignal): Promise<void> {
  const hash = createHash('sha256')
  let size = (await stat(part).catch(absent))?.size ?? 0
  if (size > file.bytes) {
    await rm(part)
    size = 0
  }
  if (size > 0)
    for await (const chunk of createReadStream(part, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  const handle = await open(part, 'a')
  try {
    if (size < file.bytes)
      for await (const chunk of await store.get(file.name, size, signal)) {
        size += (chunk as Buffer).length
        if (size > file.bytes) break
        hash.update(chunk as Buffer)
        await handle.write(chunk as Buffer)
      }
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (size < file.bytes) throw new Error(`${file.name} ended after ${size} of ${file.bytes} bytes`)
  if (size > file.bytes || hash.digest('hex') !== file.sha256) {
    await rm(part)
    throw damaged(
      `${store.url}/${file.name}`,
      'is not what was pushed (its SHA-256 does not match): delete it there and push again',
    )
  }
}

interface Room {
  readonly most: number | undefined
  readonly manifest: Manifest
  readonly store: Store
}

/** Removes snapshots, and batches that no other needs, the least recently used first, until the new one fits. */
async function makeRoom(lake: Lake, { most, manifest, store }: Room): Promise<string[]> {
  if (most === undefined) return []
  const needed = filesOf(manifest).reduce((sum, file) => sum + file.bytes, 0)
  if (needed > most)
    throw new QueryError(
      'INVALID_PARAMETER',
      `snapshot ${manifest.id} of ${store.url} takes ${needed} bytes, and the cache may hold ${most}: give it more`,
      { parameter: 'cache', needed, most },
    )
  const removed: string[] = []
  for (;;) {
    const held = await heldFiles(lake)
    for (const { name } of filesOf(manifest)) held.delete(name)
    const bytes = [...held.values()].reduce((sum, n) => sum + n, needed)
    const current = await readCurrent(lake)
    const ids = (await snapshotIds(lake)).filter(id => id !== current && id !== manifest.id)
    const uses = await Promise.all(ids.map(async id => ({ id, at: await lastUse(lake, id) })))
    uses.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    // The current one answers until the new one is whole.
    const first = uses[0]?.id
    if (bytes <= most || first === undefined) return removed
    await keepTables(lake, [first])
    await removeSnapshot(lake, first)
    await removeFromLake(lake, 'days', first)
    removed.push(first)
    await removeUnusedBatches(lake, manifest)
  }
}

async function heldFiles(lake: Lake): Promise<Map<string, number>> {
  const held = new Map<string, number>()
  for (const top of ['snapshots', 'batches'])
    for (const entry of await readdir(inLake(lake, top), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(lake.root.length + 1).replaceAll('\\', '/')
      // What a pull has received so far is part of what it needs.
      if (entry.isFile() && !name.startsWith('snapshots/.pull-')) held.set(name, (await stat(path)).size)
    }
  return held
}

async function removeUnusedBatches(lake: Lake, coming: Manifest): Promise<void> {
  const used = new Set(coming.inputs.map(file => file.path))
  for (const { id } of await listSnapshots(lake))
    for (const { path } of (await readManifest(lake, id).catch(() => null))?.inputs ?? []) used.add(path)
  for (const dataset of await namesIn(lake, 'batches'))
    for (const file of await namesIn(lake, 'batches', dataset))
      if (!used.has(`batches/${dataset}/${file}`))
        await rm(inLake(lake, 'batches', dataset, file), { force: true })
}
