import { createHash, randomUUID } from 'node:crypto'
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeFingerprint } from '../base/code-fingerprint.ts'
import { isAbandoned, ownedPath, ownerTag } from '../base/owned-folder.ts'
import { storageError, sync } from './durable.ts'
import { type Fingerprint, fingerprint } from './fingerprint.ts'
import type { BatchFile } from './imports.ts'
import { absent, inLake, type Lake, namesIn } from './lake.ts'
import { sealed, unsealed } from './seal.ts'
import type { Manifest } from './snapshot.ts'
import { verifyFile } from './verify.ts'

/** Limits on derived days in a lake: bytes, and share of its disk. */
const MOST_BYTES = 4 * 2 ** 30
const MOST_OF_DISK = 0.1

/** A process marks the days it reads at this interval; a day unmarked for longer than the other may be removed. */
const TOUCHED_EVERY_MS = 10 * 60_000
const UNUSED_AFTER_MS = 30 * 60_000

/** How often a process that opens days measures the space that all take. */
const TRIMMED_EVERY_MS = 60_000

/** A process that derives a day marks its claim so often; a claim that is unmarked for longer than the other is void. */
const CLAIMED_EVERY_MS = 15_000
const CLAIM_VOID_AFTER_MS = 90_000

/** What of a snapshot decides the tables of its past days. */
export type DerivedFrom = Pick<Manifest, 'id' | 'options' | 'inputs'>

/**
 * Names what the tables of a past day are derived from: the code, the options, and the batches that may hold a row known
 * by then. A later snapshot in which all of these are the same has the same tables for the day.
 */
export async function dayKey({ options, inputs }: DerivedFrom, asOf: string): Promise<string> {
  const assumed = options['assume_seniority'] ?? null
  const hash = createHash('sha256').update(JSON.stringify([await codeFingerprint(), assumed]))
  for (const { dataset, sha256, first_known } of inputs)
    if (typeof first_known !== 'string' || first_known <= asOf) hash.update(`${dataset} ${sha256}\n`)
  return hash.digest('hex').slice(0, 16)
}

/**
 * The derived tables of past days, one Parquet file per table. What one process has derived, every other one reads,
 * and so do later snapshots with the same batches up to the day. Merged batches are in `days/merged/<key>/`. All are a cache:
 * they may be deleted whenever no process reads it, and the least recently used days are removed when they take too much space.
 * If the lake is not writable, the files are in a temporary folder of the process.
 */
export class DayStore {
  private readonly lake: Lake
  private readonly used = new Map<string, DayFiles>()
  private temporary: string | null = null
  private touching: NodeJS.Timeout | null = null
  /** When the space that days take was last measured. */
  private trimmed: number | null = null

  constructor(lake: Lake) {
    this.lake = lake
  }

  /** The files of a snapshot's past day. */
  day(manifest: DerivedFrom, asOf: string): Promise<DayFiles> {
    return this.open(`${manifest.id} ${asOf}`, async () => [asOf, await dayKey(manifest, asOf)])
  }

  /** A file with the rows of some batches of a dataset, for every snapshot that has these batches. */
  async merged(dataset: string, batches: readonly BatchFile[]): Promise<DayFiles> {
    const hash = createHash('sha256').update(JSON.stringify([await codeFingerprint(), dataset]))
    for (const { sha256 } of batches) hash.update(`${sha256}\n`)
    const key = hash.digest('hex').slice(0, 16)
    return this.open(`${MERGED} ${key}`, async () => [MERGED, key])
  }

  /** The folder of all merged files. */
  mergedFolder(): Promise<string> {
    return this.folderOf(MERGED)
  }

  private async open(name: string, place: () => Promise<readonly [string, string]>): Promise<DayFiles> {
    const before = this.used.get(name)
    if (before) return before
    const files = new DayFiles(await this.folderOf(...(await place())))
    this.used.set(name, files)
    // Measuring all days takes longer the more there are: not for each day of a panel.
    const now = performance.now()
    if (this.trimmed === null || now - this.trimmed > TRIMMED_EVERY_MS) {
      this.trimmed = now
      trimDays(this.lake).catch(() => {})
    }
    this.touching ??= setInterval(() => this.touch(), TOUCHED_EVERY_MS).unref()
    return files
  }

  private async folderOf(...place: readonly string[]): Promise<string> {
    if (this.temporary === null) {
      const folder = inLake(this.lake, 'days', ...place)
      try {
        await mkdir(folder, { recursive: true })
        const now = new Date()
        await utimes(folder, now, now)
        return folder
      } catch {
        this.temporary = ownedPath('days')
      }
    }
    const folder = join(this.temporary, ...place)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  private touch(): void {
    const now = new Date()
    for (const { folder } of this.used.values()) utimes(folder, now, now).catch(() => {})
  }

  close(): void {
    if (this.touching) clearInterval(this.touching)
    if (this.temporary !== null) rm(this.temporary, { recursive: true, force: true }).catch(() => {})
  }
}

const CLAIM = 'deriving'
const MERGED = 'merged'

/** The files of one day. */
export class DayFiles {
  readonly folder: string
  /** Files verified by this process, as they were then. */
  private readonly verified = new Map<string, string>()

