import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { instrumentName } from '../../../engine/filing/facts/instrument-name.ts'
import { section } from './section.ts'

const note = { section_type: 'debt_footnote', doc_type: '10-K', title: 'Note 4. Debt' }
const HEAD = 'CREDIT AGREEMENT dated as of June 4, 2021\n\n'
const rows = (text: string, about: object = {}) => covenantsIn(section(text, about))
const names = (text: string, about: object = {}) =>
  rows(text, about)
    .map(row => row.covenant_name)
    .sort()
const told = (text: string, about: object = {}) =>
  rows(text, about).map(row => [row.covenant_name, row.threshold_value ?? null])

t.test(
  'a list that no party may do is read item by item, over page numbers and lists within items',
  async t => {
    t.strictSame(
      names(
        `${HEAD}5.25 Negative Covenants. No Loan Party shall, and no Loan Party shall permit any Subsidiary to, without the prior written consent of the Agent:\n\n(a) sell or dispose of any assets, other than:\n\n(i) the sale of Inventory in the ordinary course of business,\n\n-26-\n\n(ii) any transfer to another Loan Party;\n\n-27-\n\n(b) make any loans to, or investments in, any Person;\n\n(c) incur any Indebtedness other than Permitted Indebtedness;\n\n(d) pay any amount on any Indebtedness that is contractually subordinated to the Obligations; or\n\n-28-\n\n(e) enter into any agreement prohibiting the creation or assumption of any Lien on the Collateral.`,
      ),
      [
        'Limitation on Asset Sales',
        'Limitation on Indebtedness',
        'Limitation on Investments',
        'Limitation on Prepayments of Indebtedness',
        'Limitation on Restrictive Agreements',
      ],
    )
    t.strictSame(
      names(
        `${HEAD}7.7 Negative Pledges. Neither Alfa nor any of its Subsidiaries shall, directly or indirectly:\n\n(a) Engage in any business other than real estate business.\n\n(b) Enter into any agreement which prohibits or limits the ability of any Borrower to create or suffer to exist any Lien upon any of its property.`,
      ),
      ['Limitation on Line of Business', 'Limitation on Restrictive Agreements'],
    )
    t.strictSame(
      names(
        `${HEAD}9.2 Agents. No Loan Party shall have any obligation to the Agent unless the Agent has: (a) sold any assets, (b) incurred any Indebtedness.`,
      ),
      [],
    )
  },
)

t.test('letters without brackets head items with titles, which may be lists themselves', async t => {
  t.strictSame(
    names(
      `${HEAD}5.2 Without the written consent of the Bank, the Borrower will not and no Subsidiary of the Borrower will:\n\nA. Dividends. If there is a default, acquire or retire any of its shares of capital stock, or declare or pay dividends.\n\nB. Debt. Incur, contract for, or permit to remain outstanding, indebtedness for borrowed money, other than unsecured trade debt.\n\n8\n\nC. Continuity of Operations. (1) Engage in any business activities substantially different from those in which it is presently engaged; (2) cease operations, liquidate, merge or consolidate with any other Person, change its name, or sell any assets out of the ordinary course of business.`,
    ),
    [
      'Limitation on Asset Sales',
      'Limitation on Indebtedness',
      'Limitation on Line of Business',
      'Limitation on Mergers',
      'Limitation on Restricted Payments',
    ],
  )
})

t.test('of what a borrower will do, only what items negate is forbidden', async t => {
  t.strictSame(
    names(
      `${HEAD}6.7 Special Purpose Entity. The Borrower will (a) own no material assets, and not engage in any business other than owning the Assets, (b) not incur any indebtedness for borrowed money, (c) not make any loans or advances to any third party, (d) pay its debts only from its own assets, and (e) sell assets to pay its debts.`,
    ),
    ['Limitation on Indebtedness', 'Limitation on Investments', 'Limitation on Line of Business'],
  )
})

t.test('clauses that begin with their verb forbid under an article of negative covenants', async t => {
  const article = `${HEAD}ARTICLE V\nNEGATIVE COVENANTS\n\nBorrower will not without Bank's prior written consent:\n\n`
  t.strictSame(
    told(
      `${article}SECTION 5.2. CAPITAL EXPENDITURES. Make any additional investment in fixed assets in any fiscal year in excess of an aggregate of $750,000.`,
    ),
    [['Maximum Capital Expenditures', 75_000_000]],
  )
  t.strictSame(
    names(
      `${article}SECTION 5.5. MERGER, CONSOLIDATION, TRANSFER OF ASSETS. Merge into or consolidate with any other entity, or sell, lease or transfer all or a substantial or material portion of Borrower's assets.\n\nSECTION 5.6. GUARANTIES. Guarantee or become liable in any way as surety for any liabilities or obligations of any other person or entity.\n\nSECTION 5.9. PLEDGE OF ASSETS. Mortgage, pledge, grant or permit to exist a security interest in, or lien upon, any of Borrower's assets.`,
    ),
    ['Limitation on Asset Sales', 'Limitation on Guarantees', 'Limitation on Liens', 'Limitation on Mergers'],
  )
})

