import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const note = (text: string) => section(text, { section_type: 'debt_footnote', doc_type: '10-K' })
const said = (text: string) => covenantsIn(note(text))
const named = (text: string): string[] => [
  ...new Set(said(text).map(row => row.covenant_name?.replace('Limitation on ', '') ?? '')),
]
const pledged = (text: string) =>
  collateralIn(note(text)).map(row => [row.type, row.priority, row.instrument_name])

t.test('defaults on other debt are named in many ways in a list of events of default', async t => {
  for (const [text, amount] of [
    [
      'The Indenture contains customary events of default (each, an “Event of Default”) including, among others, (i) the failure to pay principal of or interest on any note when it is due and the breach of certain representations in the note documents, (ii) certain cross-defaults, and (iii) insolvency events.',
      null,
    ],
    [
      'The Credit Agreement has various events of default (subject to grace periods) including among others: nonpayment of principal; breach of covenant; payment default on, or acceleration under, certain other material indebtedness; and bankruptcy.',
      null,
    ],
    [
      'Events of default under the Indenture include the following: (v) a default in other agreements; (vi) certain defaults by the Company, any “significant subsidiary” of the Company, or any guarantor with respect to indebtedness for borrowed money of at least $35,000,000; (vii) final judgments of $20,000,000.',
      3_500_000_000,
    ],
  ] as const)
    t.strictSame(
      said(text)
        .filter(row => row.covenant_name === 'Cross-Default')
        .map(row => row.threshold_value),
      [amount],
      text,
    )
  t.strictSame(
    named('Our interest rate swaps have no cross-default to the notes. Payment defaults were waived.'),
    [],
    'outside of a list, nothing is read',
  )
})

t.test('puts on kinds of changes of control and at principal alone have their price', async t => {
  for (const text of [
    'In the event of certain kinds of changes of control, each holder of notes may require the Company to repurchase all or a portion of its notes at 101% of the principal amount.',
    'Upon specific kinds of changes of control, holders have the right to cause the issuers to repurchase some or all of the notes at 101% of the aggregate principal amount of the notes repurchased.',
  ])
    t.strictSame(
      said(text).map(row => [row.covenant_name, row.put_price_pct]),
      [['Change of Control Put', 101]],
    )
  t.strictSame(
    said(
      'If events that constitute a “Fundamental Change” occur, noteholders may require the Company to repurchase their notes at a cash repurchase price equal to the principal amount of the notes to be repurchased.',
    ).map(row => [row.covenant_name, row.put_price_pct]),
    [['Change of Control Put', 100]],
  )
})

t.test('what lists of restrictions call guarantees, payments on debt and subsidiaries’ payments', async t => {
  const limits = (items: string) =>
    named(`The Indenture contains covenants that limit the ability of the Company to ${items}.`)
  t.strictSame(limits('incur (or guarantee) additional indebtedness'), ['Indebtedness', 'Guarantees'])
  t.notOk(limits('incur or guarantee debt secured by liens').includes('Guarantees'), 'a limit on liens')
  t.strictSame(limits('redeem or repurchase certain debt'), ['Prepayments of Indebtedness'])
  t.strictSame(limits('make payments in respect of certain debt'), ['Prepayments of Indebtedness'])
  t.strictSame(limits("enter into certain transactions with the Company's affiliates"), [
    'Affiliate Transactions',
  ])
  t.ok(
    limits(
      "incur obligations that restrict the ability of the issuer's restricted subsidiaries to make dividend payments",
    ).includes('Restrictive Agreements'),
  )
  t.notOk(
    limits(
      'incur debt and restrictions on the ability of the Company and its subsidiaries to merge',
    ).includes('Restrictive Agreements'),
  )
})

