import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { filing } from '../../engine/ingest/readers/filing.ts'
import { filingName } from '../../engine/ingest/readers/filing-name.ts'
import { LONGEST_DOCUMENT, submissionParts } from '../../engine/ingest/readers/filing-parts.ts'
import type { SourceFile } from '../../engine/ingest/readers/reader.ts'
import { annualReport, prose } from '../filing/make-filing.ts'
import { testFolder } from '../folder.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const exhibit21 = `<html><body><p>Exhibit 21.1</p><p>Subsidiaries of Acme Pipelines Inc.</p><table>
<tr><td>Name</td><td>Jurisdiction</td></tr><tr><td>Acme Gas LLC</td><td>Delaware</td></tr></table></body></html>`
const exhibit22 = `<html><body><p>The following subsidiaries have fully and unconditionally guaranteed the notes:</p>
<table><tr><td>Acme Gas LLC</td></tr></table></body></html>`

const submission = (
  ...documents: readonly (readonly [string, string])[]
) => `<SEC-DOCUMENT>0000012345-25-000007.txt : 20250214
<SEC-HEADER>0000012345-25-000007.hdr.sgml : 20250214
ACCESSION NUMBER:		0000012345-25-000007
CONFORMED SUBMISSION TYPE:	10-K
CONFORMED PERIOD OF REPORT:	20241231
FILED AS OF DATE:		20250214
FILER:
	COMPANY DATA:
		COMPANY CONFORMED NAME:			ACME PIPELINES INC
		CENTRAL INDEX KEY:			0000012345
</SEC-HEADER>
${documents.map(([type, text], i) => `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${i + 1}\n<FILENAME>d${i}.htm\n<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>`).join('\n')}
</SEC-DOCUMENT>`

t.test('a submission gives its documents, and entities from its lists', async t => {
  const text = submission(
    ['10-K', `<XBRL>${annualReport}</XBRL>`],
    ['EX-21.1', exhibit21],
    ['EX-22', exhibit22],
    ['GRAPHIC', 'begin 644 a.jpg\nM_]C_X'],
  )
  const file = sourceOf('0000012345-25-000007.txt', text)
  t.ok(filing.recognises(file))
  const { rows, notes } = await readWith(filing, file)
  const documents = rows('documents')
  t.match(
    documents.find(row => row['section_type'] === 'debt_footnote'),
    {
      cik: '0000012345',
      company_name: 'Acme Pipelines Inc.',
      doc_type: '10-K',
      exhibit: null,
      accession: '0000012345-25-000007',
      filing_date: '2025-02-14',
      period_end_date: '2024-12-31',
      item: '8',
      source_url: 'https://www.sec.gov/Archives/edgar/data/12345/000001234525000007/',
    },
  )
  t.match(
    documents.find(row => row['section_type'] === 'exhibit_21'),
    { doc_type: '10-K', exhibit: 'EX-21.1' },
  )
  t.equal(
    new Set(documents.map(row => row['id'])).size,
    documents.length,
    'each section has an id of its own',
  )
  const gas = rows('entities').filter(row => row['name'] === 'Acme Gas LLC')
  t.match(gas, [
    { document_type: 'EX-21.1', jurisdiction: 'Delaware', is_guarantor: null, document_date: '2025-02-14' },
    { document_type: 'EX-22', is_guarantor: true, guarantee_type: 'full' },
  ])
  t.equal(gas[0]!['id'], gas[1]!['id'])
  t.match(notes.join(), /skipped: GRAPHIC/)
})

t.test('text with the tables of its time is read by its lines and columns', async t => {
  const text = `<PAGE>

                                                                      EXHIBIT 21

Subsidiaries

<TABLE>
<CAPTION>
Name                                                 State of Incorporation
----                                                 ----------------------
<S>                                                  <C>
Acme Circuits, Inc.                                  Illinois

