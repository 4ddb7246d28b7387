// Indices below are within bounds by construction: checks would cost in the loops.

import {
  AsyncByteQueue,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow'
import { QueryError } from '../base/errors.ts'
import { scaledDecimal } from '../base/exact-number.ts'
import { type Column, type Kind, unitOf } from '../schema/column.ts'
import type { EncodableRows, EncodeOptions, Output } from './row-stream.ts'
import { jsonWriter } from './row-text.ts'

/** Maximum rows per record batch; batches of long texts are smaller. */
const BATCH_ROWS = 1 << 15
const BATCH_BYTES = 1 << 24

/** An Arrow IPC stream: flat dotted names, exact types, units and descriptions as field metadata. */
export async function* arrow({ columns, chunks }: EncodableRows, { about = {} }: EncodeOptions = {}) {
  const schema = arrowSchema(columns, about)
  const sink = new Pieces()
  const writer = new RecordBatchStreamWriter({ autoDestroy: false })
  writer.reset(sink, schema)
  let builders = columns.map(({ column }) => builder(column))
  let rows = 0
  const batch = () => {
    const children = builders.map(b => b.finish(rows))
    writer.write(
      new RecordBatch(
        schema,
        makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children }),
      ),
    )
    builders = columns.map(({ column }) => builder(column))
    rows = 0
    return sink.take()
  }
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.rowCount; start += SLICE) {
      const end = Math.min(start + SLICE, chunk.rowCount)
      let bytes = 0
      for (const [j, b] of builders.entries()) bytes += b.add(chunk.columns[j]!, start, end)
      rows += end - start
      if (rows >= BATCH_ROWS || bytes >= BATCH_BYTES) yield* batch()
    }
  if (rows > 0) yield* batch()
  writer.finish()
  yield* sink.take()
}

/** Rows taken at a time, so that a chunk of long texts can be split into batches. */
const SLICE = 256

/** Collects the writer's output to be passed on at once: its own queue would wait for a concurrent reader. */
class Pieces extends AsyncByteQueue {
  private parts: Uint8Array[] = []

  override write(value: ArrayBufferView): void {
    if (value.byteLength > 0)
      this.parts.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }

  *take(): Generator<Uint8Array> {
    const { parts } = this
    this.parts = []
    if (parts.length > 0) yield Buffer.concat(parts)
  }
}

const types: Readonly<Record<Kind, () => DataType>> = {
  text: () => new Utf8(),
  enum: () => new Utf8(),
  cents: () => new Int64(),
  integer: () => new Int64(),
  percent: () => new Float64(),
  bps: () => new Float64(),
  ratio: () => new Float64(),
  years: () => new Float64(),
  number: () => new Float64(),
  date: () => new DateDay(),
  timestamp: () => new TimestampMicrosecond('UTC'),
  boolean: () => new Bool(),
  list: () => new List(new Field('item', new Utf8(), true)),
  json: () => new Utf8(),
}

/** A column with declared digits keeps all of them. */
const typeOf = ({ kind, decimal }: Column): DataType =>
  decimal ? new Decimal(decimal.scale, decimal.precision, 128) : types[kind]()

/** Field metadata of a column: its unit and description, if any. */
export function metadataOf(column: Column): Map<string, string> {
  const unit = unitOf(column)
  return new Map([
    ...(unit ? [['unit', unit] as const] : []),
    ...(column.doc ? [['description', column.doc] as const] : []),
  ])
}

export const arrowSchema = (columns: readonly Output[], about: Readonly<Record<string, string>>): Schema =>
  new Schema(
    columns.map(({ name, column }) => new Field(name, typeOf(column), true, metadataOf(column))),
    new Map(Object.entries(about)),
  )

/** The schema as Parquet writers store it under `ARROW:schema`: its IPC message in base64. */
export function schemaMessage(schema: Schema): string {
  const sink = new Pieces()
  new RecordBatchStreamWriter({ autoDestroy: false }).reset(sink, schema)
  return Buffer.concat([...sink.take()]).toString('base64')
}

interface Builder {
  /** Appends rows `start` to `end` of a chunk's column; returns the bytes of text held. */
  add(values: readonly unknown[], start: number, end: number): number
  finish(rows: number): Data
}

function builder(column: Column): Builder {
  const type = typeOf(column)
  if (column.decimal) return decimals(type, column.decimal)
  switch (column.kind) {
    case 'text':
    case 'enum':
      return texts(type, value => value as string)
    case 'json':
      return texts(type, jsonWriter(column))
    case 'list':
      return lists(type)
    case 'boolean':
      return booleans(type)
    case 'date':
      return fixed(type, n => new Int32Array(n), days)
    case 'timestamp':
      return fixed(type, n => new BigInt64Array(n), micros)
    case 'cents':
    case 'integer':
      return fixed(type, n => new BigInt64Array(n), whole)
    default:
      return fixed(
        type,
        n => new Float64Array(n),
        value => value as number,
      )
  }
}

const dayLength = 86_400_000

const instant = (value: unknown): number => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new TypeError(`${JSON.stringify(value)} is not an ISO date`)
  return time
}
export const days = (value: unknown): number => Math.floor(instant(value) / dayLength)
export const micros = (value: unknown): bigint => BigInt(instant(value)) * 1000n

/** BigInt() refuses fractions and NaN. */
export const whole = (value: unknown): bigint => BigInt(value as number | bigint)

