import { stat, utimes } from 'node:fs/promises'
import { copyOf } from './copy-of.ts'
import { absent, inLake, type Lake } from './lake.ts'

const manifestOf = (lake: Lake, id: string) => inLake(lake, 'snapshots', id, 'manifest.json')

/** When a snapshot of a copy was last current, asked for by name, or copied, in milliseconds: the time of its manifest. */
export const lastUse = async (lake: Lake, id: string): Promise<number> =>
  (await stat(manifestOf(lake, id)).catch(absent))?.mtimeMs ?? 0

/** Notes that a snapshot is used: a copy lets the others go first. Nothing is written to a lake that is no copy. */
export async function noteUse(lake: Lake, id: string, at = new Date()): Promise<void> {
  if ((await copyOf(lake)) !== null) await utimes(manifestOf(lake, id), at, at).catch(absent)
}
