import { sqlType } from '../column.ts'
import { type Database, literal, quote } from '../database.ts'
import { type Dataset, provenance } from '../dataset.ts'
import { datasets } from '../datasets.ts'

/** The batch files of each dataset, by dataset name. */
export type Inputs = ReadonlyMap<string, readonly string[]>

export const inputColumns = (dataset: Dataset) => ({ ...dataset.columns, ...provenance })

const emptyRelation = (dataset: Dataset): string =>
  `SELECT ${Object.entries(inputColumns(dataset))
    .map(([name, column]) => `CAST(NULL AS ${sqlType(column)}) AS ${quote(name)}`)
    .join(', ')} WHERE FALSE`

/** All rows of a dataset, whatever version of its columns each batch was written with. */
export function datasetSql(dataset: Dataset, files: readonly string[]): string {
  if (files.length === 0) return emptyRelation(dataset)
  const names = Object.keys(inputColumns(dataset)).map(quote).join(', ')
  const list = files.map(literal).join(', ')
  return (
    `SELECT ${names} FROM (${emptyRelation(dataset)} UNION ALL BY NAME ` +
    `SELECT * FROM read_parquet([${list}], union_by_name = true))`
  )
}

/**
 * A view `in_<dataset>` over what was known by the close of a day. Reference rows without a date are always known;
 * any other row without one shows only where no earlier day is asked for (`undated`).
 */
export async function openInput(
  db: Database,
  dataset: Dataset,
  files: readonly string[],
  { asOf, undated }: { asOf: string; undated: boolean },
): Promise<void> {
  const always = undated || dataset.reference ? ' OR known_from IS NULL' : ''
  await db.run(
    `CREATE OR REPLACE VIEW in_${dataset.name} AS SELECT * FROM (${datasetSql(dataset, files)})` +
      ` WHERE known_from <= DATE ${literal(asOf)}${always}`,
  )
}

/**
 * The first and the latest day on which anything in the lake became known, null where nothing is dated; and how many
 * rows should say when and do not.
 */
export async function knownDays(
  db: Database,
  inputs: Inputs,
): Promise<{ earliest: string | null; latest: string | null; undated: number }> {
  const parts = datasets
    .filter(d => inputs.get(d.name)?.length)
    .map(
      d => `SELECT known_from, ${d.reference !== true} AS dated FROM (${datasetSql(d, inputs.get(d.name)!)})`,
    )
  if (parts.length === 0) return { earliest: null, latest: null, undated: 0 }
  const [row] = await db.rows<{ earliest: string | null; latest: string | null; undated: number }>(
    `SELECT min(known_from) AS earliest, max(known_from) AS latest,
       count(*) FILTER (WHERE dated AND known_from IS NULL) AS undated FROM (${parts.join(' UNION ALL ')})`,
  )
  return row!
}
