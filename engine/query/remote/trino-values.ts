import { exactDecimal } from '../../base/exact-number.ts'
import { instant } from '../../database/plain-values.ts'
import type { Chunk } from '../../database/results.ts'
import type { Column } from '../../schema/column.ts'
import type { TrinoColumn, TrinoPage } from './trino-client.ts'

type Read = (value: unknown) => unknown

const asItIs: Read = value => value

/** NaN and infinities are words in Trino's JSON. */
const double: Read = value => (typeof value === 'string' ? Number(value) : value)

/** `2026-01-31 10:30:00.000000` as the plain value of a timestamp. */
function timestamp(value: unknown): string {
  const [seconds = '', fraction = ''] = String(value).replace(/ UTC$/, '').split('.')
  const micros = BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1000n
  return instant(micros + BigInt(fraction.padEnd(6, '0').slice(0, 6)))
}

/** How a value of a declared column is read. */
function readerOf({ kind, decimal }: Column): Read {
  if (decimal) return value => exactDecimal(String(value))
  switch (kind) {
    case 'percent':
    case 'bps':
    case 'ratio':
    case 'years':
    case 'number':
      return double
    case 'timestamp':
      return timestamp
    default:
      return asItIs
  }
}

const chunkOf = ({ rows }: TrinoPage, readers: readonly Read[]): Chunk => ({
  rowCount: rows.length,
  columns: readers.map((read, j) => {
    if (read === asItIs) return rows.map(row => row[j])
    return rows.map(row => (row[j] === null ? null : read(row[j])))
  }),
})

/** A page of declared columns, with the values that DuckDB's lane would give. */
export const declaredChunk = (page: TrinoPage, columns: readonly { readonly column: Column }[]): Chunk =>
  chunkOf(
    page,
    columns.map(({ column }) => readerOf(column)),
  )

/** A type of Trino in DuckDB's words; what has none is text. */
function duckdbType(type: string): string {
  const bracket = type.indexOf('(')
  const plain = bracket < 0 ? type : type.slice(0, bracket)
  if (plain === 'array' && /^array\(varchar/.test(type)) return 'VARCHAR[]'
  if (plain === 'decimal') return type.toUpperCase().replace(',', ', ')
  const same: Readonly<Record<string, string>> = {
    bigint: 'BIGINT',
    integer: 'INTEGER',
    smallint: 'SMALLINT',
    tinyint: 'TINYINT',
    double: 'DOUBLE',
    real: 'FLOAT',
    boolean: 'BOOLEAN',
    date: 'DATE',
    timestamp: type.endsWith('zone') ? 'VARCHAR' : 'TIMESTAMP',
  }
  return same[plain] ?? 'VARCHAR'
}

const readers: Readonly<Record<string, Read>> = {
  DOUBLE: double,
  FLOAT: double,
  TIMESTAMP: timestamp,
}

function undeclaredReader(type: string): Read {
  if (type.startsWith('DECIMAL')) return value => exactDecimal(String(value))
  if (type === 'VARCHAR') return value => (typeof value === 'string' ? value : JSON.stringify(value))
  return readers[type] ?? asItIs
}

/** A page of a statement that a person wrote, as DuckDB's results are given to encoders. */
export function undeclaredChunk(
  page: TrinoPage,
): Chunk & { names: readonly string[]; types: readonly string[] } {
  const types = page.columns.map(({ type }: TrinoColumn) => duckdbType(type))
  return {
    names: page.columns.map(({ name }) => name),
    types,
    ...chunkOf(page, types.map(undeclaredReader)),
  }
}
