import { literal, quote } from '../../database/database.ts'
import type { SqlValue } from '../../database/parameters.ts'
import { parquetSql } from '../../encode/parquet-sql.ts'
import type { CopyForm } from '../../encode/row-stream.ts'
import type { Column } from '../../schema/column.ts'
import type { Condition } from '../../schema/filter.ts'
import type { Sort } from '../../schema/sort.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { duckdbDialect } from '../dialects/duckdb.ts'
import {
  daysBehind,
  type Grouping,
  type GroupKey,
  keyOfDays,
  type Metric,
  type Plan,
  seriesMetrics,
  sourceColumn,
} from './plan.ts'
import { csvLines, ndjsonLines, parquetRows } from './text-sql.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

interface Builder {
  readonly dialect: Dialect
  readonly kinds: Readonly<Record<string, Column>>
  readonly values: SqlValue[]
  /** Adds a value, and gives its placeholder. Placeholders are positional: values are bound in the order of the text. */
  readonly bind: (value: SqlValue) => string
}

function builder(kinds: Builder['kinds'], dialect: Dialect): Builder {
  const values: SqlValue[] = []
  const bind = (value: SqlValue) => {
    values.push(value)
    return '?'
  }
  return { dialect, kinds, values, bind }
}

const value = ({ dialect, kinds, bind }: Builder, column: string, given: SqlValue): string =>
  dialect.value(given, kinds[column]?.kind, bind)

function condition(build: Builder, given: Condition): string {
  if (given.op === 'present') return `${quote(given.column)} IS NOT NULL`
  if (given.op === 'absent') return `${quote(given.column)} IS NULL`
  if (given.op === 'in') {
    if (given.values.length === 0) return 'FALSE'
    const kind = build.kinds[given.column]
    const caseless = kind?.kind === 'text' && !kind.format
    const column = quote(given.column)
    const left = caseless ? `lower(${column})` : column
    const right = given.values.map(v => value(build, given.column, caseless ? String(v).toLowerCase() : v))
    return right.length === 1 ? `${left} = ${right[0]}` : `${left} IN (${right.join(', ')})`
  }
  const left = quote(given.column)
  return `${left} ${given.op === 'ge' ? '>=' : '<='} ${value(build, given.column, given.value)}`
}

const conditions = (build: Builder, given: readonly Condition[]): string[] =>
  given.map(each => condition(build, each))

const where = (build: Builder, given: readonly Condition[]): string =>
  given.length ? ` WHERE ${conditions(build, given).join(' AND ')}` : ''

const orderBy = (order: readonly Sort[]): string =>
  order.map(s => `${quote(s.column)} ${s.descending ? 'DESC' : 'ASC'} NULLS LAST`).join(', ')

/** Divides the aggregate rather than the value, so integers are summed as integers. */
const scaled = (text: string, { scale }: Grouping): string =>
  scale ? `${text} / CAST(${scale} AS DOUBLE)` : text

const quantileShares: Partial<Record<Metric, number>> = {
  median: 0.5,
  p10: 0.1,
  p25: 0.25,
  p75: 0.75,
  p90: 0.9,
}

function metricSql(metric: Metric, group: Grouping, dialect: Dialect): string {
  const of = quote(group.value)
  const share = quantileShares[metric]
  if (share !== undefined) return `round(${scaled(dialect.quantile(share, of), group)}, 4)`
  switch (metric) {
    case 'mean':
      return `round(${group.scale ? `${scaled(`sum(${of})`, group)} / count(*)` : dialect.mean(of)}, 6)`
    case 'stddev':
      return `round(${scaled(`stddev_samp(${of})`, group)}, 6)`
    case 'companies':
      return `count(DISTINCT ${quote(group.company)})`
    case 'count':
      return 'count(*)'
    default:
      return scaled(`${metric}(${of})`, group)
  }
}

/** The matching rows, before order and page: shared by the page and the count. */
function body(plan: Plan, build: Builder): string {
  const table = build.dialect.table(plan.table)
  if (!plan.pick) return `SELECT * FROM ${table}${where(build, [...plan.where, ...plan.after])}`
  const { per, by } = plan.pick
  const place = `row_number() OVER (PARTITION BY ${per.map(quote).join(', ')} ORDER BY ${orderBy(by)}) AS "_place"`
  const placed = `SELECT *, ${place} FROM ${table}${where(build, plan.where)}`
  return `SELECT * FROM (${placed}) WHERE ${['"_place" = 1', ...conditions(build, plan.after)].join(' AND ')}`
}

/** The page of a plan; the last column is the total over all pages. */
export function pageSql(
  plan: Plan,
  kinds: Readonly<Record<string, Column>>,
  total = true,
  dialect = duckdbDialect,
): Statement {
  const build = builder(kinds, dialect)
  const inner = plan.group ? groupSql(plan, plan.group, build) : null
  const columns = plan.columns.map(column =>
    inner ? quote(column.name) : `${quote(sourceColumn(column))} AS ${quote(column.name)}`,
  )
  if (total) columns.push('count(*) OVER () AS "_total"')
  const source = inner ?? body(plan, build)
  const order = orderBy(plan.order)
  const ordered = order ? ` ORDER BY ${order}` : ''
  const text = `SELECT ${columns.join(', ')} FROM (${source})${ordered}${dialect.page(plan, build.bind)}`
  return { text, values: build.values }
}

