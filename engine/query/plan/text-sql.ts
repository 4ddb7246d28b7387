import { elementAt } from '../../base/elements.ts'
import { literal, quote } from '../../database/database.ts'
import { parquetValue } from '../../encode/parquet-sql.ts'
import type { Output } from '../../encode/row-stream.ts'
import { memberPrefix, stringOrBlanks } from '../../encode/row-text.ts'
import { type Column, sqlType } from '../../schema/column.ts'
import { columnTree, isLeaf, type Node } from '../../schema/column-tree.ts'

// Each expression gives the text that `csv.ts` and `row-text.ts` give for the same value, and null for null.
// Expressions are in nested SELECTs, so that shared ones are computed once. Years have four digits, as ingest
// ensures: DuckDB writes others differently.

type TextOf = (column: Column, x: string) => string

const layer = (outputs: readonly Output[], textOf: TextOf, from: string): string =>
  `SELECT ${outputs.map(({ name, column }) => `${textOf(column, quote(name))} AS ${quote(name)}`).join(', ')} FROM (${from})`

/** Rows of a statement, cast to their declared types. */
const typedSql = (outputs: readonly Output[], select: string): string =>
  layer(
    outputs,
    (column, x) => {
      const typed = `CAST(${x} AS ${sqlType(column)})`
      return column.kind === 'json' ? onOneLine(typed) : typed
    },
    select,
  )

/** Rows of a statement, as Parquet files hold them. */
export const parquetRows = (outputs: readonly Output[], select: string): string =>
  layer(outputs, parquetValue, typedSql(outputs, select))

const onOneLine = (json: string): string =>
  `CASE WHEN regexp_matches(${json}, '[\\n\\r]') THEN regexp_replace(${json}, ${literal(stringOrBlanks.source)}, '\\1', 'g') ELSE ${json} END`

/** Lines of CSV without their line feed, as `csv.ts` writes them. */
export function csvLines(outputs: readonly Output[], safe: boolean, select: string): string {
  const texts: TextOf = ({ kind }, x) => {
    if (kind === 'list') return asJavaScript(jsonText(x))
    return safe && (kind === 'text' || kind === 'enum') ? harmless(x) : x
  }
  const cells = outputs.map(({ name, column }) => cell(column, quote(name)))
  const line = cells.length === 1 ? `coalesce(${cells[0]}, '""')` : cells.join(`, ',', `)
  return `SELECT concat(${line}, chr(13)) FROM (${layer(outputs, texts, typedSql(outputs, select))})`
}

/** Lines of NDJSON without their line feed, as `ndjson.ts` writes them. */
export function ndjsonLines(outputs: readonly Output[], select: string): string {
  const texts: TextOf = ({ kind }, x) =>
    kind === 'text' || kind === 'enum' || kind === 'list' ? jsonText(x) : x
  const tree = columnTree(outputs.map(({ name }) => name))
  return `SELECT ${objectSql(tree, outputs)} FROM (${layer(outputs, texts, typedSql(outputs, select))})`
}

function objectSql(nodes: readonly Node[], outputs: readonly Output[]): string {
  const parts = nodes.flatMap((node, j) => [literal(memberPrefix(node.key, j)), memberSql(node, outputs)])
  return `concat(${parts.join(', ')}, '}')`
}

function memberSql(node: Node, outputs: readonly Output[]): string {
  if (!isLeaf(node)) {
    const absent = leaves(node).map(at => isAbsent(elementAt(outputs, at)))
    return `CASE WHEN ${absent.join(' AND ')} THEN 'null' ELSE ${objectSql(node.members, outputs)} END`
  }
  const { name, column } = elementAt(outputs, node.at)
  return `coalesce(${jsonValue(column, quote(name))}, 'null')`
}

const leaves = (node: Node): readonly number[] => (isLeaf(node) ? [node.at] : node.members.flatMap(leaves))

/** Whether a value is null in JSON. */
function isAbsent({ name, column }: Output): string {
  const x = quote(name)
  if (column.kind === 'json') return `coalesce(${x}, 'null') = 'null'`
  return sqlType(column) === 'DOUBLE' ? `isfinite(${x}) IS NOT TRUE` : `${x} IS NULL`
}

