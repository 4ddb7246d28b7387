import { json } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { ArgsOf, Params } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { parseSort, type Sort, totalOrder } from '../schema/sort.ts'
import { chooseColumns } from './list.ts'
import type { Context, Meta, RowsAnswer } from './operation.ts'

/** A computed row by column, dotted names included. */
export type ComputedRow = Readonly<Record<string, unknown>>

interface Computed {
  readonly resource: Resource
  readonly args: ArgsOf<Params>
  /** What `_explain` of a row holds, for its documentation. */
  readonly explains: string
  /** The order without `sort`, if not that of the resource. */
  readonly sort?: readonly string[]
  readonly meta?: Meta
  /** Arguments in force that are no filters. */
  readonly applied?: Meta
  /** Why no row is left, given the number of rows before filtering. */
  readonly emptyBecause: (computed: number) => string
}

/** The ids of the companies that `ticker` names, and the names that are unknown. */
export async function namedCompanies(
  context: Context,
  args: ArgsOf<Params>,
): Promise<{ ids: readonly string[] | null; unknown: readonly string[] }> {
  const given = args['ticker'] as readonly string[] | undefined
  return given ? await context.companies(given, args['on_unknown'] === 'skip') : { ids: null, unknown: [] }
}

/** What a cell takes in memory, about. */
const BYTES_OF_CELL = 24

/** Whose rows are asked for, and with what. */
interface AskedRows {
  /** Companies; null for all. */
  readonly ids: readonly string[] | null
  readonly explain: boolean
  /** The arguments that the rows depend on beside the day. */
  readonly variant: readonly unknown[]
}

/**
 * The rows of companies on a day. Those of all, without explanations, are computed for the first page and reused for
 * others, whatever these filter and sort by.
 */
export async function rowsOfDay(
  context: Context,
  { name, columns }: Resource,
  { ids, explain, variant }: AskedRows,
  compute: () => Promise<readonly ComputedRow[]>,
): Promise<readonly ComputedRow[]> {
  if (ids !== null || explain) return compute()
  const { rows } = await context.cached(
    `rows of ${name} ${JSON.stringify([context.coverage, ...variant])}`,
    async () => {
      const rows = await compute()
      return { rows, bytes: rows.length * Object.keys(columns).length * BYTES_OF_CELL }
    },
  )
  return rows
}

/**
 * A page of rows that are computed on request: filtered, sorted and cut as their resource declares. Rows are expected
 * to be those of the named companies already.
 */
export function pageOfComputed(
  rows: readonly ComputedRow[],
  { resource, args, explains, sort, meta, applied, emptyBecause }: Computed,
  unknown: readonly string[] = [],
): RowsAnswer {
  const filters = Object.entries(resource.filters).filter(([name]) => args[name] !== undefined)
  const conditions = filters
    .filter(([, { op }]) => op !== 'company')
    .flatMap(([name, filter]) => {
      const given = args[name] as string | number | boolean | readonly string[]
      return filter.conditions(Array.isArray(given) ? given : [given as string])
    })
  const order = totalOrder(
    ((args['sort'] as readonly string[] | undefined) ?? sort ?? resource.sort).map(parseSort),
    resource.key,
  )
  const left = rows
    .filter(row => conditions.every(condition => passes(row[condition.column] ?? null, condition)))
    .sort((a, b) => compareRows(a, b, order))
  const offset = (args['offset'] as number | undefined) ?? 0
  const limit = (args['limit'] as number | undefined) ?? null
  const page = left.slice(offset, offset + (limit ?? left.length))
  const columns = [
    ...chooseColumns(resource, args['fields'] as string[] | undefined),
    ...(args['explain'] ? [{ name: '_explain', column: json(explains) }] : []),
  ]
  return {
    kind: 'rows',
    columns,
    total: left.length,
    limit,
    offset,
    chunks: () => [
      { rowCount: page.length, columns: columns.map(({ name }) => page.map(row => row[name] ?? null)) },
    ],
    meta: {
      ...meta,
      filters_applied: {
        ...Object.fromEntries(filters.map(([name]) => [name, args[name]])),
        ...given(applied),
      },
      ...(unknown.length > 0 && { unknown }),
      ...(left.length === 0 && { empty_because: [emptyBecause(rows.length)] }),
    },
  }
}

/** Without what is not given. */
const given = (values: Meta = {}): Meta =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** A null passes no condition but `absent`. */
function passes(value: unknown, condition: Condition): boolean {
  if (condition.op === 'absent') return value === null
  if (value === null) return false
  if (condition.op === 'present') return true
  if (condition.op === 'in') return condition.values.some(other => fold(other) === fold(value))
  return condition.op === 'ge'
    ? (value as number) >= (condition.value as number)
    : (value as number) <= (condition.value as number)
}

const fold = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** Nulls last in both directions. */
function compareRows(a: ComputedRow, b: ComputedRow, order: readonly Sort[]): number {
  for (const { column, descending } of order) {
    const [x, y] = [a[column] ?? null, b[column] ?? null]
    if (x === y) continue
    if (x === null || y === null) return x === null ? 1 : -1
    return ((x as string) < (y as string) ? -1 : 1) * (descending ? -1 : 1)
  }
  return 0
}
