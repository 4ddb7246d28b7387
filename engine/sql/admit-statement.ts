import { elementAt } from '../base/elements.ts'
import { QueryError } from '../base/errors.ts'
import type { AdmittedStatement, Database } from '../database/database.ts'
import { nearest } from '../names/nearest.ts'
import { histories, rawViews, tables } from '../schema/resources/tables.ts'

export type Over = 'one day' | 'several days'

export interface Admitted extends AdmittedStatement {
  /** The documented tables that it names anywhere. */
  readonly tables: readonly string[]
  /** Whether it lists tables or their columns. */
  readonly isOfCatalog: boolean
}

/**
 * The one admission rule for user SQL, used by the library, command line, prompt, MCP and HTTP. A statement is
 * admitted if DuckDB's own parser reads it as one SELECT (including WITH, VALUES, FROM, DESCRIBE, SUMMARIZE and SHOW
 * TABLES) over the documented tables only, or as EXPLAIN of one. Everything else is INVALID_SQL.
 * @param over what the statement is over: histories of tables have rows over several days only
 */
export async function admitStatement(
  database: Database,
  text: string,
  over: Over = 'one day',
): Promise<Admitted> {
  if (text.includes('\0') || !text.isWellFormed()) throw refused('the statement contains invalid characters')
  const { prefix, statement, offset } = splitExplain(text)
  const [row] = await database.rows<{ tree: string }>(
    'SELECT json_serialize_sql(CAST(? AS VARCHAR)) AS tree',
    [statement],
  )
  const parsed = JSON.parse(row!.tree) as Parsed
  const problem = refusal(parsed, { text, offset }, over)
  if (problem !== null) throw refused(problem)
  // What runs is a prefix of ours followed by the text that was parsed as a SELECT.
  return {
    text: prefix === '' ? text : `${prefix} ${statement}`,
    select: statement,
    ...namedIn(parsed.statements),
  }
}

function namedIn(tree: unknown): Pick<Admitted, 'tables' | 'isOfCatalog'> {
  const found = new Set<string>()
  let isOfCatalog = false
  const open: unknown[] = [tree]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const table = textOf(next as Node, 'table_name').replaceAll('"', '')
    if (visible.has(table) || ofDays.has(table)) found.add(table)
    if (table === ALL_TABLES || textOf(next as Node, 'schema_name') === CATALOG) isOfCatalog = true
    for (const member of Object.values(next)) open.push(member)
  }
  return { tables: [...found].sort(), isOfCatalog }
}

/** How the parser names what SHOW TABLES reads, without quotes. */
const ALL_TABLES = 'tables'
const CATALOG = 'information_schema'

const refused = (message: string) => new QueryError('INVALID_SQL', message)

/** The result of DuckDB's `json_serialize_sql`. */
export interface Parsed {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  /** Byte offset of the error. */
  readonly position?: string
  readonly statements?: readonly unknown[]
}

export const visibleTables: readonly string[] = [...tables.map(t => t.table), ...rawViews]
const visible = new Set(visibleTables)
const list = visibleTables.join(', ')
const ofDays = new Set(histories.map(({ name }) => name))

/** Tables of `information_schema` that describe the documented ones. */
const described = new Set(['tables', 'columns'])

/** Table functions that are allowed. All others read files, settings or the catalog, or execute text. */
const tableFunctions = new Set([
  'range',
  'generate_series',
  'unnest',
  'json_each',
  'json_tree',
  'repeat',
  'repeat_row',
])

/** Functions whose side effects are harmless: nothing outlives the statement. */
export const admittedVolatile: ReadonlySet<string> = new Set([
  'current_connection_id',
  'current_query',
  'current_query_id',
  'current_transaction_id',
  'error',
  'gen_random_uuid',
  'random',
  'setseed',
  'stats',
  'uuid',
  'uuidv4',
  'uuidv7',
])

/**
 * Scalar functions that reveal settings or the environment, write to logs, block a thread, or plan unchecked text.
 */
