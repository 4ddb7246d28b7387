import { memberOf } from '../base/elements.ts'
import { invalid } from '../base/errors.ts'
import type { ColumnCounts } from '../query/column-counts.ts'
import type { ValueSpan } from '../query/memory/count-values.ts'
import type { Bins } from '../query/plan/plan.ts'
import { boolean, type Column, integer, isNumeric, isWhole, number, oneOf, text } from '../schema/column.ts'
import { arrayOf, countSchema, object, valueSchema } from '../schema/json-schema.ts'
import { alsoNamed, fallback, many, one, required } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import {
  allowedFilters,
  checkFilters,
  type ExportArgs,
  exportedNames,
  exportedResources,
  quartersAsReported,
} from './export.ts'
import { checkList, planList, tableFor } from './list.ts'
import { operation } from './operation.ts'
import { timeParams, unknownParam } from './params.ts'

/** The distribution of rows over one column: by value, or in bins for numbers. Dates are counted by year. */
export interface Facet {
  readonly values?: readonly { readonly value: string | boolean | number; readonly count: number }[]
  readonly bins?: readonly { readonly low: number; readonly high: number; readonly count: number }[]
  readonly missing: number
  readonly others: number
}

type FacetArgs = ExportArgs & { of?: readonly string[]; limit: number; newest: boolean }

const BINS = 24

/** Columns with a filter. */
function usualColumns({ filters, columns }: Resource): string[] {
  const names = Object.values(filters).flatMap(({ column, op }) => (op === 'company' ? [] : [column]))
  return [...new Set(names)].filter(name => {
    const column = columns[name]
    return column && !column.format && column.kind !== 'json' && column.kind !== 'list'
  })
}

function columnsOf(resource: Resource, { of }: FacetArgs): readonly string[] {
  for (const name of of ?? []) {
    const column = Object.hasOwn(resource.columns, name) ? resource.columns[name] : undefined
    if (!column || column.kind === 'json' || column.kind === 'list')
      throw invalid('of', name, `${resource.name} has no column ${name} to count by`, {
        allowed: Object.keys(resource.columns),
      })
  }
  return of ?? usualColumns(resource)
}

/** Arguments of the list without one column's filters: a column's own filter does not narrow its facet. */
const without = ({ filters }: Resource, args: FacetArgs, column: string): FacetArgs =>
  Object.fromEntries(
    Object.entries(args).filter(
      ([name]) => filters[name]?.column !== column || !Object.hasOwn(filters, name),
    ),
  ) as FacetArgs

export const countFacets = operation({
  name: 'count.facets',
  method: 'GET',
  path: '/v1/facets',
  command: 'facets',
  doc: "Distribution of a list's rows by column: counts by value and histograms, each without the filters of its own column.",
  tier: 'any',
  cost: 'simple',
  answers: 'object',
  envelope: 'data',
  columns: null,
  objectSchema: {
    type: 'object',
    description: 'By column.',
    additionalProperties: object(
      {
        values: arrayOf(
          object({
            value: { type: ['string', 'boolean', 'number'], description: 'Value.' },
            count: countSchema('Rows with this value.'),
          }),
        ),
        bins: arrayOf(
          object({
            low: valueSchema(number('Lower bound; the first bin includes everything below.')),
            high: valueSchema(number('Upper bound; the last bin includes everything above.')),
            count: countSchema('Rows in it.'),
          }),
        ),
        missing: countSchema('Rows without a value.'),
        others: countSchema('Rows with values beyond `limit`.'),
      },
      ['values', 'bins'],
    ),
  },
  meta: {
    total: countSchema('Rows that match all filters.'),
    data_type: { enum: Object.keys(exportedResources) },
    filters_applied: { type: 'object', description: 'Active filters, including defaults.' },
  },
  listParams: allowedFilters,
  positional: ['data_type'],
  examples: ['bonds --of seniority,pricing.ytm', 'companies --sector Energy --of rating_bucket'],
  params: {
    data_type: alsoNamed(required(one(oneOf(exportedNames, 'The list to count.'))), 'resource'),
    ...allowedFilters,
    newest: fallback(
      one(boolean("Count only the newest row of each group, as the list's `latest` and `latest_only` do.")),
      false,
    ),
    of: many(text('Columns to count by; default those that have filters.'), { length: 2_000 }),
    limit: fallback(one(integer('Maximum number of values per column.'), { min: 1, max: 1000 }), 100),
    ...unknownParam,
    ...timeParams,
  },
  check(given) {
    const args = given as FacetArgs
    const resource = memberOf(exportedResources, args.data_type)
    checkFilters(resource, args)
    checkList(resource, args)
    columnsOf(resource, args)
  },
  async run(context, given) {
    const { newest, limit, of: _of, ...filters } = given as FacetArgs
    const resource = memberOf(exportedResources, filters.data_type)
    await context.tables(tableFor(resource, filters).table)
    const args = {
      ...filters,
      ...(newest && resource.newest && { [resource.newest.param]: true }),
    } as FacetArgs
    const planned = async (narrowed: FacetArgs) => {
      const { plan, kinds, meta } = await planList(resource, context, narrowed)
      return { plan: { ...plan, where: [...plan.where, ...quartersAsReported(filters)] }, kinds, meta }
    }
    const whole = await planned(args)
    const total = await context.count({ ...whole.plan, limit: null, offset: 0 }, whole.kinds)
    const names = columnsOf(resource, given as FacetArgs)
    const countsOf = context.columnCounts(names, whole.kinds)
    const facets = await Promise.all(
      names.map(async name => {
        const { plan } = await planned(without(resource, args, name))
        return [name, await facetOf(resource, countsOf(plan, name), name, limit)] as const
      }),
    )
    return {
      kind: 'object',
      data: Object.fromEntries(facets),
      meta: { total, data_type: filters.data_type, ...whole.meta },
    }
  },
  out: undefined as { data: Record<string, Facet>; meta: { total: number } } | undefined,
})

