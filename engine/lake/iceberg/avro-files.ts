import { createHash } from 'node:crypto'
import type { Schema } from 'avsc'
import type { FileMetrics } from './column-metrics.ts'
import type { TableSchema } from './table-schema.ts'

/** The one data file of a table in a snapshot. */
export interface DataFile {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly metrics: FileMetrics
  readonly sortOrderId: number
}

/** The snapshot of a table, as its manifest and its list of manifests name it. */
export interface SnapshotIds {
  readonly id: number
  readonly parent: number | null
  readonly sequence: number
}

const required = (id: number, name: string, type: unknown) => ({ name, type, 'field-id': id })
const optional = (id: number, name: string, type: unknown) => ({
  name,
  type: ['null', type],
  default: null,
  'field-id': id,
})

/** A map with numbers as keys, which Avro does not have: a list of pairs. */
const mapOf = (key: number, value: number, type: string) => ({
  type: 'array',
  logicalType: 'map',
  items: {
    type: 'record',
    name: `k${key}_v${value}`,
    fields: [required(key, 'key', 'int'), required(value, 'value', type)],
  },
})

// Names, types and ids of format version 2: https://iceberg.apache.org/spec/#manifests
const dataFile = {
  type: 'record',
  name: 'r2',
  fields: [
    required(134, 'content', 'int'),
    required(100, 'file_path', 'string'),
    required(101, 'file_format', 'string'),
    required(102, 'partition', { type: 'record', name: 'r102', fields: [] }),
    required(103, 'record_count', 'long'),
    required(104, 'file_size_in_bytes', 'long'),
    optional(108, 'column_sizes', mapOf(117, 118, 'long')),
    optional(109, 'value_counts', mapOf(119, 120, 'long')),
    optional(110, 'null_value_counts', mapOf(121, 122, 'long')),
    optional(137, 'nan_value_counts', mapOf(138, 139, 'long')),
    optional(125, 'lower_bounds', mapOf(126, 127, 'bytes')),
    optional(128, 'upper_bounds', mapOf(129, 130, 'bytes')),
    optional(131, 'key_metadata', 'bytes'),
    optional(132, 'split_offsets', { type: 'array', items: 'long', 'element-id': 133 }),
    optional(135, 'equality_ids', { type: 'array', items: 'int', 'element-id': 136 }),
    optional(140, 'sort_order_id', 'int'),
  ],
}

const manifestEntry = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    required(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    required(2, 'data_file', dataFile),
  ],
}

const partitionSummary = {
  type: 'record',
  name: 'r508',
  fields: [
    required(509, 'contains_null', 'boolean'),
    optional(518, 'contains_nan', 'boolean'),
    optional(510, 'lower_bound', 'bytes'),
    optional(511, 'upper_bound', 'bytes'),
  ],
}

const manifestFile = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    required(500, 'manifest_path', 'string'),
    required(501, 'manifest_length', 'long'),
    required(502, 'partition_spec_id', 'int'),
    required(517, 'content', 'int'),
    required(515, 'sequence_number', 'long'),
    required(516, 'min_sequence_number', 'long'),
    required(503, 'added_snapshot_id', 'long'),
    required(504, 'added_files_count', 'int'),
    required(505, 'existing_files_count', 'int'),
    required(506, 'deleted_files_count', 'int'),
    required(512, 'added_rows_count', 'long'),
    required(513, 'existing_rows_count', 'long'),
    required(514, 'deleted_rows_count', 'long'),
    optional(507, 'partitions', { type: 'array', items: partitionSummary, 'element-id': 508 }),
    optional(519, 'key_metadata', 'bytes'),
  ],
}

const ADDED = 1

/** The manifest of a snapshot: its one file. */
export const manifestBytes = (
  { id }: SnapshotIds,
  schema: TableSchema,
  { path, rows, bytes, metrics, sortOrderId }: DataFile,
): Promise<Buffer> => {
  const pairs = <T>(map: ReadonlyMap<number, T>) => [...map].map(([key, value]) => ({ key, value }))
  return containerFile(
    manifestEntry,
    {
      schema: JSON.stringify(schema),
      'schema-id': String(schema['schema-id']),
      'partition-spec': '[]',
      'partition-spec-id': '0',
      'format-version': '2',
      content: 'data',
    },
    {
      status: ADDED,
      snapshot_id: id,
      // Readers take both numbers from the list of manifests.
      sequence_number: null,
      file_sequence_number: null,
      data_file: {
        content: 0,
        file_path: path,
        file_format: 'PARQUET',
        partition: {},
        record_count: rows,
        file_size_in_bytes: bytes,
        column_sizes: pairs(metrics.sizes),
        value_counts: pairs(metrics.values),
        null_value_counts: pairs(metrics.nulls),
        nan_value_counts: null,
        lower_bounds: pairs(metrics.lower),
        upper_bounds: pairs(metrics.upper),
        key_metadata: null,
        split_offsets: metrics.splits.length > 0 ? metrics.splits : null,
        equality_ids: null,
        sort_order_id: sortOrderId,
      },
    },
  )
}

/** The list of a snapshot's manifests: the one. */
export const manifestListBytes = (
  { id, parent, sequence }: SnapshotIds,
  manifest: { readonly path: string; readonly bytes: number; readonly rows: number },
): Promise<Buffer> =>
  containerFile(
    manifestFile,
    {
      'snapshot-id': String(id),
      'parent-snapshot-id': String(parent),
      'sequence-number': String(sequence),
      'format-version': '2',
    },
    {
      manifest_path: manifest.path,
      manifest_length: manifest.bytes,
      partition_spec_id: 0,
      content: 0,
      sequence_number: sequence,
      min_sequence_number: sequence,
      added_snapshot_id: id,
      added_files_count: 1,
      existing_files_count: 0,
      deleted_files_count: 0,
      added_rows_count: manifest.rows,
      existing_rows_count: 0,
      deleted_rows_count: 0,
      partitions: [],
      key_metadata: null,
    },
  )

/** An Avro file with one row. The same content gives the same bytes. */
async function containerFile(
  schema: object,
  metadata: Readonly<Record<string, string>>,
  row: object,
): Promise<Buffer> {
  const { default: avro } = await import('avsc')
  const options = {
    writeHeader: 'always' as const,
    // Random by default.
    syncMarker: createHash('sha256')
      .update(JSON.stringify([metadata, row]))
      .digest()
      .subarray(0, 16),
    metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, Buffer.from(value)])),
  }
  const encoder = new avro.streams.BlockEncoder(schema as Schema, options)
  encoder.end(row)
  const chunks: Buffer[] = []
  for await (const chunk of encoder) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
