import t from 'tap'
import { submissions } from '../../engine/ingest/readers/submissions.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const filings = {
  accessionNumber: ['0000001234-24-000022', '0000001234-24-000010'],
  filingDate: ['2024-08-01', '2024-05-02'],
  reportDate: ['2024-06-30', ''],
  acceptanceDateTime: ['2024-08-01T16:31:00.000Z', '2024-05-02T16:30:10.000Z'],
  form: ['10-Q', '8-K'],
  items: ['', '2.02,9.01'],
  isXBRL: [1, 0],
  isInlineXBRL: [1, 0],
  primaryDocument: ['acme-20240630.htm', ''],
}

const main = {
  cik: '0000001234',
  name: 'Acme Pipelines Inc.',
  sic: '4922',
  sicDescription: 'Natural Gas Transmission',
  tickers: ['ACME', 'ACME-PA'],
  lei: null,
  fiscalYearEnd: '1231',
  stateOfIncorporation: 'DE',
  stateOfIncorporationDescription: 'DE',
  formerNames: [{ name: 'ACME OIL CO', from: '1994-01-26T00:00:00.000Z', to: '2001-01-04T00:00:00.000Z' }],
  filings: { recent: filings, files: [] },
}

t.test('a submissions file gives a company once and each of its filings', async t => {
  const file = sourceOf('CIK0000001234.json', JSON.stringify(main))
  t.ok(submissions.recognises(file))
  const { taken, rows } = await readWith(submissions, file)
  t.equal(taken.length, 3)
  t.match(rows('companies'), [
    {
      ticker: 'ACME',
      aliases: ['ACME-PA'],
      name: 'Acme Pipelines Inc.',
      cik: '0000001234',
      sic: '4922',
      country: 'US',
      fiscal_year_end: '1231',
      former_names: ['ACME OIL CO'],
    },
  ])
  t.match(rows('filings'), [
    { form: '10-Q', report_date: '2024-06-30', items: null, is_xbrl: true, cik: '0000001234' },
    { form: '8-K', report_date: null, items: '2.02,9.01', is_xbrl: false, primary_document: null },
  ])
  t.equal(
    rows('filings')[0]!['source_url'],
    'https://www.sec.gov/Archives/edgar/data/1234/000000123424000022/acme-20240630.htm',
  )
})

t.test('a continuation file belongs to the company in its name, or is refused', async t => {
  const text = JSON.stringify(filings)
  const named = sourceOf('older/CIK0000001234-submissions-001.json', text)
  t.ok(submissions.recognises(named))
  t.strictSame(
    (await readWith(submissions, named)).rows('filings').map(row => row['cik']),
    ['0000001234', '0000001234'],
  )
  t.match((await readWith(submissions, sourceOf('older.json', text))).why, /does not identify its filer/)
})

t.test('columns of different lengths are refused', async t => {
  const cut = { ...filings, form: ['10-Q'] }
  t.match(
    (await readWith(submissions, sourceOf('CIK0000001234-submissions-001.json', JSON.stringify(cut)))).why,
    /form has 1 values for 2/,
  )
})
