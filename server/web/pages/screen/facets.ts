import type { Column } from '../../../../engine/schema/column.ts'
import type { AnswerOf, InputTo } from '../../../v1/client.ts'
import { printParam } from '../../ask/first-prints.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { isFilter, type ScreenQuery } from './screen-query.ts'
import type { ScreenDefinition } from './screens.ts'

/** The distribution of a screen's rows over a column, ignoring that column's own filter. */
export type Facet = AnswerOf<'count.facets'>['data'][string]
export type Facets = Readonly<Record<string, Facet>>

/** Counts of every column with a filter; the previous ones stay until new ones arrive. Some lists are not counted. */
export function useFacets(
  { resource, isUncounted, operation }: ScreenDefinition,
  { filters, isFirstPrint }: ScreenQuery,
): Facets {
  const { name, newest } = resource
  const { [newest?.param ?? '']: picked, ...given } = filters
  const others = Object.fromEntries(Object.entries(given).filter(([param]) => isFilter(resource, param)))
  const print = printParam(operation, isFirstPrint)
  const input = { data_type: name, ...others, ...print, ...(picked === 'true' && { newest: true }) }
  const answer = useAnswer('count.facets', isUncounted ? null : (input as InputTo<'count.facets'>), {
    keep: !isUncounted,
  })
  return isUncounted ? {} : (answer.data?.data ?? {})
}

export interface Bin {
  readonly low: number
  readonly high: number
  readonly count: number
}

/** Numeric bins as they are; for days, the years from the first to the last. */
export function binsOf(facet: Facet | undefined, column: Column): readonly Bin[] {
  if (column.kind !== 'date') return facet?.bins ?? []
  const years = (facet?.values ?? []).map(({ value, count }) => ({ year: Number(value), count }))
  const [first, last] = [years[0]?.year, years.at(-1)?.year]
  if (first === undefined || last === undefined) return []
  return Array.from({ length: Math.min(last - first + 1, 60) }, (_, i) => ({
    low: first + i,
    high: first + i + 1,
    count: years.find(({ year }) => year === first + i)?.count ?? 0,
  }))
}
