import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ownedPath, removeAbandoned } from '../base/owned-folder.ts'

/** Whether this process has removed what killed ones left. */
let isTidied = false

/**
 * A folder in the system's temporary folder, for files that a database writes and that are handed on. Nobody can
 * guess its name, and it is there only while a file is written.
 */
export class ExportFolder {
  readonly path = ownedPath('export')
  private writing = 0

  /**
   * Has a file written, and opens it. The file has no name from then on, so that nothing is left of it when its bytes are
   * read, or are no longer wanted; whoever takes them must read or close them.
   */
  async written<T>(
    write: (file: string) => Promise<T>,
  ): Promise<{ bytes: AsyncIterable<Uint8Array>; result: T }> {
    if (!isTidied) void removeAbandoned()
    isTidied = true
    const file = join(this.path, randomUUID())
    // At once, and not in turns: the folder is not to go while another begins to write.
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
