import { memberOf } from '../base/elements.ts'
import { literal, quote } from '../database/database.ts'
import { isNumeric, sqlType } from '../schema/column.ts'
import { tableNamed } from '../schema/resources/tables.ts'
import type { Difference, Recomputation, Tolerance, Workbench } from './recomputation.ts'
import { records } from './workbench.ts'

const keptName = (table: string) => `kept_${table}`

/** True in SQL if a stored value `k.x` and a recomputed one `m.x` differ. */
function differs(table: string, name: string, { absolute = 0, share = 0 }: Tolerance): string {
  const column = memberOf(tableNamed(table)!.columns, name)
  const [k, m] = [`k.${quote(name)}`, `m.${quote(name)}`]
  if (!isNumeric(column)) return `${k} IS DISTINCT FROM CAST(${m} AS ${sqlType(column)})`
  const [a, b] = [`CAST(${k} AS DOUBLE)`, `CAST(${m} AS DOUBLE)`]
  // NaN equals itself in DuckDB and is above everything: a difference with it is never within a tolerance.
  return `((${k} IS NULL) <> (${m} IS NULL) OR coalesce(NOT (abs(${a} - ${b}) <= ${absolute} + ${share} * abs(${b})), FALSE))`
}

/** Tables that should be equal differ in few rows. */
const FEW = { few: true }

/** The differences between two tables that should be equal. */
export async function* compare(
  { db, sampled }: Workbench,
  recomputation: Recomputation,
  made: string,
): AsyncGenerator<Difference> {
  const { table, columns, whole, how, ofCorrected } = recomputation
  // What a user corrected does not follow from the documents.
  const asRead =
    !ofCorrected && tableNamed(table)!.columns['corrections'] ? ' WHERE k.corrections IS NULL' : ''
  const { key } = tableNamed(table)!
  const on = key.map(name => `k.${quote(name)} IS NOT DISTINCT FROM m.${quote(name)}`).join(' AND ')
  const keyText = (alias: string) =>
    `concat_ws(' ', ${key.map(name => `coalesce(CAST(${alias}.${quote(name)} AS VARCHAR), '-')`).join(', ')})`
  const found = Object.entries(columns).map(([name, tolerance]) => {
    const numeric = isNumeric(memberOf(tableNamed(table)!.columns, name))
    const difference = numeric
      ? `CAST(k.${quote(name)} AS DOUBLE) - CAST(m.${quote(name)} AS DOUBLE)`
      : 'CAST(NULL AS DOUBLE)'
    return `CASE WHEN ${differs(table, name, tolerance)} THEN {'field': ${literal(name)}, 'stored': CAST(k.${quote(name)} AS VARCHAR),
      'recomputed': CAST(m.${quote(name)} AS VARCHAR), 'difference': ${difference}} END`
  })
  const from = /^\w+$/.test(made) ? made : `(${made})`
  if (found.length > 0)
    for await (const row of records<{ key: string; d: Omit<Difference, 'dataset' | 'key' | 'cause'> }>(
      db,
      `SELECT key, unnest(list_filter(found, x -> x IS NOT NULL)) AS d FROM (
        SELECT ${keyText('k')} AS key, [${found.join(', ')}] AS found
        FROM ${keptName(table)} k JOIN ${from} m ON ${on}${asRead}) ORDER BY key`,
      FEW,
    ))
      yield { dataset: table, key: row.key, ...row.d, cause: causeOf(row.d, how) }
  if (!whole) return
  for await (const { key: of } of records<{ key: string }>(
    db,
    `SELECT ${keyText('k')} AS key FROM ${keptName(table)} k ANTI JOIN ${from} m ON ${on} ORDER BY key`,
    FEW,
  ))
    yield {
      dataset: table,
      key: of,
      field: '(row)',
      stored: 'present',
      recomputed: null,
      difference: null,
      cause: `no input makes this row: ${how}`,
    }
  if (sampled) return
  for await (const { key: of } of records<{ key: string }>(
    db,
    `SELECT ${keyText('m')} AS key FROM ${from} m ANTI JOIN ${keptName(table)} k ON ${on} ORDER BY key`,
    FEW,
  ))
    yield {
      dataset: table,
      key: of,
      field: '(row)',
      stored: null,
      recomputed: 'present',
      difference: null,
      cause: `the inputs make a row that is not there: ${how}`,
    }
}

/** A likely cause of a difference, from known patterns. */
export function causeOf(
  { stored, recomputed }: Pick<Difference, 'stored' | 'recomputed'>,
  how: string,
): string {
  if (recomputed === null) return `the inputs give no figure: ${how}`
  if (stored === null) return `the inputs give a figure: ${how}`
  const [a, b] = [Number(stored), Number(recomputed)]
  if (!Number.isFinite(a)) return /^(nan|-?inf)/i.test(stored) ? 'not a number' : `another value: ${how}`
  if (!Number.isFinite(b) || b === 0) return `another value: ${how}`
  const share = a / b
  for (const slip of [100, 1000, 1_000_000])
    for (const factor of [slip, 1 / slip])
      if (Math.abs(share / factor - 1) < 1e-6)
        return `${slip.toLocaleString('en')} times too ${factor > 1 ? 'large' : 'small'}: a unit error`
  if (Math.abs(share + 1) < 1e-9) return 'the sign is reversed'
  if (Math.abs(share - 4) < 1e-9 || Math.abs(share - 0.25) < 1e-9)
    return 'four times: a quarter taken for a year, or the reverse'
  if (Math.abs(share - 1) < 1e-6) return `rounding: ${how}`
  return `another value: ${how}`
}
