// Indices below are within bounds by construction: checks would cost in the loops.

import { ExactDecimal, exactJson } from '../base/exact-number.ts'
import type { Column } from '../schema/column.ts'
import { columnTree, isLeaf, type Node } from '../schema/column-tree.ts'
import type { EncodableRows, Output } from './row-stream.ts'

/** One value as text in a format. */
export type Write = (value: unknown) => string

const plainText = /^[ !#-[\]-\u007e\u00a0-\ud7ff\ue000-\uffff]*$/

/** Text as JSON: most needs no escape, and consecutive values often repeat. */
export function jsonText(): Write {
  let last: unknown
  let written = ''
  return value => {
    if (value === last) return written
    last = value
    written = plainText.test(value as string) ? `"${value}"` : JSON.stringify(value)
    return written
  }
}

/** A number valid in JSON; non-finite ones become null. */
const jsonNumber: Write = value =>
  typeof value === 'bigint' || Number.isFinite(value) || value instanceof ExactDecimal
    ? String(value)
    : 'null'

/**
 * A JSON string, kept as $1, or the blanks between: the pattern must work in DuckDB and JavaScript. In JSON every
 * string is closed; the pattern also accepts an open one, so that no text makes it backtrack.
 */
export const stringOrBlanks = /("[^"\\]*(?:\\.[^"\\]*)*"?)|[ \t\n\r]+/g

/** JSON text on one line with its digits unchanged; throws on invalid JSON, which is a bug. */
function jsonLine(value: unknown): string {
  if (typeof value !== 'string') return exactJson(value)
  JSON.parse(value)
  return /[\n\r]/.test(value) ? value.replace(stringOrBlanks, '$1') : value
}

/** How a column's non-null values are written in JSON. */
export function jsonWriter(column: Column): Write {
  switch (column.kind) {
    case 'text':
    case 'enum':
    case 'date':
    case 'timestamp':
      return jsonText()
    case 'boolean':
      return String
    case 'list':
      return JSON.stringify
    case 'json':
      return jsonLine
    default:
      return jsonNumber
  }
}

/** Approximate characters per piece. */
const PIECE = 1 << 16

/** Joins a prefix and the text of rows into pieces; `line(columns, i)` is the text of row `i` of a chunk. */
export async function* pieces(
  chunks: EncodableRows['chunks'],
  line: (columns: readonly (readonly unknown[])[], i: number) => string,
  head = '',
): AsyncGenerator<string> {
  let text = head
  for await (const { rowCount, columns } of chunks)
    for (let i = 0; i < rowCount; i++) {
      text += line(columns, i)
      if (text.length >= PIECE) {
        yield text
        text = ''
      }
    }
  if (text) yield text
}

type RowText = (columns: readonly (readonly unknown[])[], i: number) => string

/** Writes a row as one JSON object nested by dots; an object whose members are all null is null. */
export function objectWriter(outputs: readonly Output[]): RowText {
  const row = members(columnTree(outputs.map(o => o.name)), outputs)
  return (columns, i) => {
    const text = row(columns, i, true)
    return text === null ? '{}' : text
  }
}

type Members = (columns: readonly (readonly unknown[])[], i: number, always: boolean) => string | null

/** The text before a member's value: its name, after a brace or comma. */
export const memberPrefix = (key: string, j: number): string =>
  `${j === 0 ? '{' : ','}${JSON.stringify(key)}:`

function members(nodes: readonly Node[], outputs: readonly Output[]): Members {
  const parts = nodes.map((node, j) => {
    const key = memberPrefix(node.key, j)
    return isLeaf(node)
      ? { key, at: node.at, write: jsonWriter(outputs[node.at]!.column), under: null }
      : { key, at: 0, write: null, under: members(node.members, outputs) }
  })
  return (columns, i, always) => {
    let text = ''
    let present = always
    for (const { key, at, write, under } of parts) {
      const value = write ? columns[at]![i] : undefined
      const json = under ? (under(columns, i, false) ?? 'null') : value == null ? 'null' : write!(value)
      if (json !== 'null') present = true
      text += key + json
    }
    return present ? `${text || '{'}}` : null
  }
}
