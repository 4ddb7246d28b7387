import { elementAt, firstOf, memberOf } from '../base/elements.ts'
import { invalid, QueryError } from '../base/errors.ts'
import { largest } from '../base/lists.ts'
import { isCusip } from '../credit/identifiers.ts'
import { nearest } from '../names/nearest.ts'
import type { ChosenRows } from '../query/page.ts'
import {
  boolean,
  type Column,
  type Columns,
  cents,
  integer,
  json,
  list,
  nullable,
  oneOf,
  type RowOf,
  text,
} from '../schema/column.ts'
import {
  arrayOf,
  countSchema,
  object,
  propertiesOf,
  rowSchema,
  valueSchema,
  withExplain,
} from '../schema/json-schema.ts'
import { nest } from '../schema/nested-rows.ts'
import { type ArgsOf, fallback, many, one, type Params, parseParams, required } from '../schema/params.ts'
import { type Bond, bonds } from '../schema/resources/bonds.ts'
import { entities } from '../schema/resources/entities.ts'
import { entityTypes } from '../schema/vocabulary.ts'
import { type EntityGraph, entityGraph, type Relation } from './graph/entity-graph.ts'
import { type Reached, walk } from './graph/walk.ts'
import { membersOf } from './members-of-param.ts'
import { type Context, operation } from './operation.ts'
import { explainParam, timeParams } from './params.ts'

/** The edges of each relationship, by direction. */
const followed = {
  guarantees: { outbound: 'guaranteed', inbound: 'guarantors' },
  subsidiaries: { outbound: 'children', inbound: 'parents' },
  parent_of: { outbound: 'children', inbound: 'parents' },
  parents: { outbound: 'parents', inbound: 'children' },
  debt: { outbound: 'issued', inbound: 'issuers' },
  borrowers: { outbound: 'issued', inbound: 'issuers' },
} as const satisfies Record<string, Record<'outbound' | 'inbound', Relation>>

const relationships = Object.keys(followed) as (keyof typeof followed)[]
const leadsToDebt = (relation: Relation): boolean => relation === 'guaranteed' || relation === 'issued'

/** Maximum number of entities and instruments in an answer. */
export const MOST_REACHED = 10_000

const tables = ['entities', 'bonds', 'ownership', 'guarantees']

/** Maximum duration of the walk in milliseconds. */
const MOST_TIME = 2000

/** An entity as a traversal returns it. */
const reachedEntity = {
  id: entities.columns.id,
  name: entities.columns.name,
  entity_type: entities.columns.entity_type,
  jurisdiction: entities.columns.jurisdiction,
  is_guarantor: entities.columns.is_guarantor,
  is_vie: entities.columns.is_vie,
  guarantee_type: entities.columns.guarantee_type,
  'debt_at_entity.count': integer('Active bonds and loans issued by the entity.'),
  'debt_at_entity.total': nullable(cents('Their amount outstanding; null if any is unknown.')),
  level: integer('Steps from the start.'),
  ticker: entities.columns.ticker,
  company_name: entities.columns.company_name,
  lei: entities.columns.lei,
}
export interface ReachedEntity extends RowOf<typeof reachedEntity> {}

export interface Traversal {
  start: { type: string; id: string; ticker?: string; name: string | null; company: string | null }
  traversal: {
    relationship?: string
    relationships?: string[]
    direction: string
    depth: number
    entities: Partial<ReachedEntity>[]
    instruments?: (Bond & { level: number })[]
  }
  summary: {
    total_entities: number
    total_guarantors: number
    /** Guarantors as a share of the entities of the start's company. */
    guarantee_coverage: number | null
    max_depth: number
    holdcos: number
    fincos: number
    opcos: number
    subsidiaries: number
    jvs: number
    vies: number
    total_instruments?: number
  }
  truncated: boolean
}