t.test('restrictions are told as what is permitted while, subject to, or a default to break', async t => {
  t.strictSame(
    named(
      'The Company is permitted to declare and pay cash dividends so long as there is no default and it complies with the financial covenants of the Credit Agreement.',
    ),
    ['Restricted Payments'],
  )
  t.strictSame(
    named(
      'We amended our Credit Agreement on May 4, 2023. During that period the Company will be subject to limitations on share repurchases, cash dividends, and its ability to incur secured debt.',
    ),
    ['Liens', 'Restricted Payments'],
  )
  t.strictSame(
    named('We are insured. The Company will be subject to limitations on dividends under state law.'),
    [],
  )
  t.strictSame(
    named(
      'Events of default include the failure to comply with certain covenants in the Indenture relating to our ability to consolidate or merge; and a default on investments.',
    ),
    ['Mergers'],
  )
  t.strictSame(
    named(
      'Harbor Bank has a lien on all assets other than patents, for which it has been provided a negative pledge.',
    ),
    ['Liens'],
  )
  t.strictSame(
    named(
      'The Credit Facility contains covenants which require periodic financial and reserve reporting and limit liens.',
    ),
    ['Liens', 'Financial Reporting'],
  )
})

t.test('mortgages on properties called by name are of real estate, each of its loan', async t => {
  t.strictSame(
    pledged(
      'Mortgage notes payable include a $8,200,000 mortgage payable secured by the Harbor Hotel Newport (the “Newport Note”) and a $7,400,000 mortgage payable secured by the Cliff House Hotel (the “Cliff Loan”).',
    ),
    [
      ['real_estate', null, 'Newport Note'],
      ['real_estate', null, 'Cliff Loan'],
    ],
  )
  t.strictSame(pledged('We may obtain a mortgage loan secured by the Harbor Hotel Newport.'), [])
  t.strictSame(pledged('The mortgage loan is secured by the guarantor.'), [], 'no name')
})

t.test('ships are no real estate, however a mortgage on them is told', async t => {
  t.strictSame(
    pledged(
      'The loan is secured with the following: (i) first priority mortgages over M/V “Alfa” and M/V “Bravo” and (ii) guarantees.',
    ),
    [['vehicles', 'first_lien', null]],
  )
  t.strictSame(
    pledged("The Term Loan is secured by a first mortgage on each of the Company's eight bulk vessels.").map(
      ([type]) => type,
    ),
    ['vehicles'],
  )
})

t.test('blanket liens, and assets pledged in a sentence without the debt', async t => {
  t.strictSame(
    pledged('Alfa Bank maintains a blanket lien on all assets excluding intellectual property.').map(
      ([type]) => type,
    ),
    ['general_lien'],
  )
  t.strictSame(
    pledged(
      'The bonds were issued under the Master Indenture. Substantially all our assets, rents and revenues are pledged as collateral.',
    ).map(([type]) => type),
    ['general_lien'],
  )
  t.strictSame(
    pledged('Our customers keep deposits. Substantially all our assets are pledged as collateral.'),
    [],
    'no debt before',
  )
  t.strictSame(
    pledged(
      'The bonds are secured by a first lien (subject to the limits in the instruments through which we hold title to our properties) on substantially all of our property as described under the heading “Description of Debt Securities”.',
    ).map(([type]) => type),
    ['general_lien'],
  )
})

t.test('a facility of any name that is amended secures in a note on another subject', async t => {
  t.strictSame(
    collateralIn(
      section(
        'All obligations under the Amended Facility are secured by assets of the loan parties including inventory, receivables and certain types of intellectual property.',
        { section_type: 'notes', title: 'Subsequent Event', doc_type: '10-Q' },
      ),
    ).map(row => row.type),
    ['receivables', 'inventory', 'ip'],
  )
})

t.test('a guarantee in passing does not name the agreement of an announcement', async t => {
  t.strictSame(
    covenantsIn(
      section(
        'The notes are senior to debt secured by a lien junior to that of the notes and related subsidiary guarantee. The Indenture contains covenants that limit the ability of the Company to create liens.',
        {
          section_type: 'indenture',
          doc_type: '8-K',
          title: 'Item 1.01 Entry into a Material Definitive Agreement.',
        },
      ),
    ).map(row => [row.covenant_name, row.instrument_name]),
    [['Limitation on Liens', 'Indenture']],
  )
})
