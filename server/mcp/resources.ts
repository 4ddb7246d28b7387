import { readFile } from 'node:fs/promises'
import type { Resource as Listed } from '@modelcontextprotocol/sdk/types.js'
import { QueryError } from '../../engine/base/errors.ts'
import type { Manifest } from '../../engine/lake/snapshot.ts'
import { unitOf } from '../../engine/schema/column.ts'
import { tableNamed, tables } from '../../engine/schema/resources/tables.ts'

const JSON_TYPE = 'application/json'
const SCHEMA = 'tranche://schema/'

/** Documents for a model to read first. */
export const resources: readonly Listed[] = [
  {
    uri: 'tranche://snapshot',
    name: 'snapshot',
    title: 'The current snapshot',
    description: 'Its id and as-of date, the rows of every table, and what its data can and cannot answer.',
    mimeType: JSON_TYPE,
  },
  {
    uri: 'tranche://conventions',
    name: 'conventions',
    title: 'Conventions',
    description: 'Every choice that moves a number: prices, yields, spreads, statements, covenants, search.',
    mimeType: 'text/markdown',
  },
  ...tables.map(({ table, doc }) => ({
    uri: SCHEMA + table,
    name: table,
    title: `Columns of ${table}`,
    description: doc,
    mimeType: JSON_TYPE,
  })),
]

/** The text of a resource; null if the name is unknown. */
export async function readResource(uri: string, manifest: () => Promise<Manifest>): Promise<string | null> {
  if (uri === 'tranche://snapshot') return json(snapshotOf(await manifest()))
  if (uri === 'tranche://conventions') return readFile(conventions, 'utf8')
  const table = uri.startsWith(SCHEMA) ? tableNamed(uri.slice(SCHEMA.length)) : undefined
  return table ? json(schemaOf(table)) : null
}

const json = (value: unknown): string => JSON.stringify(value, null, 1)

/** Compiled code is one folder deeper than its source. */
const conventions = new URL(
  `../../${import.meta.url.endsWith('.ts') ? '' : '../'}docs/conventions.md`,
  import.meta.url,
)

/** Without names of files or companies: not every caller may see all of them. */
const snapshotOf = ({ id, as_of, created, engine, options, tables, notes, quality }: Manifest) => ({
  id,
  as_of,
  created,
  engine,
  options,
  tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  notes,
  findings: quality?.findings.map(({ check, severity, kind, count, of }) => ({
    check,
    severity,
    kind,
    count,
    of,
  })),
})

const schemaOf = ({ table, doc, key, sort, columns }: NonNullable<ReturnType<typeof tableNamed>>) => ({
  table,
  doc,
  key,
  sort,
  columns: Object.entries(columns).map(([name, column]) => ({
    name,
    kind: column.kind,
    unit: unitOf(column),
    nullable: column.nullable || undefined,
    doc: column.doc,
    values: column.values,
    on_request: column.on_request,
  })),
})

export const unknownResource = (uri: string): QueryError =>
  new QueryError('NOT_FOUND', `no resource ${uri.slice(0, 120)}: see resources/list`)
