import type { Test } from 'tap'
import { Database } from '../../engine/database/database.ts'
import type { DerivationCache } from '../../engine/derive/cache/derivation-cache.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake, type Lake } from '../../engine/lake/lake.ts'

/** The derivation of a past day of a lake, with the rows of what it has made. */
export async function derivation(t: Test, lake: Lake, asOf: string, cache?: DerivationCache) {
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  const batches = await batchFiles(lake)
  const files = async (name: string) => (batches.get(name) ?? []).map(({ path }) => inLake(lake, path))
  const made = new Derivation(db, files, { asOf, undated: false, assumeSeniority: null, cache })
  const rows = (table: string) => db.rows(`SELECT * FROM ${table} ORDER BY ALL`)
  return { made, rows, db }
}
