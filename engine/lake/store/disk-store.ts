import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { damaged, QueryError } from '../../base/errors.ts'
import { ownerTag } from '../../base/owned-folder.ts'
import { moveWhole, storageError, sync, writeWhole } from '../durable.ts'
import { type Fingerprint, fingerprint } from '../fingerprint.ts'
import { absent } from '../lake.ts'
import { withLock } from '../lock.ts'
import type { Store, TextObject } from './store.ts'

/** How long one writer waits for another, which holds the lock for the time of one small write. */
const PATIENCE_MS = 30_000
const AGAIN_MS = 20

/** A folder that several machines share, `file:///mnt/share/desk`. Writers take turns by a lock in it. */
export class DiskStore implements Store {
  readonly url: string
  private readonly root: string

  private constructor(url: string, root: string) {
    this.url = url
    this.root = root
  }

  static async open(url: string, parsed: URL): Promise<DiskStore> {
    const root = fileURLToPath(parsed)
    await mkdir(root, { recursive: true }).catch(failed)
    return new DiskStore(url, root)
  }

  async read(name: string): Promise<TextObject | null> {
    const text = await readFile(this.pathOf(name), 'utf8').catch(absent).catch(failed)
    return text === null ? null : { text, tag: tagOf(text) }
  }

  describe(name: string): Promise<Fingerprint | null> {
    return fingerprint(this.pathOf(name)).catch(absent).catch(failed)
  }

  async get(name: string, from: number, signal?: AbortSignal): Promise<Readable> {
    return createReadStream(this.pathOf(name), {
      start: from,
      highWaterMark: 1 << 20,
      ...(signal && { signal }),
    })
  }

  async put(name: string, path: string, expected: Fingerprint): Promise<void> {
    const target = this.pathOf(name)
    const scratch = `${target}.${ownerTag()}.${randomUUID()}.tmp`
    try {
      await mkdir(dirname(target), { recursive: true })
      await copyFile(path, scratch)
      const { sha256 } = await fingerprint(scratch)
      if (sha256 !== expected.sha256) throw damaged(name, 'changed while it was copied')
      await sync(scratch)
      await moveWhole(scratch, target)
    } catch (error) {
      await rm(scratch, { force: true })
      throw storageError(error, '')
    }
  }

  async swap(name: string, text: string, tag: string | null, signal?: AbortSignal): Promise<boolean> {
    const began = performance.now()
    for (;;) {
      try {
        return await withLock({ root: this.root, created: '' }, 'push', () => this.replace(name, text, tag))
      } catch (error) {
        const isBusy = error instanceof QueryError && error.code === 'OVERLOADED'
        if (!isBusy || performance.now() - began > PATIENCE_MS) failed(error)
      }
      await pause(AGAIN_MS, undefined, signal && { signal })
    }
  }

  private async replace(name: string, text: string, tag: string | null): Promise<boolean> {
    const before = await readFile(this.pathOf(name), 'utf8').catch(absent)
    if ((before === null ? null : tagOf(before)) !== tag) return false
    await mkdir(dirname(this.pathOf(name)), { recursive: true })
    await writeWhole(this.pathOf(name), text)
    return true
  }

  close(): void {}

  private pathOf(name: string): string {
    return join(this.root, ...name.split('/'))
  }
}

const tagOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function failed(error: unknown): never {
  throw storageError(error, '')
}
