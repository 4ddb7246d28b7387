import { elementAt, firstOf, memberOf } from '../base/elements.ts'
import type { ExportFolder } from '../database/export-folder.ts'
import type { Chunk } from '../database/results.ts'
import type { CopiedFile, CopyForm } from '../encode/row-stream.ts'
import { dayColumns, overDays } from '../query/plan/over-days.ts'
import type { Plan } from '../query/plan/plan.ts'
import { integer, list as listOf, oneOf, text } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import {
  type ArgsOf,
  alsoNamed,
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
import { namedCompanies, visibleRows } from './list.ts'
import { searchBonds, searchCompanies, searchRatings, searchSpreads } from './lists.ts'
import {
  type BorrowedDays,
  type Context,
  type ListAnswer,
  type Operation,
  operation,
  type Page,
} from './operation.ts'
import { daysParams, panelDays, type Stretch, stretchesOf } from './panel-days.ts'
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
  resource: alsoNamed(
    required(one(oneOf(Object.keys(listed) as (keyof typeof listed)[], 'The list to query as of each day.'))),
    'data_type',
  ),
  ...daysParams,
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
const ofOneDay: ReadonlySet<string> = new Set(['as_of', 'explain', 'lane', 'limit', 'offset'])

const isOwn = (name: string): boolean => Object.hasOwn(ownParams, name) || ofOneDay.has(name)

/** A parameter of two lists with any value of either; the list itself refuses those it does not have. */
function ofEither(one: Param, other: Param): Param {
  const count = ({ column }: Param) => column.values?.length ?? 0
  const [wider, narrower] = count(one) < count(other) ? [other, one] : [one, other]
  const values = [...new Set([...(wider.column.values ?? []), ...(narrower.column.values ?? [])])]
  return wider.column.kind === 'enum' ? { ...wider, column: { ...wider.column, values } } : one
}

/** Parameters of the lists. Those whose kind differs between lists are text, which the list itself parses. */
function listParams(): Params {
  const all: Record<string, Param> = {}
  for (const { params } of Object.values(panelLists))
    for (const [name, given] of Object.entries(params)) {
      if (isOwn(name)) continue
      const { fallback: _, ...rest } = given
      const param: Param = { ...rest, required: false }
      const other = all[name]
      const same = !other || (other.column.kind === param.column.kind && other.many === param.many)
      const aliases = [...new Set([...(other?.aliases ?? []), ...(param.aliases ?? [])])].filter(
        a => !isOwn(a),
      )
      const { aliases: _aliases, ...chosen } = same
        ? other
          ? ofEither(other, param)
          : param
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
    keyof typeof ownParams | keyof typeof textParams | 'as_of' | 'explain' | 'lane'
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

const DAYS_PER_UNIT = 12

/** Up to this many rows, making text from chunks is faster than having DuckDB write a file. */
const FEW_ROWS = 10_000

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
  leading: dayColumns,
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
    const panel = new PanelRows(context, list, asked)
    const { total, answer, warnings, empty } = await panel.count(dates)
    const page = { limit: args.limit ?? null, offset: args.offset }
    return {
      kind: 'rows',
      columns: overDays(answer.plan).columns,
      total,
      ...page,
      chunks: () => panel.chunks(page),
      copy: (folder, form) => panel.copy(page, folder, form),
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

interface PageAsked {
  readonly limit: number | null
  readonly offset: number
}

/** The rows of a list as of many days. */
class PanelRows {
  private readonly context: Context
  private readonly list: Operation
  private readonly asked: ArgsOf<Params>
  private readonly named: readonly string[]
  private stretches: readonly Stretch[] = []

  constructor(context: Context, list: Operation, asked: ArgsOf<Params>) {
    this.context = context
    this.list = list
    this.asked = asked
    this.named = namedCompanies(list.resource!, asked)
  }

  /**
   * Counts the rows of each day. A company unknown as of the last day is an error, as in a list; one unknown only as of
   * earlier days has no rows then, and a warning lists it.
   */
  async count(dates: readonly string[]) {
    await this.checkNames(lastOf(dates))
    const warnings = new Set<string>()
    const unknown = new Map<string, string[]>()
    const rowsOf = new Map<string, number>()
    const groupOf = new Map<string, number>()
    let answer: ListAnswer | null = null
    await this.eachGroup(dates, async (of, group) => {
      const found = await this.answerOf(of)
      if (answer === null || of.days.includes(lastOf(dates))) answer = found
      for (const [day, count] of await countByDay(of, found)) rowsOf.set(day, count)
      for (const day of of.days) groupOf.set(day, group)
      for (const warning of (found.meta?.['warnings'] as readonly string[] | undefined) ?? [])
        warnings.add(warning)
      for (const [name, absent] of await this.absentDays(of, found))
        unknown.set(name, [...(unknown.get(name) ?? []), ...absent].sort())
      if (of.undated > 0) warnings.add(undatedWarning(of.undated))
    })
    const counts = dates.map(day => ({
      day,
      group: groupOf.get(day)!,
      rows: rowsOf.get(day) ?? 0,
    }))
    this.stretches = stretchesOf(counts)
    const total = counts.reduce((sum, { rows }) => sum + rows, 0)
    for (const [name, absent] of unknown) warnings.add(`${name} is not known as of ${spanOf(absent)}`)
    return {
      total,
      answer: answer! as ListAnswer,
      warnings: [...warnings],
      empty: total === 0 ? await this.whyEmpty(firstOf(dates)) : [],
    }
  }

  /** The rows of a page, day after day. */
  async *chunks(page: PageAsked): AsyncGenerator<Chunk> {
    let skipped = page.offset
    let left = page.limit ?? Number.POSITIVE_INFINITY
    for (const { days, rows } of this.stretches) {
      if (left === 0) return
      if (skipped >= rows) {
        skipped -= rows
        continue
      }
      const limit = Math.min(rows - skipped, left)
      const of = await this.borrow(days)
      try {
        const { plan, kinds } = await this.answerOf(of)
        yield* of.chunks({ ...overDays(plan), limit, offset: skipped }, kinds)
      } finally {
        of.release()
      }
      skipped = 0
      left -= limit
    }
  }

  /** The page as a file that the database writes; null if there are few rows, or more days than are read together. */
  async copy(page: PageAsked, folder: ExportFolder, form: CopyForm): Promise<CopiedFile | null> {
    const [stretch, ...others] = this.stretches
    if (stretch === undefined || others.length > 0) return null
    const rows = Math.min(stretch.rows - page.offset, page.limit ?? stretch.rows)
    if (rows <= FEW_ROWS) return null
    const of = await this.borrow(stretch.days)
    try {
      const { plan, kinds } = await this.answerOf(of)
      return await of.copy({ ...overDays(plan), ...page }, kinds, folder, form)
    } finally {
      of.release()
    }
  }

  /** Throws INVALID_TICKER for a company that the day does not know. */
  private async checkNames(day: string): Promise<void> {
    if (this.named.length === 0) return
    const of = await this.context.borrow(day, 'dates')
    try {
      await of.companies(this.named, this.asked['on_unknown'] === 'skip')
    } finally {
      of.release()
    }
  }

  private async eachGroup(
    dates: readonly string[],
    use: (of: BorrowedDays, group: number) => Promise<void>,
  ): Promise<void> {
    const groups = await this.context.borrowTogether(dates, 'dates', this.named)
    try {
      for (const [group, of] of groups.entries()) await use(of, group)
    } finally {
      for (const of of groups) of.release()
    }
  }

  /** Days of one stretch: the names mean the same companies on each. */
  private async borrow(days: readonly string[]): Promise<BorrowedDays> {
    return firstOf(await this.context.borrowTogether(days, 'dates', this.named))
  }

  private async answerOf(of: BorrowedDays): Promise<ListAnswer> {
    const { list, asked } = this
    const args = list.params['on_unknown'] ? { ...asked, on_unknown: 'skip' } : asked
    return (await list.run(of, args)) as ListAnswer
  }

  /** The days of a group on which a name is unknown: a company on all of them, a CUSIP on those without it. */
  private async absentDays(of: BorrowedDays, { plan, kinds }: ListAnswer): Promise<Map<string, string[]>> {
    const absent = new Map<string, string[]>()
    if (this.named.length > 0)
      for (const name of (await of.companies(this.named, true)).unknown) absent.set(name, [...of.days])
    const cusips = this.asked['cusip']
    if (!Array.isArray(cusips) || !kinds['cusip']) return absent
    const visible = visibleRows(this.list.resource!, of, plan)
    const asked: Plan = {
      ...visible,
      where: [...visible.where, { column: 'cusip', op: 'in', values: cusips }],
    }
    const days = await rowsByDay(of, { plan: asked, kinds }, ['cusip'])
    const present = new Set(days.map(({ as_of, cusip }) => `${as_of} ${cusip}`))
    for (const cusip of cusips as string[]) {
      const without = of.days.filter(day => !present.has(`${day} ${cusip}`))
      if (without.length > 0) absent.set(cusip, without)
    }
    return absent
  }

  private async whyEmpty(day: string): Promise<string[]> {
    const of = await this.context.borrow(day, 'dates')
    try {
      const { list, asked } = this
      const args = list.params['on_unknown'] ? { ...asked, on_unknown: 'skip' } : asked
      return await whyEmpty(of, (await list.run(of, args)) as ListAnswer)
    } finally {
      of.release()
    }
  }
}

/** The days of a plan's rows, with the values of a further column, and how many rows have them. */
function rowsByDay(
  of: BorrowedDays,
  { plan, kinds }: Pick<ListAnswer, 'plan' | 'kinds'>,
  by: readonly string[] = [],
): Promise<Record<string, unknown>[]> {
  const names = ['as_of', ...by]
  const group = {
    by: names.map(name => ({ name, column: name })),
    value: 'as_of',
    time: 'as_of',
    company: 'as_of',
    metrics: ['count'] as const,
  }
  const columns = [...names, 'count'].map(name => ({ name, column: integer('') }))
  const { pick } = overDays(plan)
  return of.rows({ ...plan, ...(pick && { pick }), columns, group, order: [], limit: null, offset: 0 }, kinds)
}

async function countByDay(of: BorrowedDays, found: ListAnswer): Promise<[string, number][]> {
  const rows = await rowsByDay(of, found)
  return rows.map(row => [row['as_of'] as string, row['count'] as number])
}

const lastOf = (days: readonly string[]): string => elementAt(days, days.length - 1)

const spanOf = (days: readonly string[]): string =>
  days.length === 1 ? firstOf(days) : `${days.length} of the days, the last of them ${days.at(-1)}`