t.test(
  'a restriction on restrictions of subsidiaries is one on agreements, not on dividends or liens',
  async t => {
    t.strictSame(
      names(
        `${HEAD}ARTICLE 5 NEGATIVE COVENANTS\n\n5.9 Limitation on Dividend Restrictions. Borrowers will not create or suffer to exist any consensual encumbrance or restriction which by its terms restricts the ability of any Borrower or its Subsidiaries to:\n\n(a) pay dividends or make any other distributions on its Capital Stock; or\n\n(b) make any loans or advances to Parent.`,
      ),
      ['Limitation on Restrictive Agreements'],
    )
  },
)

t.test('a financial condition may be a quotient, and a title names a cover of debt service', async t => {
  t.strictSame(
    told(
      `${HEAD}SECTION 4.9. FINANCIAL CONDITION. Maintain Borrower's financial condition as follows:\n\n(a) Maintain Total Liabilities divided by Tangible Net Worth of not greater than 2.00 to 1.00 at each quarter end.`,
    ),
    [['Maximum Debt to Net Worth Ratio', 2]],
  )
  const ratio = (title: string) =>
    told(
      `${HEAD}SECTION 7.1 Financial Covenants. Alfa shall not:\n\n(a) ${title}. Permit, for any Test Period, the ratio of Total EBITDA for such period to Total Debt Service for such period to be less than 1.50 to 1.00.`,
    )
  t.strictSame(ratio('Fixed Charge Coverage Ratio'), [['Minimum Fixed Charge Coverage Ratio', 1.5]])
  t.strictSame(ratio('Coverage'), [['Minimum Debt Service Coverage Ratio', 1.5]])
  t.strictSame(
    told(
      `${HEAD}SECTION 7.1 Financial Covenants. Alfa shall not permit the ratio of Unencumbered NOI to Unsecured Interest Expense to be less than 1.75 to 1.00.`,
    ),
    [['Minimum Interest Coverage Ratio', 1.75]],
  )
})

t.test('rows of an agreement name a test and its level', async t => {
  const table = (cell: string) =>
    rows(
      `${HEAD}6.15 Financial Covenants. The covenants of this Section are monitored by the Lender.\n\n1. Borrower | Minimum Liquidity (certified quarterly and tested on an annual basis) | ${cell}\n2. Borrower | Maximum Leverage Ratio | Not more than 2.50 to 1.00\n`,
    ).map(row => [row.covenant_name, row.threshold_value, row.test_frequency])
  t.strictSame(table('Not less than $3,000,000.00'), [
    ['Minimum Liquidity', 300_000_000, 'annually'],
    ['Maximum Total Leverage Ratio', 2.5, null],
  ])
  t.strictSame(table('Not more than $3,000,000.00'), [['Maximum Total Leverage Ratio', 2.5, null]])
  t.strictSame(table('$3,000,000.00'), [['Maximum Total Leverage Ratio', 2.5, null]])
})

t.test('a level follows the words that define its ratio', async t => {
  t.strictSame(
    told(
      'The Credit Agreement contains two financial covenants: a maximum leverage ratio of total consolidated indebtedness to adjusted earnings before interest, taxes, depreciation and amortization ("adjusted EBITDA") for the trailing four consecutive quarters of 3.25 to 1.00, and a minimum current ratio of 1.10 to 1.00.',
      note,
    ),
    [
      ['Maximum Total Leverage Ratio', 3.25],
      ['Minimum Current Ratio', 1.1],
    ],
  )
})

t.test('a bank form tells of defaults under other contracts, judgments and changes of control', async t => {
  const events = (item: string) =>
    told(
      `${HEAD}ARTICLE VI\nEVENTS OF DEFAULT\n\nSECTION 6.1. The occurrence of any of the following shall constitute an "Event of Default" under this Agreement:\n\n(a) Borrower shall fail to pay any principal when due.\n\n(b) ${item}`,
    )
  t.strictSame(
    events(
      'Any default in the payment or performance of any obligation, or any defined event of default, under the terms of any contract or instrument (other than any of the Loan Documents) pursuant to which Borrower has incurred any debt or other liability to any person or entity.',
    ),
    [['Cross-Default', null]],
  )
  t.strictSame(events('A Change of Control occurs with respect to Borrower.'), [
    ['Change of Control Default', null],
  ])
  t.strictSame(
    events(
      'Any change in ownership of an aggregate of twenty-five percent (25%) or more of the common stock of Borrower.',
    ),
    [['Change of Control Default', null]],
  )
  t.strictSame(events('Any judgment is entered against any Obligor or any attachment is issued.'), [
    ['Judgment Default', null],
  ])
  t.strictSame(
    told(
      `${HEAD}8.1 Assignment. Any change in control of Borrower requires notice. Any judgment is entered against the party that lost.`,
    ),
    [],
  )
})

