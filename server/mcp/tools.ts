import { operations } from '../../engine/operations/api.ts'
import { type Column, unitOf } from '../../engine/schema/column.ts'
import { exampleInput } from '../../engine/schema/examples.ts'
import { paramSchema, type Schema } from '../../engine/schema/json-schema.ts'
import { type Input, type Param, type Params, parseParams } from '../../engine/schema/params.ts'
import type { Resource } from '../../engine/schema/resource.ts'
import { bodies } from '../openapi/openapi-answers.ts'
import { formParams, isList } from '../v1/endpoints.ts'
import type { Endpoint } from '../v1/operations/endpoint.ts'
import { briefColumns } from './brief.ts'

/** Rows of a page: fewer than over HTTP, because a model reads every one. */
const ROWS = { usual: 20, most: 100 }

/** An endpoint as a model may call it. */
export interface Tool {
  readonly name: string
  readonly endpoint: Endpoint
  readonly params: Params
  /** As `tools/list` shows it. */
  readonly shown: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
    readonly annotations: Readonly<Record<string, boolean>>
  }
}

/** Operations, and SQL where it is turned on: the other endpoints are about accounts. */
export const isOffered = ({ name }: Endpoint): boolean => name === 'sql' || operationNames.has(name)

const operationNames: ReadonlySet<string> = new Set(operations.map(({ name }) => name))

export const toolName = (operation: string): string => operation.replaceAll('.', '_')

export function toolOf(endpoint: Endpoint): Tool {
  const name = toolName(endpoint.name)
  const params = paramsOf(endpoint)
  return {
    name,
    endpoint,
    params,
    shown: {
      name,
      title: titleOf(endpoint.name),
      description: describe(endpoint, params),
      inputSchema: schemaOf(endpoint, params),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  }
}

/** What the endpoint is asked: the arguments as given, with a page and columns that suit a conversation. */
export function inputOf({ endpoint, params }: Tool, given: Input): Input {
  const args: Input = parseParams(params, given)
  const columns = params['fields'] && args['fields'] === undefined ? briefColumns(endpoint, args) : undefined
  return {
    ...given,
    ...(params['limit'] && { limit: args['limit'] }),
    ...(columns && { fields: [...new Set([...columns, ...askedColumns(endpoint, args)])] }),
  }
}

/** The columns that a question is about: those it is sorted by and those it sets bounds for. */
function askedColumns({ resource }: Endpoint, args: Input): string[] {
  if (!resource) return []
  const sorted = ((args['sort'] as string[] | undefined) ?? []).map(key => key.replace(/^-/, ''))
  const bounded = Object.entries((resource as Resource).filters)
    .filter(([name, { op }]) => args[name] !== undefined && (op === 'at_least' || op === 'at_most'))
    .map(([, { column }]) => column)
  return [...bounded, ...sorted].filter(name => Object.hasOwn(resource.columns, name))
}

/** Without the form of the answer, and with shorter pages. */
function paramsOf(endpoint: Endpoint): Params {
  const kept = Object.entries(endpoint.params).filter(
    ([name]) => !(isList(endpoint) || endpoint.formats) || !Object.hasOwn(formParams, name),
  )
  return Object.fromEntries(
    kept.map(([name, param]) => [name, name === 'limit' ? shorter(param) : param]),
  ) as Params
}

const shorter = (param: Param): Param => ({
  ...param,
  max: Math.min(param.max ?? ROWS.most, ROWS.most),
  fallback: Math.min((param.fallback as number | undefined) ?? ROWS.usual, ROWS.usual),
})

const titleOf = (name: string): string => {
  const words = name.split('.').join(' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

function describe(endpoint: Endpoint, params: Params): string {
  const examples = endpoint.examples.flatMap(example => exampleArguments(endpoint, params, example) ?? [])
  const units = columnUnits(endpoint)
  return [
    endpoint.doc,
    ...(params['fields'] && briefColumns(endpoint, {})
      ? ['Without `fields` the most telling columns are returned.']
      : []),
    ...(units ? [`Columns: ${units}.`] : []),
    ...(examples.length ? [`Examples: ${examples.map(e => JSON.stringify(e)).join('; ')}`] : []),
  ].join('\n')
}

/** Every column that `fields` and `sort` may name, with its unit. */
const columnUnits = ({ columns }: Endpoint): string | null =>
  columns &&
  Object.entries(columns)
    .filter(([name]) => name !== '_explain')
    .map(([name, column]) => (unitOf(column) ? `${name} (${unitOf(column)})` : name))
    .join(', ')

/** A declared example as arguments of their own types; null where it is one of the command line alone. */
export function exampleArguments(
  { positional = [] }: Pick<Endpoint, 'positional'>,
  params: Params,
  example: string,
): Input | null {
  const input = exampleInput({ params, positional }, example)
  if (!input) return null
  const args: Input = parseParams(params, input)
  return Object.fromEntries(Object.keys(input).map(name => [name, args[name]]))
}

const schemaOf = ({ name }: Endpoint, params: Params): Tool['shown']['inputSchema'] => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(params).filter(p => params[p]!.required),
  properties: Object.fromEntries(
    Object.entries(params).map(([p, param]) => [p, { ...schemaOfParam(param), ...bodies[name]?.[p] }]),
  ),
})

/** What a model can use: units are in the words, and bounds that nobody meets by accident are told by the error. */
function schemaOfParam(param: Param): Schema {
  const { items, ...schema } = paramSchema(param)
  return {
    ...told(schema),
    ...(items !== undefined && { items: told(items as Schema) }),
    description: withUnit(param.column),
  }
}

function told({ 'x-unit': _unit, maxItems: _items, maxLength: _length, format, ...schema }: Schema): Schema {
  return schema['type'] === 'string' && format !== undefined ? { ...schema, format } : schema
}

function withUnit(column: Column): string {
  const unit = unitOf(column)
  return !unit || unit === 'ratio' || column.doc.includes(unit) ? column.doc : `${column.doc} Unit: ${unit}.`
}
