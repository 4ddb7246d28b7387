import { memberOf } from '../../engine/base/elements.ts'
import { invalid } from '../../engine/base/errors.ts'
import { operations } from '../../engine/operations/api.ts'
import { type Column, type Columns, unitOf } from '../../engine/schema/column.ts'
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
      // The other hints are about tools that write, or that reach beyond the lake.
      annotations: { readOnlyHint: true },
    },
  }
}

/** The endpoint's input: the arguments, with a page size and columns that suit a conversation. */
export function inputOf({ endpoint, params }: Tool, asked: Input): Input {
  const given = sharesFilters(endpoint) ? withFilters(asked) : asked
  const args: Input = parseParams(params, given)
  const columns = params['fields'] && args['fields'] === undefined ? briefColumns(endpoint, args) : undefined
  return {
    ...given,
    ...(params['limit'] && { limit: args['limit'] }),
    ...(columns && { fields: [...new Set([...columns, ...askedColumns(endpoint, args)])] }),
  }
}

/** The members of `filters` as arguments of their own, which is how the endpoint takes them. */
function withFilters({ filters, ...others }: Input): Input {
  if (filters === undefined || filters === null) return others
  if (typeof filters !== 'object' || Array.isArray(filters))
    throw invalid('filters', null, 'filters must be an object: {"min_ytm": 8}')
  return { ...(filters as Input), ...others }
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

/** Without the format and what only programs need, and with smaller pages. */
function paramsOf(endpoint: Endpoint): Params {
  const hasForm = isList(endpoint) || endpoint.formats
  const kept = Object.entries(endpoint.params).filter(
    ([name, param]) => !(hasForm && Object.hasOwn(formParams, name)) && !isForPrograms(name, param),
  )
  return Object.fromEntries(
    kept.map(([name, param]) => [name, name === 'limit' ? shorter(param) : param]),
  ) as Params
}

/** The pin of a paging program, and a parameter whose one value changes nothing. */
const isForPrograms = (name: string, { column }: Param): boolean =>
  name === 'snapshot' || column.values?.length === 1

const shorter = (param: Param): Param => ({
  ...param,
  max: Math.min(param.max ?? ROWS.most, ROWS.most),
  fallback: Math.min((param.fallback as number | undefined) ?? ROWS.usual, ROWS.usual),
})

function describe(endpoint: Endpoint, params: Params): string {
  const example = endpoint.examples
    .map(written => exampleArguments(endpoint, params, written))
    .find(args => args !== null && showsMore(params, args))
  const same = sameColumns(endpoint)
  const chosen = columnChoosers(endpoint, params)
  const columns = same
    ? `those of ${toolName(same)}`
    : chosen.length > 0
      ? `the values of ${chosen.join(' and ')}`
      : columnList(endpoint)
  return [
    endpoint.doc,
    ...(columns ? [`Columns: ${columns}.`] : []),
    ...(example ? [`Example: ${JSON.stringify(asShown(params, example))}`] : []),
  ].join('\n')
}

/** Whether an example shows more than names, days and values, which the schema has. */
const showsMore = (params: Params, args: Input): boolean =>
  Object.keys(args).some(name => {
    const { column } = memberOf(params, name)
    const isListed = column.values !== undefined && column.values.length <= MOST_VALUES
    return !(isListed || column.format || column.kind === 'date' || column.kind === 'boolean')
  })

/** The parameters whose values are all columns of an answer, where the columns are no others. */
function columnChoosers({ columns }: Endpoint, params: Params): string[] {
  const names = Object.keys(columns ?? {}).filter(name => name !== '_explain')
  const choosers = Object.entries(params).filter(
    ([, { many, column }]) => many && column.values?.some(value => names.includes(value)),
  )
  const values = new Set(choosers.flatMap(([, { column }]) => column.values ?? []))
  return names.length > 0 && names.every(name => values.has(name)) ? choosers.map(([name]) => name) : []
}

/**
 * The columns for `fields` and `sort`, grouped by parent, amounts last; `tranche://schema/TABLE` also has those
 * returned only on request. The instructions and `meta.units` give other units than cents.
 */
function columnList({ columns }: Endpoint): string | null {
  if (!columns) return null
  const listed = Object.entries(columns).filter(
    ([name, { on_request }]) => name !== '_explain' && !on_request,
  )
  const inCents = listed.filter(([, column]) => unitOf(column) === 'cents')
  const others = listed.filter(([, column]) => unitOf(column) !== 'cents')
  return [namesByParent(others), ...(inCents.length ? [`in cents: ${namesByParent(inCents)}`] : [])].join(
    '; ',
  )
}

/** `cusip,issuer.{name,entity_type}` */
function namesByParent(columns: readonly (readonly [string, Column])[]): string {
  const parents = new Map<string, string[]>()
  for (const [name] of columns) {
    const [parent, member] = name.includes('.') ? name.split(/\.(.*)/) : [name, undefined]
    parents.set(parent!, [...(parents.get(parent!) ?? []), ...(member === undefined ? [] : [member])])
  }
  return [...parents]
    .map(([parent, members]) => (members.length === 0 ? parent : `${parent}.{${members.join(',')}}`))
    .join(',')
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

/** Arguments in the types of the tool's schema. */
const asShown = (params: Params, args: Input): Input =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const param = params[name]
      return [name, param && isTextList(param) && Array.isArray(value) ? value.join(',') : value]
    }),
  )

