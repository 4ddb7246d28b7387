// Indices below are within bounds by construction: checks would cost in the loops.

import type * as DuckDB from '@duckdb/node-api'
import type { DuckDBDataChunk, DuckDBType, DuckDBVector } from '@duckdb/node-api'
import { exactDecimal, exactJson, setMember } from '../base/exact-number.ts'
import { duckdb } from './duckdb.ts'

const {
  DuckDBArrayVector,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListVector,
  DuckDBMapVector,
  DuckDBStructVector,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionVector,
  VARCHAR,
} = duckdb

/** Days from 1970 on, up to 2149. */
const days: (string | undefined)[] = []
const MOST_DAYS = 1 << 16

/** A day since 1970 as `YYYY-MM-DD`. Cached: a lake has few distinct days. */
export function epochDay(day: number): string {
  const known = days[day]
  if (known !== undefined) return known
  const time = new Date(day * 86_400_000)
  // DuckDB's infinite dates lie outside the civil calendar.
  const text = Number.isNaN(time.getTime())
    ? day > 0
      ? 'infinity'
      : '-infinity'
    : time.toISOString().split('T')[0]!
  if (day < 0 || day >= MOST_DAYS) return text
  while (days.length <= day) days.push(undefined)
  days[day] = text
  return text
}

/** Whole numbers become numbers while exact, and bigint beyond 2^53. */
const wholeNumber = (value: bigint): number | bigint => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** `2026-01-31T10:30:00Z`, with as many fractional digits as there are. */
export function instant(micros: bigint): string {
  const seconds = micros >= 0n ? micros / 1_000_000n : -((-micros + 999_999n) / 1_000_000n)
  const fraction = micros - seconds * 1_000_000n
  const whole = new Date(Number(seconds) * 1000)
  if (Number.isNaN(whole.getTime())) return micros > 0n ? 'infinity' : '-infinity'
  if (fraction % 1000n !== 0n)
    return whole.toISOString().replace('.000Z', `.${String(fraction).padStart(6, '0')}Z`)
  return new Date(Number(micros / 1000n)).toISOString()
}

/** A result vector: values in DuckDB's width, and a validity bit per row. Maps have no bits. */
export interface ReadVector {
  readonly items?: ArrayLike<number> | BigInt64Array
  readonly dataView?: DataView
  readonly validity?: { readonly data: BigUint64Array | null }
  getItem(row: number): unknown
}

/** Whether a row has a value. */
export function presence({ validity }: ReadVector): (row: number) => boolean {
  const data = validity?.data
  if (!data) return () => true
  const bits = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return row => (bits[row >> 3]! & (1 << (row & 7))) !== 0
}

const untouched = /^(DOUBLE|FLOAT|INTEGER|SMALLINT|TINYINT|UINTEGER|USMALLINT|UTINYINT)$/

/** A column of a chunk as plain values, decoded on access. */
export function plainColumn(chunk: DuckDBDataChunk, j: number, type: DuckDBType): unknown[] {
  const vector = chunk.getColumnVector(j) as unknown as ReadVector
  const rows = chunk.rowCount
  const isThere = presence(vector)
  const read = reader(vector, String(type), rows)
  const values: unknown[] = new Array(rows)
  for (let i = 0; i < rows; i++) values[i] = isThere(i) ? read(i) : null
  return values
}

/** How a row's value is decoded if there is one. */
function reader(vector: ReadVector, type: string, rows: number): (row: number) => unknown {
  const { items, dataView } = vector
  if (items && untouched.test(type)) return row => items[row]
  if (items && type === 'DATE') return row => epochDay(items[row] as number)
  if (items instanceof BigInt64Array && type === 'BIGINT') return wholeReader(items)
  if (dataView && type === 'VARCHAR') return textReader(vector, dataView, rows)
  if (type === 'BIGNUM') return row => String(vector.getItem(row))
  return nestedReader(vector as unknown as DuckDBVector)
}

/**
 * How values of structs, lists, maps and unions are decoded. The package's own decoding would lose a member called
 * `__proto__`.
 */
