import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeFingerprint } from '../base/code-fingerprint.ts'
import { QueryError } from '../base/errors.ts'
import { isAbandoned, ownedPath, ownerTag } from '../base/owned-folder.ts'
import type { CachedPart, DerivationCache } from '../derive/cache/derivation-cache.ts'
import { storageError } from './durable.ts'
import { type Fingerprint, fingerprint } from './fingerprint.ts'
import { absent, inLake, type Lake, namesIn, removeFromLake } from './lake.ts'
import { sealed, unsealed } from './seal.ts'
import { verifyFile } from './verify.ts'

/** Limits on stored parts in a lake: bytes, and share of its disk. */
const MOST_BYTES = 2 ** 30
const MOST_OF_DISK = 0.05

/** A part is marked as used at most this often, and removed only if it was not used for longer than the other. */
const TOUCHED_EVERY_MS = 10 * 60_000
const UNUSED_AFTER_MS = 30 * 60_000

/** What a part holds: `part.json` in its folder. */
interface PartRecord {
  readonly keys: readonly string[]
  readonly files: Readonly<Record<string, Fingerprint>>
}

interface Part {
  readonly folder: string
  readonly record: PartRecord
  /** Whether its files are as they were written; checked before first use. */
  verified: Promise<boolean> | null
  touched: number
}

/**
 * The derivation cache of a lake: `cache/<code>/<step>/<part>/`, where `<code>` is a hash of the code that derived the
 * rows. Every process and every build of the lake uses it. It may be deleted whenever nothing derives; the parts unused
 * for longest are removed when they take too much space. If the lake is not writable, the parts are in a temporary
 * folder of the process.
 */
export class LakeCache implements DerivationCache {
  private readonly lake: Lake
  private readonly parts = new Map<string, Part>()
  /** The part of each key, by step. */
  private readonly places = new Map<string, Map<string, Part>>()
  private root: Promise<string> | null = null
  private temporary: string | null = null
  private readonly used = new Set<Part>()
  private readonly holding: NodeJS.Timeout | undefined

  /** @param options.hold keeps the parts that were found in use until the cache is closed: tables of a build are views of their files */
  constructor(lake: Lake, { hold = false }: { readonly hold?: boolean } = {}) {
    this.lake = lake
    if (hold) this.holding = setInterval(() => void this.stillUsed(), TOUCHED_EVERY_MS).unref()
  }

  /** Marks the parts that were found as used now. */
  async stillUsed(): Promise<void> {
    await Promise.all([...this.used].map(part => this.touch(part, true)))
  }

  /** The folder of the parts, which a database that reads or writes them must be allowed to open. */
  folder(): Promise<string> {
    this.root ??= this.open()
    return this.root
  }

  private async open(): Promise<string> {
    const code = await codeFingerprint()
    const folder = inLake(this.lake, 'cache', code)
    try {
      await mkdir(folder, { recursive: true })
      trimCache(this.lake).catch(() => {})
      return folder
    } catch {
      this.temporary = ownedPath('cache')
      await mkdir(this.temporary, { recursive: true, mode: 0o700 })
      return this.temporary
    }
  }

  async find(step: string, keys: Iterable<string>): Promise<CachedPart[]> {
    await this.scan(step)
    const places = this.places.get(step)
    const found = new Map<Part, string[]>()
    for (const key of keys) {
      const part = places?.get(key)
      if (part) found.set(part, [...(found.get(part) ?? []), key])
    }
    const usable: CachedPart[] = []
    for (const [part, keys] of found) {
      part.verified ??= isWhole(part)
      if (await part.verified) usable.push({ keys, file: table => join(part.folder, `${table}.parquet`) })
      else await this.forget(step, part)
      void this.touch(part)
      if (this.holding) this.used.add(part)
    }
    return usable
  }

