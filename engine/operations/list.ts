import { memberOf } from '../base/elements.ts'
import { invalid } from '../base/errors.ts'
import { memoize } from '../base/memoize.ts'
import { NO_MAX_AGE } from '../credit/max-age.ts'
import { nearest } from '../names/nearest.ts'
import { type Plan, type PlanColumn, parseSort, type Sort, totalOrder } from '../query/plan/plan.ts'
import {
  boolean,
  type Column,
  type Columns,
  type DefaultRowOf,
  date,
  integer,
  oneOf,
  text,
} from '../schema/column.ts'
import type { FieldsParam, SortName } from '../schema/fields.ts'
import type { Condition, Filter } from '../schema/filter.ts'
import {
  type ArgsOf,
  alsoNamed,
  fallback,
  many,
  one,
  type Param,
  type Params,
  usually,
} from '../schema/params.ts'
import type { AgeLimit, Cost, Filters, Resource, Tier } from '../schema/resource.ts'
import type { Context, ListAnswer, Meta, Narrowing, Operation, Page } from './operation.ts'

/** Parameters of every operation that reads a snapshot. */
export const timeParams = {
  as_of: one(date('Answer as of the close of this day.')),
} satisfies Params

export const explainParam = {
  explain: fallback(one(boolean('Add `_explain`: formulas, inputs, sources.')), false),
} satisfies Params

/** Rows to skip; may exceed the total. */
export const offsetParam = {
  offset: fallback(one(integer('Rows to skip.'), { min: 0, anySize: true }), 0),
} satisfies Params

/** The parameter `fields` of columns `C`. */
export const fieldsParam = <C>(doc: string): FieldsParam<C> =>
  many(text(doc), { length: 20_000 }) as unknown as FieldsParam<C>

/** Parameters of every list with columns `C`; `order` is that of its rows where no other is asked for. */
export const pageParams = <C = Columns>(limit: { default: number; max: number }, order?: readonly string[]) =>
  ({
    fields: fieldsParam<C>('Columns to return, comma-separated; a parent name includes all its members.'),
    sort: usually(
      many(
        text('Column to sort by; prefix `-` for descending; several separated by commas.') as Column<SortName<C>>,
        { length: 20_000 },
      ),
      order,
    ),
    limit: fallback(one(integer('Rows to return.'), { min: 1, max: limit.max }), limit.default),
    ...offsetParam,
  }) satisfies Params

export const unknownParam = {
  on_unknown: fallback(
    one(
      oneOf(['error', 'skip'], 'An unknown ticker is an error, or is skipped and listed in `meta.unknown`.'),
    ),
    'error' as const,
  ),
} satisfies Params

function withoutMaximum({ max: _, ...param }: Param): Param {
  return param
}

/** Without a maximum, for callers who own the files. */
export const unbounded = memoize(
  (params: Params): Params =>
    params['limit'] ? { ...params, limit: withoutMaximum(params['limit']) } : params,
)

/** Without a default either: all rows where `limit` is not given. */
export const withoutPage = memoize((params: Params): Params => {
  if (!params['limit']) return params
  const { fallback: _, ...limit } = withoutMaximum(params['limit'])
  return { ...params, limit }
})

/** The parameter a filter is given by: the column's own kind unless the filter says otherwise. */
export function filterParam(columns: Columns, filter: Filter): Param {
  const param = plainFilterParam(columns, filter)
  return filter.usual === undefined ? param : usually(param, filter.usual)
}

function plainFilterParam(columns: Columns, filter: Filter): Param {
  const column = filter.param ?? memberOf(columns, filter.column)
  const { aliases: _aliases, ...bare } = column
  const asked: Column = { ...bare, nullable: false, doc: filter.doc ?? column.doc }
  const listed = filter.op === 'any_of' || filter.op === 'company'
  if (filter.op === 'has') return one({ ...boolean(asked.doc) })
  if (listed || (filter.op === 'custom' && asked.kind !== 'boolean')) return many(asked)
  return one(asked)
}

