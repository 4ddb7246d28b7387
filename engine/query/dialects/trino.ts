import { quote } from '../../database/database.ts'
import type { SqlValue } from '../../database/parameters.ts'
import type { Column } from '../../schema/column.ts'
import type { Dialect } from './dialect.ts'

/** Trino's SQL, over the tables of one schema. Nothing is bound: values are literals with types. */
export const trinoDialect = (schema: string): Dialect => ({
  table: name => `${schema}.${quote(name)}`,
  value: (given, kind) => typedLiteral(given, kind),
  page({ limit, offset }) {
    const skipped = offset ? ` OFFSET ${wholeLiteral(offset)}` : ''
    return limit === null ? skipped : `${skipped} LIMIT ${wholeLiteral(limit)}`
  },
  quantile,
  // Exact to twelve digits after the point: sums of doubles depend on the order of rows.
  mean: value => `CAST(avg(CAST(${value} AS DECIMAL(38, 12))) AS DOUBLE)`,
  // A common table that is named twice is computed twice.
  atOrBelow: ({ of, series }) =>
    `cardinality(filter(array_agg(${of}.median) OVER (${series}), m -> m <= ${of}.median))`,
  // IS NOT DISTINCT FROM would compare every pair.
  isSame: (a, b) =>
    `coalesce(CAST(${a} AS VARCHAR), '') = coalesce(CAST(${b} AS VARCHAR), '') AND (${a} IS NULL) = (${b} IS NULL)`,
  materialized: 'AS',
})

/** A value in a statement, with the type of the column that it is compared with. */
export function typedLiteral(given: SqlValue, kind: Column['kind'] | undefined): string {
  if (given === null) return 'NULL'
  if (kind === 'date') return `DATE ${textLiteral(String(given))}`
  if (kind === 'timestamp')
    return `TIMESTAMP ${textLiteral(String(given).replace('T', ' ').replace(/Z$/, ''))}`
  // Numbers compare as numbers: 4.5 against an integer column must not be rounded.
  if (typeof given === 'number') return `DOUBLE ${textLiteral(String(given))}`
  if (typeof given === 'boolean') return given ? 'TRUE' : 'FALSE'
  return typeof given === 'bigint' ? String(given) : textLiteral(given)
}

const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** No table has more rows than this, and a larger number would be written with an exponent. */
const wholeLiteral = (rows: number): string => String(Math.min(rows, Number.MAX_SAFE_INTEGER))

/**
 * A group's values are counted, and the counts are walked in order until the two ranks are passed between which the
 * quantile lies. Counts take as much memory as a group has different values, not as it has rows.
 */
function quantile(share: number, value: string): string {
  const rank = `${share}E0 * (count(${value}) - 1)`
  const passed = step('s.rank - e[2]', 'IF(s.rank >= 0, e[1], s.low)', 'e[1]')
  return (
    `reduce(array_sort(map_entries(histogram(${value}))), ${step(rank, 'NULL', 'NULL')}, ` +
    `(s, e) -> IF(s.rank > -1, ${passed}, s), s -> s.low + (s.high - s.low) * (s.rank - floor(s.rank)))`
  )
}

/** The rank less the values passed, and the last values at or below the rank, and at or below the next. */
const step = (rank: string, low: string, high: string): string =>
  `CAST(ROW(${rank}, ${low}, ${high}) AS ROW(rank DOUBLE, low DOUBLE, high DOUBLE))`
