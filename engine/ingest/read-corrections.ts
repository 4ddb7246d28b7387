import { Database } from '../database/database.ts'
import { datasetSql } from '../derive/inputs.ts'
import { batchFiles } from '../lake/imports.ts'
import type { Lake } from '../lake/lake.ts'
import { verifiedInputs } from '../lake/verify.ts'
import type { RowOf } from '../schema/column.ts'
import { corrections } from '../schema/datasets/corrections.ts'

export type StoredCorrection = RowOf<typeof corrections.columns> & {
  /** Whether it is the last for its row and field, and not taken back. */
  readonly standing: 'in_force' | 'replaced' | 'taken_back'
}

/** Every correction in a lake, newest first, built or not. */
export async function readCorrections(lake: Lake): Promise<StoredCorrection[]> {
  const batches = (await batchFiles(lake)).get(corrections.name)
  if (batches === undefined) return []
  const inputs = await verifiedInputs(lake, new Map([[corrections.name, batches]]))
  const db = await Database.create({ threads: 1 })
  try {
    const texts = {
      made_on: 'CAST(made_on AS VARCHAR)',
      made_at: "strftime(made_at, '%Y-%m-%dT%H:%M:%S.%gZ')",
    }
    const columns = Object.keys(corrections.columns).map(name =>
      name === 'made_on' || name === 'made_at' ? `${texts[name]} AS ${name}` : name,
    )
    return await db.rows<StoredCorrection>(
      `SELECT ${columns.join(', ')},
         CASE WHEN row_number() OVER last > 1 THEN 'replaced' WHEN action = 'remove' THEN 'taken_back' ELSE 'in_force' END AS standing
       FROM (${datasetSql(corrections, inputs.get(corrections.name) ?? [])})
       WINDOW last AS (PARTITION BY corrects, row_id, field ORDER BY made_at DESC, ingested_at DESC, source DESC)
       ORDER BY made_at DESC, corrects, row_id, field`,
    )
  } finally {
    db.close()
  }
}
