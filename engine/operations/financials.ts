import { integer, oneOf, text } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import { type ArgsOf, many, type Params } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { type FinancialStatement, financials } from '../schema/resources/financials.ts'
import { list, planList } from './list.ts'
import type { Context, ListAnswer } from './operation.ts'
import {
  readPeriod,
  reportings,
  type StatementArgs,
  statementConditions,
  statementParams,
} from './statement-period.ts'

const listed = list(financials, {
  name: 'search.financials',
  row: undefined as FinancialStatement | undefined,
  path: '/v1/financials',
  command: 'financials',
  tier: 'any',
  cost: 'simple',
  meta: {
    period: valueSchema(text('Requested period, or `quarter`.')),
    reported: valueSchema(oneOf(reportings, 'Figures as last or first reported, or every version of them.')),
  },
  examples: ['--ticker FLKNT --period TTM', '--period 2024Q3 --sort -revenue'],
  params: {
    fiscal_quarter: many(integer('Fiscal quarters, 1 to 4.'), { min: 1, max: 4 }),
    ...statementParams,
  },
})

export const searchFinancials: typeof listed = {
  ...listed,
  check(args) {
    readPeriod((args as { period?: string }).period)
    listed.check!(args)
  },
  async run(context: Context, args: ArgsOf<Params>): Promise<ListAnswer> {
    await context.tables(financials.table)
    const statements = args as StatementArgs
    const { plan, meta, narrowing } = await planList(financials as Resource, context, args)
    const conditions = statementConditions(statements)
    const where = [...plan.where, ...conditions]
    const period = statements.period ?? 'quarter'
    return {
      kind: 'list',
      plan: { ...plan, where },
      kinds: financials.columns,
      narrowing: [...narrowing, { name: 'period', value: period, column: 'period_end_date', conditions }],
      meta: { ...meta, period, reported: statements.reported },
    }
  },
}
