import { addDays } from '../base/days.ts'
import { invalid } from '../base/errors.ts'
import { date, integer } from '../schema/column.ts'
import { alsoNamed, fallback, one } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { fromAliases, toAliases } from '../schema/resources/pricing.ts'
import { type TradeLiquidity, tradeLiquidity } from '../schema/resources/trade-liquidity.ts'
import { namedCompanies, pageOfComputed, rowsOfDay } from './computed-rows.ts'
import { checkList } from './list.ts'
import { operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = tradeLiquidity as unknown as Resource

/** A quarter, in which most bonds that trade at all have several trades. */
const WINDOW_DAYS = 91

export const searchTradeLiquidity = operation({
  name: 'search.trade_liquidity',
  method: 'GET',
  path: '/v1/trade-liquidity',
  command: 'trade-liquidity',
  doc: 'Liquidity of bonds by their trades: Amihud, Roll, days without trades, sizes.',
  tier: 'pro',
  cost: 'advanced',
  heavy: 'always',
  answers: 'rows',
  envelope: 'data',
  columns: tradeLiquidity.columns,
  resource,
  examples: ['--ticker FLKNT --sort amihud', '--max-zero-days 50 --date-from 2025-01-01'],
  params: {
    ...filterParams(tradeLiquidity),
    date_from: alsoNamed(one(date('From this day.')), ...fromAliases),
    date_to: alsoNamed(one(date('To this day.')), ...toAliases),
    max_gap: fallback(
      one(
        integer('Longest time between two trading days that a price change is taken over.', { unit: 'days' }),
        {
          min: 1,
          max: 92,
        },
      ),
      7,
    ),
    ...pageParams<typeof tradeLiquidity.columns>(tradeLiquidity.limit, tradeLiquidity.sort),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args),
  async run(context, args) {
    const to = args.date_to ?? context.asOf
    if (to > context.asOf)
      throw invalid('date_to', to, `date_to is after the as-of date ${context.asOf}`, { max: context.asOf })
    const from = args.date_from ?? addDays(to, -WINDOW_DAYS)
    if (from > to) throw invalid('date_from', from, `date_from is after date_to (${to})`, { max: to })
    const { ids, unknown } = await namedCompanies(context, args)
    const { liquidityRows } = await import('./trade-liquidity-rows.ts')
    const { max_gap: maxGap, explain } = args
    const rows = await rowsOfDay(context, resource, { ids, explain, variant: [from, to, maxGap] }, () =>
      liquidityRows(context, { from, to, maxGap, ids, explain }),
    )
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The definitions, with their sources.',
        applied: { date_from: from, date_to: to, max_gap: args.max_gap },
        emptyBecause: n =>
          n === 0
            ? `no bond has a trade on or before ${to}: prices of funds and vendors say nothing of liquidity`
            : `${n} bonds have trades, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<TradeLiquidity> | undefined,
})