const startParams = {
  'start.type': required(one(oneOf(['company', 'bond', 'entity'], 'Type of the start.'))),
  'start.id': one(text('Ticker of a company, CUSIP or id of a bond, id of an entity.')),
  'start.ticker': one(text('Ticker of a company, in place of `id`.')),
  'start.cusip': one(text('CUSIP of a bond, in place of `id`.')),
} satisfies Params

const filterParams = {
  'filters.entity_type': many(oneOf(entityTypes, 'Roles in the group.')),
  'filters.is_guarantor': one(boolean('Guarantees debt of the group.')),
  'filters.jurisdiction': many(text('Jurisdictions.')),
} satisfies Params

/** JSON schema of `Traversal`. */
const traversalSchema = object({
  start: object(
    {
      type: { enum: ['company', 'bond', 'entity'] },
      id: { type: 'string' },
      ticker: { type: 'string' },
      name: { type: ['string', 'null'] },
      company: { type: ['string', 'null'] },
    },
    ['ticker'],
  ),
  traversal: object(
    {
      relationship: { type: 'string' },
      relationships: valueSchema(list('Relationships followed, if several.')),
      direction: { enum: ['outbound', 'inbound', 'both'] },
      depth: { type: 'integer' },
      entities: arrayOf(withExplain(rowSchema(reachedEntity))),
      instruments: arrayOf({
        type: 'object',
        additionalProperties: false,
        properties: {
          ...propertiesOf(rowSchema(bonds.columns)),
          level: valueSchema(integer('Steps from the start.')),
        },
      }),
    },
    ['relationship', 'relationships', 'instruments'],
  ),
  summary: {
    type: 'object',
    description: 'Counts of what was reached.',
    additionalProperties: { type: ['number', 'null'] },
  },
  truncated: valueSchema(boolean('A limit cut the traversal short.')),
})

const paramSchemas = {
  start: {
    anyOf: [
      {
        type: 'object',
        required: ['type'],
        properties: {
          type: { type: 'string', enum: ['company', 'bond', 'entity'] },
          id: {
            type: 'string',
            description: 'Ticker of a company, CUSIP or id of a bond, id of an entity.',
          },
          ticker: { type: 'string', description: 'Ticker of a company, in place of `id`.' },
          cusip: { type: 'string', description: 'CUSIP of a bond, in place of `id`.' },
        },
        additionalProperties: false,
      },
      { type: 'string', pattern: '^(company|bond|entity):.+$' },
    ],
  },
  filters: {
    type: 'object',
    properties: {
      entity_type: arrayOf({ type: 'string', enum: entities.columns.entity_type.values }),
      is_guarantor: { type: 'boolean' },
      jurisdiction: { type: 'string' },
    },
    additionalProperties: false,
  },
}

