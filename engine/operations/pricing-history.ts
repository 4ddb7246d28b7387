import { date, oneOf, shaped, text } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import { alsoNamed, fallback, one, required } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { type DailyPrice, fromAliases, pricingHistory, toAliases } from '../schema/resources/pricing.ts'
import { explainPrices } from './explain-prices.ts'
import { checkList, planList } from './list.ts'
import { hasCusip, nearestCusip } from './nearest-cusip.ts'
import { operation, type Page } from './operation.ts'
import { explainParam, laneParam, pageParams, timeParams } from './params.ts'
import { historyMeta, span, weekly } from './pricing.ts'

/** Default columns of one bond's history. */
const shown = ['date', 'last_price', 'vwap', 'ytm', 'spread', 'volume', 'volume_capped', 'trade_count']

export const bondPricingHistory = operation({
  name: 'history.pricing',
  method: 'GET',
  path: '/v1/bonds/{cusip}/pricing/history',
  command: 'pricing-history',
  doc: 'Prices of one bond over up to two years, newest first.',
  tier: 'business',
  cost: 'simple',
  answers: 'rows',
  envelope: 'data',
  columns: pricingHistory.columns,
  resource: pricingHistory as Resource,
  positional: ['cusip'],
  meta: { cusip: valueSchema(text('Requested CUSIP.')), ...historyMeta },
  examples: ['998XSRA10 --aggregation weekly'],
  params: {
    cusip: required(one(shaped('cusip', 'CUSIP of the bond.'))),
    date_from: alsoNamed(one(date('From this day; default a year before date_to.')), ...fromAliases),
    date_to: alsoNamed(one(date('To this day; default the as-of date.')), ...toAliases),
    aggregation: fallback(
      one(oneOf(['daily', 'weekly'], 'One row per day, or the last of each ISO week.')),
      'daily',
    ),
    ...pageParams<typeof pricingHistory.columns>({ default: 50, max: 1000 }),
    ...timeParams,
    ...laneParam,
    ...explainParam,
  },
  check: args => checkList(pricingHistory as Resource, args),
  async run(context, args) {
    await context.tables('bonds', 'pricing_history')
    if (!(await hasCusip(context, args.cusip))) throw await nearestCusip(context, args.cusip)
    const days = span(args.date_from, args.date_to, context.asOf, 365)
    const { plan, meta, narrowing } = await planList(pricingHistory as Resource, context, {
      fields: args.fields ?? shown,
      sort: args.sort,
      limit: args.limit,
      offset: args.offset,
      cusip: [args.cusip],
      date_from: days.from,
      date_to: days.to,
    })
    return {
      kind: 'list',
      explain: explainPrices(context),
      plan: args.aggregation === 'weekly' ? weekly(plan) : plan,
      kinds: pricingHistory.columns,
      narrowing,
      meta: {
        ...meta,
        cusip: args.cusip,
        aggregation: args.aggregation,
        date_from: days.from,
        date_to: days.to,
      },
    }
  },
  out: undefined as Page<Partial<DailyPrice>> | undefined,
})