Acme Drilling Corporation                            Texas
</TABLE>
`
  const file = sourceOf('0000012345-25-000007.txt', submission(['EX-21', text]))
  const { rows } = await readWith(filing, file)
  t.strictSame(
    rows('entities').map(({ name, jurisdiction }) => [name, jurisdiction]),
    [
      ['ACME PIPELINES INC', null],
      ['Acme Circuits, Inc.', 'Illinois'],
      ['Acme Drilling Corporation', 'Texas'],
    ],
  )
  t.ok(filing.recognises(sourceOf('ex21.txt', text)), 'a page mark begins a text')
})

t.test(
  "the list of a foreign issuer's annual report is Exhibit 8; of a registration that exhibit is an opinion",
  async t => {
    const text = `<html><body><p>Exhibit 8.1</p><p>List of Subsidiaries</p><table>
<tr><td>#</td><td>Company Name</td><td>Country</td></tr><tr><td>1</td><td>Acme Shipping Ltd.</td><td>Liberia</td></tr></table></body></html>`
    const of = (form: string) =>
      readWith(
        filing,
        sourceOf(
          '0000012345-25-000007.txt',
          submission(['EX-8.1', text]).replace('SUBMISSION TYPE:\t10-K', `SUBMISSION TYPE:\t${form}`),
        ),
      )
    const { rows } = await of('20-F')
    t.strictSame(
      rows('entities').map(({ name, jurisdiction, document_type }) => [name, jurisdiction, document_type]),
      [
        ['ACME PIPELINES INC', null, 'EX-21'],
        ['Acme Shipping Ltd.', 'Liberia', 'EX-21'],
      ],
    )
    t.match(rows('documents'), [{ section_type: 'exhibit_21', exhibit: 'EX-8.1' }])
    t.strictSame((await of('S-4')).rows('entities'), [])
  },
)

t.test('notes of a debt table are known with their report, not on the day of their balances', async t => {
  const table =
    '<table><tr><td>(in millions)</td><td>2024</td><td>2023</td></tr><tr><td>3.25% senior notes due May 2029</td><td>$500</td><td>$500</td></tr></table>'
  const report = annualReport.replace(prose('notes due 2030'), `${prose('notes due 2030')}${table}`)
  const { rows } = await readWith(filing, sourceOf('acme-10-k-2025-02-20.html', report))
  t.match(rows('instruments'), [
    {
      coupon_rate: 3.25,
      maturity: '2029-05',
      carrying_amount: 50_000_000_000,
      balance_date: '2024-12-31',
      known_from: '2025-02-20',
    },
  ])
  const undated = await readWith(filing, sourceOf('0000012345-25-000007/primary-document.html', report))
  t.match(undated.rows('instruments'), [{ known_from: '2025-03-31' }])
})

t.test('a report without a filing date is known when its kind is due', async t => {
  const { rows, notes } = await readWith(
    filing,
    sourceOf('AAPL/0000012345-25-000007/primary-document.html', annualReport),
  )
  t.match(rows('documents')[0], {
    cik: '0000012345',
    company_name: 'Acme Pipelines Inc.',
    ticker: 'AAPL',
    accession: '0000012345-25-000007',
    filing_date: null,
    known_from: '2025-03-31',
  })
  t.match(notes.join(), /no filing date/)
  const dated = await readWith(filing, sourceOf('acme-10-k-2025-02-20.html', annualReport))
  t.equal(dated.rows('documents')[0]!['filing_date'], '2025-02-20')
  t.notOk('known_from' in dated.rows('documents')[0]!)
})

