import { type Columns, unitOf } from '../../schema/column.ts'
import type { Sort } from '../../schema/sort.ts'

interface ListType {
  readonly type: 'list'
  readonly 'element-id': number
  readonly element: string
  readonly 'element-required': false
}

export type IcebergType = string | ListType

export interface Field {
  readonly id: number
  readonly name: string
  /** Never: a later version may add columns that earlier snapshots do not have. */
  readonly required: false
  readonly type: IcebergType
  readonly doc?: string
}

export interface TableSchema {
  readonly type: 'struct'
  readonly 'schema-id': number
  readonly fields: readonly Field[]
}

/** A column of a table's file: its name, and its type in DuckDB. */
export interface FileColumn {
  readonly name: string
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  VARCHAR: 'string',
  BOOLEAN: 'boolean',
  TINYINT: 'int',
  SMALLINT: 'int',
  INTEGER: 'int',
  BIGINT: 'long',
  FLOAT: 'float',
  DOUBLE: 'double',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
}

/** The name of a type of DuckDB in Iceberg; lists have that of their elements. */
function primitive(type: string): string {
  const decimal = /^DECIMAL\((\d{1,2}), ?(\d{1,2})\)$/.exec(type)
  const name = decimal ? `decimal(${decimal[1]}, ${decimal[2]})` : types[type]
  if (name === undefined) throw new Error(`no Iceberg type for ${type}`)
  return name
}

const isList = (type: string) => type.endsWith('[]')
const elementOf = (type: string) => primitive(type.replace(/\[\]$/, ''))

/** Whether files of one type can be read as another: Iceberg widens integers, floats and decimals, and nothing else. */
function widens(from: string, to: string): boolean {
  if (from === to || (from === 'int' && to === 'long') || (from === 'float' && to === 'double')) return true
  const [a, b] = [from, to].map(type => /^decimal\((\d+), (\d+)\)$/.exec(type))
  return Boolean(a && b && a[2] === b[2] && Number(a[1]) <= Number(b[1]))
}

/** Whether one field can have had the one type and have the other. */
function isOneField(before: IcebergType, type: string): boolean {
  if ((typeof before === 'string') === isList(type)) return false
  const [a, b] = [typeof before === 'string' ? before : before.element, elementOf(type)]
  return widens(a, b) || widens(b, a)
}

/** Whether files with the fields can be read beside later ones: no field of both has another type. */
export const readsBeside = (fields: readonly Field[], later: readonly Field[]): boolean => {
  const types = new Map(later.map(({ name, type }) => [name, type]))
  const elementIn = (type: IcebergType) => (typeof type === 'string' ? type : type.element)
  return fields.every(({ name, type }) => {
    const other = types.get(name)
    if (other === undefined) return true
    return typeof type === typeof other && widens(elementIn(type), elementIn(other))
  })
}

/** What readers show of a column: its description and its unit. */
function docOf(columns: Columns, name: string): { doc?: string } {
  const column = columns[name]
  if (!column) return {}
  const unit = unitOf(column)
  return { doc: unit === undefined ? column.doc : `${column.doc} Unit: ${unit}.` }
}

/**
 * The fields of a file's columns. A column keeps the id that it has in an earlier schema; a new one, or one whose type
 * changed so that old files cannot be read as the new, gets the next. No id is used twice.
 * @param lastId the highest id that the table has used
 */
export function fieldsOf(
  columns: readonly FileColumn[],
  declared: Columns,
  earlier: readonly TableSchema[],
  lastId: number,
): { readonly fields: readonly Field[]; readonly lastId: number } {
  const known = new Map(earlier.flatMap(({ fields }) => fields.map(field => [field.name, field] as const)))
  let last = lastId
  const fields = columns.map(({ name, type }): Field => {
    const before = known.get(name)
    const same = before && isOneField(before.type, type) ? before : undefined
    const id = same?.id ?? ++last
    const told = docOf(declared, name)
    if (!isList(type)) return { id, name, required: false, type: primitive(type), ...told }
    const element = same && typeof same.type !== 'string' ? same.type['element-id'] : ++last
    return {
      id,
      name,
      required: false,
      type: {
        type: 'list',
        'element-id': element,
        element: elementOf(type),
        'element-required': false,
      },
      ...told,
    }
  })
  return { fields, lastId: last }
}

interface MappedField {
  readonly 'field-id': number
  readonly names: readonly string[]
  readonly fields?: readonly MappedField[]
}

/** How readers find the fields in files, which have names and no ids. Of two fields with one name the current counts. */
export function nameMapping(schemas: readonly TableSchema[], current: TableSchema): readonly MappedField[] {
  const all = [...schemas, current].flatMap(schema => schema.fields)
  const fields = new Map(all.map(field => [field.name, field]))
  return [...fields.values()].map(({ id, name, type }) => ({
    'field-id': id,
    names: [name],
    ...(typeof type !== 'string' && {
      fields: [{ 'field-id': type['element-id'], names: ['element'] }],
    }),
  }))
}

export interface SortField {
  readonly transform: 'identity'
  readonly 'source-id': number
  readonly direction: 'asc' | 'desc'
  readonly 'null-order': 'nulls-last'
}

export const sortFields = (order: readonly Sort[], fields: readonly Field[]): readonly SortField[] => {
  const ids = new Map(fields.map(({ name, id }) => [name, id]))
  // An order that continues after a column which the file does not have is not the file's.
  const missing = order.findIndex(({ column }) => !ids.has(column))
  return order.slice(0, missing < 0 ? undefined : missing).map(({ column, descending }) => ({
    transform: 'identity',
    'source-id': ids.get(column)!,
    direction: descending ? 'desc' : 'asc',
    'null-order': 'nulls-last',
  }))
}
