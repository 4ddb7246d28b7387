import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { damaged, QueryError } from '../base/errors.ts'
import type { Holder } from '../base/process-identity.ts'
import { moveWhole, sync, writeWhole } from '../lake/durable.ts'
import { fingerprint } from '../lake/fingerprint.ts'
import { absent, staysInside } from '../lake/lake.ts'
import { withLock } from '../lake/lock.ts'

/** What the manifest says of one file. */
export interface FetchedFile {
  /** Its path in the folder. */
  readonly file: string
  /** The public address, also where a mirror answered. */
  readonly url: string
  readonly bytes: number
  readonly sha256: string
  readonly etag: string | null
  readonly last_modified: string | null
  /** When its content arrived, and when the publisher last said that it is current. */
  readonly fetched: string
  readonly checked: string
}

/** Below the folder, hidden: what is ours rather than a publisher's. */
const OWN = '.fetch'

/**
 * A folder of files as publishers served them:
 *
 *     sec/ treasury/ fred/ nport/ gleif/   the files, unchanged
 *     .fetch/manifest.ndjson               one line per file: address, length, SHA-256, validators, times
 *     .fetch/requests.json                 what was asked for, which an update asks for again
 *     .fetch/partial/                      downloads that have not ended
 */
export class FetchedFolder {
  readonly root: string
  private readonly files = new Map<string, FetchedFile>()

  private constructor(root: string) {
    this.root = root
  }

  /** Runs `work` as the only writer of the folder, which is created if necessary. */
  static async use<T>(folder: string, work: (folder: FetchedFolder) => Promise<T>): Promise<T> {
    const root = resolve(folder)
    const own = join(root, OWN)
    await mkdir(join(own, 'partial'), { recursive: true })
    return withLock({ root: own, created: '' }, 'fetch', async () => {
      const opened = new FetchedFolder(root)
      await opened.readManifest()
      try {
        return await work(opened)
      } finally {
        await opened.compact()
      }
    }).catch(error => {
      throw inUse(error, folder)
    })
  }

  path(file: string): string {
    return join(this.root, file)
  }

  /** Where a download is collected before it is whole. */
  partial(url: string): string {
    return join(this.root, OWN, 'partial', createHash('sha256').update(url).digest('hex').slice(0, 32))
  }

  record(file: string): FetchedFile | undefined {
    return this.files.get(file)
  }

  records(): Iterable<FetchedFile> {
    return this.files.values()
  }

  /** The files of the manifest that are there. */
  async held(): Promise<string[]> {
    const names = [...this.files.keys()].sort()
    const infos = await Promise.all(names.map(name => stat(this.path(name)).catch(absent)))
    return names.filter((_, i) => infos[i]?.isFile())
  }

  /** Its record if the file is there as it was received. */
  async intact(file: string): Promise<FetchedFile | null> {
    const record = this.files.get(file)
    if (!record) return null
    const info = await stat(this.path(file)).catch(absent)
    if (info?.size !== record.bytes) return null
    return (await fingerprint(this.path(file))).sha256 === record.sha256 ? record : null
  }

  /** Puts a whole download in its place. */
  async accept(partial: string, record: FetchedFile): Promise<void> {
    const target = this.path(record.file)
    await mkdir(dirname(target), { recursive: true })
    await sync(partial)
    await moveWhole(partial, target)
    await this.note(record)
  }

  /** Adds a line to the manifest; the last line of a file counts. */
  async note(record: FetchedFile): Promise<void> {
    this.files.set(record.file, record)
    await appendFile(this.manifest, `${JSON.stringify(record)}\n`)
  }

  /** The text of a file of our own; null without it. */
  read(file: string): Promise<string | null> {
    return readFile(this.path(file), 'utf8').catch(absent)
  }

  /** Writes a file of our own beside fetched ones, unless it says so already. */
  async write(file: string, text: string): Promise<void> {
    const target = this.path(file)
    if ((await this.read(file)) === text) return
    await mkdir(dirname(target), { recursive: true })
    await writeWhole(target, text)
  }

  async requests(): Promise<readonly unknown[]> {
    const text = await readFile(this.asked, 'utf8').catch(absent)
    if (text === null) return []
    try {
      const found: unknown = JSON.parse(text)
      if (Array.isArray(found)) return found
    } catch {
      // Falls through to the same error.
    }
    throw damaged(this.asked, 'is not a list of requests: delete it, and name again what to fetch')
  }

  async remember(requests: readonly unknown[]): Promise<void> {
    await writeWhole(this.asked, `${JSON.stringify(requests, null, 1)}\n`)
  }

  private get manifest(): string {
    return join(this.root, OWN, 'manifest.ndjson')
  }

  private get asked(): string {
    return join(this.root, OWN, 'requests.json')
  }

  private async readManifest(): Promise<void> {
    const bytes = await readFile(this.manifest).catch(absent)
    if (bytes === null) return
    // A crash may leave half a line at the end: its file is asked for again.
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
    if (whole.length < bytes.length) await truncate(this.manifest, whole.length)
    for (const [i, line] of whole.toString('utf8').split('\n').entries())
      if (line !== '') {
        const record = recordIn(line, `${this.manifest} line ${i + 1}`)
        this.files.set(record.file, record)
      }
  }

  private async compact(): Promise<void> {
    const lines = [...this.files.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
    await writeWhole(this.manifest, lines.map(record => `${JSON.stringify(record)}\n`).join(''))
  }
}

export const discard = (path: string): Promise<void> => rm(path, { force: true })

function recordIn(line: string, place: string): FetchedFile {
  try {
    const record = JSON.parse(line) as FetchedFile
    if (typeof record.file === 'string' && staysInside(record.file) && typeof record.sha256 === 'string')
      return record
  } catch {
    // Falls through to the same error.
  }
  throw damaged(place, 'was changed: delete the line, and its file is fetched again')
}

/** The lock of a lake speaks of a lake. */
function inUse(error: unknown, folder: string): unknown {
  if (!(error instanceof QueryError) || error.code !== 'OVERLOADED') return error
  const { holder } = error.details as { holder?: Holder }
  return holder?.command === 'fetch'
    ? new QueryError(
        'OVERLOADED',
        `process ${holder.pid} on ${holder.host} has been fetching into ${folder} since ${holder.since}: wait until it ends`,
        { holder },
      )
    : error
}