/** Writes the page of a plan to a file. */
export function copySql(
  plan: Plan,
  kinds: Readonly<Record<string, Column>>,
  file: string,
  form: CopyForm,
): Statement {
  const { text, values } = pageSql(plan, kinds, false)
  if (form.format === 'parquet')
    return { text: parquetSql(parquetRows(plan.columns, text), file, form.metadata), values }
  const lines =
    form.format === 'csv' ? csvLines(plan.columns, form.safe, text) : ndjsonLines(plan.columns, text)
  // Plain lines: one column without quotes or separators.
  const asTheyAre = "FORMAT csv, HEADER false, DELIMITER '', QUOTE '', ESCAPE ''"
  return { text: `COPY (${lines}) TO ${literal(file)} (${asTheyAre})`, values }
}

/**
 * The total number of rows that match a plan: used when a page past the end is empty.
 * @param total another aggregate of those rows
 */
export function countSql(
  plan: Plan,
  kinds: Readonly<Record<string, Column>>,
  total = 'count(*)',
  dialect = duckdbDialect,
): Statement {
  const build = builder(kinds, dialect)
  const source = plan.group ? groupSql(plan, plan.group, build) : body(plan, build)
  return { text: `SELECT ${total} AS total FROM (${source})`, values: build.values }
}

/** The distinct words of a column in the rows of a plan. */
export function presentSql(
  plan: Plan,
  kinds: Readonly<Record<string, Column>>,
  column: string,
  dialect = duckdbDialect,
): Statement {
  const build = builder(kinds, dialect)
  return {
    text: `SELECT DISTINCT ${quote(column)} AS word FROM (${body(plan, build)})`,
    values: build.values,
  }
}

function keySql({ column, cut, bins }: GroupKey): string {
  const name = quote(column)
  if (cut) return `CAST(date_trunc('${cut}', ${name}) AS DATE)`
  if (!bins) return name
  const at = `floor((${name} - CAST('${bins.from}' AS DOUBLE)) / CAST('${bins.width}' AS DOUBLE))`
  // least() and greatest() ignore null, which has no bin.
  return `CASE WHEN ${name} IS NOT NULL THEN CAST(least(greatest(${at}, 0), ${bins.count - 1}) AS BIGINT) END`
}

/** Groups, and metrics of a day within its series: the groups that differ only by day. */
function groupSql(plan: Plan, group: Grouping, build: Builder): string {
  const ofSeries = seriesMetrics(group)
  if (ofSeries.length === 0) return plainGroupSql(plan, group, build)
  const plain = [...new Set<Metric>(['median', ...group.metrics.filter(m => !ofSeries.includes(m))])]
  const groups = plainGroupSql(plan, { ...group, metrics: plain }, build)
  const day = quote(keyOfDays(group)!.name)
  const others = group.by.map(key => quote(key.name)).filter(name => name !== day)
  const series = `${others.length ? `PARTITION BY ${others.join(', ')} ` : ''}ORDER BY ${day}`
  const { dialect } = build
  const selected = ofSeries.map(metric => {
    if (metric === 'percentile_rank')
      return `round(1E2 * ${dialect.atOrBelow({ groups: 'groups_', of: 'g', others, day, series })} / count(*) OVER (${series}), 2) AS ${metric}`
    if (metric === 'change') return `round(g.median - lag(g.median) OVER (${series}), 4) AS "change"`
    const days = daysBehind[metric]!
    const window = `(${series} ROWS ${days - 1} PRECEDING)`
    return `CASE WHEN count(*) OVER ${window} = ${days} THEN round(avg(g.median) OVER ${window}, 4) END AS ${metric}`
  })
  return `WITH groups_ ${dialect.materialized} (${groups}) SELECT g.*, ${selected.join(', ')} FROM groups_ g`
}

/** That a key is the same in two tables, by their names. */
const sameKey =
  ({ dialect }: Builder, a: string, b: string) =>
  (key: string): string =>
    dialect.isSame(`${a}.${key}`, `${b}.${key}`)

const listed = (parts: readonly string[]): string => (parts.length ? `${parts.join(', ')}, ` : '')
const groupedBy = (parts: readonly string[]): string => (parts.length ? ` GROUP BY ${parts.join(', ')}` : '')

function plainGroupSql(plan: Plan, group: Grouping, build: Builder): string {
  const { dialect } = build
  const keys = group.by.map(key => ({ name: quote(key.name), text: keySql(key) }))
  const texts = keys.map(k => k.text)
  const names = keys.map(k => k.name)
  const key = keys.map(k => `${k.text} AS ${k.name}`)
  const rows = body(plan, build)
  const plain = group.metrics
    .filter(m => m !== 'change')
    .map(m => `${metricSql(m, group, dialect)} AS ${quote(m)}`)
  if (!group.metrics.includes('change'))
    return `SELECT ${[...key, ...plain].join(', ')} FROM (${rows})${groupedBy(texts)}`
  // The change of a group: its median on its last day minus that on its first.
  const time = quote(group.time)
  const median = dialect.quantile(0.5, quote(group.value))
  const change = scaled('(max_by("_median", "_day") - min_by("_median", "_day"))', group)
  const join = names.length ? names.map(sameKey(build, 'g', 'd')).join(' AND ') : 'TRUE'
  return (
    `WITH rows_ ${dialect.materialized} (${rows}), ` +
    `days_ AS (SELECT ${listed(key)}${time} AS "_day", ${median} AS "_median" FROM rows_${groupedBy([...texts, time])}), ` +
    `d AS (SELECT ${listed(names)}round(${change}, 4) AS "change" FROM days_${groupedBy(names)}), ` +
    `g AS (SELECT ${[...key, ...plain].join(', ') || '1'} FROM rows_${groupedBy(texts)}) ` +
    `SELECT g.*, d."change" FROM g JOIN d ON ${join}`
  )
}