function nestedReader(vector: DuckDBVector): (row: number) => unknown {
  const isThere = presence(vector as unknown as ReadVector)
  if (vector instanceof DuckDBStructVector) {
    const { entryNames } = vector.type as DuckDB.DuckDBStructType
    const members = entryNames.map((name, j) => [name, nestedReader(vector.entryVectorAt(j))] as const)
    return row => {
      if (!isThere(row)) return null
      const struct = {}
      for (const [name, read] of members) setMember(struct, name, read(row))
      return struct
    }
  }
  if (vector instanceof DuckDBListVector) {
    const read = nestedReader(vector.childVector)
    return row =>
      isThere(row)
        ? Array.from({ length: vector.getEntryLength(row) }, (_, k) => read(vector.getEntryOffset(row) + k))
        : null
  }
  if (vector instanceof DuckDBArrayVector) {
    const read = nestedReader((vector as unknown as { childData: DuckDBVector }).childData)
    const { length } = vector.type as DuckDB.DuckDBArrayType
    return row => (isThere(row) ? Array.from({ length }, (_, k) => read(row * length + k)) : null)
  }
  if (vector instanceof DuckDBMapVector) {
    const read = nestedReader((vector as unknown as { listVector: DuckDBVector }).listVector)
    return row => {
      const entries = read(row) as { key: unknown; value: unknown }[] | null
      if (!entries) return null
      const map = {}
      for (const { key, value } of entries)
        setMember(map, typeof key === 'object' ? exactJson(key) : String(key), value)
      return map
    }
  }
  if (vector instanceof DuckDBUnionVector) {
    const { structVector } = vector as unknown as { structVector: DuckDB.DuckDBStructVector }
    const { memberTags } = vector.type as DuckDB.DuckDBUnionType
    const members = memberTags.map((_, j) => nestedReader(structVector.entryVectorAt(j + 1)))
    return row => {
      const tag = structVector.getItemValue(row, 0)
      if (tag === null) return null
      const union = {}
      setMember(union, memberTags[Number(tag)]!, members[Number(tag)]!(row))
      return union
    }
  }
  const { dataView } = vector as unknown as ReadVector
  if (dataView && vector.type === VARCHAR) {
    const read = textReader(vector as unknown as ReadVector, dataView, vector.itemCount)
    return row => (isThere(row) ? read(row) : null)
  }
  return row => plain(vector.getItem(row))
}

/** Whole numbers from their halves: only numbers that a double cannot hold become bigints. */
function wholeReader(items: BigInt64Array): (row: number) => number | bigint {
  const halves = new Int32Array(items.buffer, items.byteOffset, items.length * 2)
  return row => {
    const number = halves[2 * row + 1]! * 2 ** 32 + (halves[2 * row]! >>> 0)
    return Number.isSafeInteger(number) ? number : items[row]!
  }
}

/**
 * Texts repeat and decoding is slow, so the last text of each of 256 slots is cached. DuckDB's string header is four
 * words: length, then the bytes or, for a long text, a prefix and a pointer. Within one chunk, equal headers mean
 * equal texts.
 */
export function textReader(vector: ReadVector, view: DataView, rows: number): (row: number) => string {
  const words = new Uint32Array(view.buffer, view.byteOffset, rows * 4)
  const cached = new Int32Array(256).fill(-1)
  const texts: string[] = []
  const same = (a: number, b: number) =>
    words[a] === words[b] &&
    words[a + 1] === words[b + 1] &&
    words[a + 2] === words[b + 2] &&
    words[a + 3] === words[b + 3]
  return row => {
    const at = row * 4
    const mixed = words[at + 1]! ^ words[at + 2]! ^ Math.imul(words[at + 3]!, 31)
    const place = Math.imul(mixed, 0x9e3779b1) >>> 24
    const before = cached[place]!
    if (before < 0 || !same(before, at)) {
      cached[place] = at
      texts[place] = (beginsWithMark(words, at) ? BYTE_ORDER_MARK : '') + (vector.getItem(row) as string)
    }
    return texts[place]!
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

/** DuckDB's client strips a U+FEFF (EF BB BF) at the start of a text as if it were a file's byte order mark. */
const beginsWithMark = (words: Uint32Array, at: number): boolean =>
  words[at]! >= 3 && (words[at + 1]! & 0xff_ff_ff) === 0xbf_bb_ef

function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return wholeNumber(value)
  if (typeof value !== 'object') return value
  if (value instanceof DuckDBDateValue) return epochDay(value.days)
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return instant(value.micros)
  if (value instanceof DuckDBDecimalValue) return exactDecimal(value.toString())
  return String(value)
}
