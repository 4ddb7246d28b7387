import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ownedPath, removeAbandoned } from '../base/owned-folder.ts'

/** Whether this process has removed the folders of killed ones. */
let isTidied = false

/**
 * A folder in the system's temporary folder for files that a database writes for export. Its name is unguessable, and
 * it exists only while a file is being written.
 */
export class ExportFolder {
  readonly path = ownedPath('export')
  private writing = 0

  /**
   * Has a file written, opens it and unlinks it, so nothing remains once its bytes are read or dropped. The caller
   * must read or close it.
   */
  async written<T>(
    write: (file: string) => Promise<T>,
  ): Promise<{ bytes: AsyncIterable<Uint8Array>; result: T }> {
    if (!isTidied) void removeAbandoned()
    isTidied = true
    const file = join(this.path, randomUUID())
    // Synchronous: the folder must not be removed while another export begins to write.
    mkdirSync(this.path, { recursive: true, mode: 0o700 })
    this.writing++
    try {
      const result = await write(file)
      const handle = await open(file)
      return { bytes: handle.createReadStream({ highWaterMark: 1 << 20 }), result }
    } finally {
      this.writing--
      rmSync(this.writing > 0 ? file : this.path, { recursive: true, force: true })
    }
  }
}
