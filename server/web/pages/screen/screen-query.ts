import type { Filter } from '../../../../engine/schema/filter.ts'
import type { Resource } from '../../../../engine/schema/resource.ts'
import { printParam } from '../../ask/first-prints.ts'
import type { Heading } from '../../parts/grid.tsx'
import type { ScreenDefinition } from './screens.ts'

/** A screen as given in the URL, with the API's names, so that a link is a query. */
export interface ScreenQuery {
  /** Active filters, as text. */
  readonly filters: Readonly<Record<string, string>>
  /** The list whose rows they are. */
  readonly listed: ScreenDefinition
  readonly sort: string
  readonly headings: readonly Heading[]
  readonly asOf: string | null
  readonly snapshot: string | null
  /** Whether the reader asks for figures as first reported. */
  readonly isFirstPrint: boolean
}

export function readScreenQuery(screened: ScreenDefinition, query: URLSearchParams): ScreenQuery {
  const { resource, params = {} } = screened
  const filters: Record<string, string> = {}
  for (const [name, value] of query)
    if (value !== '' && (isFilter(resource, name) || Object.hasOwn(params, name))) filters[name] = value
  const listed = screened.instead?.(filters) ?? screened
  const {
    usual,
    sort,
    resource: { columns },
  } = listed
  const chosen = query
    .get('fields')
    ?.split(',')
    .filter(name => Object.hasOwn(columns, name))
  const requested = query.get('sort') ?? sort
  return {
    filters,
    listed,
    sort: Object.hasOwn(columns, requested.replace(/^-/, '')) ? requested : sort,
    headings: (chosen?.length ? chosen : usual).map(name => ({ name, column: columns[name]! })),
    asOf: query.get('as_of'),
    snapshot: query.get('snapshot'),
    isFirstPrint: query.get('reported') === 'original',
  }
}

export const isFilter = ({ filters, newest }: Resource, name: string): boolean =>
  Object.hasOwn(filters, name) || newest?.param === name

/** Parameters of the equivalent call; `fields` are the visible columns and some more. */
export function callOf(
  { filters, listed, sort, headings, asOf, snapshot, isFirstPrint }: ScreenQuery,
  more: readonly string[] = [],
) {
  const names = headings.map(({ name }) => name)
  return {
    ...filters,
    fields: [...names, ...more.filter(name => !names.includes(name))].join(','),
    sort,
    ...(asOf !== null && { as_of: asOf }),
    ...printParam(listed.operation, isFirstPrint),
    ...(snapshot !== null && { snapshot }),
  }
}

/** Columns that links in cells need, and those that say of what currency and how old a figure is, or why there is none; always loaded. */
export const linkColumns = ({ columns }: Resource): string[] =>
  [
    'id',
    'ticker',
    'company_ticker',
    'cusip',
    'bond_id',
    'seniority',
    'currency',
    'staleness_days',
    'pricing.staleness_days',
    'figures_age_days',
    'figures_null_because',
    'rating_age_days',
    'rating_null_because',
  ].filter(name => Object.hasOwn(columns, name))

/** A filter control: bounds, a list of values, tickers, yes or no, or text. */
export type Control =
  | { readonly kind: 'range'; readonly column: string; readonly min?: string; readonly max?: string }
  | { readonly kind: 'list' | 'company' | 'flag'; readonly column: string; readonly param: string }

/** Columns with more distinct values get a text field instead of checkboxes. */
const typed: ReadonlySet<string> = new Set(['cusip'])

export function controlsOf({ filters, columns }: Resource): Control[] {
  const controls: Control[] = []
  for (const [param, filter] of Object.entries(filters) as [string, Filter][]) {
    const { column, op } = filter
    if (op === 'at_least' || op === 'at_most') {
      const side = op === 'at_least' ? 'min' : 'max'
      const at = controls.findIndex(c => c.kind === 'range' && c.column === column)
      const range =
        at < 0 ? { kind: 'range' as const, column } : (controls[at] as Control & { kind: 'range' })
      if (at < 0) controls.push({ ...range, [side]: param })
      else controls[at] = { ...range, [side]: param }
    } else if (op === 'company' || (op === 'any_of' && typed.has(column)))
      controls.push({ kind: 'company', column, param })
    else if (op === 'any_of') controls.push({ kind: 'list', column, param })
    else if (op === 'custom' && filter.param?.kind !== 'boolean')
      controls.push({ kind: 'company', column, param })
    else controls.push({ kind: 'flag', column, param })
  }
  return controls.filter(({ column }) => Object.hasOwn(columns, column))
}

/** A parameter that selects the newest row of each group is shown with the flags. */
export const newestOf = ({ newest }: Resource): string | undefined => newest?.param
