import { firstOf, memberOf } from '../base/elements.ts'
import type { Chunk } from '../database/results.ts'
import type { Plan } from '../query/plan/plan.ts'
import { date, integer, list as listOf, oneOf, text } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import {
  type ArgsOf,
  fallback,
  type Input,
  many,
  one,
  type Param,
  type Params,
  parseParams,
  required,
} from '../schema/params.ts'
import { searchFinancials } from './financials.ts'
import { searchBonds, searchCompanies, searchRatings, searchSpreads } from './lists.ts'
import { type Context, type ListAnswer, type Operation, operation, type Page } from './operation.ts'
import { intervals, panelDays } from './panel-days.ts'
import { notOfList, offsetParam, timeParams, undatedWarning } from './params.ts'
import { whyEmpty } from './why-empty.ts'

const listed = {
  companies: searchCompanies,
  bonds: searchBonds,
  financials: searchFinancials,
  ratings: searchRatings,
  spreads: searchSpreads,
}

/** Lists that have a panel. */
export const panelLists = listed as unknown as Readonly<Record<string, Operation>>

const ownParams = {
  resource: required(
    one(oneOf(Object.keys(listed) as (keyof typeof listed)[], 'The list to query as of each day.')),
  ),
  dates: many(date('Days, comma-separated; or use `from`, `to` and `every`.'), { length: 20_000 }),
  from: one(text('First day, or month written `2015-01`.'), { length: 10 }),
  to: one(text('Last day, or month; default the as-of date of the snapshot.'), { length: 10 }),
  every: one(oneOf(intervals, 'Last day of each month or quarter, or Friday of each week.')),
  limit: fallback(one(integer('Rows to return, over all days.'), { min: 1, max: 250_000 }), 10_000),
  ...offsetParam,
  snapshot: timeParams.snapshot,
} satisfies Params

/** Names of columns, which depend on the list. */
const textParams = {
  fields: many(text('Columns to return, comma-separated.'), { length: 20_000 }),
  sort: many(text('Column to sort the rows of a day by.'), { length: 20_000 }),
} satisfies Params

/** Parameters of a list that its panel lacks: it has days and pages of its own. */
const ofOneDay: ReadonlySet<string> = new Set(['as_of', 'explain', 'limit', 'offset'])

const isOwn = (name: string): boolean => Object.hasOwn(ownParams, name) || ofOneDay.has(name)

/** Parameters of the lists. Those whose kind differs between lists are text, which the list itself parses. */
function listParams(): Params {
  const all: Record<string, Param> = {}
  for (const { params } of Object.values(panelLists))
    for (const [name, given] of Object.entries(params)) {
      if (isOwn(name)) continue
      const { fallback: _, required: _required, ...param } = given
      const other = all[name]
      const same = !other || (other.column.kind === param.column.kind && other.many === param.many)
      const aliases = [...new Set([...(other?.aliases ?? []), ...(param.aliases ?? [])])].filter(
        a => !isOwn(a),
      )
      const { aliases: _aliases, ...chosen } = same
        ? (other ?? { ...param, required: false })
        : many(text(param.column.doc))
      all[name] = aliases.length > 0 ? { ...chosen, aliases } : chosen
    }
  return all
}

type ParamsIn<O> = O extends Operation<infer P, infer _Out> ? P : never
type ListParams = ParamsIn<(typeof listed)[keyof typeof listed]>
type NamesIn<P> = P extends unknown ? keyof P : never
type ParamNamed<N, P> = P extends unknown ? (N extends keyof P ? P[N] : never) : never
type Filters = {
  [N in Exclude<
    NamesIn<ListParams>,
    keyof typeof ownParams | keyof typeof textParams | 'as_of' | 'explain'
  >]: ParamNamed<N, ListParams>
}

/** Filters and other parameters of the lists. */
const ofLists = listParams()
const filters: Params = { ...ofLists, ...textParams }

const params = { ...ownParams, ...filters } as unknown as typeof ownParams & typeof textParams & Filters

type Asked = ArgsOf<typeof ownParams>

/** Arguments of the list for one day: all but the panel's own. */
function listArguments(list: Operation, args: Asked): ArgsOf<Params> {
  const input: Input = args
  const given = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => Object.hasOwn(filters, name) && value !== undefined),
  )
  for (const name of Object.keys(given))
    if (!Object.hasOwn(list.params, name)) {
      const allowed = Object.keys(list.params).filter(other => !isOwn(other))
      throw notOfList(args.resource, 'parameter', { name, value: given[name], allowed })
    }
  return parseParams(list.params, given)
}

/** Number of rows of a list as of a day. */
interface DayOfPanel {
  readonly day: string
  readonly total: number
}

const leading = { as_of: date('The day as of which the row holds.') }

const DAYS_PER_UNIT = 12

const allRows = (plan: Plan): Plan => ({ ...plan, limit: null, offset: 0 })

