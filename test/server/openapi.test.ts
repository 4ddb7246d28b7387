import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { codes } from '../../engine/base/errors.ts'
import { open } from '../../engine/engine.ts'
import { exportedResources } from '../../engine/operations/export.ts'
import { panelLists } from '../../engine/operations/panel.ts'
import type { Input } from '../../engine/schema/params.ts'
import { openapi } from '../../server/openapi/openapi.ts'
import { everyEndpoint } from '../../server/v1/every-endpoint.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many depths
type Part = Record<string, any>

const document = openapi(everyEndpoint) as Part
const operations = everyEndpoint.map(route => ({
  route,
  operation: document['paths'][route.path][route.method.toLowerCase()] as Part,
}))

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addKeyword('x-unit')
const $defs = JSON.parse(
  JSON.stringify(document['components'].schemas).replaceAll('#/components/schemas/', '#/$defs/'),
)
ajv.addSchema({ $id: 'api', $defs })

/** The parts of a value that its schema does not allow. */
function faults(schema: string, value: unknown): string[] {
  const validate = ajv.compile({ $ref: `api#/$defs/${schema}` })
  validate(value)
  return (validate.errors ?? []).map(e => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`)
}

const pascal = (name: string) =>
  name
    .split(/[._]/)
    .map(part => part[0]!.toUpperCase() + part.slice(1))
    .join('')

t.test('the document is valid OpenAPI 3.1, deterministic, and names every schema', async t => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  t.ok(valid, JSON.stringify(errors))
  t.equal(JSON.stringify(openapi(everyEndpoint)), JSON.stringify(document))
  const named = new Set(Object.keys(document['components'].schemas))
  const used = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(m => m[1]!)
  t.strictSame(
    [...new Set(used)].filter(name => !named.has(name)),
    [],
  )
  for (const name of named) t.doesNotThrow(() => ajv.compile({ $ref: `api#/$defs/${name}` }), name)
})

t.test('every parameter of every endpoint is documented with kind, unit, values and bounds', async t => {
  for (const { route, operation } of operations) {
    t.equal(operation['operationId'], route.name)
    const own = route.body
      ? Object.keys(document['components'].schemas[`${pascal(route.name)}Request`].properties)
      : ((operation['parameters'] ?? []) as Part[]).filter(p => p['name']).map(p => p['name'])
    const names = Object.entries(route.params).flatMap(([name, { aliases = [] }]) => [name, ...aliases])
    t.strictSame(own, names, route.name)
    for (const name of route.path.matchAll(/\{(\w+)\}/g))
      t.match(
        (operation['parameters'] as Part[]).find(p => p['name'] === name[1]),
        { in: 'path', required: true },
      )
  }
  const bonds = document['paths']['/v1/bonds'].get.parameters as Part[]
  const named = (name: string) => bonds.find(p => p['name'] === name)!
  t.match(named('min_outstanding'), { schema: { type: 'integer', 'x-unit': 'cents' }, required: false })
  t.match(named('limit'), { schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } })
  t.match(named('seniority'), {
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { enum: ['senior_secured', 'senior_unsecured', 'subordinated'] } },
  })
  t.match(named('is_active')['description'], /`true` by default, unless `cusip` is given/)
})

t.test('every endpoint documents its errors, of one shape and a closed list of codes', async t => {
  const { responses, schemas } = document['components']
  // Only "tranche fetch" asks publishers for files, and only "tranche build" has a gate: no request meets these.
  const served = Object.keys(codes).filter(code => code !== 'SOURCE_UNAVAILABLE' && code !== 'GATE_FAILED')
  t.strictSame(schemas['Error'].properties.error.properties.code.enum, served)
  for (const { route, operation } of operations) {
    const statuses = Object.keys(operation['responses'])
    for (const status of ['200', '400', '401', '404', '429', '500', '503', '504', 'default'])
      t.ok(statuses.includes(status), `${route.name} ${status}`)
    for (const status of statuses.filter(s => /^[45]/.test(s)))
      t.ok(responses[operation['responses'][status].$ref.split('/').at(-1)], `${route.name} ${status}`)
  }
  t.strictSame(
    responses['TooManyRequests'].content['application/json'].schema.allOf[1].properties.error.properties.code,
    {
      type: 'string',
      enum: ['RATE_LIMITED'],
    },
  )
})

t.test('lists are documented in every format, objects as JSON', async t => {
  const types = (path: string) => Object.keys(document['paths'][path].get.responses[200].content)
  t.strictSame(types('/v1/companies'), [
    'application/json',
    'application/x-ndjson',
    'text/csv',
    'application/vnd.apache.arrow.stream',
    'application/vnd.apache.parquet',
  ])
  t.strictSame(types('/v1/bonds/resolve'), ['application/json'])
})