/** A value that the filter of a column takes: one of its own, or another word for it. */
type ColumnValue<C, K> = K extends keyof C
  ? C[K] extends Column<infer T, infer _Alias, infer Word>
    ? NonNullable<T> | (string extends Word ? never : Word)
    : never
  : never

/** Aliases of the column that a filter is named after. */
type FilterAlias<C, N> = N extends keyof C
  ? C[N] extends Column<infer _T, infer Alias>
    ? Alias
    : string
  : string

/** The parameters made from filters: a list of the column's values, or what the filter takes. */
export type FilterParams<C, F> = {
  [N in keyof F]: F[N] extends Filter<infer K, infer V>
    ? Param<(V extends 'column' ? ColumnValue<C, K> : V)[] | undefined, FilterAlias<C, N>>
    : never
}

export function filterParams<C extends Columns, F extends Filters>(
  resource: Resource<C, F>,
): FilterParams<C, F> {
  return Object.fromEntries(
    Object.entries(resource.filters).map(([name, filter]) => {
      const param = filterParam(resource.columns, filter)
      const aliases = filter.column === name ? memberOf(resource.columns, name).aliases : undefined
      return [name, aliases ? alsoNamed(param, ...aliases) : param]
    }),
  ) as FilterParams<C, F>
}

interface ListDetails<P extends Params, E extends string, Row> {
  readonly name: string
  readonly path: string
  readonly command: string
  readonly tier: Tier
  readonly cost: Cost
  readonly envelope?: E
  readonly batch?: boolean
  readonly examples: readonly string[]
  readonly params?: P
  /** Never set: carries the type of a row. */
  readonly row?: Row | undefined
  readonly meta?: NonNullable<Operation['meta']>
  /** What `_explain` shows, where it is not a stored column. */
  readonly explain?: (context: Context) => NonNullable<ListAnswer['explain']>
  /** Further members of `meta`. */
  readonly summary?: (context: Context, plan: Plan) => Promise<Meta>
}

type Paging<C> = ReturnType<typeof pageParams<C>> &
  typeof timeParams &
  typeof explainParam &
  typeof unknownParam

/** The parameters of a list: its filters, its own, and those of every list. */
export type ListParams<C, F, P> = FilterParams<C, F> &
  P &
  Paging<C> & { include_metadata: Param<boolean>; latest: Param<boolean>; latest_only: Param<boolean> }

/** Turns a resource into the operation that lists it. */
export function list<
  C extends Columns,
  F extends Filters,
  const P extends Params = Record<never, never>,
  const E extends string = 'data',
  Row = DefaultRowOf<C>,
>(resource: Resource<C, F>, details: ListDetails<P, E, Row>): Operation<ListParams<C, F, P>, Page<Row, E>> {
  const metadata = hasMetadata(resource as unknown as Resource)
  const { summary: _summary, explain: _explain, row: _row, ...declared } = details
  const params: Params = {
    ...filterParams(resource),
    ...(resource.newest && {
      [resource.newest.param]: fallback(one(boolean(resource.newest.doc)), false),
    }),
    ...details.params,
    ...(metadata && {
      include_metadata: fallback(one(boolean('Add `_metadata`: quality and sources of the record.')), false),
    }),
    ...pageParams(resource.limit, resource.sort),
    ...(resource.company && unknownParam),
    ...timeParams,
    ...explainParam,
  }
  return {
    ...declared,
    method: 'GET',
    answers: 'rows',
    doc: resource.doc,
    envelope: details.envelope ?? 'data',
    columns: resource.columns,
    resource: resource as unknown as Resource,
    params: params as unknown as ListParams<C, F, P>,
    check: args => checkList(resource as unknown as Resource, args as ArgsOf<Params>),
    run(context, args) {
      const given = args as ArgsOf<Params>
      const of = resource as unknown as Resource
      const answerOf = ({ plan, kinds, meta, narrowing }: Planned): ListAnswer => {
        const { summary, explain } = details
        const listed = { kind: 'list', plan, kinds, meta, narrowing } as const
        const answer = of.ages ? { ...listed, atAnyAge: () => withoutLimits(of, plan) } : listed
        if (!summary && !explain) return answer
        return {
          ...answer,
          ...(summary && { summary: () => summary(context, plan) }),
          ...(explain && { explain: explain(context) }),
        }
      }
      const { table } = tableFor(of, given)
      if (context.isReady(table) && !looksUp(of, given)) {
        checkRanges(of, given)
        return answerOf(planned(of, context, given, NOTHING_NAMED))
      }
      return context
        .tables(table)
        .then(() => planList(of, context, given))
        .then(answerOf)
    },
  }
}

