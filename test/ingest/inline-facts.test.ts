import t from 'tap'
import { accessionIn, inlineFacts } from '../../engine/ingest/readers/inline-facts.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const header =
  'ticker,cik,entity,form,fiscal_year,fiscal_period,doc_period_end,concept,unit,start,end,dims,value,decimals,source'
const annual = 'ACME,0000001234,"Acme, Inc.",10-K,2024,FY,2024-12-31'
const path = 'filings/10-K/ACME/0000001234-25-000007/primary-document.html.gz'

t.test("an inline fact without a filing date is known by its report's rule", async t => {
  const file = sourceOf(
    'facts.csv',
    [
      header,
      `${annual},us-gaap:Assets,USD,,2024-12-31,,5000000000,-6,${path}`,
      `ACME,0000001234,Acme,10-Q,2025,Q1,2025-03-31,us-gaap:Revenues,USD,2025-01-01,2025-03-31,,1.5E9,INF,a.html`,
    ].join('\n'),
  )
  t.ok(inlineFacts.recognises(file))
  const { rows, notes } = await readWith(inlineFacts, file)
  t.match(rows('facts'), [
    {
      company_name: 'Acme, Inc.',
      value: 5e9,
      decimals: -6,
      accession: '0000001234-25-000007',
      report_date: '2024-12-31',
      period_start: null,
      known_from: '2025-03-31',
    },
    { value: 1.5e9, decimals: null, accession: null, period_start: '2025-01-01', known_from: '2025-05-15' },
  ])
  t.match(notes, [/90 days .* 45 days/])
  const said = await readWith(inlineFacts, file, { known_from: '2025-02-14' })
  t.strictSame([said.rows('facts')[0]!['known_from'], said.notes], ['2025-02-14', []])
})

t.test('dimensions are ordered by axis, and non-numeric values are refused', async t => {
  const { refused, rows } = await readWith(
    inlineFacts,
    sourceOf(
      'facts.csv',
      [
        header,
        `${annual},us-gaap:Assets,USD,,2024-12-31,us-gaap:SegmentAxis=acme:Gas|srt:ItemsAxis=acme:All,5,-6,`,
        `${annual},us-gaap:Assets,USD,,2024-12-31,Gas,5,-6,`,
        `${annual},us-gaap:Assets,USD,,2024-12-31,,,-6,`,
      ].join('\n'),
    ),
  )
  t.match(rows('facts'), [{ dimensions: 'srt:ItemsAxis=acme:All;us-gaap:SegmentAxis=acme:Gas' }])
  t.match(refused, [
    { at: 'row 3', reason: /are not axis=member/ },
    { at: 'row 4', reason: /value "" is not a number/ },
  ])
})

t.test('the index of documents beside the facts has no figures', async t => {
  const index = sourceOf(
    'DOCS.csv',
    'source,ticker,cik,entity,form,facts,facts_no_dims\na,ACME,1,Acme,10-K,5,3\n',
  )
  t.ok(inlineFacts.recognises(index))
  t.equal((await readWith(inlineFacts, index)).why, 'an index of documents without figures')
})

t.test('an accession number is found in a path with and without dashes', async t => {
  t.equal(accessionIn('edgar/data/1234/000000123425000007/a.htm'), '0000001234-25-000007')
  t.equal(accessionIn('acme-10-k-2024-11-01.html'), null)
  t.equal(accessionIn('x/00000012342500000712/a.htm'), null)
})
