import { ownerTag } from '../../engine/base/owned-folder.ts'
import type { Manifest } from '../../engine/lake/snapshot.ts'

/** The one file in a prepared day's folder; its name is the database name that EXPLAIN shows. */
export const FILE = 'lake.duckdb'

/** The day to derive for the tables as of a day; null for the snapshot's own, which have also the undated rows. */
export const derivedDay = (manifest: Manifest, asOf: string): string | null =>
  asOf === manifest.as_of && !manifest.options['undated_rows'] ? null : asOf

/** Where a prepared day is made until it is complete. */
export const scratchOf = (folder: string, pid: number): string => `${folder}.${ownerTag(pid)}.tmp`
