import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cachedPerTick } from '../base/cached-per-tick.ts'
import { elementAt } from '../base/elements.ts'
import { damaged, QueryError } from '../base/errors.ts'
import { memoize } from '../base/memoize.ts'
import { version } from '../base/version.ts'
import { Database, literal } from '../database/database.ts'
import { noSnapshotYet } from './copy-of.ts'
import { moveWhole, storageError, sync, writeWhole } from './durable.ts'
import { fault } from './fault.ts'
import { type Fingerprint, fingerprint } from './fingerprint.ts'
import type { FreshnessReport } from './freshness-report.ts'
import { type BatchFile, readImports, removeLeftovers } from './imports.ts'
import { absent, inLake, type Lake, namesIn, staysInside } from './lake.ts'
import { checkHeld, withLock } from './lock.ts'
import type { QualityReport } from './quality-report.ts'
import { sealed, unsealed } from './seal.ts'
import { verifyFile } from './verify.ts'

/** Version of the manifest and tables; raised when an engine could misread those of another version. */
export const snapshotSchema = 1

export interface StoredFile extends Fingerprint {
  /** Relative to the snapshot. */
  readonly file: string
}

export interface StoredTable extends StoredFile {
  readonly name: string
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** A batch that a snapshot was built from. */
export interface SnapshotInput extends BatchFile {
  /**
   * The first day on which a row of it is known; null if a row has no day, or may get an earlier one from a list of
   * filings. Missing from snapshots of older versions.
   */
  readonly first_known?: string | null
}

/** Describes the folder that a build has filled. */
export interface ManifestDraft {
  /** The as-of day; null for a lake without dated rows. */
  readonly as_of: string | null
  /** Options that change answers: `assume_seniority`, `embedder`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly inputs: readonly SnapshotInput[]
  /** The Parquet files that are tables; every other file in the folder is listed under `files`. */
  readonly tables: readonly { readonly name: string; readonly file: string }[]
  /** Files that were read back after they were written: they are not read again. */
  readonly checked?: readonly StoredFile[]
  readonly quality?: QualityReport
  readonly freshness?: FreshnessReport
  /** Hash of its tables' columns. */
  readonly layout?: string | undefined
  readonly notes?: readonly string[]
}

export interface Manifest {
  readonly schema: number
  readonly engine: string
  readonly id: string
  readonly created: string
  readonly as_of: string | null
  readonly options: Readonly<Record<string, unknown>>
  readonly inputs: readonly SnapshotInput[]
  readonly tables: readonly StoredTable[]
  readonly files: readonly StoredFile[]
  /** The build's data quality report; missing from snapshots of older versions. */
  readonly quality?: QualityReport
  /** The age of its data; missing from snapshots of older versions. */
  readonly freshness?: FreshnessReport
  readonly layout?: string | undefined
  readonly notes: readonly string[]
}

const snapshotId = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/

export const isSnapshotId = (text: string): boolean => snapshotId.test(text)

/** A finished snapshot that is about to become current, and the one that it would replace. */
export interface Candidate {
  readonly manifest: Manifest
  /** Where its files are. */
  readonly folder: string
  /** Id of the current snapshot; null before the first. */
  readonly before: string | null
}

/**
 * Creates a snapshot and publishes it. `fill` writes the files into an empty folder. The old snapshot stays current
 * until the last step, a rename; a failure or crash changes nothing.
 * @param objection why a snapshot is kept without becoming current: the error that is thrown; null publishes it
 * @param published what follows under the same lock; if it fails, the snapshot stays current
 */
export async function publish(
  lake: Lake,
  fill: (folder: string) => Promise<ManifestDraft>,
  now = new Date(),
  objection: (candidate: Candidate) => Promise<QueryError | null> = async () => null,
  published: (manifest: Manifest) => Promise<void> = async () => {},
): Promise<Manifest> {
  return withLock(lake, 'build', async () => {
    const manifest = await make(lake, fill, now, objection)
    await published(manifest)
    return manifest
  })
}

async function make(
  lake: Lake,
  fill: (folder: string) => Promise<ManifestDraft>,
  now: Date,
  objection: (candidate: Candidate) => Promise<QueryError | null>,
): Promise<Manifest> {
  const folder = inLake(lake, 'snapshots', `.tmp-${process.pid}`)
  const before = await readCurrent(lake).catch(() => null)
  let made: string | null = null
  try {
    await removeLeftovers(lake, await readImports(lake))
    await mkdir(folder, { recursive: true })
    const draft = await fill(folder)
    fault('publish:filled')
    const manifest = await describe(lake, folder, draft, now)
    const refusal = await objection({ manifest, folder, before })
    await writeWhole(join(folder, 'manifest.json'), sealed(manifest))
    for (const path of await foldersIn(folder)) await sync(path)
    await sync(folder)
    fault('publish:before-rename')
    made = manifest.id
    await moveWhole(folder, inLake(lake, 'snapshots', manifest.id))
    if (refusal) {
      made = null
      throw refusal
    }
    fault('publish:before-current')
    await checkHeld(lake)
    await writeWhole(inLake(lake, 'CURRENT'), `${manifest.id}\n`)
    fault('publish:after-current')
    return manifest
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (made !== null) await withdraw(lake, made, before)
    throw storageError(error)
  }
}

/** If publishing may have failed, the new snapshot is removed and the one before is current again. */
async function withdraw(lake: Lake, id: string, before: string | null): Promise<void> {
  if ((await readCurrent(lake)) === id) {
    if (before === null) await rm(inLake(lake, 'CURRENT'), { force: true })
    else await writeWhole(inLake(lake, 'CURRENT'), `${before}\n`)
  }
  await rm(inLake(lake, 'snapshots', id), { recursive: true, force: true })
}

async function describe(lake: Lake, folder: string, draft: ManifestDraft, now: Date): Promise<Manifest> {
  const checked = new Map(draft.checked?.map(({ file, bytes, sha256 }) => [file, { bytes, sha256 }]))
  const stored: StoredFile[] = []
  for (const file of await filesIn(folder)) {
    const path = join(folder, file)
    await sync(path)
    stored.push({ file, ...(checked.get(file) ?? (await fingerprint(path))) })
  }
  const database = await Database.create({ threads: 1 })
  const tables: StoredTable[] = []
  try {
    for (const { name, file } of draft.tables) {
      const whole = stored.find(s => s.file === file)
      if (!whole) throw new Error(`the build lists ${file} but did not write it`)
      const from = `read_parquet(${literal(join(folder, file))})`
      const columns = await database.rows<{ name: string; type: string }>(
        `select column_name as name, column_type as type from (describe select * from ${from})`,
      )
      const [counted] = await database.rows<{ rows: number }>(`select count(*) as rows from ${from}`)
      tables.push({ name, ...whole, rows: counted!.rows, columns })
    }
  } finally {
    database.close()
  }
  const content = {
    schema: snapshotSchema,
    engine: version,
    as_of: draft.as_of,
    options: draft.options,
    inputs: draft.inputs,
    tables,
    files: stored.filter(s => !tables.some(table => table.file === s.file)),
    ...(draft.quality && { quality: draft.quality }),
    ...(draft.freshness && { freshness: draft.freshness }),
    ...(draft.layout && { layout: draft.layout }),
    notes: draft.notes ?? [],
  }
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8)
  const id = `${await nextInstant(lake, now)}-${hash}`
  return { id, created: now.toISOString(), ...content }
}

