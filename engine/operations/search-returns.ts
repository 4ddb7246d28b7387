import { parseDay } from '../credit/calendar.ts'
import type { Resource } from '../schema/resource.ts'
import { type ReturnRow, returns } from '../schema/resources/returns.ts'
import { namedCompanies, pageOfComputed } from './computed-rows.ts'
import { checkList } from './list.ts'
import { operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'
import { returnParams } from './returns/return-params.ts'

const resource = returns as unknown as Resource

export const searchReturns = operation({
  name: 'search.returns',
  method: 'GET',
  path: '/v1/returns',
  command: 'returns',
  doc: 'Total returns of bonds or of a weighted list, and in excess of Treasuries.',
  tier: 'pro',
  cost: 'advanced',
  heavy: 'always',
  answers: 'rows',
  envelope: 'data',
  columns: returns.columns,
  resource,
  examples: ['--cusip 998XSRA10', '--sector Energy --weight par --date-from 2024-12-31'],
  params: {
    ...filterParams(returns),
    ...returnParams,
    ...pageParams<typeof returns.columns>(returns.limit, returns.sort),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args),
  async run(context, args) {
    const { periodsOf } = await import('./return-periods.ts')
    const { ids, unknown } = await namedCompanies(context, args)
    const periods = periodsOf(args, context.asOf)
    const { bondRows, listRows } = await import('./return-rows.ts')
    const asked = { args, ids, periods, asOf: parseDay(context.asOf) }
    const isList = args.weight !== undefined
    const rows = isList ? await listRows(context, asked) : await bondRows(context, asked)
    const applied = {
      date_from: periods.from,
      date_to: periods.to,
      every: args.every,
      max_staleness: args.max_staleness,
      match: args.match,
    }
    // The filters of a list choose its bonds: its rows have none of their columns.
    const { ticker, cusip, sector, rating_bucket, currency, ...rest } = args
    const chosen = {
      ticker,
      cusip,
      sector,
      rating_bucket,
      currency: currency ?? (cusip ? undefined : ['USD']),
    }
    return pageOfComputed(
      rows,
      {
        resource,
        args: isList ? rest : args,
        explains: 'The formulas, the terms, settlement days and curves of the period.',
        applied: isList ? { ...chosen, ...applied, weight: args.weight, members: args.members } : applied,
        emptyBecause: n =>
          n === 0
            ? `no bond that the filters select has a price between ${periods.from} and ${periods.to}`
            : `${n} periods have a price, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<ReturnRow> | undefined,
})
