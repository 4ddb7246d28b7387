import { STATUS_CODES } from 'node:http'
import { type Code, codes, servedCodes } from '../../engine/base/errors.ts'
import { version } from '../../engine/base/version.ts'
import { type FormatName, formats } from '../../engine/encode/formats.ts'
import type { Operation } from '../../engine/operations/operation.ts'
import type { Column } from '../../engine/schema/column.ts'
import {
  arrayOf,
  bodySchema,
  object,
  paramSchema,
  propertiesOf,
  reference,
  rowSchema,
  type Schema,
  withExplain,
} from '../../engine/schema/json-schema.ts'
import type { Param } from '../../engine/schema/params.ts'
import type { Resource } from '../../engine/schema/resource.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { exampleQuery } from './example-query.ts'
import { commonMeta, optionalMeta, plainMeta } from './openapi-answers.ts'

/** A route of the server as documented. */
export interface Described extends Omit<Operation, 'run' | 'out' | 'command'> {
  /** Parameters are in a JSON body. */
  readonly body?: boolean
  /** The answer, if it cannot be derived from columns. */
  readonly schema?: Schema
}

type Part = Record<string, unknown>

/** The OpenAPI 3.1 document of an API, generated from its declarations. */
export function openapi(routes: readonly Described[]): Part {
  const schemas: Part = { ...sharedSchemas(), ...rowSchemas(routes) }
  const paths: Record<string, Part> = {}
  for (const route of routes) {
    schemas[`${pascal(route.name)}Response`] = answerSchema(route)
    if (route.body)
      schemas[`${pascal(route.name)}Request`] = bodySchema(route.params, {
        ...route.paramSchemas,
        ...(route.name === 'batch' && { operations: batchSchema(routes) }),
      })
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = operationOf(route)
  }
  paths['/v1/openapi.json'] = { get: ownDocument }
  const used = [...new Set(routes.map(tagOf)), 'meta']
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tranche',
      version,
      description:
        'Corporate debt over HTTP: companies, bonds, prices, statements, covenants, ratings, spreads.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: used.map(name => ({ name, description: tags[name] ?? `Everything under \`/v1/${name}\`.` })),
    paths,
    components: {
      schemas,
      responses: errorResponses(),
      headers,
      parameters: sharedParameters,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of the account.' },
      },
    },
  }
}

const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map(part => part[0]!.toUpperCase() + part.slice(1))
    .join('')

const tags: Readonly<Record<string, string>> = {
  companies: 'Debt metrics of companies, screens, changes.',
  bonds: 'Bonds and loans; resolving identifiers and descriptions.',
  pricing: 'Prices, yields and spreads of bonds.',
  financials: 'Statements by quarter and trailing.',
  collateral: 'Collateral behind secured debt.',
  covenants: 'Covenants, and comparing companies.',
  ratings: 'Rating actions.',
  market: 'The credit spread series.',
  entities: 'Who owns, guarantees and borrows.',
  documents: 'Sections of filings.',
  panel: 'Lists as of many days.',
  suggest: 'Companies and titles that what is typed may become.',
  export: 'Rows in bulk.',
  auth: 'The account and its key.',
  usage: 'Usage of the API.',
  coverage: 'Requests for coverage.',
  batch: 'Several operations at once.',
  sql: 'Queries in SQL.',
  meta: 'About the API itself.',
}

const tagOf = ({ path }: Described): string => path.split('/')[2]!

function describe(route: Described): string {
  const { doc, tier, cost, alternative } = route
  const who = { any: 'Any tier.', pro: 'Pro and Business.', business: 'Business only.' }[tier]
  const price =
    route.name === 'batch'
      ? 'Costs the sum of its operations.'
      : `Cost: ${cost}${route.units ? ', several times' : ''}.`
  const shown = route.body ? [] : route.examples.flatMap(e => exampleQuery(route, e) ?? [])
  return [
    doc,
    `${who} ${price}${alternative ? ` Other tiers: \`${alternative}\`.` : ''}`,
    ...(shown.length ? [shown.map(e => `- \`GET ${e}\``).join('\n')] : []),
  ].join('\n\n')
}

const isStored = (route: Described): boolean => route.method === 'GET' && !route.schema

