import { literal, quote } from '../../database/database.ts'
import type { SqlValue } from '../../database/parameters.ts'
import { stored } from '../../database/views.ts'
import { parquetSql } from '../../encode/parquet-sql.ts'
import type { CopyForm } from '../../encode/row-stream.ts'
import type { Column } from '../../schema/column.ts'
import type { Condition } from '../../schema/filter.ts'
import type { Sort } from '../../schema/sort.ts'
import {
  daysBehind,
  type Grouping,
  type GroupKey,
  isOfSeries,
  type Metric,
  type Plan,
  sourceColumn,
} from './plan.ts'
import { csvLines, ndjsonLines, typedSql } from './text-sql.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

interface Builder {
  readonly values: SqlValue[]
  readonly kinds: Readonly<Record<string, Column>>
}

function value(build: Builder, column: string, given: SqlValue): string {
  build.values.push(given)
  const kind = build.kinds[column]?.kind
  if (kind === 'date') return 'CAST(? AS DATE)'
  if (kind === 'timestamp') return 'CAST(? AS TIMESTAMP)'
  // Numbers compare as numbers: 4.5 against an integer column must not be rounded.
  if (typeof given === 'number') return 'CAST(? AS DOUBLE)'
  return '?'
}

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

const where = (build: Builder, conditions: readonly Condition[]): string =>
  conditions.length ? ` WHERE ${conditions.map(c => condition(build, c)).join(' AND ')}` : ''

const orderBy = (order: readonly Sort[]): string =>
  order.map(s => `${quote(s.column)} ${s.descending ? 'DESC' : 'ASC'} NULLS LAST`).join(', ')

/** Divides the aggregate rather than the value, so integers are summed as integers. */
const scaled = (text: string, { scale }: Grouping): string => (scale ? `${text} / ${scale}::DOUBLE` : text)

const metricSql: Partial<Record<Metric, (g: Grouping) => string>> = {
  median: g => `round(${scaled(`median(${quote(g.value)})`, g)}, 4)`,
  // Compensated summation, so the order of rows does not show.
  mean: g =>
    `round(${g.scale ? `${scaled(`sum(${quote(g.value)})`, g)} / count(*)` : `favg(${quote(g.value)})`}, 6)`,
  stddev: g => `round(${scaled(`stddev_samp(${quote(g.value)})`, g)}, 6)`,
  min: g => scaled(`min(${quote(g.value)})`, g),
  max: g => scaled(`max(${quote(g.value)})`, g),
  p10: g => `round(${scaled(`quantile_cont(${quote(g.value)}::DOUBLE, 0.1)`, g)}, 4)`,
  p25: g => `round(${scaled(`quantile_cont(${quote(g.value)}::DOUBLE, 0.25)`, g)}, 4)`,
  p75: g => `round(${scaled(`quantile_cont(${quote(g.value)}::DOUBLE, 0.75)`, g)}, 4)`,
  p90: g => `round(${scaled(`quantile_cont(${quote(g.value)}::DOUBLE, 0.9)`, g)}, 4)`,
  count: () => 'count(*)',
  companies: g => `count(DISTINCT ${quote(g.company)})`,
}

/** The matching rows, before order and page: shared by the page and the count. */
function body(plan: Plan, build: Builder): string {
  const from = `FROM ${stored(plan.table)}`
  if (!plan.pick) return `SELECT * ${from}${where(build, [...plan.where, ...plan.after])}`
  const picked =
    `SELECT * ${from}${where(build, plan.where)} ` +
    `QUALIFY row_number() OVER (PARTITION BY ${plan.pick.per.map(quote).join(', ')} ORDER BY ${orderBy(plan.pick.by)}) = 1`
  return plan.after.length ? `SELECT * FROM (${picked})${where(build, plan.after)}` : picked
}

const builder = (kinds: Readonly<Record<string, Column>>): Builder => ({ values: [], kinds })

