import { lstat } from 'node:fs/promises'
import { damaged } from '../base/errors.ts'
import { type Fingerprint, fingerprint } from './fingerprint.ts'
import type { BatchFile } from './imports.ts'
import { absent, inLake, type Lake } from './lake.ts'

/**
 * Throws DATA_DAMAGED unless the file is exactly as written. DuckDB reads most files with a flipped bit without an
 * error, but wrongly: this must precede the first use of any lake file.
 * @param name the name for errors; default the path
 */
export async function verifyFile(path: string, expected: Fingerprint, name = path): Promise<void> {
  const info = await lstat(path).catch(absent)
  if (!info) throw damaged(name, 'is missing')
  if (!info.isFile()) throw damaged(name, info.isSymbolicLink() ? 'is a link, not a file' : 'is not a file')
  if (info.size !== expected.bytes)
    throw damaged(name, `has ${info.size} bytes, but ${expected.bytes} were written`)
  const { sha256 } = await fingerprint(path)
  if (sha256 !== expected.sha256)
    throw damaged(name, 'was changed since it was written: its SHA-256 does not match')
}

/** Batch files by dataset, each verified against its import record. */
export async function verifiedInputs(
  lake: Lake,
  batches: ReadonlyMap<string, readonly BatchFile[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const inputs = new Map<string, string[]>()
  for (const [dataset, files] of batches) {
    for (const file of files) await verifyFile(inLake(lake, file.path), file, file.path)
    inputs.set(
      dataset,
      files.map(file => inLake(lake, file.path)),
    )
  }
  return inputs
}
