import { literal, quote } from '../database/database.ts'
import type { Dataset } from '../schema/dataset.ts'
import { type SourceFile, unreadable } from './readers/reader.ts'
import { AT, type Settlement, table } from './settle.ts'

/** Rows checked and written at a time. */
export const SLICE = 2_000_000

/**
 * Stages and settles a Parquet file slice by slice: the whole of it as text may be larger than memory and disk.
 * @param staged columns of the staged relation, from texts of the file's columns
 * @param check refuses the whole relation
 */
export async function settleParquet(
  file: SourceFile,
  dataset: Dataset,
  staged: (text: (from: string) => string) => string,
  check: (relation: string) => Promise<void>,
  settlement: Settlement,
): Promise<void> {
  const path = literal(await file.path())
  const stage = table('stage', dataset)
  const types = await settlement.rows<{ column_name: string; column_type: string }>(
    `DESCRIBE SELECT * FROM read_parquet(${path})`,
  )
  const type = new Map(types.map(row => [row.column_name, row.column_type]))
  const columns = staged(from => parquetText(from, type.get(from) ?? ''))
  const [count] = await settlement
    .rows<{ rows: number }>(`SELECT count(*) AS rows FROM read_parquet(${path})`)
    .catch(unreadable)
  await check(`(SELECT ${columns} FROM read_parquet(${path}))`).catch(unreadable)
  for (let from = 0; from < count!.rows; from += SLICE) {
    await settlement
      .run(
        `CREATE OR REPLACE TABLE ${stage} AS SELECT file_row_number + 1 AS _row, ` +
          `${literal(file.name + AT)} || 'row ' || (file_row_number + 1) AS _at, ${columns} ` +
          `FROM read_parquet(${path}, file_row_number = true) ` +
          `WHERE file_row_number >= ${from} AND file_row_number < ${from + SLICE}`,
      )
      .catch(unreadable)
    await settlement.settle(new Map([[dataset, stage]]), Math.min(SLICE, count!.rows - from))
  }
  await settlement.run(`DROP TABLE IF EXISTS ${stage}`)
}

/** A Parquet column as text for the checks. */
function parquetText(name: string, type: string): string {
  if (type.endsWith(']') || /^(STRUCT|MAP|UNION)/.test(type))
    return `CAST(to_json(${quote(name)}) AS VARCHAR)`
  if (type === 'TIMESTAMP WITH TIME ZONE') return `CAST(${quote(name)} AT TIME ZONE 'UTC' AS VARCHAR)`
  return `CAST(${quote(name)} AS VARCHAR)`
}