t.test('a prospectus supplement without a filing date is known days after that on its cover', async t => {
  const of = async (...lines: string[]) => {
    const body = ['Filed Pursuant to Rule 424(b)(5)', ...lines, prose('notes due 2030')]
    const html = `<html><body>${body.map(line => `<p>${line}</p>`).join('')}</body></html>`
    const { rows } = await readWith(filing, sourceOf('AcmePipelines.424B5.html', html))
    const [row] = rows('documents')
    return [row!['company_name'], row!['filing_date'], row!['known_from'] ?? null]
  }
  t.strictSame(await of('PROSPECTUS SUPPLEMENT', '(To Prospectus dated February 22, 2024)'), [
    'AcmePipelines',
    null,
    null,
  ])
  t.strictSame(
    await of(
      'PRELIMINARY PROSPECTUS SUPPLEMENT DATED FEBRUARY 26, 2024',
      '(To Prospectus dated May 2, 2023)',
    ),
    ['AcmePipelines', null, '2024-03-01'],
  )
  t.strictSame(await of('The date of this prospectus supplement is December 2, 2024.'), [
    'AcmePipelines',
    null,
    '2024-12-06',
  ])
  t.strictSame(
    await of(
      'Pricing Supplement No. A12',
      'Prospectus supplement dated December 30, 2022',
      'Subject to Completion, Dated March 27, 2025.',
    ),
    ['AcmePipelines', null, '2025-03-31'],
    'not the supplement of years before that it goes with',
  )
  t.strictSame(await of('Pricing Supplement', 'Prospectus supplement dated December 30, 2022'), [
    'AcmePipelines',
    null,
    null,
  ])
})

t.test('copies of a report have the same sections, with or without its accession number', async t => {
  const ids = async (name: string) =>
    (await readWith(filing, sourceOf(name, annualReport))).rows('documents').map(row => row['id'])
  t.strictSame(await ids('0000012345-25-000007/a.html'), await ids('copy.html'))
})

t.test('an index beside a file names its filer', async t => {
  const folder = join(testFolder(t), 'exhibits')
  await mkdir(folder)
  await writeFile(
    join(folder, 'INDEX.csv'),
    'file,filer_cik,form_type,filing_date,exhibit_type\nloan.html,0000012345,8-K,20240105,EX-10.1\n',
  )
  const html = `<html><body><p><b>CREDIT AGREEMENT</b></p>${prose('loans')}</body></html>`
  const { rows } = await readWith(filing, sourceOf(join(folder, 'loan.html.gz'), html))
  t.match(rows('documents'), [
    {
      cik: '0000012345',
      doc_type: '8-K',
      exhibit: 'EX-10.1',
      filing_date: '2024-01-05',
      section_type: 'credit_agreement',
    },
  ])
})

t.test('an exhibit named by its file is one, though an index gives the form of its filing', async t => {
  const folder = join(testFolder(t), 'offers')
  await mkdir(folder)
  await writeFile(
    join(folder, 'INDEX.csv'),
    'file,form,cik,filed\n0000012345-24-000001_EX-4.1.htm,S-3ASR,0000012345,20240105\n',
  )
  const html = `<html><body><p><b>INDENTURE</b></p><p>SECTION 8.01 Consolidation, Merger and Sale of Assets. The Company shall not consolidate with or merge into any other Person unless the successor assumes the Securities.</p>${prose('securities')}</body></html>`
  const { rows } = await readWith(filing, sourceOf(join(folder, '0000012345-24-000001_EX-4.1.htm.gz'), html))
  t.match(rows('documents'), [{ doc_type: 'S-3ASR', exhibit: 'EX-4.1', section_type: 'indenture' }])
  t.match(rows('covenants'), [{ covenant_name: 'Limitation on Mergers' }])
})

t.test("an index may have EDGAR's column names, and undated documents are noted", async t => {
  const folder = join(testFolder(t), 'filed')
  await mkdir(folder)
  await writeFile(
    join(folder, 'index.csv'),
    'Form Type,Company Name,CIK,Date Filed,Filename\n8-K,Acme Corp,12345,2024-01-05,edgar/data/12345/a.html\n',
  )
  const html = `<html><body><p>Exhibit 10.1</p><p>CREDIT AGREEMENT</p>${prose('loans')}</body></html>`
  const listed = await readWith(filing, sourceOf(join(folder, 'a.html'), html))
  t.match(listed.rows('documents'), [
    { cik: '0000012345', company_name: 'Acme Corp', filing_date: '2024-01-05' },
  ])
  t.strictSame(listed.notes, [])
  const alone = await readWith(filing, sourceOf('edgar/data/12345/a.html', html))
  t.match(alone.notes, [/no filing date and no period.*INDEX.csv.*submissions JSON/])
})