/** A new snapshot's second, later than all others', so that ids sort even if the clock went back. */
async function nextInstant(lake: Lake, now: Date): Promise<string> {
  const stamp = (time: Date) => time.toISOString().replace(/[-:]|\.\d+/g, '')
  const newest = (await snapshotIds(lake)).at(-1)?.slice(0, 16)
  if (!newest || newest < stamp(now)) return stamp(now)
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(newest)!.map(Number)
  return stamp(new Date(Date.UTC(y!, mo! - 1, d!, h!, mi!, s! + 1)))
}

/** Paths of the files below a folder, relative with forward slashes, sorted. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => !entry.isDirectory())
  const odd = files.find(entry => !entry.isFile())
  if (odd) throw new Error(`${odd.name} in a snapshot is not a plain file`)
  return files.map(entry => below(folder, join(entry.parentPath, entry.name))).sort()
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
}

const below = (folder: string, path: string) => path.slice(folder.length + 1).replaceAll('\\', '/')

/** The ids of the snapshots in a lake, oldest first. */
export const snapshotIds = async (lake: Lake) =>
  (await namesIn(lake, 'snapshots')).filter(name => snapshotId.test(name))

/** Whether the lake keeps the files of a snapshot. */
export const hasSnapshot = async (lake: Lake, id: string): Promise<boolean> =>
  snapshotId.test(id) && (await lstat(inLake(lake, 'snapshots', id)).catch(absent)) !== null

/** How many snapshots an error lists. */
const LISTED = 20

