import { createHash } from 'node:crypto'
import { lastOf } from '../../base/elements.ts'
import { largest } from '../../base/lists.ts'
import type { Resource } from '../../schema/resource.ts'
import { fileOrder } from '../../schema/sort.ts'
import type { Manifest } from '../snapshot.ts'
import {
  type FileColumn,
  fieldsOf,
  nameMapping,
  readsBeside,
  type SortField,
  sortFields,
  type TableSchema,
} from './table-schema.ts'

/** A table in a snapshot of the lake. */
export interface TableVersion {
  /** Id of the snapshot in the lake. */
  readonly snapshot: string
  readonly asOf: string | null
  /** The file, relative to the lake. */
  readonly file: string
  readonly rows: number
  readonly bytes: number
  readonly columns: readonly FileColumn[]
  /** Whether this version of the program wrote it, so that its rows are in the declared order. */
  readonly isOwn: boolean
}

export interface SnapshotEntry {
  readonly 'snapshot-id': number
  readonly 'parent-snapshot-id'?: number
  readonly 'sequence-number': number
  readonly 'timestamp-ms': number
  readonly 'manifest-list': string
  readonly summary: Readonly<Record<string, string>>
  readonly 'schema-id': number
}

interface SortOrder {
  readonly 'order-id': number
  readonly fields: readonly SortField[]
}

interface LogEntry {
  readonly 'timestamp-ms': number
  readonly 'snapshot-id': number
}

/** The metadata file of a table, format version 2: https://iceberg.apache.org/spec/#table-metadata */
export interface TableMetadata {
  readonly 'format-version': 2
  readonly 'table-uuid': string
  readonly location: string
  readonly 'last-sequence-number': number
  readonly 'last-updated-ms': number
  readonly 'last-column-id': number
  readonly 'current-schema-id': number
  readonly schemas: readonly TableSchema[]
  readonly 'default-spec-id': 0
  readonly 'partition-specs': readonly [{ readonly 'spec-id': 0; readonly fields: readonly [] }]
  readonly 'last-partition-id': 999
  readonly 'default-sort-order-id': number
  readonly 'sort-orders': readonly SortOrder[]
  readonly properties: Readonly<Record<string, string>>
  readonly 'current-snapshot-id': number
  readonly snapshots: readonly SnapshotEntry[]
  readonly 'snapshot-log': readonly LogEntry[]
  readonly 'metadata-log': readonly { readonly 'timestamp-ms': number; readonly 'metadata-file': string }[]
  readonly refs: Readonly<Record<string, { readonly 'snapshot-id': number; readonly type: 'branch' | 'tag' }>>
}

/** Where a snapshot's id in the lake is in the summary of an Iceberg snapshot. */
export const SNAPSHOT = 'tranche.snapshot'

