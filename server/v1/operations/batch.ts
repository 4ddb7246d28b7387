import { type Code, invalid, QueryError } from '../../../engine/base/errors.ts'
import type { CallOptions } from '../../../engine/engine.ts'
import { nearest } from '../../../engine/names/nearest.ts'
import { operations as all } from '../../../engine/operations/api.ts'
import type { Operation } from '../../../engine/operations/operation.ts'
import { json } from '../../../engine/schema/column.ts'
import { type Input, one, required, unknownNames } from '../../../engine/schema/params.ts'
import { memberError } from '../../http/errors.ts'
import { ignoredWarnings } from '../../http/unknown-params.ts'
import { credits, type Tier, tiers } from '../../limits/tiers.ts'
import { checkTier, mayAsk } from './access.ts'
import type { Call, CallTypes, Endpoint, Meta } from './endpoint.ts'

const MOST = 10

/** Operations allowed in a batch, by name. */
const primitives = new Map(all.filter(o => o.batch).map(o => [o.name, o]))

const object = { type: 'object' } as const
const integer = { type: 'integer' } as const

export type BatchResult =
  | {
      primitive: string
      operation_id?: string | number
      status: 'success'
      data: unknown
      meta: Record<string, unknown>
    }
  | {
      primitive: string | null
      operation_id?: string | number
      status: 'error'
      data: null
      error: { code: Code; message: string; details: Record<string, unknown> }
      meta: Record<string, unknown>
    }

export interface BatchAnswer {
  results: BatchResult[]
  meta: Meta & { total_operations: number; successful: number; failed: number; duration_ms: number }
}

export const batch = {
  name: 'batch',
  method: 'POST',
  path: '/v1/batch',
  doc: 'Up to ten operations at once. They run in parallel, and a failure does not affect the others.',
  tier: 'any',
  cost: 'advanced',
  heavy: 'always',
  answers: 'object',
  params: {
    operations: required(
      one(json('1 to 10 objects `{primitive, params, operation_id?}`; the id is returned.')),
    ),
  },
  envelope: 'results',
  columns: null,
  body: true,
  examples: [],
  types: undefined as CallTypes<{ operations: readonly unknown[] }, BatchAnswer> | undefined,
  schema: {
    ...object,
    required: ['results', 'meta'],
    properties: {
      results: {
        type: 'array',
        minItems: 1,
        maxItems: MOST,
        items: {
          ...object,
          required: ['primitive', 'status', 'data', 'meta'],
          properties: {
            primitive: { type: ['string', 'null'] },
            operation_id: { type: ['string', 'integer'], description: 'As given.' },
            status: { enum: ['success', 'error'] },
            data: { description: 'As the endpoint itself answers; null if it failed.' },
            error: {
              ...object,
              required: ['code', 'message', 'details'],
              properties: { code: { type: 'string' }, message: { type: 'string' }, details: object },
            },
            meta: object,
          },
        },
      },
      meta: {
        ...object,
        required: ['total_operations', 'successful', 'failed', 'duration_ms', 'request_id'],
        properties: {
          total_operations: integer,
          successful: integer,
          failed: integer,
          duration_ms: integer,
          request_id: { type: 'string' },
        },
      },
    },
  },
  weight: ({ operations }) =>
    Array.isArray(operations) && operations.length <= MOST ? Math.max(1, operations.length) : 1,
  price: (args, tier) => membersOf(args).reduce<number>((sum, member) => sum + priceOf(member, tier), 0),
  async handle(call) {
    const started = performance.now()
    const members = membersOf(call.args)
    const ask = () => Promise.all(members.map(member => runMember(call, member)))
    const done = await oneSnapshot(ask)
    const successful = done.filter(d => d.result.status === 'success').length
    return {
      cost: done.reduce((sum, d) => sum + d.cost, 0),
      body: {
        results: done.map(d => d.result),
        meta: {
          total_operations: done.length,
          successful,
          failed: done.length - successful,
          duration_ms: Math.round(performance.now() - started),
        },
      },
    }
  },
} satisfies Endpoint

function membersOf({ operations }: Input): readonly unknown[] {
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MOST)
    throw invalid(
      'operations',
      Array.isArray(operations) ? operations.length : typeof operations,
      `operations must be an array of 1 to ${MOST} objects {primitive, params}`,
      { min: 1, max: MOST },
    )
  return operations
}

const primitiveOf = (member: unknown): unknown => (member as { primitive?: unknown } | null)?.primitive