t.test('a file that is no filing is refused with what is missing', async t => {
  const why = async (name: string, text: string) => (await readWith(filing, sourceOf(name, text))).why
  t.match(
    await why('page.html', '<html><body><p>Welcome to our shop</p></body></html>'),
    /names no form or exhibit/,
  )
  t.match(
    await why('10-k.html', '<html><body><p>FORM 10-K</p><p>text</p></body></html>'),
    /does not identify its filer/,
  )
  t.match(await why('empty.html', '  \n'), /an empty document/)
  t.match(await why('proxy.txt', submission(['DEF 14A', '<p>x</p>']).slice(0, 300)), /without documents/)
})

t.test('an unreadable document is refused alone', async t => {
  const text = submission(['10-K', '<div>'.repeat(6000)], ['EX-21.1', exhibit21])
  const { refused, rows } = await readWith(filing, sourceOf('s.txt', text))
  t.match(refused, [{ at: '10-K (document 1)', reason: /cannot be read: its tags are nested/ }])
  t.equal(rows('entities').length, 2)
})

t.test("a user's table is not a filing, whatever it says", async t => {
  t.notOk(
    filing.recognises(sourceOf('a.csv', 'form,cik,text\nForm 10-K,1,Securities and Exchange Commission\n')),
  )
  t.notOk(filing.recognises(sourceOf('a.json', '{"form": "Form 10-K press release"}')))
  t.ok(filing.recognises(sourceOf('a.txt', 'UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nFORM 8-K\n')))
})

t.test('an overlong document is skipped, and memory stays bounded', async t => {
  const million = Buffer.alloc(1_000_000, 'x')
  function* endless() {
    yield Buffer.from(submission(['10-K', '']).split('\n</TEXT>')[0]!)
    for (let i = 0; i < LONGEST_DOCUMENT / 1e6 + 20; i++) yield million
    yield Buffer.from('</TEXT></DOCUMENT><DOCUMENT>\n<TYPE>EX-21\n<TEXT>\n<p>a</p></TEXT></DOCUMENT>')
  }
  const file = { open: async () => Readable.from(endless(), { objectMode: true }) } as unknown as SourceFile
  const parts = []
  for await (const part of submissionParts(file)) parts.push(part)
  t.match(parts, [{ refused: /more than 64 MB/ }, { document: { type: 'EX-21', text: '<p>a</p>' } }])
})

t.test('file names and folders are read together', async t => {
  t.match(filingName('x/3M_2019_10K.txt.gz'), { company: '3M', type: '10-K', ticker: null })
  t.match(filingName('x/PG_E_2023Q3_10Q.txt'), { company: 'PG E', type: '10-Q' })
  t.match(filingName('x/EBAY_2023Q1_EARNINGS.txt'), { company: 'EBAY', type: null, likely: 'EX-99' })
  t.match(filingName('x/aapl/10k/aapl-10-k-2024-11-01.html.gz'), {
    ticker: 'AAPL',
    type: '10-K',
    date: '2024-11-01',
  })
  t.match(filingName('f/MSFT/10-K/0000789019-24-000001/full-submission.txt'), {
    ticker: 'MSFT',
    accession: '0000789019-24-000001',
  })
  t.match(filingName('edgar/data/320193/000032019324000123/a10-kexhibit21.htm'), { cik: '0000320193' })
  t.match(filingName('ex21_xom.html'), { type: 'EX-21', ticker: 'XOM' })
})
