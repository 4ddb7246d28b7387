import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { vendorStatements } from '../../engine/ingest/readers/vendor-statements.ts'
import { testFolder } from '../folder.ts'
import { readWith, sourceOf } from './financial-sources.ts'

t.test('statements with periods in columns are refused with how to reshape them', async t => {
  const path = join(testFolder(t), 'stmt_q_balance.parquet')
  const db = await Database.create({ threads: 1 })
  await db.run(`COPY (SELECT 5.0 AS "2026-03-31T00:00:00", 4.0 AS "2025-12-31T00:00:00", 'Total Debt' AS __index_level_0__)
    TO ${literal(path)} (FORMAT parquet)`)
  db.close()
  const bytes = readFileSync(path)
  const file = { ...sourceOf(path, bytes), head: bytes.toString('latin1') }
  t.ok(vendorStatements.recognises(file))
  const { why } = await readWith(vendorStatements, file)
  t.match(why, /2 periods in columns, without ticker, currency.*--dataset financials/s)
})
