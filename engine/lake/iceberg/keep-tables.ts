import { mkdir, readFile, rm } from 'node:fs/promises'
import { QueryError } from '../../base/errors.ts'
import { noSnapshotYet } from '../copy-of.ts'
import { storageError, writeWhole } from '../durable.ts'
import { absent, inLake, type Lake, namesIn, removeFromLake } from '../lake.ts'
import { withLock } from '../lock.ts'
import { type Manifest, readCurrent, readManifest, snapshotIds } from '../snapshot.ts'
import type { TableMetadata } from './table-metadata.ts'
import { lakePlace } from './table-place.ts'
import { manifestFiles, metadataFolder, type OpenTable, writeTables } from './write-tables.ts'

/** A lake with this file has Iceberg tables, which builds and removals of snapshots keep up to date. */
const SETTINGS = 'iceberg/settings.json'

interface Settings {
  /** The lake as readers name it; null for its folder on this machine, wherever that is. */
  readonly location: string | null
}

export interface IcebergOptions {
  /** The lake as readers name it, a URL or an absolute path; default what was given before, or its folder. */
  readonly location?: string
}

async function readSettings(lake: Lake): Promise<Settings | null> {
  const text = await readFile(inLake(lake, SETTINGS), 'utf8').catch(absent)
  if (text === null) return null
  try {
    const { location } = JSON.parse(text) as Partial<Settings>
    return { location: typeof location === 'string' ? location : null }
  } catch {
    return { location: null }
  }
}

/** An absolute path or a URL, without a slash at its end; throws INVALID_PARAMETER for another text. */
export function checkedLocation(location: string): string {
  const trimmed = location.replace(/\/{1,9}$/, '')
  if (trimmed.startsWith('/') || /^[a-z][a-z0-9+.-]{0,20}:\/\/[^\s]/i.test(trimmed)) return trimmed
  throw new QueryError(
    'INVALID_PARAMETER',
    `${location} is not a place of the lake: give a URL or an absolute path, such as s3://BUCKET/NAME`,
    { parameter: 'location', value: location },
  )
}

/** Writes Iceberg tables of a lake with a snapshot, or brings them up to date; later builds keep them. */
export const writeIceberg = (
  lake: Lake,
  options: IcebergOptions = {},
  now = new Date(),
): Promise<OpenTable[]> =>
  withLock(lake, 'iceberg', async () => {
    if ((await readCurrent(lake)) === null) throw await noSnapshotYet(lake)
    await startTables(lake, options)
    return keepTables(lake, [], now)
  }).catch(error => {
    throw storageError(error, '')
  })

/** Turns Iceberg tables on: the next `keepTables` writes them. The caller holds the lock. */
export async function startTables(lake: Lake, { location }: IcebergOptions): Promise<void> {
  const before = await readSettings(lake)
  const settings: Settings = {
    location: location === undefined ? (before?.location ?? null) : checkedLocation(location),
  }
  if (before && before.location === settings.location) return
  await mkdir(inLake(lake, 'iceberg'), { recursive: true })
  await writeWhole(inLake(lake, SETTINGS), `${JSON.stringify(settings)}\n`)
}

/**
 * Brings the Iceberg tables of a lake, if it has any, to its current snapshot and to those that it keeps. The caller holds
 * the lock.
 * @param doomed snapshots that are about to be removed
 */
export async function keepTables(
  lake: Lake,
  doomed: readonly string[] = [],
  now = new Date(),
): Promise<OpenTable[]> {
  const settings = await readSettings(lake)
  const current = settings && (await readCurrent(lake))
  if (!settings || current === null) return []
  const ids = (await snapshotIds(lake)).filter(id => !doomed.includes(id))
  const manifests: Manifest[] = []
  for (const id of ids) {
    // A snapshot whose manifest is damaged cannot be read by anyone.
    const manifest =
      id === current ? await readManifest(lake, id) : await readManifest(lake, id).catch(() => null)
    if (manifest) manifests.push(manifest)
  }
  const present = new Set(manifests.map(({ id }) => id))
  const open = await writeTables({
    lake,
    place: lakePlace(lake),
    location: settings.location ?? `file://${lake.root}`,
    manifests,
    exists: snapshot => present.has(snapshot),
    current: current!,
    now,
    published: (table, metadata) => removeUnused(lake, table, metadata),
  })
  const names = new Set(open.map(({ table }) => table))
  for (const name of await namesIn(lake, 'iceberg'))
    if (name !== 'settings.json' && !names.has(name)) await removeFromLake(lake, 'iceberg', name)
  return open
}

/** Removes manifests that no snapshot has, and earlier metadata files whose current snapshot is gone. */
async function removeUnused(lake: Lake, table: string, metadata: TableMetadata): Promise<void> {
  const folder = metadataFolder(table)
  const numbers = new Set(metadata.snapshots.map(one => one['snapshot-id']))
  const needed = new Set(['version-hint.text', ...metadata.snapshots.flatMap(manifestFiles)])
  const isReadable = async (name: string): Promise<boolean> => {
    const text = await readFile(inLake(lake, folder, name), 'utf8')
    try {
      const { location, 'current-snapshot-id': current } = JSON.parse(text) as TableMetadata
      return location === metadata.location && numbers.has(current)
    } catch {
      return false
    }
  }
  for (const name of await namesIn(lake, folder)) {
    const isKept = needed.has(name) || (/^v\d{1,9}\.metadata\.json$/.test(name) && (await isReadable(name)))
    if (!isKept) await rm(inLake(lake, folder, name), { force: true, recursive: true })
  }
}
