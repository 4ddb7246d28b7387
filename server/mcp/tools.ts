import { firstOf, memberOf } from '../../engine/base/elements.ts'
import { operations } from '../../engine/operations/api.ts'
import { type Column, unitOf } from '../../engine/schema/column.ts'
import { exampleInput } from '../../engine/schema/examples.ts'
import { paramSchema, type Schema } from '../../engine/schema/json-schema.ts'
import { type Input, type Param, type Params, parseParams } from '../../engine/schema/params.ts'
import type { Resource } from '../../engine/schema/resource.ts'
import { formParams, isList } from '../v1/endpoints.ts'
import type { Endpoint } from '../v1/operations/endpoint.ts'
import { briefColumns } from './brief.ts'

/** Default page size: smaller than over HTTP, because a model reads every row. */
const ROWS = { usual: 20, most: 100 }

/** An endpoint as a tool. */
export interface Tool {
  readonly name: string
  readonly endpoint: Endpoint
  readonly params: Params
  /** As `tools/list` shows it. */
  readonly shown: {
    readonly name: string
    readonly description: string
    readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
    readonly annotations: Readonly<Record<string, boolean>>
  }
}

/** Operations, and SQL if enabled: the other endpoints are about accounts. */
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
      description: describe(endpoint, params),
      inputSchema: schemaOf(endpoint, params),
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    },
  }
}

/** The endpoint's input: the arguments, with a page size and columns that suit a conversation. */
export function inputOf({ endpoint, params }: Tool, given: Input): Input {
  const args: Input = parseParams(params, given)
  const columns = params['fields'] && args['fields'] === undefined ? briefColumns(endpoint, args) : undefined
  return {
    ...given,
    ...(params['limit'] && { limit: args['limit'] }),
    ...(columns && { fields: [...new Set([...columns, ...askedColumns(endpoint, args)])] }),
  }
}

/** The columns of a query: those it sorts by and bounds. */
function askedColumns({ resource }: Endpoint, args: Input): string[] {
  if (!resource) return []
  const sorted = ((args['sort'] as string[] | undefined) ?? []).map(key => key.replace(/^-/, ''))
  const bounded = Object.entries((resource as Resource).filters)
    .filter(([name, { op }]) => args[name] !== undefined && (op === 'at_least' || op === 'at_most'))
    .map(([, { column }]) => column)
  return [...bounded, ...sorted].filter(name => Object.hasOwn(resource.columns, name))
}

/** Without the format, and with smaller pages. */
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

function describe(endpoint: Endpoint, params: Params): string {
  const examples = endpoint.examples.flatMap(example => exampleArguments(endpoint, params, example) ?? [])
  const same = sameColumns(endpoint)
  const units = same ? `those of ${toolName(same)}` : columnUnits(endpoint)
  return [
    endpoint.doc,
    ...(units ? [`Columns: ${units}.`] : []),
    ...(endpoint.listParams ? ['Filters are those of the tool of that list.'] : []),
    ...(examples.length ? [`Example: ${JSON.stringify(examples[0])}`] : []),
  ].join('\n')
}

/**
 * The columns for `fields` and `sort`, grouped by parent; `tranche://schema/TABLE` also has those returned only on
 * request. Amounts are marked; the instructions and `meta.units` give other units.
 */
function columnUnits({ columns }: Endpoint): string | null {
  if (!columns) return null
  const parents = new Map<string, string[]>()
  for (const [name, column] of Object.entries(columns)) {
    if (name === '_explain' || column.on_request) continue
    const [parent, member] = name.includes('.') ? name.split(/\.(.*)/) : [name, undefined]
    const unit = unitOf(column)
    const members = parents.get(parent!) ?? []
    members.push(`${member ?? ''}${unit === 'cents' ? ' (cents)' : ''}`)
    parents.set(parent!, members)
  }
  return [...parents]
    .map(([parent, members]) =>
      members.length === 1 && !/^\w/.test(firstOf(members))
        ? `${parent}${members[0]}`
        : `${parent}.{${members.join(', ')}}`,
    )
    .join(', ')
}

/** A declared example as typed arguments; null if it only applies to the command line. */
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

/** An earlier tool with the same columns. */
function sameColumns({ name, columns }: Endpoint): string | undefined {
  if (!columns) return undefined
  const names = Object.keys(columns).join()
  const first = operations.find(other => other.columns && Object.keys(other.columns).join() === names)
  return first && first.name !== name ? first.name : undefined
}

function schemaOf(endpoint: Endpoint, params: Params): Tool['shown']['inputSchema'] {
  const required = Object.keys(params).filter(p => memberOf(params, p).required)
  const isShared = (p: string) => endpoint.listParams !== undefined && Object.hasOwn(endpoint.listParams, p)
  const properties = Object.entries(params).map(([p, param]) => [
    p,
    isShared(p) ? {} : { ...schemaOfParam(p, param), ...endpoint.paramSchemas?.[p] },
  ])
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  }
}

/** Parameters with the same meaning in every tool, explained in the server's instructions. */
const common: ReadonlySet<string> = new Set([
  'ticker',
  'fields',
  'sort',
  'limit',
  'offset',
  'on_unknown',
  'as_of',
  'explain',
])

/** More values than this are omitted: an example in the description and the error that lists them suffice. */
const MOST_VALUES = 16

/** What a model can use. Bounds and patterns that are rarely violated are left to the error. */
function schemaOfParam(name: string, param: Param): Schema {
  const { items, ...schema } = paramSchema(param)
  const description = common.has(name) ? '' : described(name, param.column)
  return {
    ...told(name, schema),
    ...(items !== undefined && { items: told(name, items as Schema) }),
    ...(description !== '' && { description }),
  }
}

function told(name: string, schema: Schema): Schema {
  const { type, enum: values, minimum, maximum, default: usual, format } = schema
  const isPage = name === 'limit'
  return {
    ...(type !== undefined && { type }),
    ...(Array.isArray(values) && values.length <= MOST_VALUES && !common.has(name) && { enum: values }),
    ...(isPage && { minimum, maximum }),
    ...(usual !== undefined && (isPage || !common.has(name)) && usual !== false && { default: usual }),
    ...(type === 'string' && format !== undefined && !common.has(name) && { format }),
  }
}

/** What a parameter's name does not say: a bound's unit, nothing for presence filters. */
function described(name: string, column: Column): string {
  const unit = unitOf(column)
  if (/^(?:min|max)_/.test(name)) return unit && unit !== 'ratio' ? `${unit}` : ''
  if (/^has_/.test(name) || name === column.doc.replace(/\.$/, '').toLowerCase()) return ''
  const doc = column.doc.replace(/\.$/, '')
  return !unit || unit === 'ratio' || doc.includes(unit) ? doc : `${doc}, ${unit}`
}