function priceOf(member: unknown, tier: Tier): number {
  const found = primitives.get(primitiveOf(member) as string)
  return found && mayAsk(found, tier) ? credits[found.cost] : 0
}

const isOperationId = (id: unknown): id is string | number =>
  (typeof id === 'string' && id.length <= 256) || Number.isSafeInteger(id)

/** The caller's id of an operation in a batch. */
const operationIdOf = (member: unknown): { operation_id?: string | number } => {
  const id = (member as { operation_id?: unknown } | null)?.operation_id
  return isOperationId(id) ? { operation_id: id } : {}
}

interface Done {
  readonly result: Readonly<Record<string, unknown>> & { readonly status: 'success' | 'error' }
  readonly cost: number
  readonly snapshot: unknown
}

async function runMember(call: Call, member: unknown): Promise<Done> {
  const { tier } = call.principal
  const primitive = primitiveOf(member)
  const named = typeof primitive === 'string' ? primitive.slice(0, 120) : null
  const about = { primitive: named, ...operationIdOf(member) }
  try {
    const { operation, params } = readMember(member)
    checkTier(operation, tier)
    const { [operation.envelope]: data, meta } = await answer(call, operation, params)
    return {
      result: { ...about, status: 'success', data, meta },
      cost: credits[operation.cost],
      snapshot: (meta as Input)['snapshot'],
    }
  } catch (error) {
    if (call.signal.aborted) throw error
    if (!(error instanceof QueryError)) call.report(error)
    const result = {
      ...about,
      status: 'error',
      data: null,
      error: memberError(error, tier),
      meta: {},
    } as const
    return { result, cost: 0, snapshot: undefined }
  }
}

function answer(
  call: Call,
  { name, params: declared }: Operation,
  params: Input,
): Promise<Record<string, unknown>> {
  const { engine, principal, deadline, unknownParams } = call
  const options: CallOptions = {
    coverage: tiers[principal.tier].coverage,
    // Created on first use.
    get signal() {
      return call.signal
    },
  }
  const ignored = unknownParams === 'ignore' ? unknownNames(declared, params) : []
  const known = ignored.length > 0 ? without(params, ignored) : params
  const warnings = ignoredWarnings(ignored)
  return engine.ask(name, known, options, { bounded: true, nonempty: true, warnings, deadline })
}

const without = (params: Input, names: readonly string[]): Input =>
  Object.fromEntries(Object.entries(params).filter(([given]) => !names.includes(given)))

function readMember(member: unknown): { operation: Operation; params: Input } {
  if (typeof member !== 'object' || member === null || Array.isArray(member))
    throw invalid('operations', typeof member, 'an operation must be an object {primitive, params}')
  const { primitive, params = {}, operation_id, ...rest } = member as Record<string, unknown>
  const operation = primitives.get(primitive as string)
  if (!operation) {
    const allowed = [...primitives.keys()]
    const written = typeof primitive === 'string' ? primitive.slice(0, 120) : null
    const suggestion = nearest(written ?? '', allowed)
    throw invalid('primitive', written, `primitive must be one of ${allowed.join(', ')}`, {
      allowed,
      ...(suggestion && { suggestion }),
    })
  }
  const [other] = Object.keys(rest)
  if (other !== undefined)
    throw invalid(
      other.slice(0, 120),
      null,
      'an operation has the members primitive, params and operation_id',
      {
        allowed: ['primitive', 'params', 'operation_id'],
      },
    )
  if (operation_id !== undefined && !isOperationId(operation_id))
    throw invalid(
      'operation_id',
      null,
      'operation_id must be a string of at most 256 characters, or a whole number',
    )
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw invalid('params', null, 'params must be an object')
  return { operation, params: params as Input }
}

/** Runs again if a new snapshot appeared in the meantime: one batch answers from one snapshot. */
async function oneSnapshot(ask: () => Promise<Done[]>): Promise<Done[]> {
  for (let round = 1; ; round++) {
    const done = await ask()
    if (isOfOne(done)) return done
    if (round === 5) throw new QueryError('OVERLOADED', 'the data changed while it was read: try again')
  }
}

/** Whether all answers are of one snapshot; failures are of none. */
function isOfOne(done: readonly Done[]): boolean {
  const first = done.find(({ snapshot }) => snapshot !== undefined)
  return done.every(({ snapshot }) => snapshot === undefined || snapshot === first!.snapshot)
}