const isDate = ({ columns }: Resource, name: string): boolean => columns[name]!.kind === 'date'

function facetOf(resource: Resource, counts: ColumnCounts, name: string, limit: number): Promise<Facet> {
  const column = resource.columns[name]!
  const ticked = Object.values(resource.filters).some(f => f.column === name && f.op === 'any_of')
  return isNumeric(column) && !ticked
    ? histogram(counts, column)
    : valueCounts(counts, isDate(resource, name), limit)
}

async function valueCounts(counts: ColumnCounts, isDate: boolean, limit: number): Promise<Facet> {
  const rows = await counts.byValue()
  const values = rows.flatMap(({ value, count }) =>
    value === null ? [] : [{ value: isDate ? String(value).slice(0, 4) : value, count }],
  )
  values.sort((a, b) => (isDate ? 0 : b.count - a.count) || (String(a.value) < String(b.value) ? -1 : 1))
  const count = (of: readonly { count: number }[]) => of.reduce((sum, row) => sum + row.count, 0)
  return {
    values: values.slice(0, limit),
    missing: count(rows.filter(row => row.value === null)),
    others: count(values.slice(limit)),
  }
}

async function histogram(counts: ColumnCounts, column: Column): Promise<Facet> {
  const span = await counts.span()
  if (span.min === null) return { bins: [], missing: span.count, others: 0 }
  const bins = binsOf(span as Span, column)
  const inBins = await counts.byBin(bins)
  return {
    bins: Array.from({ length: bins.count }, (_, i) => ({
      low: edge(bins, i),
      high: edge(bins, i + 1),
      count: inBins.get(i) ?? 0,
    })),
    missing: inBins.get(null) ?? 0,
    others: 0,
  }
}

/** The distribution of a column's values. */
type Span = { readonly [K in keyof ValueSpan]: number }

const edge = ({ from, width }: Bins, at: number): number => Number((from + at * width).toPrecision(12))

/** Even bins of a round width over most of the values, so that outliers do not flatten the rest. */
export function binsOf({ min, max, p10, p90 }: Span, column: Column): Bins {
  const reach = p90 - p10
  const low = Math.max(min, p10 - reach)
  const high = Math.min(max, p90 + reach)
  const width = Math.max(roundUp((high - low) / BINS), isWhole(column) ? 1 : 0) || 1
  const from = Math.floor(low / width) * width
  return { from, width, count: Math.floor((high - from) / width) + 1 }
}

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 2.5, 5, 10].map(step => step * power).find(step => step >= value * (1 - 1e-9)) ?? 10 * power
}