/** The number of a snapshot, the same in every table. Numbers in JSON are exact up to 2^53. */
export const snapshotNumber = (snapshot: string): number =>
  Number(BigInt(`0x${hash(snapshot).slice(0, 13)}`)) + 1

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** The time in a snapshot's id, which is later than that of the snapshot before, even if the clock went back. */
const timeOf = (snapshot: string): number =>
  Date.parse(snapshot.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z'))

function tableUuid(lake: string, location: string): string {
  const digits = hash(`${lake} ${location}`)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    // Version 8: made by a rule of one's own.
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

/** The version of a table in a snapshot; null if the snapshot does not have it. */
export function versionOf(manifest: Manifest, table: string, isOwn: boolean): TableVersion | null {
  const stored = manifest.tables.find(({ name }) => name === table)
  return stored
    ? {
        snapshot: manifest.id,
        asOf: manifest.as_of,
        file: `snapshots/${manifest.id}/${stored.file}`,
        rows: stored.rows,
        bytes: stored.bytes,
        columns: stored.columns,
        isOwn,
      }
    : null
}

export interface TableState {
  readonly table: Resource
  /** When the lake was made, which tells tables of one lake from those of another. */
  readonly lake: string
  /** The table's folder as readers name it. */
  readonly location: string
  /** What is published now, and the name of its file; null for a new table. */
  readonly before: TableMetadata | null
  readonly beforeFile: string | null
  /** Versions that can be added, oldest first; the current one among them. */
  readonly versions: readonly TableVersion[]
  /** Whether a snapshot that is in the history still has its files. */
  readonly exists: (snapshot: string) => boolean
  /** Id of the lake's current snapshot. */
  readonly current: string
  readonly now: number
}

/** A snapshot whose manifest is still to be written. */
export interface NewSnapshot {
  readonly version: TableVersion
  readonly schema: TableSchema
  readonly sortOrderId: number
  readonly sequence: number
  readonly parent: number | null
}

export interface PlannedTable {
  readonly fresh: readonly NewSnapshot[]
  /**
   * The metadata, once the manifests of the new snapshots are written; null if what is published is right.
   * @param manifestLists the list of manifests of each, by snapshot
   */
  finish(manifestLists: ReadonlyMap<string, string>): TableMetadata | null
}

/** More snapshots than this are forgotten, oldest first: a store keeps all that were ever pushed. */
const MOST_SNAPSHOTS = 500

/**
 * The metadata of a table whose history is what was current in the lake and still exists. A new table has the snapshots
 * up to the current one; later a snapshot is added when it becomes current, so one that a gate held up is not.
 * Snapshots whose files cannot be read as the current columns are left out.
 */
export function planTable(state: TableState): PlannedTable {
  const { table, location, before, versions, exists, current } = state
  const present = versions.find(({ snapshot }) => snapshot === current)
  if (!present) throw new Error(`snapshot ${current} has no table ${table.table}`)
  const isMoved = before !== null && before.location !== location
  const known = entriesOf(before)
  const kept = new Map([...known].filter(([snapshot]) => !isMoved && exists(snapshot)))
  const isNew = ({ snapshot }: TableVersion) =>
    !kept.has(snapshot) &&
    (snapshot === current || (known.size === 0 ? snapshot < current : known.has(snapshot)))
  const fields = new FieldsOfTable(table, before)
  const schema = fields.schemaOf(present)
  const fresh: NewSnapshot[] = []
  let sequence = before?.['last-sequence-number'] ?? 0
  let parent = before && !isMoved ? before['current-snapshot-id'] : null
  for (const version of versions.filter(isNew)) {
    const own = fields.schemaOf(version)
    if (!readsBeside(own.fields, schema.fields)) continue
    const sortOrderId = version.isOwn ? fields.orderOf(own) : 0
    fresh.push({ version, schema: own, sortOrderId, sequence: ++sequence, parent })
    parent = snapshotNumber(version.snapshot)
  }
  for (const [snapshot, entry] of kept) {
    const own = fields.schemas.find(each => each['schema-id'] === entry['schema-id'])
    if (!own || !readsBeside(own.fields, schema.fields)) kept.delete(snapshot)
  }
  const sortOrderId = fields.orderOf(schema)
  return {
    fresh,
    finish(manifestLists) {
      for (const one of fresh)
        kept.set(one.version.snapshot, entryOf(one, manifestLists.get(one.version.snapshot)!))
      const history = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-MOST_SNAPSHOTS)
      if (!history.some(([snapshot]) => snapshot === current)) history.unshift([current, kept.get(current)!])
      const made = metadataOf(state, {
        history: new Map(history),
        fields,
        schema,
        sortOrderId,
        sequence,
        isMoved,
      })
      return before && isSame(before, made) ? null : made
    },
  }
}

/** The snapshots of published metadata, by their ids in the lake; those that another program added are left out. */
const entriesOf = (before: TableMetadata | null): ReadonlyMap<string, SnapshotEntry> =>
  new Map(
    (before?.snapshots ?? []).flatMap(entry => {
      const snapshot = entry.summary?.[SNAPSHOT]
      return snapshot ? [[snapshot, entry] as const] : []
    }),
  )

/** The schemas and sort orders of a table, those that it had and those that its new snapshots need. */
class FieldsOfTable {
  readonly schemas: TableSchema[]
  readonly orders: SortOrder[]
  lastId: number
  private readonly table: Resource

  constructor(table: Resource, before: TableMetadata | null) {
    this.table = table
    this.schemas = [...(before?.schemas ?? [])]
    this.orders = [...(before?.['sort-orders'] ?? [{ 'order-id': 0, fields: [] }])]
    this.lastId = before?.['last-column-id'] ?? 0
  }

  schemaOf({ columns }: TableVersion): TableSchema {
    const { fields, lastId } = fieldsOf(columns, this.table.columns, this.schemas, this.lastId)
    this.lastId = lastId
    const same = this.schemas.find(each => JSON.stringify(each.fields) === JSON.stringify(fields))
    if (same) return same
    const next =
      largest(
        this.schemas.map(each => each['schema-id']),
        -1,
      ) + 1
    const schema: TableSchema = { type: 'struct', 'schema-id': next, fields }
    this.schemas.push(schema)
    return schema
  }

  orderOf(schema: TableSchema): number {
    const fields = sortFields(fileOrder(this.table), schema.fields)
    const same = this.orders.find(order => JSON.stringify(order.fields) === JSON.stringify(fields))
    if (same) return same['order-id']
    const next = largest(this.orders.map(order => order['order-id'])) + 1
    this.orders.push({ 'order-id': next, fields })
    return next
  }
}

interface TableParts {
  readonly history: ReadonlyMap<string, SnapshotEntry>
  readonly fields: FieldsOfTable
  /** Of the current snapshot. */
  readonly schema: TableSchema
  readonly sortOrderId: number
  readonly sequence: number
  readonly isMoved: boolean
}

function metadataOf(state: TableState, parts: TableParts): TableMetadata {
  const { table, lake, location, before, beforeFile, current, now } = state
  const { history, fields, schema, sortOrderId, sequence, isMoved } = parts
  const currentNumber = snapshotNumber(current)
  const snapshots = [...history.values()]
  const used = new Set([schema['schema-id'], ...snapshots.map(entry => entry['schema-id'])])
  const schemas = fields.schemas.filter(each => used.has(each['schema-id']))
  const log = logOf({ before, snapshots, currentNumber, now })
  const tags = [...history].map(
    ([snapshot, entry]) => [snapshot, { 'snapshot-id': entry['snapshot-id'], type: 'tag' }] as const,
  )
  return {
    'format-version': 2,
    'table-uuid': before?.['table-uuid'] ?? tableUuid(lake, location),
    location,
    'last-sequence-number': sequence,
    'last-updated-ms': Math.max(now, lastOf(log)['timestamp-ms'], before?.['last-updated-ms'] ?? 0),
    'last-column-id': fields.lastId,
    'current-schema-id': schema['schema-id'],
    schemas,
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'last-partition-id': 999,
    'default-sort-order-id': sortOrderId,
    'sort-orders': fields.orders,
    properties: {
      comment: table.doc,
      // The files belong to the lake: no reader may delete them when it drops the table or expires snapshots.
      'gc.enabled': 'false',
      'schema.name-mapping.default': JSON.stringify(nameMapping(schemas, schema)),
      'tranche.key': table.key.join(','),
    },
    'current-snapshot-id': currentNumber,
    snapshots,
    'snapshot-log': log,
    'metadata-log':
      before && beforeFile && !isMoved
        ? [
            ...before['metadata-log'].slice(-LOGGED),
            { 'timestamp-ms': before['last-updated-ms'], 'metadata-file': beforeFile },
          ]
        : [],
    refs: { main: { 'snapshot-id': currentNumber, type: 'branch' }, ...Object.fromEntries(tags) },
  }
}

/** Earlier metadata files that the log names. */
const LOGGED = 20

function entryOf({ version, schema, sequence, parent }: NewSnapshot, manifestList: string): SnapshotEntry {
  const { snapshot, asOf, rows, bytes } = version
  return {
    'snapshot-id': snapshotNumber(snapshot),
    ...(parent !== null && { 'parent-snapshot-id': parent }),
    'sequence-number': sequence,
    'timestamp-ms': timeOf(snapshot),
    'manifest-list': manifestList,
    summary: {
      operation: parent === null ? 'append' : 'overwrite',
      [SNAPSHOT]: snapshot,
      ...(asOf !== null && { 'tranche.as-of': asOf }),
      'added-data-files': '1',
      'added-records': String(rows),
      'added-files-size': String(bytes),
      'total-data-files': '1',
      'total-records': String(rows),
      'total-files-size': String(bytes),
      'total-delete-files': '0',
      'total-position-deletes': '0',
      'total-equality-deletes': '0',
    },
    'schema-id': schema['schema-id'],
  }
}

interface LogState {
  readonly before: TableMetadata | null
  /** Those that exist. */
  readonly snapshots: readonly SnapshotEntry[]
  readonly currentNumber: number
  readonly now: number
}

/** Which snapshot was current since when. It ends with the current one. */
function logOf({ before, snapshots, currentNumber, now }: LogState): readonly LogEntry[] {
  const entry = (one: SnapshotEntry): LogEntry => ({
    'timestamp-ms': one['timestamp-ms'],
    'snapshot-id': one['snapshot-id'],
  })
  if (!before) return snapshots.map(entry)
  const numbers = new Set(snapshots.map(one => one['snapshot-id']))
  const log = before['snapshot-log'].filter(one => numbers.has(one['snapshot-id']))
  const last = log.at(-1)
  if (last?.['snapshot-id'] === currentNumber) return log
  const current = entry(snapshots.find(one => one['snapshot-id'] === currentNumber)!)
  // A new snapshot is current since its build, an earlier one since it was chosen again.
  if (last === undefined || current['timestamp-ms'] > last['timestamp-ms']) return [...log, current]
  return [...log, { ...current, 'timestamp-ms': Math.max(now, last['timestamp-ms']) }]
}

/** Whether two files differ in nothing but when they were written. */
const isSame = (a: TableMetadata, b: TableMetadata): boolean => {
  const content = (each: TableMetadata) =>
    JSON.stringify({ ...each, 'last-updated-ms': 0, 'metadata-log': [] })
  return content(a) === content(b)
}
