import { addDays, daysBetween } from '../base/days.ts'
import { invalid } from '../base/errors.ts'
import type { Plan } from '../query/plan/plan.ts'
import { type Columns, date, integer, oneOf } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import { countSchema, valueSchema } from '../schema/json-schema.ts'
import type { ArgsOf, Params } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { STALE_DAYS } from '../schema/resources/bonds.ts'
import {
  type Aggregation,
  aggregationOf,
  type ListedPrice,
  type PriceArgs,
  priceParams,
  pricing,
  pricingHistory,
} from '../schema/resources/pricing.ts'
import { explainPrices } from './explain-prices.ts'
import { checkList, planList } from './list.ts'
import { type Context, type Meta, operation, type Page } from './operation.ts'
import { explainParam, filterParams, laneParam, pageParams, timeParams, unknownParam } from './params.ts'

/** Maximum length of a history: two years. */
const LONGEST_SPAN_DAYS = 731

/** The latest price, or a daily or weekly history. */
function modeOf(prices: PriceArgs & { as_of?: string }): Aggregation {
  const { date } = prices
  const mode = aggregationOf(prices)
  if (mode === 'latest' && (prices.date_from !== undefined || prices.date_to !== undefined))
    throw invalid('aggregation', mode, 'aggregation=latest takes no date range: use daily or weekly')
  if (date !== undefined && mode !== 'latest')
    throw invalid(
      'date',
      date,
      'date gives the latest prices as of that day: use date_from and date_to for a history',
    )
  if (date !== undefined && prices.as_of !== undefined && date > prices.as_of)
    throw invalid('date', date, `date is after as_of ${prices.as_of}`, { max: prices.as_of })
  return mode
}

/** The days of a history; by default counted back from the as-of date. */
export function span(
  from: string | undefined,
  to: string | undefined,
  asOf: string,
  defaultDays: number,
): { from: string; to: string } {
  const end = to ?? asOf
  const start = from ?? addDays(end, -defaultDays)
  if (start > end) throw invalid('date_from', start, 'date_from is after date_to: swap them', { max: end })
  if (daysBetween(start, end) > LONGEST_SPAN_DAYS)
    throw invalid(
      'date_from',
      start,
      `a history spans at most ${LONGEST_SPAN_DAYS} days: narrow date_from and date_to`,
      {
        min: addDays(end, -LONGEST_SPAN_DAYS),
      },
    )
  return { from: start, to: end }
}

/** One row per bond and day, or the last of each week, newest first. */
export function weekly(plan: Plan): Plan {
  return {
    ...plan,
    pick: { per: ['bond_id', 'week'], by: [{ column: 'date', descending: true }] },
  }
}

async function priceSummary(context: Context, plan: Plan, kinds: Columns): Promise<Meta> {
  const those = (more: Condition) => context.count({ ...plan, after: [...plan.after, more] }, kinds)
  const [priced, stale] = await Promise.all([
    those({ column: 'last_price', op: 'present' }),
    those({ column: 'is_stale', op: 'in', values: [true] }),
  ])
  return {
    priced_count: priced,
    stale_count: stale,
    stale_after_days: STALE_DAYS,
    as_of: `${context.asOf}T23:59:59Z`,
  }
}

/** Members of `meta` for a history of prices. */
export const historyMeta = {
  aggregation: valueSchema(oneOf(['daily', 'weekly'], 'One row per day, or the last of each ISO week.')),
  date_from: valueSchema(date('First day of the history.')),
  date_to: valueSchema(date('Last day of the history.')),
}

export const searchPricing = operation({
  name: 'search.pricing',
  method: 'GET',
  path: '/v1/pricing',
  command: 'pricing',
  doc: 'Prices of bonds with yield and spread to Treasury: latest, by day, or by week.',
  tier: 'pro',
  cost: 'simple',
  answers: 'rows',
  envelope: 'data',
  columns: { ...pricing.columns, ...pricingHistory.columns },
  resource: pricing as Resource,
  batch: true,
  alternative: '/v1/bonds?has_pricing=true',
  meta: {
    priced_count: countSchema('Rows with a price.'),
    stale_count: countSchema('Prices older than `stale_after_days`.'),
    stale_after_days: valueSchema(integer('Days after which a price is stale.', { unit: 'days' })),
    ...historyMeta,
    as_of: {
      description: 'As-of day of the latest prices; in a history the day itself.',
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ],
    },
  },
  examples: ['--ticker FRNLL --sort -ytm', '--cusip 998XSRA10 --aggregation weekly --date-from 2025-01-01'],
  params: {
    ...filterParams(pricing),
    ...priceParams,
    ...pageParams<typeof pricingHistory.columns>(pricing.limit),
    ...unknownParam,
    ...timeParams,
    ...laneParam,
    ...explainParam,
  },
  day: ({ date }) => (date === undefined ? undefined : { day: date, parameter: 'date' }),
  check: args =>
    checkList((modeOf(args as PriceArgs) === 'latest' ? pricing : pricingHistory) as Resource, args),
  async run(context, args) {
    const prices = args as ArgsOf<Params> & PriceArgs
    const mode = modeOf(prices)
    if (mode === 'latest') {
      await context.tables('pricing')
      const { plan, kinds, meta, narrowing } = await planList(pricing as Resource, context, args)
      return {
        kind: 'list',
        explain: explainPrices(context),
        plan,
        kinds,
        narrowing,
        meta,
        summary: () => priceSummary(context, plan, kinds),
      }
    }
    await context.tables('pricing_history')
    const days = span(prices.date_from, prices.date_to, context.asOf, 365)
    const { plan, kinds, meta, narrowing } = await planList(pricingHistory as Resource, context, {
      ...args,
      date_from: days.from,
      date_to: days.to,
    })
    return {
      kind: 'list',
      explain: explainPrices(context),
      plan: mode === 'weekly' ? weekly(plan) : plan,
      kinds,
      narrowing,
      meta: { ...meta, aggregation: mode, ...spanMeta(days) },
    }
  },
  out: undefined as Page<ListedPrice> | undefined,
})

const spanMeta = ({ from, to }: { from: string; to: string }) => ({ date_from: from, date_to: to })
