import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/** Expected properties of a file. */
export interface Fingerprint {
  readonly bytes: number
  readonly sha256: string
}

/** A file of at most this size is read at once: a stream takes a millisecond to open, and a lake has many small files. */
const SMALL = 1 << 20

/** Reads a file once. */
export async function fingerprint(path: string): Promise<Fingerprint> {
  const hash = createHash('sha256')
  if ((await stat(path)).size <= SMALL) {
    const content = await readFile(path)
    return { bytes: content.length, sha256: hash.update(content).digest('hex') }
  }
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}