/** The newest snapshots whose tables have a layout, newest first, at most twenty. */
export async function readableSnapshots(lake: Lake, layout: string): Promise<string[]> {
  const ids = (await snapshotIds(lake)).reverse().slice(0, LISTED)
  const manifests = await Promise.all(ids.map(id => readManifest(lake, id).catch(() => null)))
  return ids.filter((_, i) => elementAt(manifests, i)?.layout === layout)
}

/** The id of the current snapshot; null before the first build. */
export async function readCurrent(lake: Lake): Promise<string | null> {
  const text = await readFile(inLake(lake, 'CURRENT'), 'utf8').catch(absent)
  if (text === null) return null
  const id = text.trimEnd()
  if (!snapshotId.test(id)) throw damaged('CURRENT', 'does not name a snapshot')
  return id
}

const stampOf = memoize((lake: Lake) => {
  const pointer = inLake(lake, 'CURRENT')
  return cachedPerTick(() => {
    const info = statSync(pointer, { throwIfNoEntry: false })
    return info ? `${info.ino} ${info.ctimeMs}` : null
  })
})

/**
 * Changes whenever another snapshot becomes current: cheap enough to check before every query. Null before the first.
 */
export const currentStamp = (lake: Lake): string | null => stampOf(lake)()

/** The current snapshot; throws NOT_READY before the first build. */
export async function currentManifest(lake: Lake): Promise<Manifest> {
  const id = await readCurrent(lake)
  if (id === null) throw await noSnapshotYet(lake)
  return readManifest(lake, id)
}

/** A validated manifest; its files are verified before first use (`verifiedFile`). */
export async function readManifest(lake: Lake, id: string): Promise<Manifest> {
  if (!snapshotId.test(id)) throw notFound(id)
  const folder = inLake(lake, 'snapshots', id)
  const info = await lstat(folder).catch(absent)
  const file = `snapshots/${id}/manifest.json`
  if (!info) {
    if ((await readCurrent(lake)) === id)
      throw damaged('CURRENT', `names snapshot ${id}, which does not exist`)
    throw notFound(id)
  }
  if (!info.isDirectory()) throw damaged(`snapshots/${id}`, 'is not a folder')
  const own = await lstat(join(folder, 'manifest.json')).catch(absent)
  if (!own) throw damaged(file, 'is missing')
  if (!own.isFile()) throw damaged(file, 'is not a plain file')
  const text = await readFile(join(folder, 'manifest.json'), 'utf8')
  checkSchema(text, file)
  const manifest = unsealed<Manifest>(text, file)
  if (manifest.id !== id) throw damaged(file, `is the manifest of ${manifest.id}`)
  for (const stored of [...manifest.tables, ...manifest.files])
    if (!staysInside(stored.file)) throw damaged(file, `names a file outside the snapshot: ${stored.file}`)
  return manifest
}

function checkSchema(text: string, file: string): void {
  let schema: unknown
  try {
    schema = (JSON.parse(text) as { schema?: unknown } | null)?.schema
  } catch {
    throw damaged(file, 'is not valid JSON: it was truncated or changed')
  }
  if (typeof schema !== 'number') throw damaged(file, 'has no schema version')
  if (schema > snapshotSchema)
    throw damaged(file, `has schema ${schema}, this version reads ${snapshotSchema}: upgrade, or build again`)
  if (schema < snapshotSchema)
    throw damaged(
      file,
      `has schema ${schema}, this version reads ${snapshotSchema}: run "tranche build" again`,
    )
}

const notFound = (id: string) =>
  new QueryError('NOT_FOUND', `no snapshot ${id}: "tranche snapshots list" lists them`, {
    snapshot: id,
  })

/** The absolute path of a snapshot file, after checking its bytes against the manifest. */
export async function verifiedFile(lake: Lake, manifest: Manifest, stored: StoredFile): Promise<string> {
  const name = `snapshots/${manifest.id}/${stored.file}`
  const path = inLake(lake, name)
  const real = await realpath(path).catch(absent)
  if (real !== null && real !== path) throw damaged(name, 'is reached through a link')
  await verifyFile(path, stored, name)
  return path
}

/**
 * Throws DATA_DAMAGED if a snapshot file is missing or has another size. Checks names and sizes only: contents are
 * verified before first use.
 */
