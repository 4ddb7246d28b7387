import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ownedPath, removeAbandoned } from '../base/owned-folder.ts'

let own: Promise<string | null> | undefined

/**
 * A path for one database's spill files, in a folder of this process under the system's temporary folder. DuckDB
 * creates it on first spill and removes it when the database closes. Null where no folder is writable: statements
 * then stay within memory.
 */
export async function newSpillFolder(): Promise<string | null> {
  own ??= makeProcessFolder()
  const folder = await own
  return folder && join(folder, randomUUID())
}

/** Readable by this user only. Removed when the process exits; the next process removes a killed one's. */
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
