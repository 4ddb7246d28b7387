import { memberOf } from '../base/elements.ts'
import { invalid } from '../base/errors.ts'
import { append } from '../base/lists.ts'
import { memoize } from '../base/memoize.ts'
import { maxAgeOf, NO_MAX_AGE } from '../credit/max-age.ts'
import { nearest } from '../names/nearest.ts'
import type { Plan, PlanColumn } from '../query/plan/plan.ts'
import { boolean, type Columns, type DefaultRowOf } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import { type ArgsOf, fallback, one, type Param, type Params } from '../schema/params.ts'
import type { AgeLimit, Cost, Filters, Resource, Tier } from '../schema/resource.ts'
import type { Print } from '../schema/resources/shared.ts'
import { parseSort, type Sort, totalOrder } from '../schema/sort.ts'
import type { Context, ListAnswer, Meta, Narrowing, Operation, Page } from './operation.ts'
import {
  explainParam,
  type FilterParams,
  filterParams,
  laneParam,
  pageParams,
  timeParams,
  unknownParam,
} from './params.ts'
import { unitHints } from './unit-hints.ts'

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
  /** The inputs of `_explain`, if it is not a stored column. */
  readonly explain?: (context: Context) => NonNullable<ListAnswer['explain']>
  /** Further members of `meta`. */
  readonly summary?: (context: Context, plan: Plan) => Promise<Meta>
}

