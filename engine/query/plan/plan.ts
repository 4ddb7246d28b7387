import type { Column } from '../../schema/column.ts'
import type { Condition } from '../../schema/filter.ts'
import type { Sort } from '../../schema/sort.ts'

/** Output name and definition: a column, a date truncated to its week or month, or the bin of a number. */
export interface GroupKey {
  readonly name: string
  readonly column: string
  readonly cut?: 'week' | 'month' | 'year'
  readonly bins?: Bins
}

/** This many bins of equal width from a number on; the outermost include everything beyond them. */
export interface Bins {
  readonly from: number
  readonly width: number
  readonly count: number
}

export interface Grouping {
  readonly by: readonly GroupKey[]
  readonly value: string
  /** Stored units per answer unit; default 1. */
  readonly scale?: number
  /** The column that orders rows in time for `change`, and the one counted for `companies`. */
  readonly time: string
  readonly company: string
  readonly metrics: readonly Metric[]
}

export const metrics = [
  'median',
  'mean',
  'stddev',
  'min',
  'max',
  'p10',
  'p25',
  'p75',
  'p90',
  'count',
  'companies',
  'change',
  'average_5d',
  'average_20d',
  'average_60d',
  'percentile_rank',
] as const
export type Metric = (typeof metrics)[number]

/** Metrics of a day within its series: how many days they need, including the day. */
export const daysBehind: Partial<Record<Metric, number>> = {
  average_5d: 5,
  average_20d: 20,
  average_60d: 60,
  percentile_rank: 1,
}
export const isOfSeries = (metric: Metric): boolean => daysBehind[metric] !== undefined

/** The key by which groups are single days; undefined where they are longer. */
export const keyOfDays = ({ by, time }: Pick<Grouping, 'by' | 'time'>): GroupKey | undefined =>
  by.find(({ column, cut }) => column === time && !cut)

/** The metrics of a grouping that compare a day with others of its series; the change within one day would always be zero. */
export const seriesMetrics = (group: Grouping): Metric[] =>
  group.metrics.filter(
    metric => isOfSeries(metric) || (metric === 'change' && keyOfDays(group) !== undefined),
  )

/** A column of an answer; `from` is the table's column if the name differs. */
export interface PlanColumn {
  readonly name: string
  readonly column: Column
  readonly from?: string
}

export const sourceColumn = ({ name, from }: PlanColumn): string => from ?? name

/**
 * A query on one table, as plain data without SQL, so either lane can answer it. Rows pass `where`, then the newest
 * of each group is chosen if requested, then `after`, then order and page.
 */
export interface Plan {
  readonly table: string
  /** Output columns in order, with their definitions. */
  readonly columns: readonly PlanColumn[]
  readonly where: readonly Condition[]
  readonly pick?: { readonly per: readonly string[]; readonly by: readonly Sort[] }
  readonly after: readonly Condition[]
  readonly group?: Grouping
  readonly order: readonly Sort[]
  readonly limit: number | null
  readonly offset: number
}
