import t, { type Test } from 'tap'
import { Database } from '../../engine/database/database.ts'
import { companyParts } from '../../engine/derive/companies/company-parts.ts'
import { Derivation } from '../../engine/derive/derive.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { makeLake } from '../make-lake.ts'
import { richRows } from '../point-in-time/rich-lake.ts'

t.setTimeout(180_000)

const lake = await makeLake(t.teardown, richRows)

async function derivation(t: Test, statementsAtATime?: number) {
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  const batches = await batchFiles(lake)
  const files = async (name: string) => (batches.get(name) ?? []).map(({ path }) => inLake(lake, path))
  const options = { asOf: '2025-03-20', undated: false, assumeSeniority: null, statementsAtATime }
  const made = new Derivation(db, files, options)
  return { db, made, rows: (table: string) => db.rows(`SELECT * FROM ${table} ORDER BY ALL`) }
}

t.test('companies and their statements are the same derived a few companies at a time', async t => {
  const tables = ['companies', 'companies_by_age', 'financials']
  const whole = await derivation(t)
  await whole.made.make(...tables)
  const types = async ({ db }: typeof whole) =>
    Promise.all(tables.map(table => db.rows(`SELECT column_name, column_type FROM (DESCRIBE ${table})`)))
  for (const statementsAtATime of [1, 20]) {
    const inParts = await derivation(t, statementsAtATime)
    await inParts.made.make(...tables)
    for (const table of tables) t.strictSame(await inParts.rows(table), await whole.rows(table), table)
    t.strictSame(await types(inParts), await types(whole))
    const byDefault = await derivation(t, statementsAtATime)
    await byDefault.made.make('companies')
    t.strictSame(await byDefault.rows('companies'), await whole.rows('companies'), 'under the default limits')
  }
})

t.test('every company is in one part, also one without statements', async t => {
  const { db, made } = await derivation(t)
  await made.make('financials')
  for (const statementsAtATime of [1, 20, 1000]) {
    const parts = await companyParts(db, { statementsAtATime })
    t.ok(statementsAtATime === 1000 ? parts.length === 1 : parts.length > 1, `${parts.length} parts`)
    const counted = parts.map(part => `CASE WHEN ${part('company_id')} THEN 1 ELSE 0 END`).join(' + ')
    const rows = await db.rows<{ parts: number }>(`SELECT DISTINCT ${counted} AS parts FROM companies_base`)
    t.strictSame(rows, [{ parts: 1 }])
  }
})