/** A value in JSON; texts and lists are JSON already, except where JavaScript writes them differently. */
function jsonValue(column: Column, x: string): string {
  switch (column.kind) {
    case 'text':
    case 'enum':
    case 'list':
      return asJavaScript(x)
    case 'json':
      return x
    case 'date':
    case 'timestamp':
      return `'"' || ${bare(column, x)} || '"'`
    default:
      return bare(column, x)
  }
}

function cell(column: Column, x: string): string {
  switch (column.kind) {
    case 'text':
    case 'enum':
    case 'list':
    case 'json':
      return `CASE WHEN ${isPlain(x)} THEN ${x} ELSE ${quoted(x)} END`
    default:
      return bare(
        column,
        x,
        `CASE WHEN isnan(${x}) THEN 'NaN' WHEN ${x} > 0 THEN 'Infinity' ELSE '-Infinity' END`,
      )
  }
}

/** Text that needs no quotes or escapes. */
function bare(column: Column, x: string, notFinite = 'NULL'): string {
  if (sqlType(column) === 'DOUBLE') return numberText(x, notFinite)
  return column.kind === 'timestamp' ? instantText(x) : `CAST(${x} AS VARCHAR)`
}

const jsonText = (x: string): string => `CAST(to_json(${x}) AS VARCHAR)`

/**
 * JSON with control characters escaped as JavaScript does, `\u001f` where DuckDB writes `\u001F`. Escaped backslashes
 * are replaced meanwhile by a character that JSON text does not contain.
 */
function asJavaScript(json: string): string {
  const aside = `replace(${json}, '\\\\', chr(1))`
  const lower = ['0B', '0E', '0F', '1A', '1B', '1C', '1D', '1E', '1F'].reduce(
    (text, code) => `replace(${text}, '\\u00${code}', '\\u00${code.toLowerCase()}')`,
    aside,
  )
  return `CASE WHEN contains(${json}, '\\u00') THEN replace(${lower}, chr(1), '\\\\') ELSE ${json} END`
}

/**
 * DuckDB's JSON and JavaScript both write the shortest digits that read back as the number, and fractions alike.
 * DuckDB adds `.0` to whole numbers, and no `+` to exponents from 1e21 on.
 */
const numberText = (x: string, notFinite: string): string =>
  `CASE WHEN ${x} = trunc(${x}) AND abs(${x}) <= ${Number.MAX_SAFE_INTEGER} THEN CAST(CAST(${x} AS BIGINT) AS VARCHAR) ` +
  `WHEN ${x} <> trunc(${x}) THEN ${jsonText(x)} ` +
  `WHEN abs(${x}) < 1e21 THEN replace(${jsonText(x)}, '.0', '') ` +
  `WHEN isfinite(${x}) THEN replace(${jsonText(x)}, 'e', 'e+') ` +
  `WHEN ${x} IS NOT NULL THEN ${notFinite} END`

/** With as many fractional digits of a second as there are. */
const instantText = (x: string): string =>
  `CASE WHEN epoch_us(${x}) % 1000 = 0 THEN strftime(${x}, '%Y-%m-%dT%H:%M:%S.%gZ') ELSE strftime(${x}, '%Y-%m-%dT%H:%M:%S.%fZ') END`

const harmless = (x: string): string =>
  `CASE WHEN regexp_matches(${x}, '^[=+\\-@\\t\\r]') THEN '''' || ${x} ELSE ${x} END`

/** A test that is cheaper than the pattern: ASCII without characters to escape, commas, or outer blanks. */
const isPlain = (x: string): string =>
  `${x} >= '!' AND strlen(${x}) = length(${x}) AND NOT contains(${x}, ',') AND NOT ends_with(${x}, ' ') ` +
  `AND strlen(${jsonText(x)}) = strlen(${x}) + 2`

/** All characters that JavaScript treats as blanks. */
const blank =
  '[\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]'

const quoted = (x: string): string =>
  `CASE WHEN ${x} = '' OR regexp_matches(${x}, '[",\\r\\n\\x00]|^${blank}|${blank}$') ` +
  `THEN concat('"', replace(${x}, '"', '""'), '"') ELSE ${x} END`