function operationOf(route: Described): Part {
  const { name, params, body } = route
  const parameters = [
    ...(body ? [] : Object.entries(params).flatMap(([n, p]) => namedParameters(route, n, p))),
    ...(isStored(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(route.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  return {
    operationId: name,
    summary: route.doc,
    description: describe(route),
    tags: [tagOf(route)],
    'x-tier': route.tier,
    'x-cost': route.cost,
    ...(parameters.length && { parameters }),
    ...(body && {
      requestBody: {
        required: Object.values(params).some(p => p.required),
        content: { 'application/json': { schema: reference(`${pascal(name)}Request`) } },
      },
    }),
    responses: responsesOf(route),
  }
}

/** Pages of a list in other forms than JSON may be longer than its maximum. */
const isPageLimit = ({ answers, bulk }: Described, name: string, { max = 0 }: Param): boolean =>
  name === 'limit' && answers === 'rows' && !bulk && max < 1000

/** A parameter, and its aliases. */
function namedParameters(route: Described, name: string, param: Param): Part[] {
  const inPath = route.path.includes(`{${name}}`)
  const { default: _default, ...schema } = paramSchema(param)
  const others = (param.aliases ?? []).map(alias => ({
    name: alias,
    in: 'query',
    required: false,
    description: `Alias of \`${name}\`.`,
    schema,
    ...(param.many && { style: 'form', explode: false }),
  }))
  return [parameter(route, name, param, inPath), ...others]
}

function parameter(route: Described, name: string, param: Param, inPath: boolean): Part {
  const { column, many, required } = param
  const usual = route.resource?.filters[name]?.byDefault
  const unless = usual?.unless.map(other => `\`${other}\``).join(' or ')
  return {
    name,
    in: inPath ? 'path' : 'query',
    required: inPath || required,
    description: [
      column.doc,
      unitNote(column),
      many ? 'Any of a comma list.' : '',
      isPageLimit(route, name, param) ? 'Up to 1,000 in formats other than JSON.' : '',
      usual ? `\`${usual.value}\` by default${unless ? `, unless ${unless} is given` : ''}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    schema: {
      ...paramSchema(param),
      ...(usual && { default: many ? [usual.value] : usual.value }),
    },
    ...(many && { style: 'form', explode: false }),
    ...(column.example !== undefined && { example: many ? [column.example] : column.example }),
  }
}

const unitNote = (column: Column): string =>
  ({ cents: 'In cents.', percent: 'In percent.', bps: 'In basis points.', years: 'In years.' })[
    column.kind as 'cents'
  ] ?? (column.unit ? `In ${column.unit}.` : '')

function responsesOf(route: Described): Part {
  const { name, cost, tier, body, params } = route
  const offered = (params['format']?.column.values ?? ['json']) as readonly FormatName[]
  const answer = {
    description: route.doc,
    headers: {
      ...refs('X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'),
      ...(isStored(route) && refs('ETag', 'Cache-Control', 'Vary')),
      ...(offered.length > 1 && refs('X-Total-Count', 'X-Truncated')),
      ...(route.method === 'POST' && refs('Idempotency-Replayed')),
    },
    content: Object.fromEntries(
      offered.map(format => [
        formats[format].type.split(';')[0]!,
        format === 'json'
          ? { schema: reference(`${pascal(name)}Response`) }
          : formats[format].binary
            ? {}
            : { schema: { type: 'string' } },
      ]),
    ),
  }
  const statuses = new Set([400, 401, 404, 429, 500, 503, 504])
  if (cost !== 'free') statuses.add(402)
  if (params['snapshot']) statuses.add(410)
  if (tier !== 'any' || params['ticker'] || params['cusip'] || name === 'traverse.entities') statuses.add(403)
  if (!body || offered.length > 1) statuses.add(406)
  if (body) statuses.add(413).add(415)
  return {
    200: answer,
    ...(name === 'request.coverage' && { 202: answer }),
    ...(isStored(route) && {
      304: {
        description: 'Not changed since the given ETag.',
        headers: refs('X-Request-Id', 'ETag'),
      },
    }),
    ...Object.fromEntries(
      [...statuses].sort().map(status => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
    ),
    default: { $ref: '#/components/responses/Other' },
  }
}

/** Closed and open parts as declared: allowed `meta` members, and where rows are. */
function answerSchema(route: Described): Schema {
  const { envelope, schema, answers, objectSchema = {} } = route
  if (schema) return schema
  if (answers === 'rows') return object({ [envelope]: arrayOf(rowsOf(route)), meta: listMeta(route) })
  const meta = plainMeta(route.meta)
  if (envelope !== '') return object({ [envelope]: objectSchema, meta })
  return {
    ...objectSchema,
    required: [...(objectSchema['required'] as string[]), 'meta'],
    properties: { ...propertiesOf(objectSchema), meta },
  }
}

function listMeta({ meta: more = {} }: Described): Schema {
  return object(
    {
      total: { type: 'integer', minimum: 0, description: 'Matching records, over all pages.' },
      limit: { type: ['integer', 'null'], minimum: 1, description: 'Page size used.' },
      offset: { type: 'integer', minimum: 0, description: 'Records skipped.' },
      filters_applied: { type: 'object', description: 'Active filters, including defaults.' },
      ...commonMeta,
      ...more,
    },
    ['filters_applied', ...optionalMeta, ...Object.keys(more).filter(member => member !== 'as_of')],
  )
}

const rowsOf = (route: Described): Schema =>
  route.resources
    ? { anyOf: route.resources.map(resource => reference(rowNameFor(route, resource))) }
    : reference(rowNameOf(route))

/** Rows of one of several resources: as the resource has them, unless columns of the operation's own come first. */
const rowNameFor = ({ name, leading }: Described, { row }: Resource): string =>
  leading ? `${pascal(name)}${row}` : row!

/** A resource's rows have its name; those of other operations the operation's. */
const rowNameOf = ({ name, resource, columns }: Described): string =>
  (resource && resource.columns === columns && resource.row) || `${pascal(name)}Row`

function rowSchemas(routes: readonly Described[]): Part {
  const rows: Part = {}
  for (const { row, columns } of tables) if (row) rows[row] = withExplain(rowSchema(columns))
  for (const route of routes) {
    for (const resource of route.leading ? (route.resources ?? []) : [])
      rows[rowNameFor(route, resource)] = rowSchema({ ...route.leading, ...resource.columns })
    if (!route.columns || rows[rowNameOf(route)]) continue
    rows[rowNameOf(route)] = withExplain(rowSchema(route.columns))
  }
  return rows
}

const batchSchema = (routes: readonly Described[]): Schema => ({
  type: 'array',
  minItems: 1,
  maxItems: 10,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['primitive'],
    properties: {
      primitive: { type: 'string', enum: routes.filter(r => r.batch).map(r => r.name) },
      operation_id: { type: ['string', 'integer'], description: 'Returned with the result.' },
      params: { type: 'object', description: 'Parameters of the operation, typed or as text.' },
    },
  },
})

const refs = (...names: readonly string[]): Part =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const header = (type: string, description: string) => ({ description, schema: { type } })

const headers: Part = {
  'X-Request-Id': header('string', 'Request identifier; the same as in the body.'),
  'X-RateLimit-Limit': header('integer', 'Requests allowed in 60 seconds.'),
  'X-RateLimit-Remaining': header('integer', 'Requests left in the window.'),
  'X-RateLimit-Reset': header('integer', 'Unix epoch seconds at which the window is full again.'),
  'X-Total-Count': header('integer', 'Matching records.'),
  'X-Truncated': header('string', '`true` if there are more records than were sent.'),
  'Retry-After': header('integer', 'Seconds to wait.'),
  'WWW-Authenticate': header('string', 'How to authenticate.'),
  'Idempotency-Replayed': header('string', '`true` if the answer was stored from an earlier request.'),
  'Cache-Control': header('string', 'Answers are private, and revalidated by their ETag.'),
  ETag: header('string', 'Weak ETag of the answer; send it as If-None-Match.'),
  Vary: header('string', 'Request headers that the answer depends on.'),
}

const sharedParameters: Part = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag of a cached answer: 304, free of charge, if it has not changed.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeated request with the same key is charged and executed once.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
}

const sharedSchemas = (): Part => ({
  Error: object({
    error: object({
      code: { type: 'string', enum: servedCodes, description: 'One code per cause.' },
      message: { type: 'string', description: 'What is wrong, and what to do next.' },
      details: { type: 'object', description: 'Depends on the code.' },
      request_id: { type: 'string', description: 'Request identifier.' },
    }),
  }),
})

const nameOf = (status: number): string => STATUS_CODES[status]!.replaceAll(/[^A-Za-z]/g, '')

/** One response per status: the shared Error, with the status's codes. */
function errorResponses(): Part {
  const byStatus = new Map<number, Code[]>()
  for (const code of servedCodes) {
    const { status } = codes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const response = (description: string, schema: Schema, more: readonly string[] = []) => ({
    description,
    headers: refs('X-Request-Id', ...more),
    content: { 'application/json': { schema } },
  })
  const of = ([status, those]: [number, Code[]]) => {
    const narrowed = { type: 'object', properties: { code: { type: 'string', enum: those } } }
    const schema = { allOf: [reference('Error'), { type: 'object', properties: { error: narrowed } }] }
    const more =
      status === 429 || status === 503 ? ['Retry-After'] : status === 401 ? ['WWW-Authenticate'] : []
    return [nameOf(status), response(`${those.join(', ')}.`, schema, more)]
  }
  return {
    ...Object.fromEntries([...byStatus].sort(([a], [b]) => a - b).map(of)),
    Other: response('Any other error.', reference('Error')),
  }
}

const ownDocument: Part = {
  operationId: 'openapi',
  summary: 'This document.',
  tags: ['meta'],
  security: [],
  responses: {
    200: {
      description: 'The OpenAPI document.',
      headers: refs('ETag'),
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  },
}
