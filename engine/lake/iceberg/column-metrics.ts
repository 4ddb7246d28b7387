import { firstOf, lastOf } from '../../base/elements.ts'
import { type Database, literal } from '../../database/database.ts'
import type { Field } from './table-schema.ts'

/** What a manifest says about a file's columns, by field id. Bounds are given where they are exact. */
export interface FileMetrics {
  readonly sizes: ReadonlyMap<number, number>
  readonly values: ReadonlyMap<number, number>
  readonly nulls: ReadonlyMap<number, number>
  readonly lower: ReadonlyMap<number, Buffer>
  readonly upper: ReadonlyMap<number, Buffer>
  /** Where each row group begins. */
  readonly splits: readonly number[]
}

/** A column of a row group. */
interface Chunk {
  readonly row_group: number
  readonly path: string
  readonly starts: number
  readonly bytes: number
  readonly count: number
  readonly nulls: number | null
  readonly least: string | null
  readonly most: string | null
  readonly exact: boolean
}

/** Reads the file's footer only. */
export async function fileMetrics(
  db: Database,
  path: string,
  fields: readonly Field[],
): Promise<FileMetrics> {
  const chunks = await db.rows<Chunk>(
    `SELECT row_group_id AS row_group, path_in_schema AS path,
       least(coalesce(dictionary_page_offset, data_page_offset), data_page_offset) AS starts,
       total_compressed_size AS bytes, num_values AS count, stats_null_count AS nulls,
       stats_min_value AS least, stats_max_value AS most,
       coalesce(min_is_exact AND max_is_exact, false) AS exact
     FROM parquet_metadata(${literal(path)}) ORDER BY row_group_id, column_id`,
  )
  const starts = new Map<number, number>()
  const byName = new Map<string, Chunk[]>()
  for (const chunk of chunks) {
    starts.set(chunk.row_group, Math.min(starts.get(chunk.row_group) ?? Infinity, chunk.starts))
    const those = byName.get(chunk.path)
    if (those) those.push(chunk)
    else byName.set(chunk.path, [chunk])
  }
  const metrics = {
    sizes: new Map<number, number>(),
    values: new Map<number, number>(),
    nulls: new Map<number, number>(),
    lower: new Map<number, Buffer>(),
    upper: new Map<number, Buffer>(),
  }
  const sum = (of: readonly Chunk[], value: (chunk: Chunk) => number) =>
    of.reduce((total, chunk) => total + value(chunk), 0)
  for (const { id, name, type } of fields) {
    const own = byName.get(name)
    if (!own || typeof type !== 'string') continue
    metrics.sizes.set(
      id,
      sum(own, chunk => chunk.bytes),
    )
    metrics.values.set(
      id,
      sum(own, chunk => chunk.count),
    )
    if (own.some(chunk => chunk.nulls === null)) continue
    metrics.nulls.set(
      id,
      sum(own, chunk => chunk.nulls!),
    )
    const bounds = boundsOf(
      type,
      own.filter(chunk => chunk.count > chunk.nulls!),
    )
    if (bounds === null) continue
    metrics.lower.set(id, bounds[0])
    if (bounds[1]) metrics.upper.set(id, bounds[1])
  }
  return { ...metrics, splits: [...starts.values()].sort((a, b) => a - b) }
}

type Bounds = readonly [Buffer, Buffer | null]

/** The least and greatest value of some chunks, as Iceberg writes single values; null if it is not known exactly. */
function boundsOf(type: string, chunks: readonly Chunk[]): Bounds | null {
  const ends = chunks.map(({ least, most, exact }) =>
    exact && least !== null && most !== null ? [least, most] : null,
  )
  if (ends.length === 0 || ends.includes(null)) return null
  const pairs = ends as string[][]
  if (type === 'string') {
    const [low, high] = extremes(pairs, text => Buffer.from(text), Buffer.compare)
    return [textPrefix(low.toString()), textBeyond(high.toString())]
  }
  if (type === 'boolean') {
    const [low, high] = extremes(pairs, text => Number(text === 'true'), byNumber)
    return [Buffer.of(low), Buffer.of(high)]
  }
  if (type === 'double' || type === 'float') {
    const [low, high] = extremes(pairs, Number, byNumber)
    return Number.isFinite(low) && Number.isFinite(high) ? [floating(type, low), floating(type, high)] : null
  }
  const read = type === 'date' ? dayNumber : type === 'timestamp' ? microseconds : wholeNumber(type)
  // Infinite days, and those before the year 1000 or after 9999, have no bounds.
  const isOdd =
    (type === 'date' || type === 'timestamp') && pairs.flat().some(text => !/^[1-9]\d{3}-/.test(text))
  if (read === null || isOdd) return null
  const [low, high] = extremes(pairs, read, (a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const isShort = type === 'date' || type === 'int'
  return [whole(low, isShort), whole(high, isShort)]
}

const byNumber = (a: number, b: number) => a - b

function extremes<T>(
  pairs: readonly (readonly string[])[],
  read: (text: string) => T,
  compare: (a: T, b: T) => number,
): [T, T] {
  const lows = pairs.map(([least]) => read(least!)).sort(compare)
  const highs = pairs.map(([, most]) => read(most!)).sort(compare)
  return [firstOf(lows), lastOf(highs)]
}

const wholeNumber = (type: string) => (type === 'int' || type === 'long' ? BigInt : null)

const dayNumber = (text: string): bigint => BigInt(Date.parse(`${text}T00:00:00Z`) / 86_400_000)

function microseconds(text: string): bigint {
  const [, day, time, fraction = ''] = /^(\S{10}) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/.exec(text)!
  return BigInt(Date.parse(`${day}T${time}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

function whole(value: bigint, isShort: boolean): Buffer {
  const bytes = Buffer.alloc(isShort ? 4 : 8)
  if (isShort) bytes.writeInt32LE(Number(value))
  else bytes.writeBigInt64LE(value)
  return bytes
}

function floating(type: string, value: number): Buffer {
  const bytes = Buffer.alloc(type === 'float' ? 4 : 8)
  if (type === 'float') bytes.writeFloatLE(value)
  else bytes.writeDoubleLE(value)
  return bytes
}

/** Characters of a text bound. */
const KEPT = 16

const textPrefix = (text: string): Buffer => Buffer.from([...text].slice(0, KEPT).join(''))

/** A short text that no text with the same beginning exceeds: the last character that can be is raised by one. */
function textBeyond(text: string): Buffer | null {
  const characters = [...text]
  if (characters.length <= KEPT) return Buffer.from(text)
  const kept = characters.slice(0, KEPT).map(character => character.codePointAt(0)!)
  while (kept.length > 0) {
    const last = kept.pop()!
    const next = last === 0xd7ff ? 0xe000 : last + 1
    if (next <= 0x10ffff)
      return Buffer.from([...kept, next].map(point => String.fromCodePoint(point)).join(''))
  }
  return null
}
