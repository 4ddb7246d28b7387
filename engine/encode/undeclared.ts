// Indices below are within bounds by construction: checks would cost in the loops.

import { setMember, withDecimalsAsText } from '../base/exact-number.ts'
import type { Chunk } from '../database/results.ts'
import {
  boolean,
  type Column,
  date,
  integer,
  json,
  list,
  nullable,
  number,
  text,
  timestamp,
} from '../schema/column.ts'
import type { EncodableRows, Output } from './row-stream.ts'

type Stream = AsyncIterable<Chunk & { readonly names: readonly string[]; readonly types: readonly string[] }>

/** The rows of a statement without a declaration: kinds come from DuckDB's types. */
export async function undeclared(stream: Stream): Promise<EncodableRows> {
  const source = stream[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done) return { columns: [], chunks: (async function* () {})() }
  const { names, types } = first.value
  const fields = names.flatMap((name, j) => spread({ name, type: types[j]!, path: [], at: j }))
  const nested = fields.some(f => f.path.length > 0)
  const pick = (chunk: Chunk): Chunk =>
    nested
      ? { rowCount: chunk.rowCount, columns: fields.map(f => f.path.reduce(member, chunk.columns[f.at]!)) }
      : chunk
  const outputs = distinct(fields.map(f => f.name))
  return {
    columns: fields.map(({ type }, j): Output => ({ name: outputs[j]!, column: columnOf(type) })),
    chunks: (async function* () {
      try {
        yield pick(first.value)
        for (;;) {
          const next = await source.next()
          if (next.done) return
          yield pick(next.value)
        }
      } finally {
        await source.return?.()
      }
    })(),
  }
}

/** Rows as objects for callers of the library, with unique column names. */
export async function rowObjects(stream: Stream): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  let names: readonly string[] | undefined
  for await (const chunk of stream) {
    names ??= distinct(chunk.names)
    const columns = chunk.columns.map((values, j) =>
      holdsDecimals(chunk.types[j]!) ? values.map(withDecimalsAsText) : values,
    )
    for (let i = 0; i < chunk.rowCount; i++) {
      const row = {}
      for (const [j, name] of names.entries()) setMember(row, name, columns[j]![i])
      rows.push(row)
    }
  }
  return rows
}

const holdsDecimals = (type: string): boolean => type.includes('DECIMAL(')

const member = (column: readonly unknown[], key: string): readonly unknown[] =>
  column.map(value => (value as Record<string, unknown> | null)?.[key] ?? null)

interface Field {
  readonly name: string
  readonly type: string
  /** Consecutive members from column `at` of the statement. */
  readonly path: readonly string[]
  readonly at: number
}

/** A struct as its members, under dotted names. */
function spread({ name, type, path, at }: Field): Field[] {
  const members = /^STRUCT\(.*\)$/s.test(type) ? structMembers(type) : []
  if (members.length === 0) return [{ name, type, path, at }]
  return members.flatMap(m =>
    spread({ name: `${name}.${m.name}`, type: m.type, path: [...path, m.name], at }),
  )
}

/** Members of `STRUCT("a" INTEGER, "b" STRUCT("c" VARCHAR))`. */
function structMembers(type: string): { name: string; type: string }[] {
  const members: { name: string; type: string }[] = []
  const inside = type.slice('STRUCT('.length, -1)
  const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[(),]|[^"'(),]+/g
  let depth = 0
  let start = 0
  const take = (end: number) => {
    const found = /^\s*"((?:[^"]|"")*)"\s+(.*)$/s.exec(inside.slice(start, end))
    if (found) members.push({ name: found[1]!.replaceAll('""', '"'), type: found[2]!.trim() })
    start = end + 1
  }
  for (const { 0: part, index } of inside.matchAll(token))
    if (part === '(') depth++
    else if (part === ')') depth--
    else if (part === ',' && depth === 0) take(index)
  take(inside.length)
  return members
}

const wholes = /^(TINYINT|SMALLINT|INTEGER|BIGINT|UTINYINT|USMALLINT|UINTEGER)$/
const doubles = /^(DOUBLE|FLOAT)$/
/** 128-bit integers as their digits. More digits than a decimal may have are refused. */
const wide: Readonly<Record<string, number>> = { UBIGINT: 20, HUGEINT: 38, UHUGEINT: 38 }
/** Digits that a double keeps. */
const DOUBLE_DIGITS = 15

function numberOf(type: string): Column<number> | null {
  if (doubles.test(type)) return number('')
  if (wide[type] !== undefined) return { ...number(''), decimal: { precision: wide[type], scale: 0 } }
  const [, precision, scale] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type) ?? []
  if (precision === undefined) return null
  const decimal = { precision: Number(precision), scale: Number(scale) }
  return decimal.precision <= DOUBLE_DIGITS ? number('') : { ...number(''), decimal }
}

/** The kind of a DuckDB type; text for types without one. */
export function columnOf(type: string): Column {
  if (type === 'VARCHAR[]') return nullable(list(''))
  if (/\]$|^(STRUCT|MAP|UNION)\(/.test(type)) return nullable(json(''))
  if (wholes.test(type)) return nullable(integer(''))
  const numeric = numberOf(type)
  if (numeric) return nullable(numeric)
  if (type === 'BOOLEAN') return nullable(boolean(''))
  if (type === 'DATE') return nullable(date(''))
  if (type === 'TIMESTAMP' || type === 'TIMESTAMP WITH TIME ZONE') return nullable(timestamp(''))
  return nullable(text(''))
}

/** Names made unique, ignoring case, as DuckDB does: `a`, `a_1`. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map(name => {
    let free = name
    for (let n = 1; taken.has(free.toLowerCase()); n++) free = `${name}_${n}`
    taken.add(free.toLowerCase())
    return free
  })
}