/** An earlier tool with the same columns. */
function sameColumns({ name, columns }: Endpoint): string | undefined {
  if (!columns) return undefined
  const names = namesIn(columns)
  const first = operations.find(other => other.columns && namesIn(other.columns) === names)
  return first && first.name !== name ? first.name : undefined
}

const namesIn = (columns: Columns): string => Object.keys(columns).sort().join()

/** Tools whose filters are those of lists, each of which has its own tool that documents them: they take one object. */
const sharesFilters = ({ listParams }: Endpoint): boolean => listParams !== undefined

const sharedFilters: Schema = {
  type: 'object',
  description: "Filters of that list's tool",
}

function schemaOf(endpoint: Endpoint, params: Params): Tool['shown']['inputSchema'] {
  const required = Object.keys(params).filter(p => memberOf(params, p).required)
  const isShared = (p: string) => Object.hasOwn(endpoint.listParams ?? {}, p)
  const own = Object.entries(params).filter(([p]) => !isShared(p))
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: {
      ...Object.fromEntries(own.map(([p, param]) => [p, schemaOfParam(p, param, endpoint)])),
      ...(sharesFilters(endpoint) && { filters: sharedFilters }),
    },
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
  'include_metadata',
])

/** More values than this are omitted: an example in the description and the error that lists them suffice. */
const MOST_VALUES = 16

/** A list of names, identifiers, words or letters, given as comma-separated text, which is the shortest schema. */
const isTextList = ({ many, column: { kind, values = [] } }: Param): boolean =>
  many && (kind === 'text' || (kind === 'enum' && values.length > MOST_VALUES))

/** What a model can use. Bounds and patterns that are rarely violated are left to the error. */
function schemaOfParam(name: string, param: Param, endpoint: Endpoint): Schema {
  const { items, ...schema } = paramSchema(param)
  const own = endpoint.paramSchemas?.[name]
  if (own) return shortForm(own, param) ?? { ...shortSchema(name, param, schema), ...own }
  const description = common.has(name) ? '' : described(name, param.column)
  const standing = endpoint.resource?.filters[name]?.byDefault?.value
  return {
    ...(isTextList(param)
      ? { type: 'string', ...(standing !== undefined && { default: String(standing) }) }
      : {
          ...shortSchema(name, param, schema),
          ...(items !== undefined && { items: shortSchema(name, param, items as Schema) }),
          ...(standing !== undefined && { default: param.many ? [standing] : standing }),
        }),
    ...(description !== '' && { description }),
  }
}

/** Of a parameter that is an object or a text, the text, which the description explains. */
function shortForm({ anyOf }: Schema, { column }: Param): Schema | null {
  const text = (anyOf as Schema[] | undefined)?.find(({ type }) => type === 'string')
  return text ? { type: 'string', description: column.doc } : null
}

function shortSchema(name: string, { column }: Param, schema: Schema): Schema {
  const { type, enum: all, minimum, maximum, default: usual, format } = schema
  // Aliases of values are for old clients.
  const values = Array.isArray(all) ? all.filter(value => column.values?.includes(value)) : []
  const isUsualPage = name === 'limit' && usual === ROWS.usual && maximum === ROWS.most
  const isPage = name === 'limit' && !isUsualPage
  return {
    ...(type !== undefined && { type }),
    ...(values.length > 0 && values.length <= MOST_VALUES && name !== 'on_unknown' && { enum: values }),
    ...(isPage && { minimum, maximum }),
    ...(usual !== undefined && (isPage || !common.has(name)) && usual !== false && { default: usual }),
    ...(type === 'string' && format !== undefined && !common.has(name) && { format }),
  }
}

/** What a parameter's name and values do not say: a bound's unit, nothing for presence filters. */
function described(name: string, column: Column): string {
  const unit = unitOf(column)
  if (column.takesNone) return `${unit}, or \`none\``
  if (/^(?:min|max)_/.test(name)) return unit && unit !== 'ratio' ? `${unit}` : ''
  if (/^has_/.test(name) || isInclusiveDay(name, column)) return ''
  if (isEvident(name, column)) return unit && unit !== 'ratio' ? unit : ''
  const doc = column.doc.replace(/\.$/, '')
  return !unit || unit === 'ratio' || doc.includes(unit) ? doc : `${doc}, ${unit}`
}

/** `from_date` and `maturity_before`: the instructions say that they include the day. A default needs words. */
const isInclusiveDay = (name: string, { kind, doc }: Column): boolean =>
  kind === 'date' &&
  /_(?:after|before)$|^(?:from|to)_date$|^date_(?:from|to)$/.test(name) &&
  !/default/.test(doc)

/** Words that add nothing to a parameter's name. */
const IDLE_WORDS = new Set(
  (
    'the of a an or to its this that it why only kind comma separated ' +
    'company bond loan instrument covenant covenants rating ratings'
  ).split(' '),
)

/** Whether the name and the values say what the description says, but for a word or two. */
function isEvident(name: string, { doc, values = [] }: Column): boolean {
  const known = [name, ...values].join(' ')
  const words = doc
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(word => word !== '' && !IDLE_WORDS.has(word))
  return words.every(word => known.includes(word)) || (values.length > 0 && words.length <= 2)
}