/** A list as a plan, with its `meta`. */
interface Planned {
  readonly plan: Plan
  readonly kinds: Columns
  readonly meta: Meta
  /** The conditions of each active filter. */
  readonly narrowing: readonly Narrowing[]
}

/** Companies named by a list's filters: ids by filter, and unknown names. */
interface Named {
  readonly ids: ReadonlyMap<string, readonly string[]>
  readonly unknown: readonly string[]
}

const NOTHING_NAMED: Named = { ids: new Map(), unknown: [] }

export const hasMetadata = (resource: Resource): boolean =>
  Object.keys(resource.columns).some(name => name.startsWith('_metadata.'))

/** For callers without extended coverage. */
const standardOnly: Condition = { column: 'coverage', op: 'in', values: ['standard'] }

/** Turns a list's arguments into a plan: pure except for looking up tickers and CUSIPs. */
export async function planList(
  resource: Resource,
  context: Context,
  args: ArgsOf<Params>,
  options: { noDefaults?: boolean } = {},
): Promise<Planned> {
  checkRanges(resource, args)
  const ids = new Map<string, readonly string[]>()
  const unknown: string[] = []
  for (const name of companyFiltersOf(resource)) {
    if (args[name] === undefined) continue
    const found = await context.companies(args[name] as string[], args['on_unknown'] === 'skip')
    ids.set(name, found.ids)
    unknown.push(...found.unknown)
  }
  const { plan, kinds, meta, narrowing } = planned(resource, context, args, { ids, unknown }, options)
  if (asksCusips(resource, args)) {
    const asked = args['cusip'] as string[]
    const { pick: _, ...all } = plan
    const seen = { ...all, where: visibleIn(resource, context), after: [] }
    const present = await context.present(seen, kinds, 'cusip', asked)
    unknown.push(...asked.filter(cusip => !present.has(cusip)))
  }
  return { plan, kinds, meta: unknown.length > 0 ? { ...meta, unknown } : meta, narrowing }
}

/** Whether a list needs a lookup before it can be planned. */
const looksUp = (resource: Resource, args: ArgsOf<Params>): boolean =>
  asksCusips(resource, args) || companyFiltersOf(resource).some(name => args[name] !== undefined)

const asksCusips = (resource: Resource, args: ArgsOf<Params>): boolean =>
  Array.isArray(args['cusip']) && resource.columns['cusip'] !== undefined

const companyFiltersOf = memoize((resource: Resource) =>
  filtersOf(resource).flatMap(([name, { op }]) => (op === 'company' ? [name] : [])),
)

const visibleIn = (resource: Resource, { coverage }: Context): readonly Condition[] =>
  coverage === 'standard' && resource.columns['coverage'] ? [standardOnly] : []

function planned(
  resource: Resource,
  context: Context,
  args: ArgsOf<Params>,
  named: Named,
  options: { noDefaults?: boolean } = {},
): Planned {
  const { table, kinds, limits } = tableFor(resource, args)
  const where: Condition[] = [...visibleIn(resource, context), ...withinLimits(limits)]
  const after: Condition[] = []
  const applied: Record<string, unknown> = {}
  const narrowing: Narrowing[] = []
  for (const [name, filter] of filtersThatApply(resource, args, options)) {
    const given = args[name] ?? filter.byDefault!.value
    applied[name] = given
    const values = (named.ids.get(name) ?? (Array.isArray(given) ? given : [given])) as readonly Value[]
    const target = filter.stage === 'picked' && newestAsked(resource, args) ? after : where
    const conditions = filter.conditions(values)
    target.push(...conditions)
    narrowing.push({ name, value: given, column: filter.column, conditions })
  }
  for (const name of ageLimitsOf(resource)) if (args[name] !== undefined) applied[name] = args[name]
  const columns = chooseColumns(
    resource,
    args['fields'] as string[] | undefined,
    args['include_metadata'] === true,
  )
  const plan: Plan = {
    table,
    columns,
    where,
    after,
    ...(newestAsked(resource, args) && { pick: pickOf(resource) }),
    order: orderOf(resource, args['sort'] as string[] | undefined),
    limit: (args['limit'] as number | undefined) ?? null,
    offset: (args['offset'] as number | undefined) ?? 0,
  }
  return { plan, kinds, meta: { filters_applied: applied }, narrowing }
}

