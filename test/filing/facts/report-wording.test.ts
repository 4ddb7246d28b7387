import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import type { FiledSection } from '../../../engine/filing/facts/filed-section.ts'
import { section } from './section.ts'

const note: Partial<FiledSection> = { section_type: 'debt_footnote', doc_type: '10-K' }
const told = (text: string, more: Partial<FiledSection> = note) => covenantsIn(section(text, more))
const names = (rows: ReturnType<typeof covenantsIn>) => rows.map(r => r.covenant_name).sort()
const levels = (text: string, more?: Partial<FiledSection>) =>
  told(text, more).map(r => [r.covenant_name, r.threshold_value])
const pledged = (text: string) => collateralIn(section(text, note)).map(r => [r.type, r.instrument_name])

t.test('each test of a numbered list is read, whatever the items before it allow', async t => {
  t.strictSame(
    levels(
      'The terms of the Line of Credit require that Alfa maintain a number of customary financial covenants, including: (1) a leverage ratio not to exceed 60%, however, the leverage ratio may increase to no greater than 65% provided that it is reduced back to 60% within one year, (2) a secured debt leverage ratio not to exceed 55%, (3) a fixed charge coverage ratio of at least 1.40, (4) an unsecured debt leverage ratio not to exceed 60%, however, it may increase provided that it is reduced within one year, and (5) an unsecured debt interest coverage ratio of at least 1.75.',
    ),
    [
      ['Maximum Leverage Ratio', 0.6],
      ['Maximum Secured Leverage Ratio', 0.55],
      ['Minimum Fixed Charge Coverage Ratio', 1.4],
      ['Maximum Unsecured Leverage Ratio', 0.6],
      ['Minimum Interest Coverage Ratio', 1.75],
    ],
  )
  t.strictSame(
    levels(
      'The indenture contains financial requirements, including (1) a secured debt leverage ratio not to exceed 50%, and (2) an unencumbered asset value of not less than 150% of unsecured debt.',
    ),
    [
      ['Maximum Secured Leverage Ratio', 0.5],
      ['Minimum Asset Coverage Ratio', 1.5],
    ],
  )
  t.strictSame(
    levels(
      'If availability falls, the facility requires us to maintain (1) a current ratio of at least 1.0 to 1.0, and (2) a fixed charge coverage ratio of at least 1.1 to 1.0, provided that (a) we borrow and (b) only if the total leverage ratio does not exceed 4.0 to 1.0.',
    ).filter(([name]) => name === 'Maximum Total Leverage Ratio'),
    [],
    'a condition within the item is one',
  )
})

t.test('a covenant of the notes other than one series is not of that series', async t => {
  const [row] = told(
    'The Notes, with the exception of the 2028 Notes, contain customary covenants that place restrictions on, among other things, entry into sale or leaseback transactions.',
  )
  t.strictSame(
    [row?.covenant_name, row?.instrument_name],
    ['Limitation on Sale and Leaseback Transactions', 'Notes'],
  )
})

t.test('these notes are those whose issue the paragraph tells, where it tells of one', async t => {
  const these =
    'These notes are senior unsecured obligations that include a change of control repurchase provision.'
  const rows = told(
    `In March 2025, we issued €300.0 million principal amount of floating-rate notes due March 20, 2027. ${these}

In January 2025, we issued $750.0 million principal amount of 3.2 percent fixed-rate notes due 2035. ${these}

In April 2024, we issued $500.0 million of 1.0 percent notes due 2030 and $400.0 million of 1.5 percent notes due 2034. ${these}`,
  )
  t.strictSame(
    rows.map(r => [r.covenant_name, r.instrument_name]),
    [
      ['Change of Control Put', 'Floating-Rate Notes due March 20, 2027'],
      ['Change of Control Put', '3.2 Percent Fixed-Rate Notes due 2035'],
      ['Change of Control Put', 'Notes'],
    ],
  )
})

t.test('what a sentence is about names its instrument', async t => {
  const price =
    'the redemption price of notes that we may redeem is the greater of 100% of the principal amount of the notes and the sum of the present values of the remaining scheduled payments.'
  const rows = told(
    `With respect to the 5.125% 2029 notes, ${price} With respect to all other fixed rate notes, ${price}`,
  )
  t.strictSame(
    rows.map(r => r.instrument_name),
    ['Notes', 'Fixed Rate Notes'],
  )
})

t.test(
  'assets may be pledged against a line of credit; those of clients, and cash as a way to pay, secure nothing',
  async t => {
    t.strictSame(
      pledged(
        'Certain accounts receivable were pledged as collateral against a foreign uncommitted line of credit.',
      ),
      [['receivables', 'Line of Credit']],
    )
    t.strictSame(
      pledged(
        'The notes are secured by a lien as described below | Interest Rate (all cash) | SOFR plus 8.00%.',
      ),
      [],
    )
    t.strictSame(
      pledged('Margin loans to clients are secured by assets maintained in the clients’ brokerage accounts.'),
      [],
    )
  },
)

t.test('a merger in an exception to liens is no limitation of mergers', async t => {
  t.strictSame(
    names(
      told(
        'The indenture contains covenants that limit our ability to incur liens, other than liens on property existing at the time of its acquisition (including acquisition through merger or consolidation).',
      ),
    ),
    ['Limitation on Liens'],
  )
})

t.test('a description of notes that permits a merger under conditions limits it', async t => {
  const described: Partial<FiledSection> = {
    section_type: 'indenture',
    doc_type: 'EX-4.1',
    title: 'Description of the Registrant’s Securities',
  }
  const permits = 'The indenture provides that we may consolidate with or merge into any other corporation'
  t.strictSame(names(told(`${permits}, if the corporation assumes the notes.\n`, described)), [
    'Limitation on Mergers',
  ])
  t.strictSame(
    names(
      told(`${permits} or sell our assets as an entirety; provided that no default results.\n`, described),
    ),
    ['Limitation on Mergers'],
  )
  t.strictSame(names(told(`${permits} without the consent of the holders.\n`, described)), [])
})

t.test('a note that is outstanding forbids to encumber assets, whatever clause stands before', async t => {
  t.strictSame(
    names(
      told(
        'PROMISSORY NOTE dated May 1, 2024.\n\n(c) Default Interest. Interest accrues at 12%.\n\nUnless otherwise consented to in writing by each Holder, so long as the obligations under this Note are outstanding, the Company shall not (i) transfer, sell, hypothecate, encumber, dispose of any material assets or (ii) acquire any business.\n',
        { section_type: 'credit_agreement', doc_type: 'EX-10.2' },
      ),
    ),
    ['Limitation on Asset Sales', 'Limitation on Liens'],
  )
})

t.test('the instrument that a sentence is about has its covenant, not one that it names later', async t => {
  const [row] = told(
    'The corporate credit facility contains a liquidity covenant that requires us to maintain a minimum of $4 billion of cash, including availability under the 364-day revolving credit facility.',
  )
  t.strictSame([row?.covenant_name, row?.instrument_name], ['Minimum Liquidity', 'Corporate Credit Facility'])
})

t.test('covenants of all debt of a kind are of no single instrument told before', async t => {
  const [row] = told(
    'Our revolving credit facility matures in 2027. Our unsecured debt obligations contain covenants including limitations on our ability to incur certain liens.',
  )
  t.strictSame([row?.covenant_name, row?.instrument_name], ['Limitation on Liens', null])
})
