import t from 'tap'
import { allAssets } from '../../../engine/filing/facts/all-assets.ts'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { section } from './section.ts'

const told = (text: string) => collateralIn(section(text, { section_type: 'debt_footnote' }))
const types = (rows: ReturnType<typeof collateralIn>) => rows.map(r => r.type)

t.test('a grant of a security interest pledges the listed assets', async t => {
  const rows = collateralIn(
    section(
      'SECURITY AGREEMENT dated as of May 1, 2024.\n\n2.1 Grant. The Grantor hereby grants to the Collateral Agent, for the benefit of the Secured Parties, a first priority security interest in all of its right, title and interest in (i) all Accounts, (ii) all Equipment, (iii) all Inventory, (iv) all Intellectual Property and (v) all deposit accounts.\n',
    ),
  )
  t.strictSame(types(rows), ['equipment', 'receivables', 'inventory', 'ip', 'cash'])
  t.match(rows[0], {
    priority: 'first_lien',
    assets: ['equipment'],
    instrument_name: 'Security Agreement dated 2024-05-01',
    evidence_section: '2.1 Grant',
    rule: 'grant',
    extraction_confidence: 0.95,
  })
})

t.test('all assets are a general lien', async t => {
  const all = [
    'The Term Loans are secured by a first priority lien on substantially all of the assets of the Company and the guarantors.',
    'Our revolving credit facility is secured by substantially all of our tangible and intangible assets.',
    'Borrowings under the facility are secured by all of the property of the Company.',
  ]
  for (const text of all) t.strictSame(types(told(text)), ['general_lien'], text)
})

t.test(
  'first and second liens are distinguished; if neither or both are named the lien is unknown',
  async t => {
    const priority = (words: string) =>
      told(`The Notes are secured by ${words} all of our assets.`)[0]?.priority
    t.equal(priority('first-priority liens on'), 'first_lien')
    t.equal(priority('a second lien on'), 'second_lien')
    t.equal(priority('liens on'), null)
    t.equal(priority('first-priority liens on some and second-priority liens on'), null)
  },
)

t.test('exclusions are not pledged', async t => {
  t.strictSame(
    types(
      told(
        'The Notes are secured by substantially all of our assets, other than real property, vehicles and intellectual property.',
      ),
    ),
    ['general_lien'],
  )
  t.strictSame(
    types(
      told(
        'The credit facility is secured by accounts receivable and inventory (excluding trademarks and deposit accounts).',
      ),
    ),
    ['receivables', 'inventory'],
  )
})

t.test("unsecured, prohibited, possible or others' debt is not secured", async t => {
  const traps = [
    'The Notes are senior unsecured obligations and are not secured by any of our assets.',
    'The Notes will not be secured by liens on inventory.',
    'The Borrower shall not grant a security interest in its inventory.',
    'Any Lender may at any time pledge or grant a security interest in all or any portion of its accounts.',
    'We may incur indebtedness if such debt is secured by equipment.',
    '"Indebtedness" means indebtedness of others secured by a Lien on property, whether or not assumed.',
  ]
  for (const text of traps) {
    t.strictSame(told(text), [], text)
    t.strictSame(collateralIn(section(text)), [], text)
  }
})

t.test('cash cover for letters of credit is not collateral of the debt', async t => {
  const rows = collateralIn(
    section(
      '2.5 Cash Collateral. The Borrower hereby grants to the Agent a security interest in such Collateral Account and all cash therein.\n',
    ),
  )
  t.strictSame(rows, [])
})

t.test("the only state mentioned is the assets' jurisdiction", async t => {
  const [row] = told(
    'The mortgage bonds are secured by a first mortgage lien on real property located in the State of California.',
  )
  t.match(row, { type: 'real_estate', jurisdiction: 'California', priority: 'first_lien' })
})

t.test('each instrument named in a report has its own collateral', async t => {
  const rows = told(
    'The ABL Facility is secured by accounts receivable and inventory. The Senior Secured Notes are secured by machinery and equipment.',
  )
  t.strictSame(
    rows.map(r => [r.instrument_name, r.type]),
    [
      ['ABL Facility', 'receivables'],
      ['ABL Facility', 'inventory'],
      ['Senior Secured Notes', 'equipment'],
    ],
  )
})

t.test('evidence is the exact text at its offset in the document', async t => {
  const lead = '\n'.repeat(321)
  const text =
    'Preface.\n\nThe Company\u2019s Notes are secured by\u00a0a lien on | trucks,\n\n12\n\ntrailers and all patents.\n'
  const rows = collateralIn(section(text, { offset: lead.length, section_type: 'debt_footnote' }))
  t.strictSame(types(rows), ['vehicles', 'ip'])
  for (const row of rows) {
    const at = row.evidence_offset!
    t.equal((lead + text).slice(at, at + row.evidence!.length), row.evidence)
  }
})

t.test('meaningless texts pledge nothing, and are read quickly', async t => {
  for (const text of [' '.repeat(100_000), 'x'.repeat(500_000), 'notes are secured by assets '.repeat(3000)])
    t.strictSame(collateralIn(section(text, { section_type: 'debt_footnote' })), [])
})

t.test('whose assets all are is read word by word, in time that grows with the text', async t => {
  const general = (text: string) => allAssets(text).length > 0
  for (const text of [
    'all assets',
    "substantially all of the Borrower's present and future, ".replace(',', '') +
      'tangible and intangible assets',
    "all of Acme Gas & Co's after acquired property",
    'all of the loan parties existing assets',
    'all of its domestic subsidiaries’ assets'.replace('’', "'"),
    'all other inventory and all of our assets',
  ])
    t.ok(general(text), text)
  for (const text of [
    'all cash assets',
    'all assets and proceeds described above',
    'all of the oil and gas properties',
  ])
    t.notOk(general(text), text)
  for (const text of ["and and and a' ", "all a' ", 'and ', 'of the loan party '])
    t.notOk(general(`all ${text.repeat(100_000)}`), 'the test would not end if it were tried in every way')
})

t.test('assets that secure a facility, and those of a loan told in passing, are collateral', async t => {
  const pledged = (text: string) =>
    collateralIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(r => [
      r.type,
      r.instrument_name,
    ])
  t.strictSame(
    pledged(
      'The land and substantially all of the assets of the Harbor Casino secure up to $3.35 billion of obligations outstanding under the senior credit facility.',
    ),
    [
      ['general_lien', 'Senior Credit Facility'],
      ['real_estate', 'Senior Credit Facility'],
    ],
  )
  t.strictSame(
    pledged('We issued letters of credit to secure the obligations of the land company under the lease.'),
    [],
    'what is done to secure is no pledge of assets',
  )
  t.strictSame(
    pledged(
      'The obligations under the senior secured credit facility are, subject to certain exceptions, secured by all of the capital stock of domestic subsidiaries and certain intercompany receivables.',
    ).map(([type]) => type),
    ['receivables', 'securities'],
  )
  t.strictSame(
    pledged('Under the Receivables Securitization Program the SPV obtains loans secured by the receivables.'),
    [['receivables', 'Receivables Securitization Program']],
  )
  t.strictSame(
    pledged('We have a $20 million term loan secured by our headquarters building and equipment.').map(
      ([type]) => type,
    ),
    ['real_estate', 'equipment'],
  )
  t.strictSame(
    pledged(
      'In May we repaid the term loan and had entered into a new loan secured by equipment, since retired.',
    ),
    [],
    'a loan that ended secures nothing',
  )
  t.strictSame(pledged('We may not have a loan secured by our inventory.'), [])
})