export const traverseEntities = operation({
  name: 'traverse.entities',
  method: 'POST',
  path: '/v1/entities/traverse',
  command: 'traverse',
  doc: 'Guarantors, subsidiaries, parents and debt reached from a company, a bond or an entity.',
  tier: 'any',
  cost: 'advanced',
  heavy: 'always',
  answers: 'object',
  envelope: 'data',
  columns: null,
  objectSchema: traversalSchema,
  meta: { total: countSchema('Entities and instruments returned.') },
  paramSchemas,
  batch: true,
  positional: ['start'],
  examples: [
    'company:FLKNT --relationships subsidiaries --depth 3',
    'bond:998XSRA10 --relationships guarantees --direction inbound',
  ],
  params: {
    start: required(
      one(json('`company:TICKER`, `bond:CUSIP` or `entity:ID`, or an object with `type` and `id`.')),
    ),
    relationships: required(many(oneOf(relationships, 'Relationships to follow.'))),
    direction: fallback(
      one(oneOf(['outbound', 'inbound', 'both'], 'Along the relationship, against it, or both.')),
      'outbound' as const,
    ),
    depth: fallback(one(integer('Maximum steps from the start.'), { min: 1, max: 10 }), 1),
    filters: one(
      json('Entities to return: `{"entity_type": [...], "is_guarantor": true, "jurisdiction": "Delaware"}`.'),
    ),
    fields: many(text('Fields of entities to return.') as Column<keyof ReachedEntity & string>),
    ...timeParams,
    ...explainParam,
  },
  check: readParts,
  async run(context, args) {
    const { start: asked, filters, fields } = readParts(args)
    if (!tables.every(name => context.isReady(name))) await context.tables(...tables)
    const graph = await entityGraph(context)
    const start = await findStart(context, graph, asked)
    const directions =
      args.direction === 'both' ? (['outbound', 'inbound'] as const) : ([args.direction] as const)
    const relations = [...new Set(args.relationships.flatMap(r => directions.map(d => followed[r][d])))]
    const self = graph.self.get(start.node)
    const late = performance.now() + MOST_TIME
    const reached = walk(
      self === undefined ? [start.node] : [start.node, self],
      relations.map(relation => graph.edges[relation]),
      {
        depth: args.depth,
        most: MOST_REACHED,
        isLate: () => performance.now() > late,
        sees: node => !graph.over[node] && (context.coverage === 'all' || !graph.extended[node]),
      },
    )
    const found = await describe(context, graph, reached)
    const rows = found.entities.filter(entity => passes(entity, filters))
    const guarantors = rows.filter(entity => entity.is_guarantor).length
    const group = new Set((graph.members.get(start.company) ?? []).map(node => elementAt(graph.ids, node)))
    const inGroup = rows.filter(entity => entity.is_guarantor && group.has(entity.id)).length
    const count = (type: string) => rows.filter(entity => entity.entity_type === type).length
    const explained = args.explain ? whence(graph, reached, relations) : null
    const toDebt = relations.some(leadsToDebt)
    const data: Traversal = {
      start: start.shown,
      traversal: {
        ...(args.relationships.length === 1
          ? { relationship: firstOf(args.relationships) }
          : { relationships: args.relationships }),
        direction: args.direction,
        depth: args.depth,
        entities: rows.map(entity => ({
          ...(fields ? chosen(entity, fields) : entity),
          ...(explained && { _explain: explained.get(entity.id) }),
        })),
        ...(toDebt && { instruments: found.instruments }),
      },
      summary: {
        total_entities: rows.length,
        total_guarantors: guarantors,
        guarantee_coverage: group.size === 0 ? null : Math.round((inGroup / group.size) * 1e4) / 1e4,
        max_depth: largest(
          [...rows, ...(toDebt ? found.instruments : [])].map(each => each.level),
          0,
        ),
        holdcos: count('holdco'),
        fincos: count('finco'),
        opcos: count('opco'),
        subsidiaries: count('subsidiary'),
        jvs: count('jv'),
        vies: rows.filter(entity => entity.is_vie).length,
        ...(toDebt && { total_instruments: found.instruments.length }),
      },
      truncated: reached.truncated,
    }
    const hint = nothingThatWay(asked.type, args.relationships, args.direction)
    return {
      kind: 'object',
      data: { ...data },
      meta: {
        total: rows.length + (toDebt ? found.instruments.length : 0),
        ...(reached.nodes.length === 0 && hint && { warnings: [hint] }),
      },
      empty: false,
    }
  },
  out: undefined as { data: Traversal; meta: Record<string, unknown> } | undefined,
})

interface AskedStart {
  readonly type: 'company' | 'bond' | 'entity'
  readonly id: string
}

/** Validates the members of `start` and `filters`, and the fields. */
function readParts(args: { start: unknown; filters: unknown; fields: readonly string[] | undefined }) {
  return {
    start: readStart(parseParams(startParams, membersOf('start', args.start))),
    filters: parseParams(filterParams, membersOf('filters', args.filters)),
    fields: checkedFields(args.fields),
  }
}