const refusedFunctions = new Set([
  'current_setting',
  'currval',
  'getenv',
  'getvariable',
  'json_execute_serialized_sql',
  'json_serialize_plan',
  'nextval',
  'parse_duckdb_log_message',
  'pg_get_constraintdef',
  'pg_get_viewdef',
  'pg_sleep',
  'sleep_ms',
  'which_secret',
  'write_log',
])

/** Whether a scalar function may be called. */
export const isRefusedFunction = (name: string): boolean =>
  refusedFunctions.has(name) || name.startsWith('inet_')

/**
 * Separates `EXPLAIN [ANALYZE] [(options)]` from the explained statement: DuckDB does not serialise the two together.
 */
export function splitExplain(text: string): { prefix: string; statement: string; offset: number } {
  const none = { prefix: '', statement: text, offset: 0 }
  const explain = wordAt(text, afterBlanks(text, 0))
  if (explain.word !== 'EXPLAIN') return none
  const next = afterBlanks(text, explain.end)
  const analyze = wordAt(text, next)
  const at = (prefix: string, offset: number) => ({ prefix, statement: text.slice(offset), offset })
  if (analyze.word === 'ANALYZE') return at('EXPLAIN ANALYZE', analyze.end)
  const options = text[next] === '(' ? optionsAt(text, next) : null
  return options ? at(`EXPLAIN (${options.text})`, options.end) : at('EXPLAIN', explain.end)
}

/** `(ANALYZE, FORMAT json)`: words and commas in parentheses. A parenthesised query starts with another word. */
function optionsAt(text: string, open: number): { text: string; end: number } | null {
  const first = wordAt(text, afterBlanks(text, open + 1)).word
  const close = text.indexOf(')', open)
  if (close < 0 || (first !== 'ANALYZE' && first !== 'FORMAT')) return null
  const inside = text.slice(open + 1, close)
  return [...inside].every(c => isLetter(c) || isBlank(c) || c === ',')
    ? { text: inside, end: close + 1 }
    : null
}

const isBlank = (c: string): boolean => c === ' ' || c === '\t' || c === '\n' || c === '\r'
const isLetter = (c: string): boolean => (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_'

function wordAt(text: string, start: number): { word: string; end: number } {
  let end = start
  while (end < text.length && isLetter(elementAt(text, end))) end++
  return { word: text.slice(start, end).toUpperCase(), end }
}

/** The index after blanks and comments. */
function afterBlanks(text: string, start: number): number {
  let at = start
  for (;;) {
    while (at < text.length && isBlank(elementAt(text, at))) at++
    const end = text.startsWith('--', at)
      ? text.indexOf('\n', at) + 1
      : text.startsWith('/*', at)
        ? text.indexOf('*/', at + 2) + 2
        : -1
    // An unterminated comment extends to the end.
    if (end <= at) return at
    at = end
  }
}

/**
 * Why a parsed text may not run; null if it is one SELECT over the documented tables and nothing else that DuckDB
 * knows. The whole tree is checked, however deep.
 */
export function refusal(
  parsed: Parsed,
  where?: { text: string; offset: number },
  over: Over = 'one day',
): string | null {
  if (parsed.error) {
    const message = parsed.error_message ?? 'the statement cannot be read'
    if (parsed.error_type !== 'not implemented') return message + placeOf(parsed, where)
    return message.toLowerCase().includes('only select')
      ? 'only SELECT and EXPLAIN are allowed: the lake is changed by ingest and build'
      : message
  }
  const { statements = [] } = parsed
  if (statements.length === 0) return 'there is no statement: give one SELECT'
  if (statements.length > 1) return `give one statement at a time, not ${statements.length}`
  return problemIn(statements[0], over)
}

/** ` (line 2, column 8)`, if the parser gives the position of the error. */
function placeOf({ position }: Parsed, where: { text: string; offset: number } | undefined): string {
  if (position === undefined || !where) return ''
  const { text, offset } = where
  const before =
    text.slice(0, offset) + Buffer.from(text.slice(offset)).subarray(0, Number(position)).toString()
  const lines = before.split('\n')
  return ` (line ${lines.length}, column ${lines.at(-1)!.length + 1})`
}

type Node = Readonly<Record<string, unknown>>

/** Common table expressions in scope: the first `count` of one WITH clause, and those of enclosing ones. */
interface Scope {
  readonly names: ReadonlyMap<string, number>
  readonly count: number
  readonly outer: Scope | null
}

function isInScope(name: string, scope: Scope | null): boolean {
  for (let at = scope; at; at = at.outer) {
    const position = at.names.get(name)
    if (position !== undefined && position < at.count) return true
  }
  return false
}

interface Expression {
  readonly key: string
  readonly value: { readonly query?: { readonly node?: Node } }
}

/** The first problem anywhere in a tree. Iterative, because the caller controls the depth. */
function problemIn(tree: unknown, over: Over): string | null {
  const open: { value: unknown; scope: Scope | null }[] = [{ value: tree, scope: null }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value } = next
    let { scope } = next
    if (typeof value !== 'object' || value === null) continue
    const node = value as Node
    const { cte_map, ...members } = node
    const expressions = (cte_map as { map?: readonly Expression[] } | undefined)?.map ?? []
    if (expressions.length > 0) {
      const names = new Map(expressions.map(({ key }, i) => [lower(key), i]))
      const reserved = [...names.keys()].find(isReserved)
      if (reserved !== undefined)
        return `give the common table expression ${shown(reserved)} another name: the database has tables named like it`
      for (const [i, expression] of expressions.entries()) {
        // Only a recursive expression can refer to itself; otherwise the same name is a catalog table.
        const isRecursive = expression.value.query?.node?.['type'] === 'RECURSIVE_CTE_NODE'
        open.push({
          value: expression.value,
          scope: { names, count: i + (isRecursive ? 1 : 0), outer: scope },
        })
      }
      scope = { names, count: expressions.length, outer: scope }
    }
    const problem = Array.isArray(value) ? null : problemOf(node, scope, over)
    if (problem) return problem
    for (const member of Object.values(members)) open.push({ value: member, scope })
  }
  return null
}