  async keep(
    step: string,
    keys: readonly string[],
    tables: readonly string[],
    write: (table: string, path: string) => Promise<void>,
  ): Promise<void> {
    const folder = join(await this.folder(), step)
    const scratch = join(folder, `.new-${ownerTag()}-${randomUUID()}`)
    try {
      await mkdir(scratch, { recursive: true })
      const files: Record<string, Fingerprint> = {}
      for (const table of tables) {
        const path = join(scratch, `${table}.parquet`)
        await write(table, path)
        files[table] = await fingerprint(path)
      }
      const record: PartRecord = { keys, files }
      await writeFile(join(scratch, 'part.json'), sealed(record))
      await rename(scratch, join(folder, randomUUID()))
    } catch (error) {
      await rm(scratch, { recursive: true, force: true }).catch(() => {})
      // Rows that the disk has no room for are derived again.
      if (!(storageError(error, '') instanceof QueryError)) throw error
    }
  }

  /** Takes note of parts stored since, by any process, and forgets those that are gone. */
  private async scan(step: string): Promise<void> {
    const folder = join(await this.folder(), step)
    const names = ((await readdir(folder).catch(absent)) ?? []).filter(name => !name.startsWith('.')).sort()
    const present = new Set(names.map(name => join(folder, name)))
    for (const [path, part] of this.parts)
      if (path.startsWith(`${folder}/`) && !present.has(path)) this.drop(step, part)
    for (const path of present) {
      if (this.parts.has(path)) continue
      const record = await readRecord(path)
      if (!record) continue
      const part: Part = { folder: path, record, verified: null, touched: 0 }
      this.parts.set(path, part)
      const places = this.places.get(step) ?? new Map<string, Part>()
      this.places.set(step, places)
      for (const key of record.keys) if (!places.has(key)) places.set(key, part)
    }
  }

  private drop(step: string, part: Part): void {
    this.parts.delete(part.folder)
    const places = this.places.get(step)
    for (const key of part.record.keys) if (places?.get(key) === part) places.delete(key)
  }

  private async forget(step: string, part: Part): Promise<void> {
    this.drop(step, part)
    await rm(part.folder, { recursive: true, force: true }).catch(() => {})
  }

  private async touch(part: Part, always = false): Promise<void> {
    const now = Date.now()
    if (!always && now - part.touched < TOUCHED_EVERY_MS) return
    part.touched = now
    const time = new Date(now)
    await utimes(part.folder, time, time).catch(() => {})
  }

  close(): void {
    clearInterval(this.holding)
    this.used.clear()
    if (this.temporary !== null) rm(this.temporary, { recursive: true, force: true }).catch(() => {})
  }
}

/** What a part holds; null if it is damaged: then it is removed. */
async function readRecord(folder: string): Promise<PartRecord | null> {
  const file = join(folder, 'part.json')
  try {
    return unsealed<PartRecord>(await readFile(file, 'utf8'), file)
  } catch {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
    return null
  }
}

async function isWhole({ folder, record }: Part): Promise<boolean> {
  try {
    for (const [table, expected] of Object.entries(record.files))
      await verifyFile(join(folder, `${table}.parquet`), expected)
    return true
  } catch {
    return false
  }
}

interface StoredPart {
  readonly path: readonly string[]
  readonly bytes: number
  readonly at: number
}

/** Removes the parts unused for longest if they take too much of the disk, and what killed processes left. */
export async function trimCache(lake: Lake, most = MOST_BYTES, now = Date.now()): Promise<void> {
  const parts: StoredPart[] = []
  for (const code of await namesIn(lake, 'cache'))
    for (const step of await namesIn(lake, 'cache', code))
      for (const name of await namesIn(lake, 'cache', code, step)) {
        const path = ['cache', code, step, name]
        if (name.startsWith('.') && isAbandoned(name)) await removeFromLake(lake, ...path)
        else parts.push(await measured(lake, path))
      }
  const { blocks, bsize } = await statfs(lake.root)
  const room = Math.min(most, blocks * bsize * MOST_OF_DISK)
  let bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  for (const part of parts.sort((a, b) => a.at - b.at)) {
    if (bytes <= room || now - part.at < UNUSED_AFTER_MS) return
    await removeFromLake(lake, ...part.path)
    bytes -= part.bytes
  }
}

async function measured(lake: Lake, path: readonly string[]): Promise<StoredPart> {
  const folder = inLake(lake, ...path)
  let bytes = 0
  for (const name of (await readdir(folder).catch(absent)) ?? [])
    bytes += (await stat(join(folder, name)).catch(absent))?.size ?? 0
  return { path, bytes, at: (await stat(folder).catch(absent))?.mtimeMs ?? 0 }
}