/** The table for the requested age limits, and those limits that are not the default. */
interface TableFor {
  readonly table: string
  readonly kinds: Columns
  readonly limits: readonly { readonly limit: AgeLimit; readonly days: number }[]
}

const ageLimitsOf = memoize(({ ages }: Resource): readonly string[] => Object.keys(ages?.limits ?? {}))

/** Whether a resource has a filter or an age limit of this name. */
export const takes = (resource: Resource, name: string): boolean =>
  Object.hasOwn(resource.filters, name) || ageLimitsOf(resource).includes(name)

export function tableFor(resource: Resource, args: ArgsOf<Params>): TableFor {
  const { ages, table, columns } = resource
  const limits = ageLimitsOf(resource).map(name => {
    const limit = memberOf(ages!.limits, name)
    const days = args[name] as number | 'none' | undefined
    return { limit, days: days === 'none' ? NO_MAX_AGE : (days ?? limit.byDefault) }
  })
  if (limits.every(({ limit, days }) => days === limit.byDefault))
    return { table, kinds: columns, limits: [] }
  return { table: ages!.table, kinds: ages!.columns, limits }
}

/** A plan of a resource without age limits. */
function withoutLimits({ ages }: Resource, plan: Plan): ReturnType<NonNullable<ListAnswer['atAnyAge']>> {
  const { table, columns: kinds, limits } = ages!
  const all = Object.values(limits)
  const others = plan.where.filter(
    ({ column }) => !all.some(({ from, to }) => column === from || column === to),
  )
  const where = [...others, ...withinLimits(all.map(limit => ({ limit, days: NO_MAX_AGE })))]
  const text = Object.keys(limits).map(name => `${name}=none`)
  return { plan: { ...plan, table, where }, kinds, text: text.join(' and ') }
}

const withinLimits = (limits: TableFor['limits']): Condition[] =>
  limits.flatMap(({ limit, days }): Condition[] => [
    { column: limit.from, op: 'le', value: days },
    { column: limit.to, op: 'ge', value: days },
  ])

type Value = string | number | boolean

const pickOf = memoize(({ newest, key }: Resource) => ({
  per: newest!.per,
  by: totalOrder(newest!.by.map(parseSort), key),
}))

const newestAsked = (resource: Resource, args: ArgsOf<Params>): boolean =>
  resource.newest !== undefined && args[resource.newest.param] === true

/** Validates the arguments of a list as far as possible without data. */
export function checkList(resource: Resource, args: ArgsOf<Params>): void {
  checkRanges(resource, args)
  chooseColumns(resource, args['fields'] as string[] | undefined)
  for (const key of (args['sort'] as string[] | undefined) ?? []) sortKey(resource, key)
}

const filtersOf = memoize(({ filters }: Resource) => Object.entries(filters))

/** Filters that are given or apply by default, in declaration order. */
function filtersThatApply(resource: Resource, args: ArgsOf<Params>, { noDefaults = false }) {
  const isGiven = (name: string) => args[name] !== undefined
  return filtersOf(resource).filter(
    ([name, { byDefault }]) => isGiven(name) || (!noDefaults && byDefault && !byDefault.unless.some(isGiven)),
  )
}

/** A column's lower and upper bound filters. */
const rangesOf = memoize((resource: Resource) => {
  const upper = filtersOf(resource).filter(([, filter]) => filter.op === 'at_most')
  return filtersOf(resource)
    .filter(([, filter]) => filter.op === 'at_least')
    .flatMap(([least, { column }]) =>
      upper.filter(([, f]) => f.column === column).map(([most]) => ({ least, most })),
    )
})