export const panel = operation({
  name: 'panel',
  method: 'GET',
  path: '/v1/panel',
  command: 'panel',
  doc: 'Rows of one list as of many days, each with its day. Charged for every 12 days begun.',
  tier: 'any',
  cost: 'complex',
  units: (args, asOf) => Math.ceil(panelDays(args as Asked, asOf).length / DAYS_PER_UNIT),
  heavy: 'days',
  answers: 'rows',
  bulk: true,
  envelope: 'data',
  columns: null,
  leading,
  listParams: ofLists,
  resources: Object.values(panelLists).map(({ resource }) => resource!),
  meta: {
    resource: { enum: Object.keys(listed) },
    dates: valueSchema(listOf('The days, in order.')),
  },
  positional: ['resource'],
  examples: [
    'bonds --dates 2025-04-30,2025-05-31 --min-coupon 4 --fields cusip,pricing.ytm',
    'companies --from 2025-04 --to 2025-05 --ticker FLKNT --fields ticker,leverage_ratio',
  ],
  params,
  check(given) {
    const args = given as Asked
    const list = memberOf(panelLists, args.resource)
    list.check?.(listArguments(list, args))
    // From a day on without `to`, the days end with the snapshot, which is not known here.
    if (args.from === undefined || args.to !== undefined) panelDays(args, '')
  },
  async run(context, given) {
    const args = given as Asked
    const list = memberOf(panelLists, args.resource)
    const asked = listArguments(list, args)
    const dates = panelDays(args, context.asOf)
    const { days, answer, warnings, empty } = await countDays(context, list, asked, dates)
    const { limit, offset } = args
    return {
      kind: 'rows',
      columns: [{ name: 'as_of', column: leading.as_of }, ...answer.plan.columns],
      total: days.reduce((sum, { total }) => sum + total, 0),
      limit,
      offset,
      chunks: () => rowsOfDays(context, list, withoutUnknown(list, asked), days, { limit, offset }),
      meta: {
        resource: args.resource,
        dates,
        filters_applied: answer.meta?.['filters_applied'],
        ...(warnings.length > 0 && { warnings }),
        ...(empty.length > 0 && { empty_because: empty }),
      },
    }
  },
  out: undefined as Page<Record<string, unknown>> | undefined,
})

/**
 * Counts the rows of each day. A company unknown as of the last day is an error, as in a list; one unknown only as of
 * earlier days has no rows then, and a warning lists it.
 */
async function countDays(context: Context, list: Operation, asked: ArgsOf<Params>, dates: readonly string[]) {
  const last = dates.at(-1)
  const days: DayOfPanel[] = []
  const warnings = new Set<string>()
  const unknown = new Map<string, string[]>()
  let answer: ListAnswer | null = null
  let empty: string[] = []
  for (const day of [...dates].reverse()) {
    const of = await context.borrow(day, 'dates')
    try {
      const found = await answerOf(list, of, day === last ? asked : withoutUnknown(list, asked))
      const total = await of.count(allRows(found.plan), found.kinds)
      days.unshift({ day, total })
      answer ??= found
      for (const warning of (found.meta?.['warnings'] as readonly string[] | undefined) ?? [])
        warnings.add(warning)
      for (const name of (found.meta?.['unknown'] as readonly string[] | undefined) ?? [])
        unknown.set(name, [day, ...(unknown.get(name) ?? [])])
      if (of.undated > 0) warnings.add(undatedWarning(of.undated))
      if (day === dates[0] && days.every(d => d.total === 0)) empty = await whyEmpty(of, found)
    } finally {
      of.release()
    }
  }
  for (const [name, absent] of unknown) warnings.add(`${name} is not known as of ${spanOf(absent)}`)
  return { days, answer: answer!, warnings: [...warnings], empty }
}

const spanOf = (days: readonly string[]): string =>
  days.length === 1 ? firstOf(days) : `${days.length} of the days, the last of them ${days.at(-1)}`

async function answerOf(list: Operation, context: Context, asked: ArgsOf<Params>): Promise<ListAnswer> {
  return (await list.run(context, asked)) as ListAnswer
}

const withoutUnknown = (list: Operation, asked: ArgsOf<Params>): ArgsOf<Params> =>
  list.params['on_unknown'] ? { ...asked, on_unknown: 'skip' } : asked

/** A page of the rows of all days, one day open at a time. */
async function* rowsOfDays(
  context: Context,
  list: Operation,
  asked: ArgsOf<Params>,
  days: readonly DayOfPanel[],
  page: { readonly limit: number | undefined; readonly offset: number },
): AsyncGenerator<Chunk> {
  let skipped = page.offset
  let left = page.limit ?? Number.POSITIVE_INFINITY
  for (const { day, total } of days) {
    if (left === 0) return
    if (skipped >= total) {
      skipped -= total
      continue
    }
    const limit = Math.min(total - skipped, left)
    const of = await context.borrow(day, 'dates')
    try {
      const { plan, kinds } = await answerOf(list, of, asked)
      for await (const { rowCount, columns } of of.chunks({ ...plan, limit, offset: skipped }, kinds))
        yield { rowCount, columns: [Array<string>(rowCount).fill(day), ...columns] }
    } finally {
      of.release()
    }
    skipped = 0
    left -= limit
  }
}
