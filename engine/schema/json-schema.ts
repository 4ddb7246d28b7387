import { memberOf } from '../base/elements.ts'
import { type Column, type Columns, integer, isNumeric, type TextFormat, unitOf } from './column.ts'
import { columnTree, isLeaf, type Node } from './column-tree.ts'
import type { Param, Params } from './params.ts'

/** A JSON schema of draft 2020-12, as in OpenAPI 3.1. */
export type Schema = { readonly [keyword: string]: unknown }

/** The JSON type of each kind. Numeric values are always numbers, never text. */
const kinds: Readonly<Record<Column['kind'], Schema>> = {
  text: { type: 'string' },
  enum: { type: 'string' },
  cents: { type: 'integer', format: 'int64' },
  integer: { type: 'integer', format: 'int64' },
  percent: { type: 'number', format: 'double' },
  bps: { type: 'number', format: 'double' },
  ratio: { type: 'number', format: 'double' },
  years: { type: 'number', format: 'double' },
  number: { type: 'number', format: 'double' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time' },
  boolean: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string' } },
  json: {},
}

/** The accepted spellings of a text: in any case, and without checking the check digit, which a pattern cannot do. */
const patterns: Readonly<Record<TextFormat, string>> = {
  ticker: '^[^\\s,]{1,64}$',
  cusip: '^[0-9A-Za-z*@#]{9}$',
  isin: '^[A-Za-z]{2}[0-9A-Za-z]{10}$',
  lei: '^[0-9A-Za-z]{20}$',
  cik: '^[0-9]{1,10}$',
  uuid: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
  currency: '^[A-Za-z]{3}$',
  snapshot: '^[0-9]{8}[Tt][0-9]{6}[Zz]-[0-9A-Fa-f]{8}$',
}

const described = (column: Column): Schema => {
  const unit = unitOf(column)
  return {
    ...(column.doc && {
      description: unit && unit !== 'ratio' ? `${column.doc} Unit: ${unit}.` : column.doc,
    }),
    ...(unit && { 'x-unit': unit }),
    ...(column.example !== undefined && { examples: [column.example] }),
  }
}

/** A value in an answer. */
export function valueSchema(column: Column): Schema {
  const { type, ...rest } = kinds[column.kind]
  return {
    ...(type !== undefined && { type: column.nullable ? [type, 'null'] : type }),
    ...rest,
    ...(column.values && { enum: column.nullable ? [...column.values, null] : column.values }),
    ...described(column),
  }
}

/** A row of an answer: dotted names are objects, null if all their members are. `fields` may leave members out. */
export function rowSchema(columns: Columns): Schema {
  const aliases = Object.entries(columns).flatMap(([name, column]) =>
    (column.aliases ?? []).map((alias): [string, Column] => [
      alias,
      { ...column, doc: `Alias of \`${name}\`, returned if \`fields\` names it.` },
    ]),
  )
  const all = [...Object.entries(columns), ...aliases]
  const nested = (nodes: readonly Node[], type: unknown): Schema => ({
    type,
    additionalProperties: false,
    properties: Object.fromEntries(
      nodes.map(node => [
        node.key,
        isLeaf(node) ? valueSchema(all[node.at]![1]) : nested(node.members, ['object', 'null']),
      ]),
    ),
  })
  return nested(columnTree(all.map(([name]) => name)), 'object')
}

/** Values that a parameter accepts beside those of its enum. */
const otherWords = ({ values = [], valueAliases = {} }: Column): string[] =>
  Object.keys(valueAliases).filter(word => !values.includes(word))

/** A parameter as a caller may write it. */
export function paramSchema({ column, many, fallback, usual, min, max, length, anySize }: Param): Schema {
  const text = column.kind === 'text'
  const { format, ...kind } = kinds[column.kind]
  const one: Schema = {
    ...kind,
    ...(format !== undefined && !anySize && { format }),
    ...(column.values && { enum: [...column.values, ...otherWords(column)] }),
    ...(text && column.format && { pattern: patterns[column.format] }),
    ...(text && !column.format && { maxLength: length ?? 512 }),
    ...(isNumeric(column) && min !== undefined && { minimum: min }),
    ...(isNumeric(column) && max !== undefined && { maximum: max }),
  }
  const unit = unitOf(column)
  const value = column.takesNone ? { anyOf: [one, { type: 'string', enum: ['none'] }] } : one
  const standing = fallback ?? usual
  return {
    ...(many ? { type: 'array', items: value, maxItems: 1000 } : value),
    ...(standing !== undefined && { default: standing }),
    ...(unit && { 'x-unit': unit }),
  }
}

/** Parameters as the members of a JSON body. */
export const bodySchema = (params: Params, own: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(params).filter(name => memberOf(params, name).required),
  properties: Object.fromEntries(
    Object.entries(params).map(([name, param]) => [
      name,
      { ...paramSchema(param), ...own[name], description: param.column.doc },
    ]),
  ),
})

/** A count. */
export const countSchema = (doc: string): Schema => ({ ...valueSchema(integer(doc)), minimum: 0 })

/** A row with the columns that `explain` adds. */
export function withExplain(row: Schema): Schema {
  const properties = propertiesOf(row)
  const _explain = { description: 'Formulas, inputs and sources, with `explain`.' }
  return { ...row, properties: { ...properties, _explain: properties['_explain'] ?? _explain } }
}

/** The properties of an object schema. */
export const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  schema['properties'] as Readonly<Record<string, Schema>>

/** An object whose members are all required. */
export const object = (
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  properties,
})

export const arrayOf = (items: Schema): Schema => ({ type: 'array', items })
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Every member of a row is required. */
export const wholeRow = (columns: Columns): Schema => {
  const row = rowSchema(columns)
  return { ...row, required: Object.keys(row['properties'] as object) }
}
