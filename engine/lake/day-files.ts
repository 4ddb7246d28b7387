import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeFingerprint } from '../base/code-fingerprint.ts'
import { ownedPath, ownerTag } from '../base/owned-folder.ts'
import { storageError, sync } from './durable.ts'
import { type Fingerprint, fingerprint } from './fingerprint.ts'
import { absent, inLake, type Lake, namesIn, removeFromLake } from './lake.ts'
import { sealed, unsealed } from './seal.ts'
import type { Manifest } from './snapshot.ts'
import { verifyFile } from './verify.ts'

/** Limits on derived days in a lake: bytes, and share of its disk. */
const MOST_BYTES = 4 * 2 ** 30
const MOST_OF_DISK = 0.1

/** A process marks the days it reads at this interval; a day unmarked for longer than the other may be removed. */
const TOUCHED_EVERY_MS = 10 * 60_000
const UNUSED_AFTER_MS = 30 * 60_000

/**
 * The derived tables of past days of a snapshot, one Parquet file per table. What one process has derived, every
 * other one reads. They are a cache: `days/<snapshot>/<code>/<day>/` in the lake may be deleted
 * whenever no process reads it, and the least recently used days are removed when they take too much space. If the
 * lake is not writable, the files are in a temporary folder of the process.
 */
export class DayStore {
  private readonly lake: Lake
  private readonly manifest: Manifest
  private readonly used = new Map<string, DayFiles>()
  private temporary: string | null = null
  private touching: NodeJS.Timeout | null = null

  constructor(lake: Lake, manifest: Manifest) {
    this.lake = lake
    this.manifest = manifest
  }

  /** The files of a day; those of `inputs` are merged datasets, which all days read. */
  async day(asOf: string): Promise<DayFiles> {
    const before = this.used.get(asOf)
    if (before) return before
    const files = new DayFiles(await this.folderOf(asOf))
    this.used.set(asOf, files)
    trimDays(this.lake).catch(() => {})
    this.touching ??= setInterval(() => this.touch(), TOUCHED_EVERY_MS).unref()
    return files
  }

  private async folderOf(asOf: string): Promise<string> {
    const { id } = this.manifest
    if (this.temporary === null) {
      const folder = inLake(this.lake, 'days', id, await codeFingerprint(), asOf)
      try {
        await mkdir(folder, { recursive: true })
        const now = new Date()
        await utimes(folder, now, now)
        return folder
      } catch {
        this.temporary = ownedPath('days')
      }
    }
    const folder = join(this.temporary, asOf)
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

/** The files of one day. */
export class DayFiles {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  pathOf(table: string): string {
    return join(this.folder, `${table}.parquet`)
  }

  /** The file of a table, verified; null if it is missing or damaged. */
  async find(table: string): Promise<string | null> {
    const record = join(this.folder, `${table}.json`)
    const text = await readFile(record, 'utf8').catch(absent)
    if (text === null) return null
    try {
      await verifyFile(this.pathOf(table), unsealed<Fingerprint>(text, record))
      return this.pathOf(table)
    } catch {
      // A cache: damaged files are made again.
      await rm(record, { force: true }).catch(() => {})
      return null
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

interface UnusedDay {
  readonly folder: string
  readonly bytes: number
  readonly at: number
}

/** Removes days of deleted snapshots, and the least recently used others if days take too much of the disk. */
export async function trimDays(lake: Lake, most = MOST_BYTES, now = Date.now()): Promise<void> {
  const snapshots = await namesIn(lake, 'snapshots')
  const days: UnusedDay[] = []
  for (const id of await namesIn(lake, 'days')) {
    if (!snapshots.includes(id)) {
      await removeFromLake(lake, 'days', id)
      continue
    }
    for (const made of await namesIn(lake, 'days', id))
      for (const day of await namesIn(lake, 'days', id, made))
        days.push(await measuredDay(inLake(lake, 'days', id, made, day)))
  }
  const { blocks, bsize } = await statfs(lake.root)
  const room = Math.min(most, blocks * bsize * MOST_OF_DISK)
  let bytes = days.reduce((sum, day) => sum + day.bytes, 0)
  for (const day of days.sort((a, b) => a.at - b.at)) {
    if (bytes <= room || now - day.at < UNUSED_AFTER_MS) return
    await rm(day.folder, { recursive: true, force: true })
    bytes -= day.bytes
  }
}

async function measuredDay(folder: string): Promise<UnusedDay> {
  const info = await stat(folder).catch(absent)
  let bytes = 0
  for (const name of (await readdir(folder).catch(absent)) ?? [])
    bytes += (await stat(join(folder, name)).catch(absent))?.size ?? 0
  return { folder, bytes, at: info?.mtimeMs ?? 0 }
}
