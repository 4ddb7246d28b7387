import { memberOf } from '../base/elements.ts'
import { invalid, type QueryError } from '../base/errors.ts'
import { memoize } from '../base/memoize.ts'
import { meantParameter, whyNoParameter } from '../names/parameter-names.ts'
import { boolean, type Column, type Columns, date, integer, oneOf, shaped, text } from '../schema/column.ts'
import type { FieldsParam, SortName } from '../schema/fields.ts'
import type { Filter } from '../schema/filter.ts'
import { alsoNamed, fallback, many, one, type Param, type Params, usually } from '../schema/params.ts'
import type { Filters, Resource } from '../schema/resource.ts'

/** The error for a filter or parameter that a list does not have. */
export function notOfList(
  list: string,
  kind: 'filter' | 'parameter',
  { name, value, allowed }: { name: string; value: unknown; allowed: readonly string[] },
): QueryError {
  const reason = whyNoParameter(name, allowed)
  const suggestion = reason === null ? meantParameter(name, allowed) : undefined
  return invalid(name, value, `${list} has no ${kind} ${name}${reason === null ? '' : `: ${reason}`}`, {
    allowed,
    ...(suggestion && { suggestion }),
  })
}

/** Parameters of every operation that reads a snapshot. */
export const timeParams = {
  as_of: one(date('Answer as of the close of this day.')),
  snapshot: one(
    shaped(
      'snapshot',
      'Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while builds publish; default the current one.',
    ),
  ),
} satisfies Params

/** What is said of rows that no past day has. */
export const undatedWarning = (rows: number): string =>
  `of all tables, ${rows} rows without a known date are left out under as_of`

export const laneParam = {
  lane: one(
    oneOf(
      ['remote'],
      'Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an error where none is.',
    ),
  ),
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

/** Parameters of every list with columns `C`; `order` is its default order. */
export const pageParams = <C = Columns>(limit: { default: number; max: number }, order?: readonly string[]) =>
  ({
    fields: fieldsParam<C>('Columns to return, comma-separated; a parent name includes all its members.'),
    sort: usually(
      many(
        text('Column to sort by; prefix `-` for descending; several separated by commas.') as Column<
          SortName<C>
        >,
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

/** Without a default either: all rows unless `limit` is given. */
export const withoutPage = memoize((params: Params): Params => {
  if (!params['limit']) return params
  const { fallback: _, ...limit } = withoutMaximum(params['limit'])
  return { ...params, limit }
})

/** The parameter a filter is given by: the column's own kind unless the filter says otherwise. */
export function filterParam(columns: Columns, filter: Filter): Param {
  const param = plainFilterParam(columns, filter)
  if (filter.byDefault) return { ...param, standing: standingValue(filter.byDefault) }
  return filter.usual === undefined ? param : usually(param, filter.usual)
}

const standingValue = ({ value, unless }: NonNullable<Filter['byDefault']>): string =>
  unless.length === 0 ? String(value) : `${value}, unless ${unless.join(' or ')} is given`

/** Parameters of filters where none applies without being given. */
export const withoutStanding = <P extends Params>(params: P): P =>
  Object.fromEntries(Object.entries(params).map(([name, { standing: _, ...param }]) => [name, param])) as P

function plainFilterParam(columns: Columns, filter: Filter): Param {
  const column = filter.param ?? memberOf(columns, filter.column)
  const { aliases: _aliases, ...bare } = column
  const required: Column = { ...bare, nullable: false, doc: filter.doc ?? column.doc }
  const listed = filter.op === 'any_of' || filter.op === 'company'
  if (filter.op === 'has') return one({ ...boolean(required.doc) })
  if (listed || (filter.op === 'custom' && required.kind !== 'boolean')) return many(required)
  return one(required)
}

/** A value accepted by the filter of a column: one of its values, or an alias. */
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

/** The parameters of filters: a list of the column's values, or what the filter declares. */
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