export async function checkPresent(lake: Lake, manifest: Manifest): Promise<void> {
  const folder = `snapshots/${manifest.id}`
  const sizeOf = async (file: string) => {
    const info = await lstat(inLake(lake, folder, file)).catch(absent)
    return info?.isFile() ? info.size : null
  }
  if ((await sizeOf('manifest.json')) === null) throw damaged(`${folder}/manifest.json`, 'is missing')
  const stored = [...manifest.tables, ...manifest.files]
  const sizes = await Promise.all(stored.map(({ file }) => sizeOf(file)))
  for (const [i, { file, bytes }] of stored.entries()) {
    const size = elementAt(sizes, i)
    if (size === null) throw damaged(`${folder}/${file}`, 'is missing')
    if (size !== bytes) throw damaged(`${folder}/${file}`, `has ${size} bytes, but ${bytes} were written`)
  }
}

export interface SnapshotSummary {
  readonly id: string
  readonly current: boolean
  readonly created: string | null
  readonly as_of: string | null
  readonly tables: number
  readonly rows: number
  readonly bytes: number
  /** Why it cannot be used, if so. */
  readonly problem: string | null
}

/** All snapshots, newest first. */
export async function listSnapshots(lake: Lake): Promise<SnapshotSummary[]> {
  const current = await readCurrent(lake)
  const summaries: SnapshotSummary[] = []
  for (const id of (await snapshotIds(lake)).reverse())
    summaries.push(await summary(lake, id, id === current))
  return summaries
}

async function summary(lake: Lake, id: string, current: boolean): Promise<SnapshotSummary> {
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
  try {
    const { created, as_of, tables, files } = await readManifest(lake, id)
    return {
      id,
      current,
      created,
      as_of,
      tables: tables.length,
      rows: sum(tables.map(t => t.rows)),
      bytes: sum([...tables, ...files].map(f => f.bytes)),
      problem: null,
    }
  } catch (error) {
    const problem = reasonOf(error)
    return { id, current, created: null, as_of: null, tables: 0, rows: 0, bytes: 0, problem }
  }
}

/** What is wrong with the data; other errors are rethrown. */
function reasonOf(error: unknown): string {
  if (error instanceof QueryError && error.code === 'DATA_DAMAGED') return error.message
  throw error
}

export interface Verification {
  readonly id: string
  readonly files: number
  readonly bytes: number
  /** One line per damaged or missing file. */
  readonly problems: readonly string[]
  /** Unused files in the folder that are not in the manifest. */
  readonly unnamed: readonly string[]
}

/** Verifies every file of a snapshot against its manifest. */
export async function verifySnapshot(lake: Lake, id: string): Promise<Verification> {
  let manifest: Manifest
  try {
    manifest = await readManifest(lake, id)
  } catch (error) {
    return { id, files: 0, bytes: 0, problems: [reasonOf(error)], unnamed: [] }
  }
  const stored = [...manifest.tables, ...manifest.files]
  const problems: string[] = []
  for (const one of stored)
    await verifiedFile(lake, manifest, one).catch(error => problems.push(reasonOf(error)))
  const known = new Set(['manifest.json', ...stored.map(s => s.file)])
  const entries = await readdir(inLake(lake, 'snapshots', id), { recursive: true, withFileTypes: true })
  const folder = inLake(lake, 'snapshots', id)
  const unnamed = entries
    .filter(entry => !entry.isDirectory())
    .map(entry => below(folder, join(entry.parentPath, entry.name)))
    .filter(file => !known.has(file))
  return { id, files: stored.length, bytes: stored.reduce((sum, s) => sum + s.bytes, 0), problems, unnamed }
}

/**
 * Removes all but the newest `keep` snapshots, never the current one. Readers keep the files they have open.
 * @param forget drops snapshots from what names them, before they go; a full disk may let it succeed only afterwards
 */
export async function prune(
  lake: Lake,
  keep: number,
  forget: (gone: readonly string[]) => Promise<unknown> = async () => {},
): Promise<string[]> {
  return withLock(lake, 'snapshots prune', async () => {
    const current = await readCurrent(lake)
    const ids = (await snapshotIds(lake)).reverse()
    const kept = new Set(ids.slice(0, Math.max(keep, 0)))
    const gone = ids.filter(id => id !== current && !kept.has(id))
    const isForgotten = await forget(gone).then(
      () => true,
      () => false,
    )
    for (const id of gone) {
      // Removed from the list first, so that a crash leaves no incomplete snapshot under its name.
      const doomed = inLake(lake, 'snapshots', `.old-${id}`)
      await rename(inLake(lake, 'snapshots', id), doomed)
      fault('prune:renamed')
      await rm(doomed, { recursive: true, force: true })
    }
    if (!isForgotten) await forget(gone)
    return gone
  })
}