/** The page of a plan; the last column is the total over all pages. */
export function pageSql(plan: Plan, kinds: Readonly<Record<string, Column>>, total = true): Statement {
  const build = builder(kinds)
  const inner = plan.group ? groupSql(plan, plan.group, build) : null
  // Parameters are positional: bound in the order of the text.
  const columns = plan.columns.map(column =>
    inner ? quote(column.name) : `${quote(sourceColumn(column))} AS ${quote(column.name)}`,
  )
  if (total) columns.push('count(*) OVER () AS "_total"')
  const source = inner ?? body(plan, build)
  const order = orderBy(plan.order)
  let text = `SELECT ${columns.join(', ')} FROM (${source})`
  if (order) text += ` ORDER BY ${order}`
  if (plan.limit !== null) {
    build.values.push(plan.limit)
    text += ' LIMIT ?'
  }
  if (plan.offset) {
    // More rows than any table has, and DuckDB's maximum.
    build.values.push(Math.min(plan.offset, Number.MAX_SAFE_INTEGER))
    text += ' OFFSET ?'
  }
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
    return { text: parquetSql(typedSql(plan.columns, text), file, form.metadata), values }
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
export function countSql(plan: Plan, kinds: Readonly<Record<string, Column>>, total = 'count(*)'): Statement {
  const build = builder(kinds)
  const source = plan.group ? groupSql(plan, plan.group, build) : body(plan, build)
  return { text: `SELECT ${total} AS total FROM (${source})`, values: build.values }
}

/** The distinct words of a column in the rows of a plan. */
export function presentSql(plan: Plan, kinds: Readonly<Record<string, Column>>, column: string): Statement {
  const build = builder(kinds)
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
  const ofSeries = group.metrics.filter(isOfSeries)
  if (ofSeries.length === 0) return plainGroupSql(plan, group, build)
  const plain = [...new Set<Metric>(['median', ...group.metrics.filter(m => !isOfSeries(m))])]
  const groups = plainGroupSql(plan, { ...group, metrics: plain }, build)
  const day = quote(group.by.find(key => key.column === group.time && !key.cut)!.name)
  const others = group.by.map(key => quote(key.name)).filter(name => name !== day)
  const series = `${others.length ? `PARTITION BY ${others.join(', ')} ` : ''}ORDER BY ${day}`
  const same = others.map(name => `h.${name} IS NOT DISTINCT FROM g.${name} AND `).join('')
  const selected = ofSeries.map(metric => {
    const days = daysBehind[metric]!
    if (metric === 'percentile_rank')
      return (
        `round(100.0 * (SELECT count(*) FROM groups_ h WHERE ${same}h.${day} <= g.${day} AND h.median <= g.median)` +
        ` / count(*) OVER (${series}), 2) AS ${metric}`
      )
    const window = `(${series} ROWS ${days - 1} PRECEDING)`
    return `CASE WHEN count(*) OVER ${window} = ${days} THEN round(avg(g.median) OVER ${window}, 4) END AS ${metric}`
  })
  return `WITH groups_ AS MATERIALIZED (${groups}) SELECT g.*, ${selected.join(', ')} FROM groups_ g`
}

function plainGroupSql(plan: Plan, group: Grouping, build: Builder): string {
  const keys = group.by.map(key => ({ name: key.name, text: keySql(key) }))
  const rows = body(plan, build)
  const selected = [
    ...keys.map(k => `${k.text} AS ${quote(k.name)}`),
    ...group.metrics.filter(m => m !== 'change').map(m => `${metricSql[m]!(group)} AS ${quote(m)}`),
  ]
  if (!group.metrics.includes('change')) {
    const by = keys.length ? ` GROUP BY ${keys.map(k => k.text).join(', ')}` : ''
    return `SELECT ${selected.join(', ')} FROM (${rows})${by}`
  }
  // The change of a group: its median on its last day minus that on its first.
  const key = keys.map(k => `${k.text} AS ${quote(k.name)}`)
  const names = keys.map(k => quote(k.name))
  const list = (parts: string[]) => (parts.length ? `${parts.join(', ')}, ` : '')
  const groupBy = (parts: string[]) => (parts.length ? ` GROUP BY ${parts.join(', ')}` : '')
  const join = names.length ? names.map(n => `g.${n} IS NOT DISTINCT FROM d.${n}`).join(' AND ') : 'TRUE'
  const plainMetrics = selected.slice(keys.length)
  return (
    `WITH rows_ AS MATERIALIZED (${rows}), ` +
    `days_ AS (SELECT ${list(key)}${quote(group.time)} AS "_day", median(${quote(group.value)}) AS "_median" FROM rows_ ` +
    `GROUP BY ${[...keys.map(k => k.text), quote(group.time)].join(', ')}), ` +
    `d AS (SELECT ${list(names)}round(${scaled('(arg_max("_median", "_day") - arg_min("_median", "_day"))', group)}, 4) AS "change" FROM days_${groupBy(names)}), ` +
    `g AS (SELECT ${[...key, ...plainMetrics].join(', ') || '1'} FROM rows_${groupBy(keys.map(k => k.text))}) ` +
    `SELECT g.*, d."change" FROM g JOIN d ON ${join}`
  )
}