type Paging<C> = ReturnType<typeof pageParams<C>> &
  typeof timeParams &
  typeof laneParam &
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
    ...laneParam,
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
        // Written out: a spread takes several times as long.
        const answer: ListAnswer = hasAgeLimits(of)
          ? { kind: 'list', plan, kinds, meta, narrowing, atAnyAge: () => withoutLimits(of, plan, given) }
          : { kind: 'list', plan, kinds, meta, narrowing }
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
    append(unknown, found.unknown)
  }
  const { plan, kinds, meta, narrowing } = planned(resource, context, args, { ids, unknown }, options)
  if (asksCusips(resource, args)) {
    const cusips = args['cusip'] as string[]
    const present = await context.present(visibleRows(resource, context, plan), kinds, 'cusip', cusips)
    append(
      unknown,
      cusips.filter(cusip => !present.has(cusip)),
    )
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

/** A plan for all rows of its table that the caller may see. */
export function visibleRows(resource: Resource, context: Context, { pick: _, ...plan }: Plan): Plan {
  return { ...plan, where: visibleIn(resource, context), after: [] }
}

/** The companies that arguments name. */
export const namedCompanies = (resource: Resource, args: ArgsOf<Params>): string[] =>
  companyFiltersOf(resource).flatMap(name => (args[name] as string[] | undefined) ?? [])

const visibleIn = (resource: Resource, { coverage }: Context): readonly Condition[] =>
  coverage === 'standard' && resource.columns['coverage'] ? [standardOnly] : []

function planned(
  resource: Resource,
  context: Context,
  args: ArgsOf<Params>,
  named: Named,
  options: { noDefaults?: boolean } = {},
): Planned {
  const { table, kinds, conditions } = tableFor(resource, args)
  const where: Condition[] = [...visibleIn(resource, context), ...conditions]
  const after: Condition[] = []
  const applied: Record<string, unknown> = {}
  const narrowing: Narrowing[] = []
  for (const [name, filter] of filtersThatApply(resource, args, options)) {
    const given = args[name] ?? filter.byDefault!.value
    applied[name] = given
    const values = (named.ids.get(name) ?? (Array.isArray(given) ? given : [given])) as readonly Value[]
    const target = filter.stage === 'picked' && newestAsked(resource, args) ? after : where
    const conditions = filter.conditions(values)
    append(target, conditions)
    narrowing.push({ name, value: given, column: filter.column, conditions })
  }
  for (const name of variantsOf(resource)) if (args[name] !== undefined) applied[name] = args[name]
  const columns = chooseColumns(
    resource,
    args['fields'] as string[] | undefined,
    args['include_metadata'] === true,
  )
  const order = orderOf(resource, args['sort'] as string[] | undefined)
  const limit = (args['limit'] as number | undefined) ?? null
  const offset = (args['offset'] as number | undefined) ?? 0
  const plan: Plan = newestAsked(resource, args)
    ? { table, columns, where, after, pick: pickOf(resource), order, limit, offset }
    : { table, columns, where, after, order, limit, offset }
  const hints = unitHints(narrowing, kinds)
  const meta: Meta =
    hints.length > 0 ? { filters_applied: applied, warnings: hints } : { filters_applied: applied }
  return { plan, kinds, meta, narrowing }
}

/** The table for the requested age limits and versions of statements, and the conditions for what is not the default. */
interface TableFor {
  readonly table: string
  readonly kinds: Columns
  readonly conditions: readonly Condition[]
}

const hasAgeLimits = memoize(
  ({ ages }: Resource) => ages !== undefined && Object.keys(ages.limits).length > 0,
)

/** The parameters that choose among the rows of one company. */
const variantsOf = memoize(({ ages }: Resource): readonly string[] =>
  ages ? [...Object.keys(ages.limits), 'reported'] : [],
)

/** Whether a resource has a filter, an age limit or versions of statements of this name. */
export const acceptsParam = (resource: Resource, name: string): boolean =>
  Object.hasOwn(resource.filters, name) || variantsOf(resource).includes(name)

const usualTable = memoize(
  ({ table, columns }: Resource): TableFor => ({ table, kinds: columns, conditions: [] }),
)

export function tableFor(resource: Resource, args: ArgsOf<Params>): TableFor {
  const { ages } = resource
  if (!ages || variantsOf(resource).every(name => args[name] === undefined)) return usualTable(resource)
  const limits = Object.entries(ages.limits).map(([name, limit]) => ({
    limit,
    days: maxAgeOf(args[name] as number | 'none' | undefined, limit.byDefault),
  }))
  if (printOf(args) === 'latest' && limits.every(({ limit, days }) => days === limit.byDefault))
    return usualTable(resource)
  return {
    table: ages.table,
    kinds: ages.columns,
    conditions: [...withinLimits(limits), ofPrint(ages, printOf(args))],
  }
}

/** A plan of a resource without age limits. */
function withoutLimits(
  { ages }: Resource,
  plan: Plan,
  args: ArgsOf<Params>,
): ReturnType<NonNullable<ListAnswer['atAnyAge']>> {
  const { table, columns: kinds, limits, prints } = ages!
  const all = Object.values(limits)
  const own = new Set([...all.flatMap(({ from, to }) => [from, to]), ...Object.values(prints)])
  const where = [
    ...plan.where.filter(({ column }) => !own.has(column)),
    ...withinLimits(all.map(limit => ({ limit, days: NO_MAX_AGE }))),
    ofPrint(ages!, printOf(args)),
  ]
  const text = Object.keys(limits).map(name => `${name}=none`)
  return { plan: { ...plan, table, where }, kinds, text: text.join(' and ') }
}

/** The versions of statements asked for. */
export const printOf = (args: ArgsOf<Params>): Print =>
  args['reported'] === 'original' ? 'original' : 'latest'

const ofPrint = ({ prints }: NonNullable<Resource['ages']>, print: Print): Condition => ({
  column: prints[print],
  op: 'in',
  values: [true],
})

const withinLimits = (limits: readonly { readonly limit: AgeLimit; readonly days: number }[]): Condition[] =>
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
function cachedBy<T>(make: (resource: Resource, names: readonly string[] | undefined) => T) {
  const valuesOf = memoize((_: Resource) => new Map<string, T>())
  return (resource: Resource, names: readonly string[] | undefined): T => {
    const before = valuesOf(resource)
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

/** The requested order of a list, made total. */
export const orderOf = cachedBy((resource, sort) =>
  totalOrder(sort?.map(key => sortKey(resource, key)) ?? resource.sort.map(parseSort), resource.key),
)

/** Output columns: all that are not on request, or those named in `fields`, in its order. */
export const chooseColumns = (
  resource: Resource,
  fields: readonly string[] | undefined,
  metadata = false,
): Plan['columns'] => (metadata ? withMetadata : withoutMetadata)(resource, fields)

const withoutMetadata = cachedBy((resource, fields) => columnsOf(resource, fields, false))
const withMetadata = cachedBy((resource, fields) => columnsOf(resource, fields, true))

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
