import { stored } from '../../database/views.ts'
import type { Dialect } from './dialect.ts'

export const duckdbDialect: Dialect = {
  table: stored,
  value(given, kind, bind) {
    const placeholder = bind(given)
    if (kind === 'date') return `CAST(${placeholder} AS DATE)`
    if (kind === 'timestamp') return `CAST(${placeholder} AS TIMESTAMP)`
    // Numbers compare as numbers: 4.5 against an integer column must not be rounded.
    return typeof given === 'number' ? `CAST(${placeholder} AS DOUBLE)` : placeholder
  },
  page({ limit, offset }, bind) {
    const rows = limit === null ? '' : ` LIMIT ${bind(limit)}`
    // More rows than any table has, and DuckDB's maximum.
    return offset ? `${rows} OFFSET ${bind(Math.min(offset, Number.MAX_SAFE_INTEGER))}` : rows
  },
  quantile: (share, value) =>
    share === 0.5 ? `median(${value})` : `quantile_cont(CAST(${value} AS DOUBLE), ${share})`,
  // Compensated summation, so the order of rows does not show.
  mean: value => `favg(${value})`,
  atOrBelow({ groups, of, others, day }) {
    const same = others.map(name => `h.${name} IS NOT DISTINCT FROM ${of}.${name} AND `).join('')
    return `(SELECT count(*) FROM ${groups} h WHERE ${same}h.${day} <= ${of}.${day} AND h.median <= ${of}.median)`
  },
  isSame: (a, b) => `${a} IS NOT DISTINCT FROM ${b}`,
  materialized: 'AS MATERIALIZED',
}
