// Indices below are within bounds by construction: checks would cost in the loops.

import type { DuckDBDataChunk, DuckDBValue, DuckDBVector } from '@duckdb/node-api'
import { duckdb } from './duckdb.ts'
import { presence, type ReadVector, textReader } from './plain-values.ts'

const { BOOLEAN, DATE, DOUBLE, DuckDBDecimalType, DuckDBDecimalValue, VARCHAR } = duckdb

export const scalarTypes = { DOUBLE, DATE, VARCHAR, BOOLEAN }

/** Numbers, or days since 1970, with NaN for null; texts and booleans with null for null. */
export type ScalarColumn = Float64Array | readonly (string | boolean | null)[]

/** A SQL function, computed for a chunk of rows at a time. An exception ends the statement with its message. */
export interface ScalarFunction {
  readonly name: string
  readonly takes: readonly (keyof typeof scalarTypes)[]
  readonly gives: keyof typeof scalarTypes
  /** May return columns longer than `rows`; numbers that are not finite are null. */
  readonly compute: (columns: readonly ScalarColumn[], rows: number) => ScalarColumn
}

/** A DuckDB vector backed by a typed array. */
interface TypedVector {
  readonly items?: Float64Array | Int32Array | Uint8Array | BigInt64Array
  setItem(index: number, value: null): void
  flush(): void
}

export function fill(
  chunk: DuckDBDataChunk,
  j: number,
  column: ArrayLike<unknown>,
  start: number,
  size: number,
): void {
  const vector = chunk.getColumnVector(j) as unknown as TypedVector
  const { items } = vector
  if (items instanceof Float64Array && column instanceof Float64Array) {
    const part = column.subarray(start, start + size)
    items.set(part)
    for (let i = 0; i < size; i++) if (Number.isNaN(part[i]!)) vector.setItem(i, null)
    vector.flush()
  } else if (items instanceof BigInt64Array && column instanceof Float64Array) {
    for (let i = 0; i < size; i++) {
      const value = column[start + i]!
      if (Number.isNaN(value)) vector.setItem(i, null)
      else items[i] = BigInt(value)
    }
    vector.flush()
  } else if (
    (items instanceof Int32Array && column instanceof Int32Array) ||
    (items instanceof Uint8Array && column instanceof Uint8Array)
  ) {
    items.set(column.subarray(start, start + size))
    vector.flush()
  } else {
    const { type } = chunk.getColumnVector(j)
    const part: DuckDBValue[] = new Array(size)
    for (let i = 0; i < size; i++) part[i] = (column[start + i] ?? null) as DuckDBValue
    if (type instanceof DuckDBDecimalType)
      for (const [i, units] of part.entries())
        if (typeof units === 'bigint') part[i] = new DuckDBDecimalValue(units, type.width, type.scale)
    chunk.setColumnValues(j, part)
  }
}

export function readNumbers(chunk: DuckDBDataChunk, j: number, into: Float64Array, at: number): void {
  const vector = chunk.getColumnVector(j) as unknown as ReadVector
  const rows = chunk.rowCount
  const isThere = presence(vector)
  const items = vector.items as Float64Array | Int32Array | BigInt64Array
  if (items instanceof BigInt64Array) for (let i = 0; i < rows; i++) into[at + i] = Number(items[i])
  else into.set(items.subarray(0, rows), at)
  for (let i = 0; i < rows; i++) if (!isThere(i)) into[at + i] = Number.NaN
}

export function scalarColumn(vector: DuckDBVector, rows: number): ScalarColumn {
  const { items, dataView } = vector as unknown as ReadVector
  const isThere = presence(vector as unknown as ReadVector)
  if (dataView && vector.type === VARCHAR) {
    const read = textReader(vector as unknown as ReadVector, dataView, rows)
    return Array.from({ length: rows }, (_, row) => (isThere(row) ? read(row) : null))
  }
  if (!(items instanceof Float64Array || items instanceof Int32Array)) return vector.toArray() as string[]
  const column = Float64Array.from(items)
  for (let i = 0; i < rows; i++) if (!isThere(i)) column[i] = Number.NaN
  return column
}

export function putColumn(vector: DuckDBVector, column: ScalarColumn, rows: number): void {
  const { items } = vector as unknown as { items: Float64Array | Int32Array }
  for (let i = 0; i < rows; i++) {
    const value = column[i]!
    if (typeof value !== 'number') vector.setItem(i, value as DuckDBValue)
    else if (Number.isFinite(value)) items[i] = value
    else vector.setItem(i, null as unknown as DuckDBValue)
  }
  vector.flush()
}
