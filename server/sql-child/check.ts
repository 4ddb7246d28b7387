import { rawViews, tables } from '../../engine/tables.ts'

/** What `json_serialize_sql` of DuckDB says of a text. */
export interface Parsed {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly statements?: readonly unknown[]
}

export const visibleTables: readonly string[] = [...tables.map(t => t.table), ...rawViews]
const visible = new Set(visibleTables)
const described = new Set(['tables', 'columns'])

/** Functions that may stand where a table does. All others read files, settings or the catalog, or run text. */
const sources = new Set([
  'range',
  'generate_series',
  'unnest',
  'json_each',
  'json_tree',
  'repeat',
  'repeat_row',
])

/** Scalar functions that show settings, write to logs, or plan text that nothing has looked at. */
const closed =
  /^(current_setting|getenv|json_serialize_plan|json_execute_serialized_sql|write_log|parse_duckdb_log_message|sleep_ms|pg_sleep|nextval|currval|pg_get_viewdef|inet_.*|which_secret|getvariable)$/

const list = visibleTables.join(', ')

const gap = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)`
const explains = new RegExp(`^${gap}*EXPLAIN${gap}+(ANALYZE${gap}+)?`, 'i')

/** Splits `EXPLAIN [ANALYZE]` from the statement it explains: DuckDB makes no tree of the two together. */
export function splitExplain(text: string): { explain: string; statement: string } {
  const found = explains.exec(text)
  if (!found) return { explain: '', statement: text }
  return { explain: found[1] ? 'EXPLAIN ANALYZE ' : 'EXPLAIN ', statement: text.slice(found[0].length) }
}

/**
 * Why a parsed text may not run; null where it may: one SELECT over the documented tables, and over nothing that
 * DuckDB knows besides. Whatever the tree holds is looked at, however deep it stands.
 */
export function refusal(parsed: Parsed): string | null {
  if (parsed.error) {
    if (parsed.error_type !== 'not implemented') return parsed.error_message ?? 'the statement cannot be read'
    return /only select/i.test(parsed.error_message ?? '')
      ? 'only SELECT and EXPLAIN are allowed: the lake is changed by ingest and build'
      : (parsed.error_message ?? 'the statement cannot be read')
  }
  const { statements = [] } = parsed
  if (statements.length === 0) return 'there is no statement: give one SELECT'
  if (statements.length > 1) return `give one statement at a time, not ${statements.length}`
  const nodes = nodesOf(statements[0])
  const named = new Set<string>()
  for (const node of nodes)
    for (const { key } of (node['cte_map'] as { map?: { key: string }[] } | undefined)?.map ?? [])
      named.add(key.toLowerCase())
  for (const name of named)
    if (/^(pg_|duckdb_|sqlite_|pragma_|information_schema)/.test(name))
      return `name the common table expression ${shown(name)} otherwise: the database has names like it`
  for (const node of nodes) {
    const problem = problemOf(node, named)
    if (problem) return problem
  }
  return null
}

type Node = Readonly<Record<string, unknown>>

/** Every object of a tree. A loop and not a recursion: the depth is the caller's choice. */
function nodesOf(tree: unknown): Node[] {
  const found: Node[] = []
  const open = [tree]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) found.push(next as Node)
    for (const under of Object.values(next)) open.push(under)
  }
  return found
}

const shown = (name: unknown): string => {
  const text = String(name)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function problemOf(node: Node, named: ReadonlySet<string>): string | null {
  const called = String(node['function_name'] ?? '').toLowerCase()
  switch (node['type']) {
    case 'BASE_TABLE': {
      const [catalog, schema, table] = [node['catalog_name'], node['schema_name'], node['table_name']].map(
        part => String(part ?? '').toLowerCase(),
      ) as [string, string, string]
      if (catalog === '' && schema === '' && named.has(table)) return null
      if (catalog === '' && (schema === '' || schema === 'main') && visible.has(table)) return null
      if (catalog === '' && schema === 'information_schema' && described.has(table)) return null
      const name = [catalog, schema, table].filter(Boolean).join('.')
      return `there is no table ${shown(name)}: these can be read: ${list}`
    }
    case 'TABLE_FUNCTION': {
      const { function_name } = (node['function'] ?? {}) as { function_name?: string }
      if (sources.has(String(function_name).toLowerCase())) return null
      return `the function ${shown(function_name)} cannot be used here: rows come from ${list}`
    }
    case 'SHOW_REF':
      if (node['query'] || node['table_name'] === '"tables"') return null
      return 'use SHOW TABLES or DESCRIBE of a table'
    case 'FUNCTION':
      return closed.test(called) ? `the function ${shown(called)} cannot be used here` : null
    default:
      return null
  }
}