/** Arguments of each operation, beside none at all. */
const questions: Readonly<Record<string, readonly Input[]>> = {
  'search.companies': [
    { include_metadata: true, explain: true },
    { fields: 'ticker,_metadata', limit: 1 },
  ],
  'search.bonds': [
    { explain: true },
    { fields: 'name,pricing.ytm,_explain' },
    { cusip: '000000AA7,037833100' },
  ],
  'resolve.bond': [{ q: 'alfa 6 2030' }, { cusip: '000000AA7' }, { q: 'nothing at all' }],
  'search.pricing': [
    {},
    { explain: true },
    { date: '2025-03-01' },
    { aggregation: 'daily' },
    { aggregation: 'weekly', date_from: '2025-01-01' },
  ],
  'history.pricing': [{ cusip: '000000AA7' }, { cusip: '000000AA7', aggregation: 'weekly', explain: true }],
  'search.financials': [
    {},
    { period: 'TTM', include_metadata: true, explain: true },
    { reported: 'original' },
  ],
  'compare.covenants': [{ ticker: 'ALFA,BETA' }, { ticker: 'ALFA,BETA,NOPE', on_unknown: 'skip' }],
  'search.ratings': [{ latest: true }, { as_of: '2024-06-30' }],
  'search.spreads': [{}, { tenor: '1Y,3Y,5Y,7Y,10Y', explain: true }],
  'aggregate.spreads': [
    { group_by: 'month,tenor', metrics: 'median,change,p90,companies' },
    { group_by: 'ticker' },
  ],
  'search.documents': [{ q: 'debt' }, { q: 'debt', mode: 'hybrid', explain: 'true' }],
  suggest: [{ q: 'alfa' }, { q: 'debt', kind: 'title' }],
  'get.company': [
    { ticker: 'ALFA' },
    { ticker: 'ALFA', include_metadata: true, explain: true },
    { ticker: 'BETA', fields: 'name,total_debt' },
  ],
  'search.collateral': [{}, { explain: true, fields: 'id,bond_cusip,collateral_type,debt_instrument_id' }],
  'bond.risk': [
    { cusip: '000000AA7' },
    { cusip: '000000AA7', price: 99, calls: '2027-06-01:102', explain: true },
  ],
  'market.scenario': [{ shift: 100 }, { shift: 50, twist: 25, explain: true }],
  'recovery.company': [{ ticker: 'ALFA' }, { ticker: 'ALFA', enterprise_value: 1e10, explain: true }],
  'changes.company': [
    { ticker: 'ALFA', since: '2024-02-15' },
    { ticker: 'ALFA', explain: true },
  ],
  'search.changes': [
    { resource: 'companies', since: '2024-02-15' },
    { resource: 'bonds', since: '2024-02-15', fields: 'id,difference,unit' },
    { resource: 'financials', since: '2025-06-01' },
  ],
  panel: Object.keys(panelLists).map(resource => ({ resource, dates: '2025-01-10,2025-06-02' })),
  'count.facets': Object.keys(exportedResources).map(data_type => ({ data_type })),
  export: Object.keys(exportedResources).flatMap(data_type => [{ data_type }, { data_type, explain: true }]),
  'traverse.entities': [
    {
      start: { type: 'company', ticker: 'ALFA' },
      relationships: ['subsidiaries', 'debt'],
      depth: 3,
      explain: true,
    },
    { start: { type: 'company', id: 'ALFA' }, relationships: ['subsidiaries'], fields: ['name', 'level'] },
  ],
}

t.test('documented defaults are those of absent parameters', async t => {
  const defaultOf = (path: string, name: string) =>
    document['paths'][path].get.parameters.find((p: Part) => p['name'] === name).schema.default
  t.strictSame(defaultOf('/v1/bonds', 'currency'), ['USD'])
  t.equal(defaultOf('/v1/bonds', 'is_active'), true)
  t.strictSame(defaultOf('/v1/ratings', 'sort'), ['-effective_date', 'ticker', 'agency', 'id'])
  t.equal(defaultOf('/v1/ratings', 'issuer_only'), false)
  t.equal(defaultOf('/v1/pricing', 'aggregation'), 'latest')
  t.equal(defaultOf('/v1/companies', 'max_age'), 456)
  t.equal(defaultOf('/v1/companies', 'rating_max_age'), 1826)
})

t.test("every operation's answer matches the document exactly", async t => {
  const lake = await builtLake(t.teardown.bind(t), twoIssuers)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  for (const route of everyEndpoint) {
    if (route.handle) continue
    for (const question of questions[route.name] ?? [{}]) {
      const answer = await engine.ask(route.name, question)
      const body = { ...answer, meta: { ...(answer['meta'] as object), request_id: 'r' } }
      t.strictSame(
        faults(`${pascal(route.name)}Response`, JSON.parse(JSON.stringify(body))),
        [],
        `${route.name} ${JSON.stringify(question)}`,
      )
    }
  }
  const page = (await engine.call('search.bonds')) as Part
  t.not(faults('SearchBondsResponse', { ...page, more: 1 }).length, 0, 'an undocumented member shows')
  t.not(faults('SearchBondsResponse', { data: [{ coupon_rate: '6' }], meta: page['meta'] }).length, 0)
})

t.test('an operation that returns an object documents its members', async t => {
  for (const { name, answers, schema, objectSchema } of everyEndpoint)
    if (answers === 'object') t.ok(schema ?? objectSchema, name)
})