t.test('a clause may make a loan default with every other loan of its lender', async t => {
  t.strictSame(
    told(
      `${HEAD}6.15.2 No Other Loan Defaults. It is the expressed intent of Borrower to cross-default this Loan with any Other Loan, such that any default under an Other Loan shall be an Event of Default.`,
    ),
    [['Cross-Default', null]],
  )
})

t.test('the amount of a cross-default may stand in its proviso', async t => {
  const item = (amounts: string) =>
    told(
      `${HEAD}ARTICLE VIII\nEVENTS OF DEFAULT\n\nIf any of the following events shall occur: (a) any Borrower shall default in making any payment of any Indebtedness, the effect of which default is to cause, or to permit the holder of such Indebtedness to cause, such Indebtedness to become due prior to its stated maturity; provided that a default described in this paragraph shall not be an Event of Default unless the principal amount of such Indebtedness exceeds in the aggregate ${amounts}; or (b) bankruptcy.`,
    )
  t.strictSame(item('$125,000,000'), [['Cross-Default', 12_500_000_000]])
  t.strictSame(item('$125,000,000 or, of Recourse Indebtedness, exceeds $50,000,000'), [
    ['Cross-Default', null],
  ])
})

t.test('reports are also required in the passive', async t => {
  t.strictSame(
    names(
      `${HEAD}5.15 Financial, Collateral and Other Reporting. Each Loan Party keeps books of account. Each Loan Party will cause to be prepared and furnished to Agent the following items: (a) not later than 120 days after the end of each Fiscal Year, audited financial statements of Parent.`,
    ),
    ['Financial Reporting'],
  )
})

t.test('a borrower grants to its bank what secures its debts to the bank', async t => {
  const grant = (before: string) =>
    collateralIn(
      section(
        `${HEAD}SECTION 1.3. COLLATERAL. ${before} security interests of first priority in all of Borrower's personal property, whether now owned or hereafter acquired.`,
      ),
    ).map(row => [row.type, row.priority])
  t.strictSame(
    grant('As security for all indebtedness of Borrower to Bank, Borrower hereby grants to Bank'),
    [['general_lien', 'first_lien']],
  )
  t.strictSame(grant('No participant in the loans of the Bank hereby grants to Bank'), [])
})

t.test('an agreement is dated by what is entered into, or by a line of its cover', async t => {
  t.equal(
    instrumentName(
      'CREDIT AGREEMENT\n\nTHIS CREDIT AGREEMENT (this "Agreement") is entered into as of March 24, 2011 by and between Alfa and Beta Bank.',
    ),
    'Credit Agreement dated 2011-03-24',
  )
  const cover = (title: string) =>
    instrumentName(
      `${title}\n\nby and between\n\nALFA, INC.\n\nand\n\nBETA BANK\n\nDated as of January 3, 2017\n\nTABLE OF CONTENTS\n`,
    )
  t.equal(cover('CONSTRUCTION LOAN AGREEMENT'), 'Construction Loan Agreement dated 2017-01-03')
  t.equal(cover('SECOND AMENDMENT TO LOAN AGREEMENT'), 'Loan Agreement')
})

t.test('beside the indentures that govern them, the notes are named', async t => {
  t.strictSame(
    rows(
      'Each series of Senior Unsecured Notes contains covenants that limit our ability (as defined in the indenture governing such series) to create liens.',
      note,
    ).map(row => row.instrument_name),
    ['Senior Unsecured Notes'],
  )
  t.strictSame(
    rows('The Senior Notes are unsecured. The indenture limits our ability to create liens.', note).map(
      row => row.instrument_name,
    ),
    ['Indenture'],
  )
})

t.test('limits on debt stand in a list behind limits on sales', async t => {
  t.strictSame(
    names(
      'The covenants of the credit agreement include limitations on asset sales, acquisitions, indebtedness, and liens.',
      note,
    ),
    ['Limitation on Asset Sales', 'Limitation on Indebtedness', 'Limitation on Liens'],
  )
})
