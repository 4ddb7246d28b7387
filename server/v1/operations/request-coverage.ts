import type { Engine } from '../../../engine/engine.ts'
import { shaped, text } from '../../../engine/schema/column.ts'
import { type ArgsOf, one, type Params, required } from '../../../engine/schema/params.ts'
import { checkPlain } from '../../http/plain-text.ts'
import type { State } from '../../state/state.ts'
import type { Call, CallTypes, Endpoint, Meta, Reply } from './endpoint.ts'

const statuses = ['requested', 'already_requested', 'covered'] as const

const params = {
  ticker: required(one(shaped('ticker', 'Ticker of the company.', { example: 'NEWCO' }))),
  company_name: required(one(text('Name of the company.', { example: 'Newco Holdings Inc' }))),
  cik: one(shaped('cik', 'SEC central index key (CIK).')),
  note: one(text('Anything that helps find its debt.'), { length: 2000 }),
} satisfies Params

export interface CoverageInput {
  ticker: string
  company_name: string
  cik?: string
  note?: string
}

export interface CoverageRequested {
  data: {
    id: string | null
    status: (typeof statuses)[number]
    ticker: string
    company_name: string
    requested_at: string | null
  }
  meta: Meta
}

export const requestCoverage = {
  name: 'request.coverage',
  method: 'POST',
  path: '/v1/coverage/request',
  doc: 'Requests coverage of a company. Free.',
  tier: 'any',
  cost: 'free',
  answers: 'object',
  params,
  envelope: 'data',
  columns: null,
  body: true,
  examples: [],
  types: undefined as CallTypes<CoverageInput, CoverageRequested> | undefined,
  schema: {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: {
        type: 'object',
        required: ['id', 'status', 'ticker', 'company_name', 'requested_at'],
        properties: {
          id: { type: ['string', 'null'], description: 'Null if the company is already covered.' },
          status: { enum: statuses },
          ticker: { type: 'string' },
          company_name: { type: 'string' },
          requested_at: { type: ['string', 'null'], format: 'date-time' },
        },
      },
      meta: { type: 'object', required: ['request_id'], properties: { request_id: { type: 'string' } } },
    },
  },
  handle: ({ engine, state, principal, args, now }: Call) =>
    askForCoverage(engine, state, principal.accountId, args as ArgsOf<typeof params>, now),
} satisfies Endpoint

/** Requests coverage of a company for an account. */
export async function askForCoverage(
  engine: Engine,
  state: State,
  accountId: string,
  { ticker, company_name, cik, note }: ArgsOf<typeof params>,
  now: number,
): Promise<Reply> {
  checkPlain('ticker', ticker)
  checkPlain('company_name', company_name)
  checkPlain('note', note, { lines: true })
  const about = { ticker, company_name }
  if (await covers(engine, ticker))
    return { body: { data: { id: null, status: 'covered', ...about, requested_at: null } } }
  const { id, created, requestedAt } = await state.requestCoverage(
    accountId,
    { ticker, companyName: company_name, cik: cik ?? null, note: note ?? null },
    now,
  )
  return {
    status: created ? 202 : 200,
    body: {
      data: { id, status: created ? 'requested' : 'already_requested', ...about, requested_at: requestedAt },
    },
  }
}

async function covers(engine: Engine, ticker: string): Promise<boolean> {
  const { meta } = await engine.call('search.companies', { ticker, on_unknown: 'skip', fields: 'ticker' })
  return meta.total > 0
}
