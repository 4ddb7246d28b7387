import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Database } from '../database/database.ts'
import type { Columns } from '../schema/column.ts'
import type { Source } from './choose-lane.ts'
import {
  countByBin,
  countByValue,
  type MemoryRows,
  spanOfValues,
  type ValueCount,
  type ValueSpan,
} from './memory/count-values.ts'
import type { Bins, GroupKey, Metric, Plan } from './plan/plan.ts'
import { pageSql } from './plan/plan-sql.ts'

/** How the rows of a plan are distributed over one column. */
export interface ColumnCounts {
  /** Number of rows by value, including null; days by year. */
  readonly byValue: () => MaybePromise<readonly ValueCount[]>
  readonly span: () => MaybePromise<ValueSpan>
  /** Number of rows by bin; null is the bin of missing values. */
  readonly byBin: (bins: Bins) => MaybePromise<ReadonlyMap<number | null, number>>
}

/**
 * Counts columns of a table over the rows of one plan after another: in memory if the table is loaded, else by
 * DuckDB. Plans that match the same rows share them.
 */
export function columnCounts(
  source: Source,
  names: readonly string[],
  kinds: Columns,
): (plan: Plan, name: string) => ColumnCounts {
  const columns = names.map(name => ({ name, column: kinds[name]! }))
  const found = new Map<string, MemoryRows | null>()
  return (plan, name) => {
    const key = JSON.stringify([plan.where, plan.pick, plan.after])
    let loaded = found.get(key)
    if (loaded === undefined) {
      loaded = rowsInMemory(source, { ...plan, columns }, kinds)
      found.set(key, loaded)
    }
    const byYear = kinds[name]!.kind === 'date'
    return loaded
      ? countsInMemory(loaded, name, byYear)
      : countsByStatement(source.database, plan, kinds, name, byYear)
  }
}

/** The rows that a plan matches over all pages, if its table is in memory; else null. */
export function rowsInMemory({ hot }: Source, plan: Plan, kinds: Columns): MemoryRows | null {
  const choice = hot.choose({ ...plan, order: [], limit: null, offset: 0 }, kinds)
  if (choice.lane !== 'memory') return null
  const { table, question } = choice
  return { rows: table.find(question).rows, column: name => table.column(name) }
}

function countsInMemory(loaded: MemoryRows, name: string, byYear: boolean): ColumnCounts {
  const { rows } = loaded
  const column = loaded.column(name)
  return {
    byValue: () => countByValue(column, rows, byYear),
    span: () => spanOfValues(column, rows),
    byBin: bins => countByBin(column, rows, bins),
  }
}

function countsByStatement(
  database: Database,
  plan: Plan,
  kinds: Columns,
  name: string,
  byYear: boolean,
): ColumnCounts {
  const grouped = <T>(by: readonly GroupKey[], metrics: readonly Metric[]) =>
    groupedRows<T>(database, plan, kinds, by, name, metrics)
  return {
    byValue: () => {
      const cut = byYear ? ({ cut: 'year' } as const) : {}
      return grouped<ValueCount>([{ name: 'value', column: name, ...cut }], ['count'])
    },
    span: async () => (await grouped<ValueSpan>([], ['min', 'max', 'p10', 'p90', 'count']))[0]!,
    byBin: async bins => {
      const rows = await grouped<{ bin: number | null; count: number }>(
        [{ name: 'bin', column: name, bins }],
        ['count'],
      )
      return new Map(rows.map(({ bin, count }) => [bin, count]))
    },
  }
}

/** One row per combination of `by`, with the metrics of `value`. */
function groupedRows<T>(
  database: Database,
  plan: Plan,
  kinds: Columns,
  by: readonly GroupKey[],
  value: string,
  metrics: readonly Metric[],
): Promise<T[]> {
  const group = { by, value, time: value, company: value, metrics }
  const names = [...by.map(({ name }) => name), ...metrics]
  const columns = names.map(name => ({ name, column: kinds[value]! }))
  const { text, values } = pageSql(
    { ...plan, columns, group, order: [], limit: null, offset: 0 },
    kinds,
    false,
  )
  return database.rows<T>(text, values)
}