/** The validity bitmap, least significant bit first. */
class Validity {
  private readonly bits = new Uint8Array(bitmapBytes(BATCH_ROWS + SLICE))
  nulls = 0
  constructor() {
    this.bits.fill(255)
  }
  clear(row: number): void {
    this.bits[row >> 3]! &= ~(1 << (row & 7))
    this.nulls++
  }
  of(rows: number): { nullCount: number; nullBitmap: Uint8Array | null } {
    return {
      nullCount: this.nulls,
      nullBitmap: this.nulls > 0 ? this.bits.subarray(0, bitmapBytes(rows)) : null,
    }
  }
}
const bitmapBytes = (rows: number): number => (rows + 7) >> 3

function fixed<V extends number | bigint>(
  type: DataType,
  make: (rows: number) => { [row: number]: V; subarray(start: number, end: number): unknown },
  read: (value: unknown) => V,
): Builder {
  const data = make(BATCH_ROWS + SLICE)
  const valid = new Validity()
  let row = 0
  let last: unknown
  let converted: V
  return {
    add(values, start, end) {
      for (let i = start; i < end; i++, row++) {
        const value = values[i]
        if (value == null) valid.clear(row)
        else {
          if (value !== last) {
            converted = read(value)
            last = value
          }
          data[row] = converted
        }
      }
      return 0
    },
    finish: rows =>
      makeData({ type, length: rows, ...valid.of(rows), data: data.subarray(0, rows) } as never),
  }
}

/** A decimal as the integer of its last place, within the column's digits. */
export function decimalUnits(value: unknown, { precision, scale }: NonNullable<Column['decimal']>): bigint {
  const units = scaledDecimal(value, scale)
  if (units < 10n ** BigInt(precision) && units > -(10n ** BigInt(precision))) return units
  throw new QueryError(
    'INVALID_SQL',
    `the number ${value} has more than ${precision} digits, which this format cannot hold: cast it to VARCHAR or DOUBLE`,
  )
}

/** 128-bit integers as four words, lowest first. */
function decimals(type: DataType, decimal: NonNullable<Column['decimal']>): Builder {
  const data = new BigUint64Array(2 * (BATCH_ROWS + SLICE))
  const valid = new Validity()
  let row = 0
  return {
    add(values, start, end) {
      for (let i = start; i < end; i++, row++) {
        const value = values[i]
        if (value == null) {
          valid.clear(row)
          continue
        }
        const units = decimalUnits(value, decimal)
        data[2 * row] = BigInt.asUintN(64, units)
        data[2 * row + 1] = BigInt.asUintN(64, units >> 64n)
      }
      return 0
    },
    finish: rows =>
      makeData({
        type,
        length: rows,
        ...valid.of(rows),
        data: new Uint32Array(data.buffer, 0, rows * 4),
      } as never),
  }
}

function booleans(type: DataType): Builder {
  const data = new Uint8Array(bitmapBytes(BATCH_ROWS + SLICE))
  const valid = new Validity()
  let row = 0
  return {
    add(values, start, end) {
      for (let i = start; i < end; i++, row++) {
        const value = values[i]
        if (value == null) valid.clear(row)
        else if (value) data[row >> 3]! |= 1 << (row & 7)
      }
      return 0
    },
    finish: rows =>
      makeData({ type, length: rows, ...valid.of(rows), data: data.subarray(0, bitmapBytes(rows)) } as never),
  }
}

/** Growing UTF-8 data with the end offset of each text. */
class Texts {
  private bytes = Buffer.allocUnsafeSlow(1 << 16)
  private readonly ends: number[] = [0]
  private used = 0

  add(text: string): void {
    const room = text.length * 3
    if (this.used + room > this.bytes.length) {
      const more = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.used + room))
      this.bytes.copy(more, 0, 0, this.used)
      this.bytes = more
    }
    this.used += this.bytes.write(text, this.used)
    this.ends.push(this.used)
  }
  skip(): void {
    this.ends.push(this.used)
  }
  get size(): number {
    return this.used
  }
  get count(): number {
    return this.ends.length - 1
  }
  finish(): { valueOffsets: Int32Array; data: Uint8Array } {
    return { valueOffsets: Int32Array.from(this.ends), data: this.bytes.subarray(0, this.used) }
  }
}

function texts(type: DataType, read: (value: unknown) => string): Builder {
  const strings = new Texts()
  const valid = new Validity()
  let row = 0
  return {
    add(values, start, end) {
      for (let i = start; i < end; i++, row++) {
        const value = values[i]
        if (value == null) {
          valid.clear(row)
          strings.skip()
        } else strings.add(read(value))
      }
      return strings.size
    },
    finish: rows => makeData({ type, length: rows, ...valid.of(rows), ...strings.finish() } as never),
  }
}

function lists(type: DataType): Builder {
  const items = new Texts()
  const missing: number[] = []
  const ends: number[] = [0]
  const valid = new Validity()
  let row = 0
  return {
    add(values, start, end) {
      for (let i = start; i < end; i++, row++) {
        const value = values[i] as readonly (string | null)[] | null
        if (value == null) valid.clear(row)
        else
          for (const item of value)
            if (item == null) {
              missing.push(items.count)
              items.skip()
            } else items.add(item)
        ends.push(items.count)
      }
      return items.size
    },
    finish(rows) {
      const bits = new Uint8Array(bitmapBytes(items.count)).fill(255)
      for (const at of missing) bits[at >> 3]! &= ~(1 << (at & 7))
      const child = makeData({
        type: new Utf8(),
        length: items.count,
        nullCount: missing.length,
        nullBitmap: missing.length > 0 ? bits : null,
        ...items.finish(),
      })
      return makeData({
        type,
        length: rows,
        ...valid.of(rows),
        valueOffsets: Int32Array.from(ends),
        child,
      } as never)
    },
  }
}