  constructor(folder: string) {
    this.folder = folder
  }

  pathOf(table: string): string {
    return join(this.folder, `${table}.parquet`)
  }

  /** Whether a table was stored, unverified. */
  async has(table: string): Promise<boolean> {
    return (await stat(join(this.folder, `${table}.json`)).catch(absent)) !== null
  }

  /** The file of a table, verified; null if it is missing or damaged. */
  async find(table: string): Promise<string | null> {
    const record = join(this.folder, `${table}.json`)
    const text = await readFile(record, 'utf8').catch(absent)
    if (text === null) return null
    try {
      const path = this.pathOf(table)
      const now = await stateOf(path)
      if (this.verified.get(table) !== `${text}${now}`) {
        await verifyFile(path, unsealed<Fingerprint>(text, record))
        this.verified.set(table, `${text}${now}`)
      }
      return path
    } catch {
      // A cache: damaged files are made again.
      await rm(record, { force: true }).catch(() => {})
      return null
    }
  }

  /**
   * Claims the derivation of the day for this caller; null while another process or snapshot derives it. The claim of a
   * process that died is void; where two take it over at once, both derive, and the files of one are used.
   */
  async claim(): Promise<(() => Promise<void>) | null> {
    const path = join(this.folder, CLAIM)
    try {
      await writeFile(path, `deriving-${ownerTag()}`, { flag: 'wx' })
    } catch (error) {
      // Without a place for a claim, each process derives for itself.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return async () => {}
      const [holder, info] = await Promise.all([
        readFile(path, 'utf8').catch(() => null),
        stat(path).catch(() => null),
      ])
      if (holder === null || info === null) return null
      const isVoid = isAbandoned(holder) || Date.now() - info.mtimeMs > CLAIM_VOID_AFTER_MS
      if (isVoid) await rm(path, { force: true }).catch(() => {})
      return isVoid ? this.claim() : null
    }
    const marking = setInterval(() => {
      const now = new Date()
      utimes(path, now, now).catch(() => {})
    }, CLAIMED_EVERY_MS).unref()
    return async () => {
      clearInterval(marking)
      await rm(path, { force: true }).catch(() => {})
    }
  }

  /** Stores a table that `write` writes to the given path; resolves to its file. */
  async keep(table: string, write: (path: string) => Promise<void>): Promise<string> {
    const path = this.pathOf(table)
    const scratch = join(this.folder, `${table}.${ownerTag()}.${randomUUID()}.tmp`)
    try {
      await write(scratch)
      const written = await fingerprint(scratch)
      await sync(scratch)
      // Another process may have been first: its file has the same bytes.
      await rename(scratch, path)
      await writeFile(scratch, sealed(written))
      await rename(scratch, join(this.folder, `${table}.json`))
      return path
    } catch (error) {
      await rm(scratch, { force: true }).catch(() => {})
      throw storageError(error, '')
    }
  }
}

/** What changes when a file is replaced or written to. */
async function stateOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true })
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

interface UnusedDay {
  readonly folder: string
  readonly bytes: number
  readonly at: number
}

/** Removes the least recently used days and merged batches if all together take too much of the disk. */
export async function trimDays(lake: Lake, most = MOST_BYTES, now = Date.now()): Promise<void> {
  const days: UnusedDay[] = []
  for (const name of await namesIn(lake, 'days'))
    for (const made of await namesIn(lake, 'days', name))
      days.push(await measuredDay(inLake(lake, 'days', name, made)))
  const { blocks, bsize } = await statfs(lake.root)
  const room = Math.min(most, blocks * bsize * MOST_OF_DISK)
  let bytes = days.reduce((sum, day) => sum + day.bytes, 0)
  for (const day of days.sort((a, b) => a.at - b.at)) {
    if (bytes <= room || now - day.at < UNUSED_AFTER_MS) return
    await rm(day.folder, { recursive: true, force: true })
    // Of a day of which nothing is left, the folder goes too.
    await rmdir(dirname(day.folder)).catch(() => {})
    bytes -= day.bytes
  }
}

async function measuredDay(folder: string): Promise<UnusedDay> {
  const info = await stat(folder).catch(absent)
  let bytes = 0
  for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent)) ?? [])
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(absent))?.size ?? 0
  return { folder, bytes, at: info?.mtimeMs ?? 0 }
}
