import { type Database, literal, quote } from '../database/database.ts'
import { emptyRowsSql } from '../database/views.ts'
import { type Dataset, provenance } from '../schema/dataset.ts'
import { datasetNamed, datasets } from '../schema/datasets/datasets.ts'

/** The batch files of each dataset, by dataset name. */
export type Inputs = ReadonlyMap<string, readonly string[]>

export const inputColumns = (dataset: Dataset) => ({ ...dataset.columns, ...provenance })

const emptyRelation = (dataset: Dataset): string => emptyRowsSql(inputColumns(dataset))

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

/** Rows of a dataset, with the filer and the day of their filing where only the list of filings known by then says so. */
function filedSql(
  dataset: Dataset,
  files: readonly string[],
  filings: readonly string[],
  asOf: string,
): string {
  const rows = datasetSql(dataset, files)
  const { filed: day } = dataset
  if (filings.length === 0 || day === undefined) return rows
  return `SELECT r.* REPLACE (coalesce(r.cik, f.cik) AS cik, coalesce(r.company_name, f.company_name) AS company_name,
      coalesce(r.${day}, f.filed_date) AS ${day}, CASE WHEN r.${day} IS NULL THEN coalesce(f.filed_date, r.known_from) ELSE r.known_from END AS known_from)
    FROM (${rows}) r LEFT JOIN (
      SELECT accession, CASE WHEN min(cik) = max(cik) THEN min(cik) END AS cik,
        CASE WHEN min(cik) = max(cik) THEN min(company_name) END AS company_name, min(filed_date) AS filed_date
      FROM (${datasetSql(datasetNamed('filings')!, filings)}) WHERE known_from <= DATE ${literal(asOf)} GROUP BY accession) f ON f.accession = r.accession`
}

/**
 * A view `in_<dataset>` over what was known at the close of a day. Undated reference rows are always known; any other
 * undated row shows only if no earlier day is queried (`undated`).
 */
export async function openInput(
  db: Database,
  dataset: Dataset,
  files: readonly string[],
  { asOf, undated }: { asOf: string; undated: boolean },
  filings: readonly string[] = [],
): Promise<void> {
  const source = filedSql(dataset, files, filings, asOf)
  const always = undated || dataset.reference ? ' OR known_from IS NULL' : ''
  await db.run(
    `CREATE OR REPLACE VIEW in_${dataset.name} AS SELECT * FROM (${source})` +
      ` WHERE known_from <= DATE ${literal(asOf)}${always}`,
  )
}

/** Later than any list of filings. */
const EVER = '9999-12-31'

/** The rows of a dataset with the day each became known, from any list of filings. */
export const knownRowsSql = (dataset: Dataset, inputs: Inputs): string =>
  filedSql(dataset, inputs.get(dataset.name) ?? [], inputs.get('filings') ?? [], EVER)

interface KnownDays {
  readonly earliest: string | null
  readonly latest: string | null
  readonly undated: number
  readonly undatedIn: readonly string[]
}

/**
 * The first and last day on which anything in the lake became known, null if nothing is dated; and how many rows lack
 * a date that they should have, after consulting every list of filings, and of which datasets.
 */
export async function knownDays(db: Database, inputs: Inputs): Promise<KnownDays> {
  const parts = datasets
    .filter(d => inputs.get(d.name)?.length)
    .map(
      d =>
        `SELECT known_from, ${literal(d.name)} AS dataset, ${d.reference !== true} AS dated FROM (${knownRowsSql(d, inputs)})`,
    )
  if (parts.length === 0) return { earliest: null, latest: null, undated: 0, undatedIn: [] }
  const [row] = await db.rows<KnownDays>(
    `SELECT min(known_from) AS earliest, max(known_from) AS latest,
       count(*) FILTER (WHERE dated AND known_from IS NULL) AS undated,
       coalesce(list(DISTINCT dataset ORDER BY dataset) FILTER (WHERE dated AND known_from IS NULL), []) AS "undatedIn" FROM (${parts.join(' UNION ALL ')})`,
  )
  return row!
}

/**
 * The first day on which a row of each file of a dataset is known, by path: null if a row has no day, or if its day
 * follows from lists of filings, which may be loaded later.
 */
export async function firstDays(
  db: Database,
  dataset: Dataset,
  files: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (files.length === 0) return new Map()
  const { filed: day } = dataset
  const open = day === undefined ? '' : ` OR ${quote(day)} IS NULL`
  const rows = await db.rows<{ file: string; first: string | null }>(
    `SELECT filename AS file, CASE WHEN bool_or(known_from IS NULL${open}) THEN NULL ELSE CAST(min(known_from) AS VARCHAR) END AS first
     FROM (${emptyRelation(dataset).replace('SELECT', "SELECT '' AS filename,")} UNION ALL BY NAME
       SELECT * FROM read_parquet([${files.map(literal).join(', ')}], union_by_name = true, filename = true))
     GROUP BY filename`,
  )
  return new Map(rows.map(({ file, first }) => [file, first]))
}
