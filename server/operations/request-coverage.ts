import { shaped, text } from '../../engine/column.ts'
import type { Engine } from '../../engine/engine.ts'
import { one, required } from '../../engine/params.ts'
import type { Endpoint } from '../endpoint.ts'

const statuses = ['requested', 'already_requested', 'covered'] as const

export const requestCoverage: Endpoint = {
  name: 'request.coverage',
  method: 'POST',
  path: '/v1/coverage/request',
  doc: 'Asks for a company to be covered. Free.',
  tier: 'any',
  cost: 'free',
  params: {
    ticker: required(one(shaped('ticker', 'Ticker of the company.', { example: 'NEWCO' }))),
    company_name: required(one(text('Name of the company.', { example: 'Newco Holdings Inc' }))),
    cik: one(shaped('cik', 'Its number at the SEC.')),
    note: one(text('Anything that helps to find its debt.'), { length: 2000 }),
  },
  envelope: 'data',
  columns: null,
  body: true,
  examples: [],
  schema: {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: {
        type: 'object',
        required: ['id', 'status', 'ticker', 'company_name', 'requested_at'],
        properties: {
          id: { type: ['string', 'null'], description: 'Null where the company is covered already.' },
          status: { enum: statuses },
          ticker: { type: 'string' },
          company_name: { type: 'string' },
          requested_at: { type: ['string', 'null'], format: 'date-time' },
        },
      },
      meta: { type: 'object', required: ['request_id'], properties: { request_id: { type: 'string' } } },
    },
  },
  async handle({ engine, state, principal, args, now }) {
    const asked = args as { ticker: string; company_name: string; cik?: string; note?: string }
    const about = { ticker: asked.ticker, company_name: asked.company_name }
    if (await covers(engine, asked.ticker))
      return { body: { data: { id: null, status: 'covered', ...about, requested_at: null } } }
    const { id, created, requestedAt } = await state.requestCoverage(
      principal.accountId,
      {
        ticker: asked.ticker,
        companyName: asked.company_name,
        cik: asked.cik ?? null,
        note: asked.note ?? null,
      },
      now,
    )
    return {
      status: created ? 202 : 200,
      body: {
        data: {
          id,
          status: created ? 'requested' : 'already_requested',
          ...about,
          requested_at: requestedAt,
        },
      },
    }
  },
}

async function covers(engine: Engine, ticker: string): Promise<boolean> {
  const { meta } = await engine.call('search.companies', { ticker, on_unknown: 'skip', fields: 'ticker' })
  return meta.total > 0
}
