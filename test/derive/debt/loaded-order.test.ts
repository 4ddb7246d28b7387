import t from 'tap'
import { Database } from '../../../engine/database/database.ts'
import { Derivation } from '../../../engine/derive/derive.ts'
import { batchFiles } from '../../../engine/lake/imports.ts'
import { inLake } from '../../../engine/lake/lake.ts'
import { makeLake } from '../../make-lake.ts'

/** What a section says of one series in two sentences: of the same name and source. */
const said = (id: string, evidence: string, more: object) => ({
  instrument_id: id,
  cik: '0000000003',
  company_name: 'Gama Foods Inc',
  name: '4.5% notes due 2031',
  coupon_rate: 4.5,
  rate_type: 'fixed',
  maturity: '2031',
  currency: 'USD',
  evidence,
  rule: 'note_terms',
  known_from: '2025-02-14',
  ...more,
})

const rows = [900, 100, 500, 300, 700, 200].map((evidence_offset, i) =>
  said(`sentence ${i}`, `The sentence at ${evidence_offset}.`, { evidence_offset }),
)
const companies = [{ cik: '0000000003', ticker: 'GAMA', name: 'Gama Foods Inc', known_from: '2020-01-01' }]

t.test('of several sentences about an instrument the first one in the text is quoted', async t => {
  const lake = await makeLake(t.teardown.bind(t), { companies, instruments: rows })
  const batches = await batchFiles(lake)
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  const files = async (name: string) => (batches.get(name) ?? []).map(({ path }) => inLake(lake, path))
  const options = { asOf: '2025-06-30', undated: true, assumeSeniority: null }
  await new Derivation(db, files, options).make('instruments')
  const found = await db.rows<{ explain: string }>(
    'SELECT CAST(_explain AS VARCHAR) AS explain FROM instruments',
  )
  t.equal(found.length, 1)
  t.equal(JSON.parse(found[0]!.explain).rate_type.quotation, 'The sentence at 100.')
})
