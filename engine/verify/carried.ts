import { quote } from '../database/database.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { tableNamed } from '../schema/resources/tables.ts'
import { exact, type Recomputation } from './recomputation.ts'

/** The default for a cell that the source leaves empty. */
type Defaults = Readonly<Record<string, string>>

/**
 * Columns copied from the source: each row is looked up by its `source`, and of several at one position the most
 * similar is used. Columns that the build computes are recomputed elsewhere.
 */
export function carried(table: string, dataset: string, defaults: Defaults = {}): Recomputation {
  const { columns, key } = tableNamed(table)!
  const loaded = datasetNamed(dataset)!.columns
  const names = Object.keys(columns).filter(
    name =>
      Object.hasOwn(loaded, name) &&
      !columns[name]?.derived &&
      !key.includes(name) &&
      !['ticker', 'company_name', 'cusip', 'sector', 'name', 'bond_id', 'is_guarantor'].includes(name),
  )
  const value = (name: string) =>
    defaults[name] ? `coalesce(r.${quote(name)}, ${defaults[name]})` : `r.${quote(name)}`
  const keys = key.map(name => `k.${quote(name)}`).join(', ')
  return {
    table,
    how: `the row of ${dataset} at its source`,
    columns: Object.fromEntries(names.map(name => [name, exact])),
    whole: false,
    make: async () => `
      SELECT ${keys}, ${names.map(name => `${value(name)} AS ${quote(name)}`).join(', ')}
      FROM kept_${table} k LEFT JOIN raw_${dataset} r ON r.source = k.source
      QUALIFY row_number() OVER (PARTITION BY ${keys} ORDER BY
        ${names.map(name => `CAST(${value(name)} IS NOT DISTINCT FROM k.${quote(name)} AS INTEGER)`).join(' + ')} DESC) = 1`,
  }
}
