import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeWhole } from '../durable.ts'
import { absent, inLake, type Lake } from '../lake.ts'

/** Where the files of tables are written: the lake itself, or a store that its snapshots are pushed to. Names are paths in it. */
export interface TablePlace {
  /** A small file; null if there is none. The tag changes with its content. */
  read(name: string): Promise<{ readonly text: string; readonly tag: string } | null>
  /** Writes a file whose name no other content has. */
  put(name: string, content: Buffer): Promise<void>
  /**
   * Writes a small file if it still has the tag, or, if that is null, if there is none.
   * @returns false if another writer was first
   */
  swap(name: string, text: string, tag: string | null): Promise<boolean>
}

/** The lake, whose lock the caller holds. Each file is written, synced and renamed. */
export const lakePlace = (lake: Lake): TablePlace => ({
  async read(name) {
    const text = await readFile(inLake(lake, name), 'utf8').catch(absent)
    return text === null ? null : { text, tag: '' }
  },
  async put(name, content) {
    await mkdir(dirname(inLake(lake, name)), { recursive: true })
    await writeWhole(inLake(lake, name), content)
  },
  async swap(name, text) {
    await mkdir(dirname(inLake(lake, name)), { recursive: true })
    await writeWhole(inLake(lake, name), text)
    return true
  },
})
