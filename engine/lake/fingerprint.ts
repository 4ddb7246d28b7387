import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Expected properties of a file. */
export interface Fingerprint {
  readonly bytes: number
  readonly sha256: string
}

/** Reads a file once. */
export async function fingerprint(path: string): Promise<Fingerprint> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}
