import t from 'tap'
import { guarantorsIn } from '../../../engine/filing/facts/guarantors.ts'

const section = (text: string, doc_type = 'EX-10.1') => ({
  text,
  title: null,
  section_type: 'credit_agreement',
  offset: 0,
  doc_type,
  accession: null,
  filing_date: null,
  period_end: null,
  company_name: 'Alfa Drilling Corp',
  cik: null,
})
const read = (text: string, doc_type?: string) =>
  guarantorsIn([section(text, doc_type)]).map(g => [g.name, g.rule, g.instruments.join('; '), g.issuer])
const names = (text: string, doc_type?: string) => read(text, doc_type).map(([name]) => name)

t.test('a list of exhibits names issuer, guarantors and notes', async t => {
  const text = `4.3 | Indenture, dated May 4, 2020, relating to the 4.125% Senior Notes due 2027 and 5.000% Senior Notes due 2030,
    among A. B. Alfa Finance Company, as issuer, Alfa Rigs, Inc. and Alfa Offshore B.V., as guarantors, and Deutsche Trust Company, as trustee`
  const notes = '4.125% Senior Notes due 2027; 5.000% Senior Notes due 2030'
  t.strictSame(read(text, '10-K'), [
    ['Alfa Rigs, Inc.', 'named_as_guarantor', notes, 'A. B. Alfa Finance Company'],
    ['Alfa Offshore B.V.', 'named_as_guarantor', notes, 'A. B. Alfa Finance Company'],
  ])
})

t.test('a footnote names the guarantors and the type of guarantee', async t => {
  const text =
    'We issued debt. The 2028 Notes are fully and unconditionally guaranteed, jointly and severally, on a senior unsecured basis by Alfa Rigs, Inc., Alfa Land Co. and Alfa Sea LP. Other debt is not.'
  const found = guarantorsIn([section(text, '10-K')])
  t.strictSame(
    found.map(g => [g.name, g.guarantee_type, g.instruments[0]]),
    [
      ['Alfa Rigs, Inc.', 'full', '2028 Notes'],
      ['Alfa Land Co.', 'full', '2028 Notes'],
      ['Alfa Sea LP', 'full', '2028 Notes'],
    ],
  )
  for (const { evidence, evidence_offset } of found)
    t.equal(text.slice(evidence_offset, evidence_offset + evidence.length), evidence)
})

t.test('the company itself is a guarantor if its report says so', async t => {
  const text = 'Notes of our subsidiary are fully and unconditionally guaranteed by the Company.'
  t.strictSame(names(text, '10-K'), ['Alfa Drilling Corp'])
  t.strictSame(names(text, 'EX-10.1'), [], 'in an agreement the Company may be anybody')
})

t.test('names under GUARANTORS on a signature page are read up to the next role', async t => {
  const text = `CREDIT AGREEMENT dated as of May 4, 2020

GUARANTORS:

ALFA RIGS, INC., a Delaware corporation

By: /s/ Jane Doe

Name: Jane Doe

ALFA SEA LP

By: ____________

ADMINISTRATIVE AGENT:

GREAT BANK COMPANY`
  t.strictSame(read(text), [
    ['ALFA RIGS, INC.', 'signed_as_guarantor', 'Credit Agreement dated 2020-05-04', null],
    ['ALFA SEA LP', 'signed_as_guarantor', 'Credit Agreement dated 2020-05-04', null],
  ])
})

t.test('a schedule referenced by the definition of guarantors is read with jurisdictions', async t => {
  const text = (words: string) => `"Guarantors" means each of the Subsidiaries ${words} on Schedule 1.01(g).

SCHEDULE 1.01(g)

Alfa Rigs, Inc. | Delaware
Alfa Sea LP | Texas

SCHEDULE 2

Beta Trust Company | New York`
  t.strictSame(
    guarantorsIn([section(text('listed'))]).map(g => [g.name, g.jurisdiction]),
    [
      ['Alfa Rigs, Inc.', 'Delaware'],
      ['Alfa Sea LP', 'Texas'],
    ],
  )
  t.strictSame(names(text('other than those set forth')), [])
})

t.test(
  'a party defined as the Guarantor, and companies listed in a definition of Guarantors, are read',
  async t => {
    t.strictSame(
      names('made by Alfa Rigs, Inc., a Delaware corporation (the "Guarantor"), in favor of Great Bank.'),
      ['Alfa Rigs, Inc.'],
    )
    t.strictSame(names('“Guarantors” means, collectively, Alfa Sea LP and Alfa Land Co.'), [
      'Alfa Sea LP',
      'Alfa Land Co.',
    ])
  },
)

t.test('generic parties, agencies and roles are not names', async t => {
  for (const text of [
    'fully and unconditionally guaranteed by the German government or its central bank',
    'fully and unconditionally guaranteed by certain of our subsidiaries',
    'liable as guarantor or other surety for any Subsidiary Company',
    'the Borrower, as guarantor of the obligations',
    '“Guarantors” means each Material Subsidiary',
    'any Person (the “Guarantor”)',
  ])
    t.strictSame(names(text, '10-K'), [], text)
})
