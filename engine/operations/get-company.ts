import { boolean, text } from '../schema/column.ts'
import { reference } from '../schema/json-schema.ts'
import { type ArgsOf, fallback, one, type Params, required } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { ageParams, type Company, companies, reportedParam } from '../schema/resources/companies.ts'
import { checkList, planList, tableFor } from './list.ts'
import { type Context, operation } from './operation.ts'
import { explainParam, fieldsParam, timeParams } from './params.ts'

const resource = companies as unknown as Resource

export const getCompany = operation({
  name: 'get.company',
  method: 'GET',
  path: '/v1/companies/{ticker}',
  command: 'company',
  doc: 'One company with its debt metrics, by ticker, CIK or id.',
  tier: 'any',
  cost: 'simple',
  answers: 'object',
  envelope: 'data',
  columns: null,
  objectSchema: reference('Company'),
  positional: ['ticker'],
  examples: ['FLKNT', 'FLKNT --fields name,leverage_ratio,rating_bucket'],
  params: {
    ticker: required(
      one(text('Ticker, CIK (`320193` or `CIK0000320193`) or id of the company.', { example: 'AAPL' })),
    ),
    fields: fieldsParam<typeof companies.columns>('Members to return, comma-separated.'),
    include_metadata: fallback(one(boolean('Add `_metadata`: quality and sources of the record.')), false),
    ...ageParams,
    ...reportedParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args as ArgsOf<Params>),
  async run(context, { ticker, explain, ...args }) {
    await context.tables('companies', tableFor(resource, args).table)
    const { plan, kinds } = await planList(resource, context, {
      ...args,
      ticker: [(await idByCik(context, ticker)) ?? ticker],
      limit: 1,
    } as ArgsOf<Params>)
    const explained = { name: '_explain', column: companies.columns._explain }
    const isAsked = explain && !plan.columns.some(({ name }) => name === explained.name)
    const whole = isAsked ? { ...plan, columns: [...plan.columns, explained] } : plan
    const [data] = await context.rows(whole, kinds)
    return { kind: 'object', data: data! }
  },
  out: undefined as { data: Company; meta: Record<string, unknown> } | undefined,
})

/** The id of the company with a CIK; null if the text is not a CIK, or is a ticker. */
async function idByCik({ database }: Context, named: string): Promise<string | null> {
  const digits = /^(?:CIK)?([0-9]{1,10})$/i.exec(named.trim())?.[1]
  if (digits === undefined) return null
  const [company] = await database.rows<{ company_id: string }>(
    `SELECT company_id FROM stored.companies WHERE cik = ? AND NOT EXISTS (FROM stored.companies WHERE ticker = ?)
     ORDER BY ticker NULLS LAST, company_id LIMIT 1`,
    [digits.padStart(10, '0'), named.trim().toUpperCase()],
  )
  return company?.company_id ?? null
}
