import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { knownDays, openInput } from '../../engine/derive/inputs.ts'
import { readImports } from '../../engine/lake/imports.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { datasetNamed } from '../../engine/schema/datasets/datasets.ts'
import { makeLake } from '../make-lake.ts'

const accession = '0000012345-24-000009'
const section = { accession, doc_type: '10-K', section_type: 'mda', content: 'We have debt.' }

t.test('sections without a filing date take it from the list of filings', async t => {
  const lake = await makeLake(t.teardown, {
    filings: [
      {
        cik: '0000012345',
        company_name: 'Acme Corp',
        accession,
        form: '10-K',
        filed_date: '2024-02-15',
        known_from: '2024-02-15',
      },
    ],
    documents: [
      { ...section, id: 'undated' },
      { ...section, id: 'by rule', known_from: '2024-03-30' },
      { ...section, id: 'dated', filing_date: '2024-02-20', known_from: '2024-02-20' },
      { ...section, id: 'of another', accession: '0000012345-24-000010', known_from: '2024-01-01' },
    ],
  })
  const batches = (await readImports(lake)).flatMap(each => each.batches)
  const files = (dataset: string) =>
    batches.filter(each => each.dataset === dataset).map(each => inLake(lake, each.path))
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  const seen = async (asOf: string) => {
    const days = { asOf, undated: false }
    await openInput(db, datasetNamed('documents')!, files('documents'), days, files('filings'))
    return db.rows(
      'SELECT id, cik, CAST(filing_date AS VARCHAR) AS filed, CAST(known_from AS VARCHAR) AS known FROM in_documents ORDER BY id',
    )
  }
  const other = { id: 'of another', cik: null, filed: null, known: '2024-01-01' }
  const filed = { cik: '0000012345', filed: '2024-02-15', known: '2024-02-15' }
  t.strictSame(await seen('2024-02-14'), [other], 'nothing is seen before it was filed')
  t.strictSame(await seen('2024-02-15'), [{ id: 'by rule', ...filed }, other, { id: 'undated', ...filed }])
  t.match(
    (await seen('2024-02-20')).find(row => row['id'] === 'dated'),
    { filed: '2024-02-20', known: '2024-02-20' },
    'what the file says itself stays',
  )

  const inputs = new Map(['documents', 'filings'].map(name => [name, files(name)]))
  const days = { earliest: '2024-01-01', latest: '2024-02-20', undated: 0, undatedIn: [] }
  t.same(await knownDays(db, inputs), days, 'and a build counts none of them as undated')
  const unlisted = new Map([['documents', files('documents')]])
  t.match(
    await knownDays(db, unlisted),
    { undated: 1, undatedIn: ['documents'] },
    'which it does where no list names it',
  )
})
