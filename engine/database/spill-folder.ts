import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ownedPath, removeAbandoned } from '../base/owned-folder.ts'

let own: Promise<string | null> | undefined

/**
 * A path for the spill files of one database, in a folder of this process under the system's temporary folder. DuckDB
 * creates it when it first spills and removes it when the database closes. Null where there is no folder to write to: then
 * statements stay within their memory.
 */
export async function newSpillFolder(): Promise<string | null> {
  own ??= makeProcessFolder()
  const folder = await own
  return folder && join(folder, randomUUID())
}

/** Readable by this user only. It is removed when the process exits; the next process clears what a killed one left. */
async function makeProcessFolder(): Promise<string | null> {
  const folder = ownedPath('spill')
  await removeAbandoned()
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch {
    return null
  }
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
