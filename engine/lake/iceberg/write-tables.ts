import { createHash } from 'node:crypto'
import { QueryError } from '../../base/errors.ts'
import { version as engineVersion } from '../../base/version.ts'
import { Database } from '../../database/database.ts'
import type { Resource } from '../../schema/resource.ts'
import { layout } from '../../schema/resources/layout.ts'
import { tables } from '../../schema/resources/tables.ts'
import { inLake, type Lake } from '../lake.ts'
import type { Manifest } from '../snapshot.ts'
import { manifestBytes, manifestListBytes } from './avro-files.ts'
import { fileMetrics } from './column-metrics.ts'
import {
  type NewSnapshot,
  planTable,
  type SnapshotEntry,
  snapshotNumber,
  type TableMetadata,
  versionOf,
} from './table-metadata.ts'
import type { TablePlace } from './table-place.ts'

/** An Iceberg table of the lake. */
export interface OpenTable {
  readonly table: string
  /** Rows of its current snapshot. */
  readonly rows: number
  /** Snapshots in its history. */
  readonly snapshots: number
  /** Its metadata file, which catalogs are given. */
  readonly metadata: string
}

export interface TablesState {
  readonly lake: Lake
  readonly place: TablePlace
  /** The place as readers name it: a path, or a URL. */
  readonly location: string
  /** Manifests of the snapshots that may be added, oldest first; the current one among them. */
  readonly manifests: readonly Manifest[]
  /** Whether the place still has the files of a snapshot. */
  readonly exists: (snapshot: string) => boolean
  /** Id of the current snapshot. */
  readonly current: string
  readonly now: Date
  /** Called with each table once it is published. */
  readonly published?: (table: string, metadata: TableMetadata) => Promise<void>
}

export const metadataFolder = (table: string): string => `iceberg/${table}/metadata`

/**
 * Publishes a table for each public table of the current snapshot. Of each first the manifests of new snapshots are
 * written, then a metadata file with the next version, then its number in version-hint.text: readers see the old table
 * or the new one. Tables that are right already are not written.
 */
export async function writeTables(state: TablesState): Promise<OpenTable[]> {
  const { manifests, current } = state
  const currentManifest = manifests.find(({ id }) => id === current)
  if (!currentManifest) throw new Error(`no manifest of the current snapshot ${current}`)
  const names = new Set(currentManifest.tables.map(({ name }) => name))
  const db = await Database.create({ threads: 1 })
  try {
    const open: OpenTable[] = []
    for (const table of tables) if (names.has(table.table)) open.push(await writeTable(state, table, db))
    return open
  } finally {
    db.close()
  }
}

async function writeTable(state: TablesState, table: Resource, db: Database): Promise<OpenTable> {
  const { lake, place, location, manifests, exists, current, now } = state
  const folder = metadataFolder(table.table)
  const hintName = `${folder}/version-hint.text`
  const hint = await place.read(hintName)
  const published = await newestMetadata(place, folder, hint?.text)
  const before = published?.metadata ?? null
  const nameOf = (version: number) => `${folder}/v${version}.metadata.json`
  const urlOf = (name: string) => `${location}/${name}`
  const plan = planTable({
    table,
    lake: lake.created,
    location: urlOf(`iceberg/${table.table}`),
    before,
    beforeFile: before && published ? urlOf(nameOf(published.version)) : null,
    versions: manifests.flatMap(manifest => versionOf(manifest, table.table, isOwn(manifest)) ?? []),
    exists,
    current,
    now: now.getTime(),
  })
  const lists = new Map<string, string>()
  for (const one of plan.fresh)
    lists.set(one.version.snapshot, urlOf(await writeManifests(state, folder, one, db)))
  const made = plan.finish(lists)
  const version = (published?.version ?? 0) + (made ? 1 : 0)
  if (made && !(await place.swap(nameOf(version), `${JSON.stringify(made, null, 1)}\n`, null)))
    throw overtaken(table.table)
  if (hint?.text !== String(version) && !(await place.swap(hintName, String(version), hint?.tag ?? null)))
    throw overtaken(table.table)
  const metadata = made ?? before!
  await state.published?.(table.table, metadata)
  const entry = metadata.snapshots.find(one => one['snapshot-id'] === metadata['current-snapshot-id'])!
  return {
    table: table.table,
    rows: Number(entry.summary['total-records']),
    snapshots: metadata.snapshots.length,
    metadata: urlOf(nameOf(version)),
  }
}

const isOwn = (manifest: Manifest): boolean => manifest.engine === engineVersion && manifest.layout === layout

/**
 * The newest metadata file: that of the hint, or one after it, whose writer ended before it wrote the hint. A file that
 * is not metadata counts as a version without content.
 */
async function newestMetadata(
  place: TablePlace,
  folder: string,
  hint: string | undefined,
): Promise<{ readonly version: number; readonly metadata: TableMetadata | null } | null> {
  let version = /^\d{1,9}$/.test(hint?.trim() ?? '') ? Number(hint) : 0
  let text = version > 0 ? (await place.read(`${folder}/v${version}.metadata.json`))?.text : undefined
  for (;;) {
    const next = await place.read(`${folder}/v${version + 1}.metadata.json`)
    if (!next) break
    version++
    text = next.text
  }
  return version === 0 ? null : { version, metadata: parsed(text ?? '') }
}

function parsed(text: string): TableMetadata | null {
  try {
    const metadata = JSON.parse(text) as TableMetadata
    return metadata['format-version'] === 2 && Array.isArray(metadata.snapshots) ? metadata : null
  } catch {
    return null
  }
}

/** Writes the manifest of a snapshot, and the list that names it. @returns the name of the list */
async function writeManifests(
  { lake, place, location }: TablesState,
  folder: string,
  { version, schema, sortOrderId, sequence, parent }: NewSnapshot,
  db: Database,
): Promise<string> {
  const ids = { id: snapshotNumber(version.snapshot), parent, sequence }
  const metrics = await fileMetrics(db, inLake(lake, version.file), schema.fields)
  const manifest = await manifestBytes(ids, schema, {
    path: `${location}/${version.file}`,
    rows: version.rows,
    bytes: version.bytes,
    metrics,
    sortOrderId,
  })
  // Both files have one hash in their names, and no other content has it.
  const hash = createHash('sha256')
    .update(manifest)
    .update(`${parent} ${sequence}`)
    .digest('hex')
    .slice(0, 16)
  const manifestName = `${folder}/${hash}-m0.avro`
  await place.put(manifestName, manifest)
  const list = await manifestListBytes(ids, {
    path: `${location}/${manifestName}`,
    bytes: manifest.length,
    rows: version.rows,
  })
  const listName = `${folder}/snap-${ids.id}-1-${hash}.avro`
  await place.put(listName, list)
  return listName
}

/** The names of the two files of a snapshot in a table's folder. */
export const manifestFiles = ({ 'manifest-list': list }: SnapshotEntry): readonly string[] => {
  const name = list.slice(list.lastIndexOf('/') + 1)
  return [name, name.replace(/^snap-\d{1,16}-1-(.{1,16})\.avro$/, '$1-m0.avro')]
}

const overtaken = (table: string) =>
  new QueryError('OVERLOADED', `another writer changed the Iceberg table ${table}: run it again`, { table })
