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
      `${article}SECTION 5.2. CAPITAL EXPENDITURES. Make any additional investment in fixed assets in any fiscal year in excess of an aggregate of $640,000.`,
    ),
    [['Maximum Capital Expenditures', 64_000_000]],
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
  t.strictSame(item('$135,000,000'), [['Cross-Default', 13_500_000_000]])
  t.strictSame(item('$135,000,000 or, of Recourse Indebtedness, exceeds $45,000,000'), [
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

const NEGATIVE = `${HEAD}ARTICLE V. NEGATIVE COVENANTS\n\nUntil the Loan is repaid in full, Borrower shall not, nor shall it permit any Subsidiary to:\n\n`

t.test('a clause of negative covenants is read part by part', async t => {
  t.strictSame(
    names(
      `${NEGATIVE}5.3 Merger, Transfer of Assets. (a) Merge into or consolidate with any other entity (provided that a Subsidiary may merge with Borrower). (b) Engage in any business other than the businesses conducted on the date of this Agreement. (c) Convey, sell or otherwise dispose of any part of its business or assets except: (i) of inventory; (ii) to pay any dividends.\n\n5.4 Advances and Loans. Lend money to any Person; guarantee, assume, endorse or otherwise become responsible for the obligations of any Person, except: (a) advances to officers; (b) loans to a Guarantor; enter into transactions with affiliates.`,
    ),
    [
      'Limitation on Asset Sales',
      'Limitation on Guarantees',
      'Limitation on Investments',
      'Limitation on Line of Business',
      'Limitation on Mergers',
    ],
  )
  t.strictSame(
    names(
      `${HEAD}ARTICLE IV. CONDITIONS\n\n4.3 Transfers. (a) Merge into any other entity. (b) Engage in any other business.`,
    ),
    [],
  )
})

t.test('dividends during a default, and agreements not to encumber, are restricted', async t => {
  t.strictSame(
    names(
      `${NEGATIVE}5.1 Dividends and Distributions. During the existence of any Event of Default, declare or pay any cash distributions or dividends.\n\n5.8 Agreements Not to Encumber. Agree with any Person other than Bank not to grant or allow to exist a Lien upon any of its property.`,
    ),
    ['Limitation on Restricted Payments', 'Limitation on Restrictive Agreements'],
  )
  t.strictSame(
    names(
      `${HEAD}5.02. Negative Covenants. Borrower will not, at any time:\n\n(a) Lease Obligations. Create or incur any obligations as lessee (i) for the rental of property in connection with any sale and leaseback transaction, or (ii) under leases of one year or more.\n\n(b) Fiscal Year. Change its Fiscal Year.`,
    ),
    ['Limitation on Sale and Leaseback Transactions'],
  )
})

t.test('the entry of a judgment over an amount is a default, data on finances are reported', async t => {
  t.strictSame(
    told(
      `${HEAD}ARTICLE VI\nEVENTS OF DEFAULT\n\nSECTION 6.1 The occurrence of any of the following shall constitute an "Event of Default":\n\n(e) The filing of a notice of judgment lien against Borrower; or the entry of a judgment against Borrower or any guarantor in excess of $50,000, and any of the foregoing shall continue for more than ten days.`,
    ),
    [['Judgment Default', 50_000_00]],
  )
  t.strictSame(
    names(
      `${HEAD}ARTICLE IV. AFFIRMATIVE COVENANTS\n\nBorrower shall:\n\n4.1 Financial Data. Keep books of account and furnish to Beta Bank:\n\n(a) Within 45 days after the close of each fiscal quarter, financial statements of Borrower.`,
    ),
    ['Financial Reporting'],
  )
})

t.test('notes redeemed at the present value of principal and future interest have a make-whole', async t => {
  const redeemed = (price: string) =>
    names(
      `The Company may redeem some or all of the 3.5% Notes before March 1, 2032 at a price equal to ${price}.`,
      note,
    )
  t.strictSame(
    redeemed(
      'the greater of the present value of the principal amount and future interest through the maturity of the notes or 100% of the principal amount',
    ),
    ['Make-Whole Redemption'],
  )
  t.strictSame(redeemed('100% of the principal amount and accrued interest'), [])
})

t.test('the definition of collateral ends where the next term is defined', async t => {
  t.strictSame(
    collateralIn(
      section(
        `${HEAD}The Obligations are secured under the Security Documents.\n\n(d) "Collateral" means all equipment of Borrower upon which a Lien is created by any Security Document.\n\n(m) "Liquidity" means the aggregate amount of unrestricted cash and marketable securities.`,
      ),
    ).map(row => row.type),
    ['equipment'],
  )
})

t.test('to give notice of a default on other debt is no cross-default', async t => {
  const said = (title: string) =>
    names(
      `${HEAD}${title}\n\n(a) Defaults. If any Person shall take any action in respect of a claimed default under any note or other Indebtedness of the Borrower, and such default would permit the holder to accelerate the maturity of any such Indebtedness, the Borrower shall give notice of it.`,
    )
  t.strictSame(said('10.07 Notices.'), [])
  t.strictSame(said('10.07 Events of Default.'), ['Cross-Default'])
})

t.test('guarantees that may not be given, and debt that may not be prepaid', async t => {
  t.strictSame(
    names(
      `${HEAD}11.11 NO GUARANTEES\n\n Borrower will not assume, guaranty, endorse or otherwise become liable in connection with any obligation of any other Person.\n\n11.14 Prepayment. The Borrower shall not prepay any Debt other than the Obligations, except in the ordinary course of business.\n\n2.5 Prepayment. The Borrower shall not prepay any Advance before its maturity.`,
    ),
    ['Limitation on Guarantees', 'Limitation on Prepayments of Indebtedness'],
  )
})
