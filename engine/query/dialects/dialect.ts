import type { SqlValue } from '../../database/parameters.ts'
import type { Column } from '../../schema/column.ts'

/** Groups of a common table, by day within the series that they form. */
export interface GroupsInSeries {
  readonly groups: string
  /** The name of the group that is compared with the others. */
  readonly of: string
  /** The keys of a series, and its days. */
  readonly others: readonly string[]
  readonly day: string
  /** The window over a series. */
  readonly series: string
}

/** What differs between the engines that run the statements of plans. The rest of a statement is read alike by all. */
export interface Dialect {
  /** The name of a stored table in a statement. */
  table(name: string): string
  /** A value compared with a column: a placeholder bound to it, or a literal. */
  value(given: SqlValue, kind: Column['kind'] | undefined, bind: (value: SqlValue) => string): string
  /** The end of a statement: its page. */
  page(
    page: { readonly limit: number | null; readonly offset: number },
    bind: (value: SqlValue) => string,
  ): string
  /** The quantile of a group's values, linear between ranks. */
  quantile(share: number, value: string): string
  /** The mean of a group's values, the same in any order of its rows. */
  mean(value: string): string
  /** How many days of a group's series so far have a median at or below its own. */
  atOrBelow(series: GroupsInSeries): string
  /** Two keys are equal, or both null, in a form that joins by hash. */
  isSame(a: string, b: string): string
  /** Marks a common table that is read twice. */
  readonly materialized: string
}
