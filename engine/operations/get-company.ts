import { boolean, text } from '../schema/column.ts'
import { reference } from '../schema/json-schema.ts'
import { type ArgsOf, fallback, one, type Params, required } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { ageParams, type Company, companies, reportedParam } from '../schema/resources/companies.ts'
import { checkList, planList, tableFor } from './list.ts'
import { operation } from './operation.ts'
import { explainParam, fieldsParam, timeParams } from './params.ts'

const resource = companies as unknown as Resource

export const getCompany = operation({
  name: 'get.company',
  method: 'GET',
  path: '/v1/companies/{ticker}',
  command: 'company',
  doc: 'One company with its debt metrics, by ticker, CIK, LEI or id.',
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
      one(text('Ticker, CIK (`320193` or `CIK0000320193`), LEI or id of the company.', { example: 'AAPL' })),
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
      ticker: [ticker],
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