function readStart(start: ArgsOf<typeof startParams>): AskedStart {
  const type = start['start.type']
  const id =
    start['start.id'] ??
    (type === 'company' ? start['start.ticker'] : type === 'bond' ? start['start.cusip'] : undefined)
  if (id !== undefined) return { type, id }
  const member =
    type === 'company' ? 'start.id or start.ticker' : type === 'bond' ? 'start.id or start.cusip' : 'start.id'
  throw new QueryError('MISSING_PARAMETER', `${member} is required: the ${type} to start from`, {
    parameter: 'start.id',
  })
}

const fieldNames = [...new Set(Object.keys(reachedEntity).map(name => firstOf(name.split('.'))))]

function checkedFields(fields: readonly string[] | undefined): readonly string[] | undefined {
  for (const field of fields ?? []) {
    if (fieldNames.includes(field)) continue
    const suggestion = nearest(field, fieldNames)
    throw invalid(
      'fields',
      field,
      `entities have no field ${field}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
      {
        allowed: fieldNames,
        ...(suggestion && { suggestion }),
      },
    )
  }
  return fields
}

const chosen = (entity: ReachedEntity, fields: readonly string[]): Partial<ReachedEntity> =>
  Object.fromEntries(fields.map(field => [field, entity[field as keyof ReachedEntity]]))

interface Start {
  readonly node: number
  /** The node of its company; -1 if unknown. */
  readonly company: number
  readonly shown: Traversal['start']
}

async function findStart(context: Context, graph: EntityGraph, { type, id }: AskedStart): Promise<Start> {
  if (type === 'company') {
    const { ids } = await context.companies([id.toUpperCase()])
    const node = graph.numberOf.company.get(firstOf(ids))!
    const { ticker, name } = elementAt(graph.companies, node - graph.firstCompany)
    return {
      node,
      company: node,
      shown: { type, id: ticker ?? firstOf(ids), ...(ticker && { ticker }), name, company: name },
    }
  }
  const named = id.trim()
  const node =
    type === 'bond'
      ? graph.bondNamed.get(named.toUpperCase())
      : (graph.numberOf.entity.get(named) ?? graph.numberOf.entity.get(named.toLowerCase()))
  if (node === undefined || (context.coverage === 'standard' && graph.extended[node] === 1))
    throw unknownStart(type, named, node !== undefined)
  const table = type === 'bond' ? bonds : entities
  const columns = type === 'bond' ? bondNames : entityNames
  const [[name], [company]] = (await context.values(
    table.table,
    table.columns,
    columns,
    chosenRows(graph, [node]),
  )) as [(string | null)[], (string | null)[]]
  return {
    node,
    company: graph.groupOf[node] ?? -1,
    shown: { type, id: elementAt(graph.ids, node), name: name ?? null, company: company ?? null },
  }
}

const columnsNamed = (columns: Columns, names: readonly string[]) =>
  names.map(name => ({ name, column: memberOf(columns, name) }))
const bondNames = columnsNamed(bonds.columns, ['name', 'company_name'])
const entityNames = columnsNamed(entities.columns, ['name', 'company_name'])

function unknownStart(type: 'bond' | 'entity', id: string, exists: boolean): QueryError {
  if (type === 'bond' && isCusip(id.toUpperCase()) && !exists)
    return new QueryError(
      'INVALID_CUSIP',
      `no bond has the CUSIP ${id.toUpperCase()}: look it up with resolve`,
      {
        cusip: id.toUpperCase(),
        suggestion: null,
      },
    )
  if (type === 'bond' && /^[0-9A-Z*@#]{9}$/i.test(id) && /^[0-9]/.test(id) && !exists)
    return invalid('start.id', id, 'start.id must be a CUSIP with a valid check digit, or the id of a bond')
  const how =
    type === 'bond' ? 'look it up with resolve' : 'ids of entities come from a traversal of their company'
  return new QueryError('NOT_FOUND', `there is no ${type} ${id}: ${how}`, { type, id })
}

const bondColumns = Object.entries(bonds.columns)
  .filter(([, column]) => !column.on_request)
  .map(([name, column]) => ({ name, column }))
const entityColumns = Object.entries(reachedEntity).map(([name, column]) => ({ name, column }))
/** Columns read from the table; the others come from the graph and the walk. */
const storedColumns = columnsNamed(
  entities.columns,
  entityColumns.map(({ name }) => name).filter(name => Object.hasOwn(entities.columns, name)),
)

const chosenRows = (graph: EntityGraph, nodes: readonly number[]): ChosenRows => ({
  rows: nodes.map(node => elementAt(graph.rowOf, node)),
  ids: nodes.map(node => elementAt(graph.ids, node)),
})

/** The records of the reached nodes, in order. */
async function describe(context: Context, graph: EntityGraph, reached: Reached) {
  const level = new Map(reached.nodes.map((node, i) => [node, elementAt(reached.levels, i)]))
  const companies = reached.nodes.filter(node => node < graph.firstCompany)
  const entityNodes = companies.filter(node => node < graph.firstBond)
  const bondNodes = companies.filter(node => node >= graph.firstBond)
  const [ofEntities, ofBonds] = await Promise.all([
    context.values(entities.table, entities.columns, storedColumns, chosenRows(graph, entityNodes)),
    context.values(bonds.table, bonds.columns, bondColumns, chosenRows(graph, bondNodes)),
  ])
  const own: Readonly<Record<string, (node: number) => number | null>> = {
    'debt_at_entity.count': node => graph.debtAt.get(node)?.count ?? 0,
    'debt_at_entity.total': node => (graph.debtAt.get(node) ?? NO_DEBT).total,
    level: node => level.get(node)!,
  }
  const columns = entityColumns.map(({ name }) => {
    const at = storedColumns.findIndex(column => column.name === name)
    return at < 0 ? entityNodes.map(memberOf(own, name)) : elementAt(ofEntities, at)
  })
  return {
    entities: nest(entityColumns, columns, entityNodes.length) as unknown as ReachedEntity[],
    instruments: nest(bondColumns, ofBonds, bondNodes.length).map((bond, i) => ({
      ...(bond as unknown as Bond),
      level: level.get(elementAt(bondNodes, i))!,
    })),
  }
}

const NO_DEBT = { count: 0, total: 0 }

function passes(entity: ReachedEntity, filters: ArgsOf<typeof filterParams>): boolean {
  const types = filters['filters.entity_type']
  const guarantor = filters['filters.is_guarantor']
  const places = filters['filters.jurisdiction']?.map(place => place.toLowerCase())
  return (
    (types === undefined || types.includes(entity.entity_type!)) &&
    (guarantor === undefined || entity.is_guarantor === guarantor) &&
    (places === undefined || places.includes(entity.jurisdiction?.toLowerCase() ?? ''))
  )
}

/** The relationship and node from which each was reached. */
const whence = (graph: EntityGraph, reached: Reached, relations: readonly Relation[]) =>
  new Map(
    reached.nodes.map((node, i) => [
      elementAt(graph.ids, node),
      { reached_by: relations[elementAt(reached.by, i)], from: graph.ids[elementAt(reached.from, i)] },
    ]),
  )

/** A start that never has edges in this direction: probably the other one was meant. */
function nothingThatWay(type: string, relationships: readonly string[], direction: string): string | null {
  if (type === 'bond' && direction === 'outbound')
    return `a bond has no outbound ${relationships.join(' or ')}: ask for direction inbound`
  if (
    type === 'entity' &&
    direction === 'inbound' &&
    relationships.some(r => r === 'guarantees' || r === 'debt')
  )
    return `an entity has no inbound ${relationships.join(' or ')}: ask for direction outbound`
  return null
}
