import { lstat } from 'node:fs/promises'
import { damaged } from '../base/errors.ts'
import { type Fingerprint, fingerprint } from './fingerprint.ts'
import type { BatchFile } from './imports.ts'
import { absent, inLake, type Lake } from './lake.ts'

/**
 * Throws DATA_DAMAGED unless the file is exactly what was written. DuckDB answers wrongly, without an error, from
 * most files with a flipped bit: this comes before the first use of any file of a lake.
 * @param name as the error says it; the path if not given
 */
export async function verifyFile(path: string, expected: Fingerprint, name = path): Promise<void> {
  const info = await lstat(path).catch(absent)
  if (!info) throw damaged(name, 'is missing')
  if (!info.isFile()) throw damaged(name, info.isSymbolicLink() ? 'is a link, not a file' : 'is not a file')
  if (info.size !== expected.bytes)
    throw damaged(name, `has ${info.size} bytes where ${expected.bytes} were written`)
  const { sha256 } = await fingerprint(path)
  if (sha256 !== expected.sha256)
    throw damaged(name, 'was changed since it was written: its SHA-256 does not match')
}

/** Batch files by dataset, every one checked against its import record. */
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