const isReserved = (name: string): boolean =>
  ['pg_', 'duckdb_', 'sqlite_', 'pragma_', 'information_schema'].some(prefix => name.startsWith(prefix))

/** Lower case as DuckDB compares names: ASCII letters only. */
const lower = (name: string): string => name.replace(/[A-Z]/g, c => c.toLowerCase())

const shown = (name: unknown): string => {
  const text = String(name)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const textOf = (node: Node, member: string): string => lower(String(node[member] ?? ''))

function problemOf(node: Node, scope: Scope | null, over: Over): string | null {
  const called = textOf(node, 'function_name')
  if (called !== '' && isRefusedFunction(called)) return `the function ${shown(called)} cannot be used here`
  switch (node['type']) {
    case 'BASE_TABLE': {
      const [catalog, schema, table] = ['catalog_name', 'schema_name', 'table_name'].map(part =>
        textOf(node, part),
      ) as [string, string, string]
      if (catalog === '' && schema === '' && isInScope(table, scope)) return null
      const isOurs = catalog === '' && (schema === '' || schema === 'main')
      if (isOurs && (visible.has(table) || (over === 'several days' && ofDays.has(table)))) return null
      if (isOurs && ofDays.has(table))
        return `${table} is over several days: give them as dates, or as from and every`
      if (catalog === '' && schema === CATALOG && described.has(table)) return null
      const name = [catalog, schema, table].filter(Boolean).join('.')
      const meant = nearest(table, over === 'one day' ? visible : [...visible, ...ofDays])
      return `no table ${shown(name)}${meant ? `; did you mean ${meant}?` : `: the tables are ${list}`}`
    }
    case 'TABLE_FUNCTION': {
      const name = textOf((node['function'] ?? {}) as Node, 'function_name')
      if (tableFunctions.has(name)) return null
      return `the function ${shown(name)} cannot be used here: rows come from ${list}`
    }
    case 'SHOW_REF':
      if (node['query'] || node['table_name'] === `"${ALL_TABLES}"`) return null
      return 'use SHOW TABLES or DESCRIBE of a table'
    default:
      return null
  }
}