/** `min_x` above `max_x`, or a date range that ends before it begins. */
function checkRanges(resource: Resource, args: ArgsOf<Params>): void {
  for (const { least, most } of rangesOf(resource)) {
    const low = args[least] as string | number | undefined
    const high = args[most] as string | number | undefined
    if (low !== undefined && high !== undefined && low > high)
      throw invalid(least, low, `${least} is above ${most}: swap them`, { max: high })
  }
}

/** Caches a value per resource and list of names, so that what depends on its identity is also cached. */
function keptBy<T>(make: (resource: Resource, names: readonly string[] | undefined) => T) {
  const kept = memoize((_: Resource) => new Map<string, T>())
  return (resource: Resource, names: readonly string[] | undefined): T => {
    const before = kept(resource)
    const key = names ? names.join('\n') : '*'
    const found = before.get(key)
    if (found) return found
    const made = make(resource, names)
    if (before.size >= MOST_KEPT) before.clear()
    before.set(key, made)
    return made
  }
}

const MOST_KEPT = 256

const orderOf = keptBy((resource, sort) =>
  totalOrder(sort?.map(key => sortKey(resource, key)) ?? resource.sort.map(parseSort), resource.key),
)

/** Output columns: all that are not on request, or those named in `fields`, in its order. */
export const chooseColumns = (
  resource: Resource,
  fields: readonly string[] | undefined,
  metadata = false,
): Plan['columns'] => (metadata ? withMetadata : withoutMetadata)(resource, fields)

const withoutMetadata = keptBy((resource, fields) => columnsOf(resource, fields, false))
const withMetadata = keptBy((resource, fields) => columnsOf(resource, fields, true))

function columnsOf(
  resource: Resource,
  fields: readonly string[] | undefined,
  metadata: boolean,
): Plan['columns'] {
  const names = Object.keys(resource.columns)
  const chosen: string[] = fields ? [] : names.filter(n => !memberOf(resource.columns, n).on_request)
  for (const field of fields ?? []) {
    const members =
      Object.hasOwn(resource.columns, field) || aliasesOf(resource).has(field)
        ? [field]
        : names.filter(n => n.startsWith(`${field}.`))
    if (members.length === 0) throw unknownColumn('fields', field, resource)
    for (const member of members) {
      if (chosen.includes(member)) throw invalid('fields', field, `fields names ${field} twice`)
      chosen.push(member)
    }
  }
  if (metadata) for (const n of names) if (n.startsWith('_metadata.') && !chosen.includes(n)) chosen.push(n)
  return chosen.map(name => planColumn(resource, name))
}

/** Columns by alias. */
const aliasesOf = memoize(
  ({ columns }: Resource): ReadonlyMap<string, string> =>
    new Map(
      Object.entries(columns).flatMap(([name, { aliases = [] }]) =>
        aliases.map(alias => [alias, name] as const),
      ),
    ),
)

/** A column under the requested name. */
function planColumn(resource: Resource, name: string): PlanColumn {
  const from = aliasesOf(resource).get(name)
  return from === undefined
    ? { name, column: memberOf(resource.columns, name) }
    : { name, column: memberOf(resource.columns, from), from }
}

function sortKey(resource: Resource, key: string): Sort {
  const { column: named, descending } = parseSort(key)
  const sort = { column: aliasesOf(resource).get(named) ?? named, descending }
  const column = Object.hasOwn(resource.columns, sort.column) ? resource.columns[sort.column] : undefined
  if (!column) throw unknownColumn('sort', sort.column, resource)
  if (column.kind === 'json' || column.kind === 'list')
    throw invalid('sort', key, `${sort.column} cannot be sorted by: choose another field`)
  return sort
}

function unknownColumn(parameter: string, name: string, resource: Resource) {
  const shown = name.length > 120 ? `${name.slice(0, 120)}…` : name
  const allowed = Object.keys(resource.columns)
  const suggestion = nearest(name, allowed)
  return invalid(
    parameter,
    shown,
    `${resource.name} has no field ${shown}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    { allowed, ...(suggestion && { suggestion }) },
  )
}
